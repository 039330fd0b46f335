package text

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// Columns of the table of alerts in a text, in characters.
const (
	alertName   = 27
	alertSource = 12
	alertTime   = 8
	alertLead   = 15
)

// textAlerts shows the rules that fired, and those of the cluster's own that cannot, and counts the others.
func textAlerts(p *page, v *view.View) {
	rows := v.AlertRows()
	if len(rows) == 0 {
		return
	}
	p.gap().wrap("ALERTS  ", "  ", v.AlertSum()+"; the html and json formats have them with their expressions")
	head := false
	for _, r := range rows {
		own := r.Origin != "seed" && r.Origin != "builtin"
		if r.Result != "fired" && !own {
			continue // what is wrong with a popular rule is news only for who has it
		}
		if !head {
			p.line(alertLine("alert", "rule", "fired", "Multi-Attach", "before end"))
			head = true
		}
		textAlert(p, r, own)
	}
}

func textAlert(p *page, r view.AlertView, own bool) {
	source, at := strings.TrimPrefix(r.Source, "recommended, "), r.Outcome
	if own {
		source = "own"
	}
	if r.At != "" {
		at = r.At
	}
	if r.Result != "fired" {
		p.line("  " + pad(r.Name, alertName) + " " + pad(source, alertSource) + " " + r.Outcome)
	} else {
		p.line(alertLine(r.Name, source, at, r.Lead, r.Left))
	}
	var more []string
	if own && r.Line > 0 {
		more = append(more, r.Source)
	}
	if r.Seen > 1 {
		more = append(more, fmt.Sprintf("for %d incidents", r.Seen))
	}
	if r.Beside > 0 {
		more = append(more, words.Count(r.Beside, "firing")+" elsewhere")
	}
	if r.Served != "" && own {
		more = append(more, "the server's own: "+r.Served)
	}
	if r.Note != "" && !strings.HasPrefix(r.Note, "synthesised") {
		more = append(more, r.Note)
	}
	if len(more) > 0 {
		p.wrap("      ", "      ", strings.Join(more, "; "))
	}
}

func alertLine(name, source, at, lead, left string) string {
	return strings.TrimRight(
		"  "+pad(name, alertName)+" "+pad(source, alertSource)+" "+pad(at, alertTime)+" "+pad(lead, alertLead)+" "+left, " ")
}

// pad fills a text, as one line, up to a width in columns, and cuts what is wider.
func pad(s string, width int) string {
	s = words.OneLine(s)
	if words.Columns(s) <= width {
		return s + strings.Repeat(" ", width-words.Columns(s))
	}
	r := []rune(s)
	for len(r) > 0 && words.Columns(string(r))+1 > width {
		r = r[:len(r)-1]
	}
	return string(r) + "…" + strings.Repeat(" ", width-words.Columns(string(r))-1)
}
