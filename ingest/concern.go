package ingest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/volpost/volpost/model"
)

// spill takes an ordinary statement of a log that has many of them.
func (p *part) spill(o model.Observation) bool {
	if !ordinary(o.Kind) {
		return false
	}
	e := event{Statement: o}
	p.reading.budget.statements.Add(int64(statementSize + len(o.Quote.Text)))
	p.store(&e)
	return true
}

// store puts a statement in the store, and reports when it is full.
func (p *part) store(e *event) {
	if !p.reading.store.put(e) {
		p.refuse("the statements of all files together take more than " + mib(storeBytes) + " of memory, packed; " +
			"here and in what is read later some are not kept")
	}
}

// concern takes from the store what concerns a wait, once all complaints are known. When all statements are more than may be kept, ordinary
// ones about anything else are counted and left out.
func (r *reading) concern() {
	few := r.budget.statements.Load() <= r.limits.StatementBytes
	wanted, left := func(*model.Observation) bool { return true }, 0 // which each statement is asked for once
	if !few {
		in := r.interest()
		wanted = func(o *model.Observation) bool {
			if in.wants(o) {
				return true
			}
			left++
			return false
		}
		r.keepOnly(wanted)
	}
	r.takeBack(wanted)
	if left > 0 {
		r.s.Problems = append(r.s.Problems, model.Problem{Severity: model.Info, Path: ".", Message: fmt.Sprintf(
			"all statements together are more than %s: %d about pods, volumes and nodes that nobody complained of are left out",
			mib(r.limits.StatementBytes), left)})
	}
	if r.budget.lost.Load() {
		for _, p := range r.parts {
			p.input.From, p.input.To = nil, nil // what is not reported may be what was lost; files of objects alone cover no time
		}
	}
}

// eachKept shows the statements that are not in the store.
func (r *reading) eachKept(show func(*model.Observation)) {
	for i := range r.s.Observations {
		show(&r.s.Observations[i])
	}
	for _, p := range r.parts {
		for i := range p.events {
			show(&p.events[i].Statement)
		}
	}
}

// keepOnly leaves out of them what is not wanted.
func (r *reading) keepOnly(wanted func(*model.Observation) bool) {
	r.s.Observations = chosen(r.s.Observations, wanted)
	for _, p := range r.parts {
		p.events = chosen(p.events, func(e *event) bool { return wanted(&e.Statement) })
	}
}

// interest is what all complaints are about, with what belongs to it.
func (r *reading) interest() interest {
	in := interest{}
	r.eachKept(func(o *model.Observation) {
		if !ordinary(o.Kind) && !standing(o.Kind) {
			in.add(about(o))
		}
	})
	in.relate(r.s)
	for range 2 { // from a pod to its volume, and from there to the other pods that use it
		r.eachKept(in.statement)
		if r.store.ties {
			r.store.each(func(e *event) { in.statement(&e.Statement) })
		}
	}
	return in
}

// chosen keeps what is wanted of a list.
func chosen[T any](list []T, wanted func(*T) bool) []T {
	kept := slices.DeleteFunc(list, func(v T) bool { return !wanted(&v) })
	return slices.Clone(kept) // the long list goes
}

// takeBack gives the files back what is wanted of the store, in the order of their lines.
func (r *reading) takeBack(wanted func(*model.Observation) bool) {
	of := map[string]*part{}
	for _, p := range r.parts {
		of[p.input.Path] = p
	}
	touched := map[*part]bool{}
	r.store.take(wanted, func(e event) {
		p := of[e.Statement.Input]
		if p == nil {
			r.s.Observations = append(r.s.Observations, e.Statement)
			return
		}
		p.events = append(p.events, e)
		touched[p] = true
	})
	for p := range touched {
		slices.SortStableFunc(p.events, func(a, b event) int {
			return cmp.Or(cmp.Compare(a.Statement.Source.Line, b.Statement.Source.Line), cmp.Compare(a.UID, b.UID),
				a.Statement.Compare(&b.Statement))
		})
	}
}
