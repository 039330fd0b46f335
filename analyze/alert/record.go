package alert

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"

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
			e.recorded[r.name] = slices.Clip(e.recorded[r.name]) // it is there, be it without series
		}
	}
	return out
}

func (e evaluator) record(ctx context.Context, r recording, w window) error {
	p, err := e.points(ctx, r.expr, w, &outcome{})
	if err != nil {
		return err
	}
	return e.recordPoints(r, p, w)
}

// under is the error of the first of some metrics that could not be recorded.
func (b brokenRules) under(names []string) error {
	if i := slices.IndexFunc(b, func(r recordingError) bool { return slices.Contains(names, r.name) }); i >= 0 {
		return fmt.Errorf("it builds on %s, which could not be recorded: %w", b[i].name, b[i].err)
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
		values []float64 // by step
	}
	of := map[string]made{}
	count := make([]int, w.steps())
	own := r.templates()
	for _, s := range p.series {
		l := labels.FromMap(alertLabels(s.Metric, own.literal(), 0))
		l = labels.NewBuilder(l).Set(model.MetricName, r.name).Labels()
		key := l.String()
		if len(key) > maxRecordedLabels {
			return fmt.Errorf("it makes labels of more than %d bytes", maxRecordedLabels)
		}
		if _, known := of[key]; !known {
			of[key] = made{l, w.nothing()}
		}
		for _, f := range s.Floats {
			step := w.step(f.T)
			if !value.IsStaleNaN(of[key].values[step]) {
				return errDuplicate
			}
			of[key].values[step] = f.F
			count[step]++
		}
	}
	list := e.recorded[r.name]
	for _, key := range slices.Sorted(maps.Keys(of)) {
		for step, n := range count {
			if r.limit > 0 && n > r.limit {
				of[key].values[step] = none
			}
		}
		s, err := sampled(of[key].labels, of[key].values, w)
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	e.recorded[r.name] = list
	return nil
}

// sampled is a series of the values at each step, with a stale marker where it ends.
func sampled(l labels.Labels, values []float64, w window) (*packed, error) {
	var points []promql.FPoint
	for step, v := range values {
		if !value.IsStaleNaN(v) || step > 0 && !value.IsStaleNaN(values[step-1]) {
			points = append(points, promql.FPoint{T: w.at(step).UnixMilli(), F: v})
		}
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
