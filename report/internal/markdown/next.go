package markdown

import "github.com/volpost/volpost/report/internal/view"

// next writes the commands to run next into a comment.
func (m *comment) next(v *view.View) {
	for n, s := range v.Next() {
		label := "Next, "
		if n > 0 {
			label = "Then, "
		}
		m.line("")
		m.line(label + "to decide " + m.prose(s.Decides) + ": " + m.code(s.Command))
		m.line("")
		for _, a := range s.Answers {
			m.line(m.bullet + m.bold(m.prose(a.If)) + ": " + m.prose(a.Then))
		}
	}
}
