package alert

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// recordBefore is how long before the first evaluation of alerts recording rules are run, for the ranges of those.
const recordBefore = time.Hour

// maxRecordedLabels bounds the labels of a recorded series, in bytes, which each rule of a chain could double.
const maxRecordedLabels = 16 << 10

// brokenRules are recording rules that could not be run.
type brokenRules []recordingError

type recordingError struct {
	name string
	err  error
}

// prepare runs recording rules in their order, and puts what they make before the series of the source.
func (e evaluator) prepare(ctx context.Context, list []recording, w window) brokenRules {
	var out brokenRules
	for _, r := range list {
		err := out.under(r.needs)
		if err == nil {
			err = e.record(ctx, r, r.window(w).aligned())
		}
		if err != nil {
			out = append(out, recordingError{r.name, err})
			e.recorded.put(r.name, nil)
		}
	}
	return out
}

func (e evaluator) record(ctx context.Context, r recording, w window) error {
	var o outcome
	p, err := e.points(ctx, r.expr, w, &o)
	if err != nil {
		return err
	}
	return e.recordPoints(r, p, w)
}

// under is the error of the first of some metrics that could not be recorded.
func (b brokenRules) under(names []string) error {
	for _, r := range b {
		if slices.Contains(names, r.name) {
			return fmt.Errorf("it builds on %s, which could not be recorded: %w", r.name, r.err)
		}
	}
	return nil
}

// verdict is that of an alert, which is an error when it builds on what could not be recorded.
func (b brokenRules) verdict(o outcome, v verdict) verdict {
	if err := b.under(o.metrics); err != nil {
		return verdict{result: resultError, note: words.Capital(err.Error()) + "."}
	}
	return v
}

// window is that of a rule, at the interval of its group.
func (r tested) window(w window) window {
	if r.interval > 0 {
		w.interval = max(r.interval, minInterval)
	}
	return w
}

// minInterval bounds how often rules are evaluated.
const minInterval = 5 * time.Second

func (e evaluator) recordPoints(r recording, p points, w window) error {
	type made struct {
		labels labels.Labels
		at     map[int]float64
	}
	of := map[string]*made{}
	var order []string
	count := make([]int, w.steps())
	own := r.templates()
	for _, s := range p.series {
		l := labels.FromMap(alertLabels(s.Metric, own.literal(), 0))
		l = labels.NewBuilder(l).Set(model.MetricName, r.name).Labels()
		key := l.String()
		if len(key) > maxRecordedLabels {
			return fmt.Errorf("it makes labels of more than %d bytes", maxRecordedLabels)
		}
		m := of[key]
		if m == nil {
			m = &made{l, map[int]float64{}}
			of[key], order = m, append(order, key)
		}
		for _, f := range s.Floats {
			step := int(instant(f.T).Sub(w.from) / w.interval)
			if _, twice := m.at[step]; twice {
				return errors.New("two results have the same labels, which Prometheus refuses")
			}
			m.at[step] = f.F
			count[step]++
		}
	}
	slices.Sort(order)
	var list []storage.Series
	for _, key := range order {
		s, err := recordedSeries(of[key].labels, of[key].at, w, func(step int) bool { return r.limit > 0 && count[step] > r.limit })
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	e.recorded.put(r.name, list)
	return nil
}

// recordedSeries is what a recording rule writes: a sample at each evaluation, and a stale marker where it has none any more.
func recordedSeries(l labels.Labels, at map[int]float64, w window, dropped func(int) bool) (*packed, error) {
	var points []promql.FPoint
	present := false
	for step := range w.steps() {
		v, now := at[step]
		now = now && !dropped(step)
		if !now && !present {
			continue
		}
		if !now {
			v = math.Float64frombits(value.StaleNaN)
		}
		present = now
		points = append(points, promql.FPoint{T: w.at(step).UnixMilli(), F: v})
	}
	return pack(l, points)
}

// literal are labels as they are written: those of recording rules are no templates.
func (t templates) literal() templates {
	out := slices.Clone(t)
	for i := range out {
		out[i].parts = []labelPart{{text: out[i].written}}
	}
	return out
}
