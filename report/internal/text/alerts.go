package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// textAlerts shows the rules that fired, and those of the cluster's own that cannot, and counts the others.
func textAlerts(p *page, v *view.View) {
	rows := v.AlertRows()
	if len(rows) == 0 {
		return
	}
	p.gap().wrap("ALERTS  ", "  ", v.AlertSum()+"; the html and json formats have them with their expressions")
	for _, r := range rows {
		if own := r.Origin != "seed" && r.Origin != "builtin"; own || r.Result == "fired" { // what is wrong with a popular rule is news only for who has it
			p.wrap("  ", "    ", textAlert(r, own))
		}
	}
}

// textAlert is what a rule did, in a sentence.
func textAlert(r view.AlertView, own bool) string {
	text := words.OneLine(r.Name) + " (" + words.OneLine(r.Source) + "): " + r.Outcome
	if r.At != "" {
		text += " at " + r.At + words.If(r.Lead != "", ", "+r.Lead+" Multi-Attach began") + words.If(r.Left != "", ", "+r.Left)
	}
	parts := []string{text, words.If(r.Seen > 1, fmt.Sprintf("for %d incidents", r.Seen)),
		words.If(r.Beside > 0, words.Count(r.Beside, "firing")+" elsewhere"), words.If(r.Served != "" && own, "the server's own: "+r.Served),
		words.If(!strings.HasPrefix(r.Note, "synthesised"), r.Note)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "; ")
}
