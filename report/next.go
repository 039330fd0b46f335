package report

import "github.com/volpost/volpost/model"

// Next are the commands to run next: those of the incident that the verdict is about.
func (v *view) Next() []model.NextStep {
	for _, in := range v.Incident {
		if in.ID == v.Verdict.Incident {
			return in.Next
		}
	}
	return nil
}

// textNext writes the commands to run next, right below the first sentence. A command stands on a line of its own, unbroken: a
// command that is broken cannot be copied.
func textNext(p *page, v *view) {
	for n, s := range v.Next() {
		p.line("")
		label := "NEXT, "
		if n > 0 {
			label = "THEN, "
		}
		p.wrap(label, "  ", "to decide "+s.Decides+":")
		p.line("  " + oneLine(s.Command))
		for _, a := range s.Answers {
			p.wrap("    "+oneLine(a.If)+": ", "      ", a.Then)
		}
	}
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
