package markdown

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// commentHelps is how many remedies have a row.
const commentHelps = 5

// remedies tells what would have shortened the incident, with the commands of the first remedy only.
func (m *comment) remedies(in *view.IncidentView) {
	r := in.Remedies()
	if !r.Any() {
		return
	}
	m.gap().line(m.bold("What would have shortened it.") + " " + m.prose(strings.TrimSpace(r.Outlook+" "+r.Model)) + words.If(len(r.Helps) > 0, " "+view.Alternatives))
	if len(r.Helps) > 0 {
		m.gap().tableHead("lll", "Remedy", "What it would have changed", "Data risk and side effects")
		for i, h := range r.Helps {
			if i == commentHelps {
				m.tableRow(fmt.Sprintf("and %d more", len(r.Helps)-i), "", "")
				break
			}
			m.tableRow(m.code(h.ID)+words.If(h.WasUsed, " (was used)"), m.prose(strings.TrimSpace(h.Now+" "+h.Sentence)), m.prose(words.Capital(strings.TrimPrefix(h.Weighed(), view.RiskName))))
		}
		m.stacks(r)
	}
	if text := r.Others(); text != "" {
		m.gap().line(m.prose(text) + "; the html and json formats say why.")
	}
}

// stacks are the waterfalls as they would have been.
func (m *comment) stacks(r view.RemedyViews) {
	if len(r.Fall.Stacks) == 0 {
		return
	}
	var lines []string
	for _, s := range r.Fall.Stacks {
		name := s.Name
		if s.Remedy != "" {
			name = s.Remedy
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-22s %s %s", words.Shorten(words.OneLine(name), 22), s.Line(view.StackColumns), s.Duration), " "))
	}
	lines = append(lines, r.Fall.Legend())
	m.gap().lines(m.fenced("text", lines))
}
