package alert

import (
	"context"
	"sync"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// workers is how many rules are evaluated at a time. It is fixed, because the rules that share a worker share its budget.
const workers = 2

// job is the rules to run: the first own ones are volpost's.
type job struct {
	rules []tested
	own   int
}

// jobOf is what to run in a set-up, with the alerts as the report lists them before it is run.
func jobOf(s Setup, more given, over string) (job, []model.Alert) {
	j := job{rules: catalogue(s)}
	j.own = len(j.rules)
	j.rules = append(j.rules, more.alerts...)
	var out []model.Alert
	for _, r := range j.rules {
		out = append(out, model.Alert{
			Name: r.name, Origin: r.origin, Severity: r.severity, Line: r.line, Expr: r.expr,
			For: r.hold, KeepFiringFor: r.keep, Result: resultNever, Over: over,
		})
	}
	return j, out
}

// evaluated is what rules did in a window.
type evaluated struct {
	window   window
	outcomes []outcome
	touched  int64 // samples that were gone through
}

// maxWhole bounds the samples that are gone through for what lies beside the incidents.
const maxWhole = 100_000_000

// evaluate runs rules around the incidents, and over everything where that is not too much, in samples, by what these took.
func (s server) evaluate(ctx context.Context, j job, cases []*wait.Case, most int64) evaluated {
	near, whole := s.windows(cases)
	first := s.run(ctx, j, near)
	if near == whole || first.touched*int64(whole.aligned().steps())/int64(max(1, near.aligned().steps())) > most {
		return first
	}
	return s.run(ctx, j, whole)
}

// run runs rules over a server. What all rules need is loaded at once.
func (s server) run(ctx context.Context, j job, w window) evaluated {
	source := memo{source: s.scraped, from: w.from.Add(-maxLookback), to: w.to}
	return j.run(ctx, source.get, w)
}

// run runs rules over a source.
func (j job) run(ctx context.Context, source fetch, w window) evaluated {
	out := evaluated{window: w, outcomes: make([]outcome, len(j.rules))}
	touched := make([]int64, workers)
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() {
			e := evaluatorOf(source)
			g := e.given()
			lane := 0 // rules with one expression, which is evaluated once, have the same
			for i, rule := range j.rules {
				if i > 0 && j.rules[i-1].expr != rule.expr {
					lane = (lane + 1) % workers
				}
				one := e
				if i >= j.own {
					one = g
				}
				if lane == k {
					out.outcomes[i] = one.run(ctx, rule, rule.window(w))
				}
			}
			touched[k] = *e.touched
		})
	}
	group.Wait()
	for _, n := range touched {
		out.touched += n
	}
	return out
}
