package reconstruct

import (
	"slices"
	"sort"
	"time"

	"github.com/volpost/volpost/model"
)

// Instant is when something happened, with its witnesses. The zero Instant is unknown.
type Instant struct {
	model.Moment
	Witness []*model.Observation
	Rule    string // for derived instants: how it follows from the witnesses
}

// Known reports whether the instant is known, be it only by bounds.
func (i Instant) Known() bool { return !i.Moment.IsZero() }

// Placeholder reports that the instant counts back from a collection that nothing dates: its distances to others are true,
// it itself is not.
func (i Instant) Placeholder() bool { return i.Missing() == model.NoDate }

// noLaterThan is the latest time at which the instant may lie. One that counts back from a time which only stands for that of
// the collection has none: nothing is known but what the collection cannot have come before.
func (i Instant) noLaterThan() time.Time {
	if i.Basis == model.Assumed && len(i.Witness) > 0 && i.Witness[0].Age != nil {
		return time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)
	}
	return i.Latest
}

// Before reports that i is known to lie before t, by the best estimates.
func (i Instant) Before(t Instant) bool { return i.Known() && t.Known() && i.At.Before(t.At) }

// seen is an instant as one observation tells it.
func seen(o *model.Observation) Instant {
	if o == nil {
		return Instant{}
	}
	return Instant{Moment: o.At, Witness: []*model.Observation{o}}
}

// derived is an instant that follows from witnesses by a rule.
func derived(m model.Moment, rule string, witness ...*model.Observation) Instant {
	var w []*model.Observation
	for _, o := range witness {
		if o != nil {
			w = append(w, o)
		}
	}
	return Instant{Moment: m.As(model.Derived), Witness: w, Rule: rule}
}

// corroborate adds the witnesses of others that tell the same instant: their interval, widened by slack, overlaps. The
// narrowest interval wins, and among equals the first.
func corroborate(slack time.Duration, candidates ...Instant) Instant {
	var best Instant
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

func width(i Instant) time.Duration { return i.Latest.Sub(i.Earliest) }

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

// window selects observations by time.
type window struct{ from, to time.Time }

func after(t time.Time) window  { return window{from: t} }
func before(t time.Time) window { return window{to: t} }

func (w window) holds(t time.Time) bool {
	return (w.from.IsZero() || !t.Before(w.from)) && (w.to.IsZero() || !t.After(w.to))
}

// first is the earliest observation of a list, which is sorted by time, that lies in the window and passes the test. What lies
// outside of the window is not looked at: a list may be long, and asked for each of its elements.
func first(list []*model.Observation, w window, test func(*model.Observation) bool) *model.Observation {
	for _, o := range w.of(list) {
		if test(o) {
			return o
		}
	}
	return nil
}

// last is the latest such observation.
func last(list []*model.Observation, w window, test func(*model.Observation) bool) *model.Observation {
	for _, o := range slices.Backward(w.of(list)) {
		if test(o) {
			return o
		}
	}
	return nil
}

// of is the part of a list, which is sorted by time, that lies in the window. What has no time stands first, and in no window.
func (w window) of(list []*model.Observation) []*model.Observation {
	from := sort.Search(len(list), func(i int) bool { return !list[i].At.IsZero() && !list[i].At.At.Before(w.from) })
	if w.to.IsZero() {
		return list[from:]
	}
	n := sort.Search(len(list)-from, func(i int) bool { return list[from+i].At.At.After(w.to) })
	return list[from : from+n]
}

// where are the observations of a list that pass a test.
func where(list []*model.Observation, test func(*model.Observation) bool) []*model.Observation {
	var out []*model.Observation
	for _, o := range list {
		if test(o) {
			out = append(out, o)
		}
	}
	return out
}

// kinds tests for any of some kinds.
func kinds(ks ...model.Kind) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return slices.Contains(ks, o.Kind) }
}

func and(tests ...func(*model.Observation) bool) func(*model.Observation) bool {
	return func(o *model.Observation) bool {
		for _, t := range tests {
			if !t(o) {
				return false
			}
		}
		return true
	}
}

func onNode(n string) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return o.Node == n }
}
