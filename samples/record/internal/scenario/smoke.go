package scenario

import "time"

var smoke = &Scenario{
	Name: "clean", Class: "none",
	Title:  "Nothing happened",
	What:   "a healthy cluster, collected while nothing was wrong",
	Notice: "What a reader should see: nothing. Every volume is attached to one node, and every attachment is where its pod is.",
	Believed: []string{
		`"A bundle always has something to show." ` +
			`The most frequent bundle is one of a healthy cluster; a tool that finds something in it is not believed when it matters.`,
	},
	Play: func(s *Stage) {
		s.start(database)
		s.sleep(60 * time.Second)
	},
}
