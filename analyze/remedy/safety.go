package remedy

import (
	"math"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/model"
)

// met is what the evidence says of a need, in the report's words.
var met = map[model.Truth]string{model.True: model.Yes, model.False: model.No, model.Unknown: model.NotKnown}

// safety judges the conditions of a remedy: one that is not met makes it unsafe, one that is not known leaves it unproven.
func safety(i *Incident, r Remedy, l *evidence.Ledger) model.Safety {
	out := model.Safety{State: model.Safe, Needs: []model.Need{}}
	if r.Needs == nil {
		return out
	}
	for _, n := range r.Needs(i, i.applied(r)) {
		need := model.Need{Text: n.Text, Met: met[n.Met], Evidence: l.Observations(n.Witness)}
		switch {
		case n.Met == model.False:
			out.State = model.Unsafe
		case n.Met == model.Unknown && out.State == model.Safe:
			out.State = model.NotProven
		}
		out.Needs = append(out.Needs, need)
	}
	return out
}

// applied is when a remedy has to be safe: when it was or would have been used; for an open incident, at the collection.
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
