package remedy

import (
	"math"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/model"
)

// The states of safety.
const (
	safe      = "safe"
	notProven = "not-proven"
	unsafe    = "unsafe"
)

// safety judges the conditions of a remedy: one that is not met makes it unsafe, one that nothing tells leaves it unproven.
func safety(i *Incident, r Remedy, l *evidence.Ledger) model.Safety {
	out := model.Safety{State: safe, Needs: []model.Need{}}
	if r.Needs == nil {
		return out
	}
	for _, n := range r.Needs(i, i.applied(r)) {
		need := model.Need{Text: n.Text, Met: map[model.Truth]string{model.True: "yes", model.False: "no", model.Unknown: "unknown"}[n.Met], Evidence: l.Observations(n.Witness)}
		switch {
		case n.Met == model.False:
			out.State = unsafe
		case n.Met == model.Unknown && out.State == safe:
			out.State = notProven
		}
		out.Needs = append(out.Needs, need)
	}
	return out
}

// applied is when a remedy has to be safe: when it was used, or would have been; for an incident that was open, at the
// collection, since its commands are for now.
func (i *Incident) applied(r Remedy) float64 {
	if _, ended := i.end(); !ended && !math.IsInf(i.Scenario.Until, 1) {
		return i.Scenario.Until
	}
	if at, used := i.used(r); used {
		return at
	}
	if r.From == nil {
		return i.stuck() + i.reaction
	}
	return r.From(i) + i.reaction
}
