package report

import (
	"fmt"
	"strings"
)

// markdownHelps is how many remedies have a row.
const markdownHelps = 5

// remedies tells what would have shortened the incident, with the commands of the first remedy only.
func (m *markdown) remedies(in *incidentView) {
	r := in.Remedies
	if !r.Any() {
		return
	}
	m.line("")
	m.line("**What would have shortened it.** " + prose(strings.TrimSpace(r.Outlook+" "+r.Model)) + onlyWith(len(r.Helps) > 0, " "+alternatives))
	if len(r.Helps) > 0 {
		m.line("")
		m.row("Remedy", "What it would have changed", "Safety")
		m.line("|---|---|---|")
		for i, h := range r.Helps {
			if i == markdownHelps {
				m.row(fmt.Sprintf("and %d more", len(r.Helps)-i), "", "")
				break
			}
			m.row(code(h.ID)+onlyWith(h.WasUsed, " (was used)"), prose(strings.TrimSpace(h.Now+" "+h.Sentence)), prose(find(safetyLabels, h.Safety.State)))
		}
		m.stacks(r)
		m.how(r.Helps[0])
	}
	if text := r.Others(); text != "" {
		m.line("")
		m.line(prose(text) + "; the html and json formats say why.")
	}
}

// stacks are the waterfalls as they would have been.
func (m *markdown) stacks(r remedyViews) {
	if len(r.Fall.Stacks) == 0 {
		return
	}
	var lines []string
	for _, s := range r.Fall.Stacks {
		name := s.Name
		if s.Remedy != "" {
			name = s.Remedy
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-22s %s %s", shorten(oneLine(name), 22), s.line(stackColumns), s.Duration), " "))
	}
	lines = append(lines, r.Fall.legend())
	m.line("")
	for _, line := range fenced("text", lines) {
		m.line(line)
	}
}

// how is the way to carry out a remedy: what has to be proven, then the commands.
func (m *markdown) how(r remedyView) {
	if len(r.Commands) == 0 {
		return
	}
	m.line("")
	for _, n := range r.Proof {
		m.line("**Proof needed first:** " + prose(needText(n)))
	}
	if len(r.Proof) == 0 && r.Safety.State != "safe" {
		m.line("**Proof needed first:** " + noProof)
	}
	if len(r.Proof) == 0 && r.Safety.State == "safe" {
		m.line(code(r.ID) + ":")
	} else {
		m.line("")
	}
	for _, line := range fenced("sh", r.Commands) {
		m.line(line)
	}
}

// onlyWith is text under a condition.
func onlyWith(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}
