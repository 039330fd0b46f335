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

// Placeholder reports that the instant counts back from a collection that nothing dates: only its distances to others are true.
func (i Instant) Placeholder() bool { return i.Missing() == model.NoDate }

// noLaterThan is the latest time at which the instant may lie. One that counts back from an assumed collection has none.
func (i Instant) noLaterThan() time.Time {
	if i.Basis == model.Assumed && len(i.Witness) > 0 && i.Witness[0].Age != nil {
		return time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)
	}
	return i.Latest
}

// Before reports that i is known to lie before t, by the best estimates.
func (i Instant) Before(t Instant) bool { return i.Known() && t.Known() && i.At.Before(t.At) }

// seen is an instant as one observation has it.
func seen(o *model.Observation) Instant {
	if o == nil {
		return Instant{}
	}
	return Instant{Moment: o.At, Witness: []*model.Observation{o}}
}

// derived is an instant that follows from witnesses by a rule.
func derived(m model.Moment, rule string, witness ...*model.Observation) Instant {
	return Instant{Moment: m.As(model.Derived), Witness: unique(witness), Rule: rule}
}

// corroborate adds the witnesses of others whose interval, widened by slack, overlaps. The narrowest interval wins, among equals the first.
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

// find is the first observation of a list that passes the test, with a time or without; nil when none does.
func find(list []*model.Observation, test func(*model.Observation) bool) *model.Observation {
	if i := slices.IndexFunc(list, test); i >= 0 {
		return list[i]
	}
	return nil
}

// first is the earliest observation of a list, sorted by time, that lies in the window and passes the test; nothing else is looked at.
func first(list []*model.Observation, w window, test func(*model.Observation) bool) *model.Observation {
	return find(w.of(list), test)
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

// where are those of a list that pass a test.
func where[T any](list []T, test func(T) bool) (out []T) {
	for _, x := range list {
		if test(x) {
			out = append(out, x)
		}
	}
	return out
}

// each is what a function makes of the members of a list.
func each[T, R any](list []T, of func(T) R) (out []R) {
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// kinds tests for any of some kinds.
func kinds(ks ...model.Kind) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return slices.Contains(ks, o.Kind) }
}

func and(tests ...func(*model.Observation) bool) func(*model.Observation) bool {
	return func(o *model.Observation) bool {
		return !slices.ContainsFunc(tests, func(test func(*model.Observation) bool) bool { return !test(o) })
	}
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
