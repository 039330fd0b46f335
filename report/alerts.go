package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// originLabels say where a rule comes from; another origin is the rule file's path.
var originLabels = []label{{"builtin", "recommended"}, {"seed", "popular rule"}}

// resultLabels are the results of a rule, in the order in which a reader needs them.
var resultLabels = []label{
	{"fired", "fired"}, {"cannot-fire", "cannot fire"}, {"error", "failed"}, {"pending-only", "only pending"}, {"never", "did not fire"}, {"no-data", "no data"},
}

// alertView is what a rule did, in words.
type alertView struct {
	model.Alert
	Source string // who wrote it
	Said   string // its result
	Over   string // of what kind the series were
	First  string // when it fired first for an incident
	At     string // the same without its date
	Lead   string // how long before or after Multi-Attach began that was
	Left   string // and how long before it ended
	Seen   int    // incidents for which it fired
	Beside int    // firings that belong to no incident
	Served string // when the server says that it fired
}

// AlertRows are the rules in the report's order.
func (v *view) AlertRows() []alertView {
	out := make([]alertView, 0, len(v.Alerts))
	for _, a := range v.Alerts {
		row := alertView{Alert: a, Source: sourceOf(a), Said: find(resultLabels, a.Result), Over: find(overLabels, a.Over)}
		if a.Line > 0 {
			row.Source = fmt.Sprintf("%s:%d", a.Origin, a.Line)
		}
		var best *model.Firing
		seen := map[string]bool{}
		for i := range a.Firings {
			f := &a.Firings[i]
			if f.Incident == nil {
				row.Beside++
				continue
			}
			seen[*f.Incident] = true
			if best == nil || f.From.Before(best.From) {
				best = f
			}
		}
		if row.Seen = len(seen); best != nil {
			v.firing(&row, *best)
		}
		if a.Over != "" && v.AlertsServed() {
			row.Served = v.served(a.Recorded)
		}
		out = append(out, row)
	}
	return out
}

// sourceOf says who wrote a rule, and of volpost's own, which have two of some names, the graver.
func sourceOf(a model.Alert) string {
	if a.Origin == "builtin" && a.Severity == "critical" {
		return find(originLabels, a.Origin) + ", " + a.Severity
	}
	return find(originLabels, a.Origin)
}

// overLabels say over what rules were run.
var overLabels = []label{{model.OverMetrics, "the metrics"}, {model.OverSynthesised, "the timeline"}}

// firing says when an alert fired, against the wait of its incident.
func (v *view) firing(row *alertView, f model.Firing) {
	row.First, row.At = stampAt(f.From), clockAt(f.From)
	if f.LeadSeconds != nil {
		row.Lead = lead(*f.LeadSeconds)
	}
	in := v.incident[*f.Incident]
	switch {
	case in == nil:
	case in.MultiAttach.Ended == nil:
		row.Left = "no end known"
	case in.MultiAttach.Ended.At.Before(f.From):
		row.Left = "after its end"
	default:
		row.Left = words.Seconds(in.MultiAttach.Ended.At.Sub(f.From).Seconds())
	}
}

// lead is a distance to the beginning of a wait.
func lead(s float64) string {
	switch {
	case s > 0:
		return words.Seconds(s) + " before"
	case s < 0:
		return words.Seconds(-s) + " after"
	}
	return "at once"
}

// served is when an alert fired by the server's own account.
func (v *view) served(list []model.Firing) string {
	switch len(list) {
	case 0:
		return "no"
	case 1:
		return stampAt(list[0].From)
	}
	return fmt.Sprintf("%s and %d more times", stampAt(list[0].From), len(list)-1)
}

// AlertSum says how many rules had which result, and over what they were run.
func (v *view) AlertSum() string { return alertCounts(v.AlertRows()) }

// AlertsServed reports that the server wrote down when its own alerts fired.
func (v *view) AlertsServed() bool {
	return slices.ContainsFunc(v.Alerts, func(a model.Alert) bool { return len(a.Recorded) > 0 })
}

// Columns of the table of alerts in a text, in characters.
const (
	alertName   = 27
	alertSource = 12
	alertTime   = 8
	alertLead   = 15
)

// textAlerts shows the rules that fired, and those of the cluster's own that cannot, and counts the others.
func textAlerts(p *page, v *view) {
	rows := v.AlertRows()
	if len(rows) == 0 {
		return
	}
	p.line("")
	p.wrap("ALERTS  ", "  ", alertCounts(rows)+"; the html and json formats have them with their expressions")
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

func textAlert(p *page, r alertView, own bool) {
	source, at := strings.TrimPrefix(r.Source, "recommended, "), r.Said
	if own {
		source = "own"
	}
	if r.At != "" {
		at = r.At
	}
	if r.Result != "fired" {
		p.line("  " + pad(r.Name, alertName) + " " + pad(source, alertSource) + " " + r.Said)
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
	return strings.TrimRight("  "+pad(name, alertName)+" "+pad(source, alertSource)+" "+pad(at, alertTime)+" "+pad(lead, alertLead)+" "+left, " ")
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

// alertCounts says how many rules had which result, and over what they were run.
func alertCounts(rows []alertView) string {
	var parts, over []string
	for _, l := range resultLabels {
		n := 0
		for _, r := range rows {
			if r.Result == l.id {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, l.text))
		}
	}
	for _, l := range []label{{model.OverMetrics, "run over the bundle's own metrics"}, {model.OverSynthesised, "run over series synthesised from the timeline"}} {
		i := slices.IndexFunc(rows, func(r alertView) bool { return r.Alert.Over == l.id })
		if i < 0 {
			continue
		}
		text := l.text
		if a := rows[i].Alert; l.id == model.OverMetrics && a.EvaluatedFrom != nil && a.EvaluatedTo != nil {
			text += fmt.Sprintf(" (%s), from %s to %s", strings.Join(a.Sources, ", "), dateAt(*a.EvaluatedFrom), stampAt(*a.EvaluatedTo))
		}
		over = append(over, text)
	}
	return strings.Join(append([]string{words.Count(len(rows), "rule") + ": " + strings.Join(parts, ", ")}, over...), "; ")
}

// alerts says in one paragraph which rules fired first for the incident, and which of the cluster's own cannot.
func (m *comment) alerts(v *view, in *incidentView) {
	var fired []string
	for _, r := range v.AlertRows() {
		if r.Origin == "seed" || r.Result != "fired" {
			continue
		}
		for _, f := range r.Firings {
			if f.Incident == nil || *f.Incident != in.ID || f.LeadSeconds == nil {
				continue
			}
			name := m.code(r.Name)
			if r.Origin == "builtin" && r.Severity == "critical" {
				name += " (critical)"
			}
			fired = append(fired, name+" "+m.prose(lead(*f.LeadSeconds)))
			break
		}
	}
	if len(fired) == 0 {
		return
	}
	const most = 4
	if more := len(fired) - most; more > 0 {
		fired = append(fired[:most], fmt.Sprintf("and %d more", more))
	}
	m.line("")
	m.line(m.bold("Alerts") + " that would have fired, against the beginning of Multi-Attach: " + strings.Join(fired, ", ") + ".")
}
