package view

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// originLabels say where a rule comes from; another origin is the rule file's path.
var originLabels = []Label{{"builtin", "recommended"}, {"seed", "popular rule"}}

// resultLabels are the results of a rule, in the order in which a reader needs them.
var resultLabels = []Label{
	{"fired", "fired"}, {"cannot-fire", "cannot fire"}, {"error", "failed"},
	{"pending-only", "only pending"}, {"never", "did not fire"}, {"no-data", "no data"},
}

// AlertView is what a rule did, in words.
type AlertView struct {
	model.Alert
	Source  string // who wrote it
	Outcome string // its result
	Over    string // of what kind the series were
	First   string // when it fired first for an incident
	At      string // the same without its date
	Lead    string // how long before or after Multi-Attach began that was
	Left    string // and how long before it ended
	Seen    int    // incidents for which it fired
	Beside  int    // firings that belong to no incident
	Served  string // when the server says that it fired
}

// AlertRows are the rules in the report's order.
func (v *View) AlertRows() []AlertView {
	out := make([]AlertView, 0, len(v.Alerts))
	for _, a := range v.Alerts {
		row := AlertView{Alert: a, Source: SourceOf(a), Outcome: Find(resultLabels, a.Result), Over: Find(overLabels, a.Over)}
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

// SourceOf says who wrote a rule, and of volpost's own, which have two of some names, the graver.
func SourceOf(a model.Alert) string {
	if a.Origin == "builtin" && a.Severity == "critical" {
		return Find(originLabels, a.Origin) + ", " + a.Severity
	}
	return Find(originLabels, a.Origin)
}

// overLabels say over what rules were run.
var overLabels = []Label{{model.OverMetrics, "the metrics"}, {model.OverSynthesised, "the timeline"}}

// firing says when an alert fired, against the wait of its incident.
func (v *View) firing(row *AlertView, f model.Firing) {
	row.First, row.At = stampAt(f.From), ClockAt(f.From)
	if f.LeadSeconds != nil {
		row.Lead = Lead(*f.LeadSeconds)
	}
	in := v.IncidentOf[*f.Incident]
	switch {
	case in == nil:
	case in.MultiAttach.Ended == nil:
		row.Left = "no end known"
	case in.MultiAttach.Ended.At.Before(f.From):
		row.Left = "after its end"
	default:
		row.Left = words.Seconds(in.MultiAttach.Ended.At.Sub(f.From).Seconds()) + " before its end"
	}
}

// Lead is a distance to the beginning of a wait.
func Lead(s float64) string {
	if s > 0 {
		return words.Seconds(s) + " before"
	}
	if s < 0 {
		return words.Seconds(-s) + " after"
	}
	return "at once"
}

// served is when an alert fired by the server's own account.
func (v *View) served(list []model.Firing) string {
	switch len(list) {
	case 0:
		return "no"
	case 1:
		return stampAt(list[0].From)
	}
	return fmt.Sprintf("%s and %d more times", stampAt(list[0].From), len(list)-1)
}

// AlertsServed reports that the server wrote down when its own alerts fired.
func (v *View) AlertsServed() bool {
	return slices.ContainsFunc(v.Alerts, func(a model.Alert) bool { return len(a.Recorded) > 0 })
}

// AlertSum says how many rules had which result, and over what they were run.
func (v *View) AlertSum() string {
	rows := v.AlertRows()
	var parts, over []string
	for _, l := range resultLabels {
		n := 0
		for _, r := range rows {
			if r.Result == l.ID() {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, l.Text()))
		}
	}
	for _, l := range []Label{
		{model.OverMetrics, "run over the bundle's own metrics"}, {model.OverSynthesised, "run over series synthesised from the timeline"},
	} {
		i := slices.IndexFunc(rows, func(r AlertView) bool { return r.Alert.Over == l.ID() })
		if i < 0 {
			continue
		}
		text := l.Text()
		if a := rows[i].Alert; l.ID() == model.OverMetrics && a.EvaluatedFrom != nil && a.EvaluatedTo != nil {
			text += fmt.Sprintf(" (%s), from %s to %s", strings.Join(Each(a.Sources, path.Base), ", "), DateAt(*a.EvaluatedFrom), stampAt(*a.EvaluatedTo))
		}
		over = append(over, text)
	}
	return strings.Join(append([]string{words.Count(len(rows), "rule") + ": " + strings.Join(parts, ", ")}, over...), "; ")
}

// IsBelief reports a finding that says of a popular account that it does not hold here. Nothing is to be done about it.
func IsBelief(f model.Finding) bool { return strings.HasPrefix(f.ID, "belief-") }

// FindingsAndBeliefs are the findings, without the beliefs that do not hold: those are one sentence without a full stop, "" for none.
func (v *View) FindingsAndBeliefs() (found []model.Finding, beliefs string) {
	var titles []string
	for _, f := range v.Findings {
		if title := words.OneLine(f.Title); !IsBelief(f) {
			found = append(found, f)
		} else if !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	if len(titles) == 0 {
		return found, ""
	}
	return found, words.Plural(len(titles), "popular belief does", "popular beliefs do") + " not hold here: " + strings.Join(titles, "; ")
}
