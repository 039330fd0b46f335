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

	first  map[string]First
	tested map[string]bool
}

// Tested reports that rules were run over the time of the incident of an identifier.
func (r Result) Tested(id string) bool { return r.tested[id] }

// First is the first firing of a recommended rule for an incident.
type First struct {
	Rule   string
	Over   string // model.OverMetrics or model.OverSynthesised
	Firing model.Firing
}

// First is the first firing of a recommended rule for an incident; false without one.
func (r Result) First(id string) (First, bool) {
	f, ok := r.first[id]
	return f, ok
}

// note takes note of a firing for a case.
func (r *Result) note(id string, rule tested, over string, f model.Firing) {
	if known, ok := r.first[id]; rule.origin == Builtin && (!ok || f.From.Before(known.Firing.From)) {
		r.first[id] = First{Rule: rule.name, Over: over, Firing: f}
	}
}
