package clock

import (
	"cmp"
	"slices"
	"time"
)

// span is the offsets that a pair of records allows.
type span struct{ from, to time.Duration }

func (s span) width() time.Duration { return s.to - s.from }
func (s span) less(t span) int      { return cmp.Or(cmp.Compare(s.from, t.from), cmp.Compare(s.to, t.to)) }

// distance is how far zero lies beside a span.
func (s span) distance() time.Duration { return max(s.from, -s.to, 0) }

// fact is one happening that two sources record: the offsets that its records allow, which do not overlap. A happening that recurs allows
// several, of which one is true.
type fact struct {
	allows    []span
	weight    int
	apart     time.Duration // how far its records contradict one another at least
	pair      pair          // that says it
	happening int           // its place in the table
}

// joined makes spans that overlap one.
func joined(spans []span) []span {
	slices.SortFunc(spans, span.less)
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// ballot is what facts agree on: the offsets that most of them allow (Marzullo's algorithm).
type ballot struct {
	span
	weight, zero, total int // of the facts that allow the span, that allow none, and of all
}

// vote is the span that the most facts allow; among equals the one nearest to zero.
func vote(facts []fact) ballot {
	type edge struct {
		at   time.Duration
		open bool
		w    int
	}
	var edges []edge
	var b ballot
	for _, f := range facts {
		b.total += f.weight
		zero := false
		for _, s := range f.allows {
			edges = append(edges, edge{s.from, true, f.weight}, edge{s.to, false, f.weight})
			zero = zero || s.from <= 0 && s.to >= 0
		}
		if zero {
			b.zero += f.weight
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if a.at == b.at && a.open != b.open { // what touches overlaps
			if a.open {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.w, b.w))
	})
	weight := 0
	for i, e := range edges {
		if !e.open {
			weight -= e.w
			continue
		}
		weight += e.w
		next := span{e.at, edges[min(i+1, len(edges)-1)].at}
		if weight > b.weight || weight == b.weight && next.distance() < b.distance() {
			b.span, b.weight = next, weight
		}
	}
	return b
}

// within is the number of the fewest digits in a span: a clock in another zone is off by quarters of an hour, and where the records have
// whole seconds, a part of a second means nothing.
func within(s span) time.Duration {
	for _, unit := range []time.Duration{time.Hour, 15 * time.Minute, time.Minute, time.Second, 100 * time.Millisecond, time.Millisecond} {
		if d := (s.from + s.width()/2).Round(unit); d >= s.from && d <= s.to {
			return d
		}
	}
	return s.from + s.width()/2
}
