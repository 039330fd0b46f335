package report

import (
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Next are the commands to run next: those of the incident that the verdict is about.
func (v *view) Next() []model.NextStep {
	for _, in := range v.Incident {
		if in.ID == v.Verdict.Incident {
			return in.Next
		}
	}
	return nil
}

// textNext writes the commands to run next, right below the first sentence.
func textNext(p *page, v *view) {
	for n, s := range v.Next() {
		oneStep(p, n, s)
	}
}

func oneStep(p *page, n int, s model.NextStep) {
	p.line("")
	label := "NEXT, "
	if n > 0 {
		label = "THEN, "
	}
	p.wrap(label, "  ", "to decide "+s.Decides+":")
	for _, l := range shellLines(words.OneLine(s.Command), textWidth-2) {
		p.line("  " + l)
	}
	for _, a := range s.Answers {
		p.wrap("    "+words.OneLine(a.If)+": ", "      ", a.Then)
	}
}

// shellLines breaks a command where the shell joins it again: at a blank outside of quotes, behind a backslash. A word that is wider
// stays whole, because a name that is broken cannot be copied.
func shellLines(command string, width int) []string {
	var out []string
	line := ""
	for _, word := range shellWords(command) {
		switch {
		case line == "":
			line = word
		case words.Columns(line)+1+words.Columns(word)+2 <= width:
			line += " " + word
		default:
			out = append(out, line+" \\")
			line = "  " + word
		}
	}
	return append(out, line)
}

// shellWords cuts a command at its blanks, but for those in quotes.
func shellWords(command string) []string {
	quote := rune(0)
	return strings.FieldsFunc(command, func(r rune) bool {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
			return false
		case r == '\'' || r == '"':
			quote = r
		}
		return r == ' '
	})
}

// next writes the commands to run next into a comment.
func (m *comment) next(v *view) {
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
