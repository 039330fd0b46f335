package wait

import (
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// seen is an instant as one observation has it.
func seen(o *model.Observation) facts.Instant {
	if o == nil {
		return facts.Instant{}
	}
	return facts.Instant{Moment: o.At, Witness: []*model.Observation{o}}
}

// derived is an instant that follows from witnesses by a rule.
func derived(m model.Moment, rule string, witness ...*model.Observation) facts.Instant {
	return facts.Instant{Moment: m.As(model.Derived), Witness: unique(witness), Rule: rule}
}

// corroborate adds the witnesses of others whose interval, widened by slack, overlaps. The narrowest interval wins, among equals the first.
func corroborate(slack time.Duration, candidates ...facts.Instant) facts.Instant {
	var best facts.Instant
	for _, c := range candidates {
		if c.Known() && (!best.Known() || width(c) < width(best)) {
			best = c
		}
	}
	if !best.Known() {
		return best
	}
	witness := best.Witness
	for _, c := range candidates {
		if c.Known() && c.Earliest.Add(-slack).Before(best.Latest.Add(1)) && best.Earliest.Before(c.Latest.Add(slack+1)) {
			witness = append(witness, c.Witness...)
		}
	}
	best.Witness = unique(witness)
	return best
}

func width(i facts.Instant) time.Duration { return i.Latest.Sub(i.Earliest) }

// unique drops repeated observations and keeps the order.
func unique(in []*model.Observation) []*model.Observation {
	var out []*model.Observation
	done := map[*model.Observation]bool{}
	for _, o := range in {
		if o != nil && !done[o] {
			done[o] = true
			out = append(out, o)
		}
	}
	return out
}

func onNode(n string) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return o.Node == n }
}

// nodeOf is the node of an observation, "" without one.
func nodeOf(o *model.Observation) string {
	if o == nil {
		return ""
	}
	return o.Node
}

// within moves a time into an interval.
func within(t time.Time, m model.Moment) time.Time {
	return model.Earlier(model.Later(t, m.Earliest), m.Latest)
}
