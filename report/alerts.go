package report

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/model"
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
	First  string // its first firing for each incident: when, how long before or after Multi-Attach began, and before it ended
	Beside int    // firings that belong to no incident
}

// AlertRows are the rules in the report's order.
func (v *view) AlertRows() []alertView {
	out := make([]alertView, 0, len(v.Alerts))
	for _, a := range v.Alerts {
		row := alertView{Alert: a, Source: find(originLabels, a.Origin), Said: find(resultLabels, a.Result)}
		first, incidents := (*model.Firing)(nil), map[string]bool{}
		for i := range a.Firings {
			f := &a.Firings[i]
			if f.Incident == nil {
				row.Beside++
				continue
			}
			incidents[*f.Incident] = true
			if first == nil || f.From.Before(first.From) {
				first = f
			}
		}
		if first != nil {
			row.First = v.firing(*first)
			if len(incidents) > 1 {
				row.First += fmt.Sprintf("; for %d incidents", len(incidents))
			}
		}
		out = append(out, row)
	}
	return out
}

// AlertSum says how many rules had which result.
func (v *view) AlertSum() string { return alertCounts(v.AlertRows()) }

// firing says when an alert fired, against the wait of its incident.
func (v *view) firing(f model.Firing) string {
	text := f.From.UTC().Format(dateTime) + " UTC"
	if f.LeadSeconds != nil {
		if lead := *f.LeadSeconds; lead >= 0 {
			text += ", " + seconds(lead) + " before Multi-Attach began"
		} else {
			text += ", " + seconds(-lead) + " after Multi-Attach began"
		}
	}
	in := v.incident[*f.Incident]
	if in == nil || in.MultiAttach.Ended == nil {
		return text
	}
	if left := in.MultiAttach.Ended.At.Sub(f.From).Seconds(); left >= 0 {
		return text + ", " + seconds(left) + " before it ended"
	}
	return text + ", after it had ended"
}

// textAlerts shows the rules that fired, and those of the cluster's own that cannot, and counts the others.
func textAlerts(p *page, v *view) {
	rows := v.AlertRows()
	if len(rows) == 0 {
		return
	}
	p.line("")
	p.wrap("ALERTS  ", "  ", alertCounts(rows)+"; the html and json formats have them with their expressions")
	for _, r := range rows {
		switch {
		case r.Result == "fired" && r.First != "":
			p.wrap("  fired        ", "               ", r.Name+" ("+r.Source+") at "+r.First+beside(r))
		case r.Result == "fired":
			p.wrap("  fired        ", "               ", r.Name+" ("+r.Source+")"+beside(r))
		case r.Origin == "seed": // what is wrong with a popular rule is news only for who has it
		case r.Result == "cannot-fire" || r.Result == "error":
			p.wrap("  "+r.Said+strings.Repeat(" ", 13-len(r.Said)), "               ", r.Name+" ("+r.Source+"): "+r.Note)
		}
	}
}

func beside(r alertView) string {
	if r.Beside == 0 {
		return ""
	}
	return fmt.Sprintf("; %s beside the incidents", count(r.Beside, "firing"))
}

// alertCounts says how many rules had which result, and over what they were run.
func alertCounts(rows []alertView) string {
	var parts []string
	made := false
	for _, l := range resultLabels {
		n := 0
		for _, r := range rows {
			if r.Result == l.id {
				n++
			}
			made = made || strings.HasPrefix(r.Note, "synthesised")
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, l.text))
		}
	}
	text := count(len(rows), "rule") + ": " + strings.Join(parts, ", ")
	if made {
		text += "; run over series synthesised from the timeline"
	}
	return text
}
