package analyze

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/analyze/check"
)

// CheckDoc is what volpost knows of a check, for people.
type CheckDoc struct {
	ID, Title, Severity string // Severity is what a finding has as a rule; one can be milder or graver
	Doc                 string // Markdown
}

// Checks are all checks, in the order of their declaration.
func Checks() []CheckDoc {
	out := make([]CheckDoc, 0, len(check.All))
	for _, c := range check.All {
		out = append(out, CheckDoc{ID: c.ID, Title: c.Title, Severity: c.Severity, Doc: checkMarkdown(c)})
	}
	return out
}

func checkMarkdown(c check.Check) string {
	var b strings.Builder
	for _, s := range []struct{ title, text string }{
		{"What it says", c.Doc.Means}, {"Decided by", c.Doc.DecidedBy}, {"Left alone", c.Doc.LeftAlone}, {"What to do", c.Remedy},
	} {
		b.WriteString("## " + s.title + "\n" + s.text + "\n\n")
	}
	if len(c.Needs) > 0 {
		b.WriteString("## Needs\n")
		for _, n := range c.Needs {
			fmt.Fprintf(&b, "- %s (`%s`)\n", n.What, n.Command)
		}
		b.WriteString("\n")
	}
	if len(c.Doc.References) > 0 {
		b.WriteString("## References\n- " + strings.Join(c.Doc.References, "\n- ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
