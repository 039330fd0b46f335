package alert

import (
	"context"
	"sync"

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

// run runs rules over a server. What all rules need is loaded at once.
func (s server) run(ctx context.Context, j job, w window) []outcome {
	source := memo{source: s.scraped, from: w.from.Add(-maxLookback), to: w.to}
	return j.run(ctx, source.get, w)
}

// run runs rules over a source: those that follow each other with one expression and one interval evaluate it once.
func (j job) run(ctx context.Context, source fetch, w window) []outcome {
	out := make([]outcome, len(j.rules))
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() {
			e, left, turn := evaluatorOf(source), int64(maxGivenTouched), 0
			for i, n := 0, 0; i < len(out); i, turn = n, turn+1 {
				first := j.rules[i]
				for n = i + 1; n < len(out) && j.rules[n].expr == first.expr && j.rules[n].interval == first.interval; n++ {
				}
				if i >= j.own {
					e.left = &left
				}
				if turn%workers == k {
					copy(out[i:n], e.run(ctx, j.rules[i:n], first.window(w)))
				}
			}
		})
	}
	group.Wait()
	return out
}
