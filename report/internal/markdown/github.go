package markdown

import (
	"strings"
)

// githubMarkup is GitHub's Markdown.
var githubMarkup = markup{
	prose:   prose,
	code:    code,
	heading: func(text string) string { return "### " + text },
	bold:    func(text string) string { return "**" + text + "**" },
	bullet:  "- ",
	row:     func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" },
	head: func(align string, cells []string) []string {
		rule := "|"
		for _, a := range align {
			if rule += "---"; a == 'r' {
				rule += ":"
			}
			rule += "|"
		}
		return []string{"| " + strings.Join(cells, " | ") + " |", rule}
	},
	facts: func(pairs [][2]string) []string {
		var out []string
		for i, p := range pairs {
			if out = append(out, "| "+p[0]+" | "+p[1]+" |"); i == 0 {
				out = append(out, "|---|---|") // a table of Markdown has a head
			}
		}
		return out
	},
	fenced: fenced,
	fold: func(title string) [2]string {
		return [2]string{"<details><summary>" + title + "</summary>", "</details>"}
	},
}
