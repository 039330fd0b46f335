package alert

import (
	"context"
	"sync"
	"time"

	"github.com/volpost/volpost/model"
)

// workers is how many rules are evaluated at a time. It is fixed, because the rules that share a worker share its budget.
const workers = 2

// runAll runs rules over a server: the first own ones are volpost's, the others come from files and may build on what recording
// rules make.
func (s server) runAll(rules []tested, own int, records []recording, w window) ([]outcome, brokenRules, *overlay) {
	source := serialised(s.scraped)
	first := s.evaluator(source, w).given()
	broken := first.prepare(records, window{model.Later(s.from(), w.from.Add(-recordBefore)), w.to, w.interval})
	out := make([]outcome, len(rules))
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() {
			e := s.evaluator(source, w)
			g := e.given()
			g.recorded = first.recorded // nothing is recorded any more
			for i := k; i < len(rules); i += workers {
				one := e
				if i >= own {
					one = g
				}
				out[i] = one.run(context.Background(), rules[i], rules[i].window(w))
			}
		})
	}
	group.Wait()
	return out, broken, first.recorded
}

// evaluator is one that loads what a window needs at once.
func (s server) evaluator(source model.MetricSource, w window) evaluator {
	e := newEvaluator(source)
	e.source.from, e.source.to = w.from.Add(-maxLookback), w.to
	return e
}

// serialised selects from a source for one caller at a time: sources need not be safe for several.
func serialised(m model.MetricSource) model.MetricSource {
	var mu sync.Mutex
	whole := m.Select
	m.Select = func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		mu.Lock()
		defer mu.Unlock()
		return whole(matchers, from, to, each)
	}
	return m
}
