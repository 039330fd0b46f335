package alert

import (
	"context"
	"sync"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// workers is how many rules are evaluated at a time. It is fixed, because the rules that share a worker share its budget.
const workers = 2

// evaluated is what rules did in a window.
type evaluated struct {
	window   window
	outcomes []outcome
	broken   brokenRules
	made     *overlay
	touched  int64 // samples that were gone through
}

// maxWhole bounds the samples that are gone through for what lies beside the incidents.
const maxWhole = 100_000_000

// evaluate runs rules around the incidents, and over everything where that is not too much, in samples, by what these took.
func (s server) evaluate(ctx context.Context, rules []tested, own int, records []recording, cases []*reconstruct.Case, most int64) evaluated {
	near, whole := s.windows(cases)
	first := s.runAll(ctx, rules, own, records, near)
	if near == whole || first.touched*int64(whole.aligned().steps())/int64(max(1, near.aligned().steps())) > most {
		return first
	}
	return s.runAll(ctx, rules, own, records, whole)
}

// runAll runs rules over a server: the first own ones are volpost's, the others may use recorded series.
func (s server) runAll(ctx context.Context, rules []tested, own int, records []recording, w window) evaluated {
	source := newMemo(s.scraped)
	source.from, source.to = w.from.Add(-maxLookback), w.to // what all rules need is loaded at once
	first := evaluatorOf(source).given()
	broken := first.prepare(ctx, records, window{model.Later(s.from(), w.from.Add(-recordBefore)), w.to, w.interval})
	out := evaluated{window: w, outcomes: make([]outcome, len(rules)), broken: broken, made: first.recorded}
	touched := make([]int64, workers)
	lanes := lanesOf(rules)
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() {
			e := evaluatorOf(source)
			g := e.given()
			g.recorded = first.recorded // nothing is recorded any more
			for i, rule := range rules {
				if lanes[i] != k {
					continue
				}
				one := e
				if i >= own {
					one = g
				}
				out.outcomes[i] = one.run(ctx, rule, rule.window(w))
			}
			touched[k] = *e.touched
		})
	}
	group.Wait()
	out.touched = *first.touched
	for _, n := range touched {
		out.touched += n
	}
	return out
}

// lanesOf gives each rule its worker: rules with one expression, which is evaluated once, the same.
func lanesOf(rules []tested) []int {
	out := make([]int, len(rules))
	exprs := 0
	for i, r := range rules {
		if i > 0 && rules[i-1].expr != r.expr {
			exprs++
		}
		out[i] = exprs % workers
	}
	return out
}
