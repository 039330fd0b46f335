package report

import (
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// textNext writes the commands to run next, right below the first sentence.
func textNext(p *page, v *view.View) {
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
	for _, l := range view.ShellLines(words.OneLine(s.Command), textWidth-2) {
		p.line("  " + l)
	}
	for _, a := range s.Answers {
		p.wrap("    "+words.OneLine(a.If)+": ", "      ", a.Then)
	}
}
