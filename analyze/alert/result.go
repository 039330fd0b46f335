package alert

import "github.com/volpost/volpost/model"

// Results of a rule, see the schema of the report.
const (
	resultFired   = "fired"
	resultPending = "pending-only"
	resultNever   = "never"
	resultCannot  = "cannot-fire"
	resultNoData  = "no-data"
	resultError   = "error"
)

// Result is what rules did, and what the metrics show of the incidents.
type Result struct {
	Alerts []model.Alert
	Series []model.MetricSeries
	// Problems are rules that could not be read or are not run.
	Problems []model.Problem

	// Firsts are the first firings of recommended rules, and Tested whether rules were run over its time, by incident.
	Firsts map[string]First
	Tested map[string]bool
}

// First is the first firing of a recommended rule for an incident.
type First struct {
	Rule   string
	Over   string // model.OverMetrics or model.OverSynthesised
	Firing model.Firing
}

// note takes note of a firing for a case.
func (r *Result) note(id string, rule tested, over string, f model.Firing) {
	if known, ok := r.Firsts[id]; rule.origin == Builtin && (!ok || f.From.Before(known.Firing.From)) {
		r.Firsts[id] = First{Rule: rule.name, Over: over, Firing: f}
	}
}
