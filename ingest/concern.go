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
	e := event{observation: o}
	p.reading.budget.statements.Add(int64(statementSize + len(o.Quote.Text)))
	if !p.reading.shelf.put(&e) {
		p.refuse("the statements of all files together take more than " + mib(shelfBytes) + " of memory, packed; here and in what is read later some are not kept")
	}
	return true
}

// concern takes from the shelf what concerns a wait, once all that anybody complained of is known. When all statements together are
// more than may be kept, ordinary ones about anything else are counted and left out, whatever the order in which they were read.
func (r *reading) concern() {
	wanted := func(*model.Observation) bool { return true }
	few := r.budget.statements.Load() <= r.limits.StatementBytes
	left := 0
	if !few {
		in := r.interest()
		wanted = in.wants
		r.s.Observations, left = chosen(r.s.Observations, func(o *model.Observation) *model.Observation { return o }, wanted)
		for _, p := range r.parts {
			n := 0
			p.events, n = chosen(p.events, func(e *event) *model.Observation { return &e.observation }, wanted)
			left += n
		}
	}
	left += r.unshelve(wanted)
	if left > 0 {
		r.s.Problems = append(r.s.Problems, model.Problem{Severity: model.Info, Path: ".", Message: fmt.Sprintf(
			"all statements together are more than %s: %d about pods, volumes and nodes that nobody complained of are counted, and not kept", mib(r.limits.StatementBytes), left)})
	}
	if r.budget.lost.Load() {
		for _, p := range r.parts {
			p.input.From, p.input.To = nil, nil // what is not told may be what was lost
		}
	}
}

// interest is what all complaints are about, with what belongs to it.
func (r *reading) interest() interest {
	in := interest{}
	complain := func(o *model.Observation) {
		if !ordinary(o.Kind) && !standing(o.Kind) {
			in.complaint(o)
		}
	}
	for i := range r.s.Observations {
		complain(&r.s.Observations[i])
	}
	for _, p := range r.parts {
		for i := range p.events {
			complain(&p.events[i].observation)
		}
	}
	in.relate(r.s)
	return in
}

// chosen keeps what is wanted of a list, and answers how many that leaves out.
func chosen[T any](list []T, of func(*T) *model.Observation, wanted func(*model.Observation) bool) ([]T, int) {
	kept := slices.DeleteFunc(list, func(v T) bool { return !wanted(of(&v)) })
	return slices.Clone(kept), len(list) - len(kept) // the long list goes
}

// unshelve gives the files back what is wanted of the shelf, in the order of their lines.
func (r *reading) unshelve(wanted func(*model.Observation) bool) (left int) {
	of := map[string]*part{}
	for _, p := range r.parts {
		of[p.input.Path] = p
	}
	touched := map[*part]bool{}
	left = r.shelf.take(wanted, func(e event) {
		p := of[e.observation.Input]
		if p == nil {
			r.s.Observations = append(r.s.Observations, e.observation)
			return
		}
		p.events = append(p.events, e)
		touched[p] = true
	})
	for p := range touched {
		slices.SortStableFunc(p.events, func(a, b event) int {
			return cmp.Or(cmp.Compare(a.observation.Source.Line, b.observation.Source.Line), cmp.Compare(a.uid, b.uid), a.observation.Compare(&b.observation))
		})
	}
	return left
}
