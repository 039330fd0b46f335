package alert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	commonmodel "github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/volpost/volpost/model"
)

// Bounds for the expressions of hostile rules.
const (
	maxSamples  = 5_000_000        // in memory at once, of one query
	maxTime     = 10 * time.Second // of one query
	maxLookback = 5 * time.Minute  // Prometheus' default: how long a series without a stale marker lives on
)

// window is the stretch over which rules are evaluated, at every interval since the Unix epoch.
type window struct {
	from, to time.Time
	interval time.Duration
}

func (w window) aligned() window {
	w.from, w.to = w.from.Truncate(w.interval).Add(w.interval), w.to.Truncate(w.interval)
	return w
}

// evaluator runs rules over one source.
type evaluator struct {
	source model.MetricSource
	engine *promql.Engine
	parser parser.Parser
}

func newEvaluator(source model.MetricSource) evaluator {
	p := parser.NewParser(parser.Options{})
	return evaluator{source, promql.NewEngine(promql.EngineOpts{
		MaxSamples: maxSamples, Timeout: maxTime, LookbackDelta: maxLookback, EnableAtModifier: true, EnableNegativeOffset: true, Parser: p,
		NoStepSubqueryIntervalFn: func(int64) int64 { return time.Minute.Milliseconds() },
	}), p}
}

// interval of time in which an alert with some labels fired; to is zero when it fired at the last evaluation.
type interval struct {
	from, to time.Time
	labels   map[string]string
}

// outcome of a rule.
type outcome struct {
	fired   []interval
	pending bool // it was pending at some time
	err     error
	parsed  bool
	metrics []string // that the expression names, sorted
}

// run evaluates a rule in a window: one range query, and the states of each series that it returns.
func (e evaluator) run(ctx context.Context, r tested, w window) outcome {
	expr, err := e.parser.ParseExpr(r.expr)
	if err != nil {
		return outcome{err: err}
	}
	out := outcome{parsed: true, metrics: metricNames(expr)}
	if t := expr.Type(); t != parser.ValueTypeVector && t != parser.ValueTypeScalar {
		out.err = fmt.Errorf("the expression is a %s, and an alert needs an instant vector", t)
		return out
	}
	hold, keep, err := r.durations()
	if err != nil {
		out.err = err
		return out
	}
	w = w.aligned()
	query, err := e.engine.NewRangeQuery(ctx, queryable{e.source}, nil, r.expr, w.from, w.to, w.interval)
	if err != nil {
		out.err = err
		return out
	}
	defer query.Close()
	result := query.Exec(ctx)
	if out.err = result.Err; out.err != nil {
		return out
	}
	matrix, err := result.Matrix()
	if err != nil {
		out.err = err
		return out
	}
	out.states(matrix, r, w, hold, keep)
	return out
}

// states applies for and keep_firing_for to each series of a result, as rules.AlertingRule.Eval does.
func (o *outcome) states(matrix promql.Matrix, r tested, w window, hold, keep time.Duration) {
	seen := map[string]bool{}
	for _, series := range matrix {
		l := alertLabels(series.Metric, r.labels)
		if key := labels.FromMap(l).String(); seen[key] {
			o.fired, o.err = nil, errors.New("two results have the same labels, which Prometheus refuses")
			return
		} else {
			seen[key] = true
		}
		at := make([]time.Time, 0, len(series.Floats)+len(series.Histograms))
		for _, p := range series.Floats {
			at = append(at, instant(p.T))
		}
		for _, p := range series.Histograms {
			at = append(at, instant(p.T))
		}
		slices.SortFunc(at, time.Time.Compare)
		fired, pending := firing(at, w, hold, keep)
		o.pending = o.pending || pending
		for _, f := range fired {
			f.labels = l
			o.fired = append(o.fired, f)
		}
	}
	slices.SortStableFunc(o.fired, func(a, b interval) int {
		if c := a.from.Compare(b.from); c != 0 {
			return c
		}
		return labels.Compare(labels.FromMap(a.labels), labels.FromMap(b.labels))
	})
}

// firing is the state machine of one alert, given the evaluations at which its expression had a result.
func firing(at []time.Time, w window, hold, keep time.Duration) (out []interval, pending bool) {
	var active, since time.Time // since when it is active; since when it only keeps firing
	var current *interval
	next := 0
	for t := w.from; !t.After(w.to); t = t.Add(w.interval) {
		present := next < len(at) && at[next].Equal(t)
		switch {
		case present:
			next++
			since = time.Time{}
			if active.IsZero() {
				active = t
			}
			if current == nil && t.Sub(active) >= hold {
				current = &interval{from: t}
			}
			pending = pending || current == nil
		case current != nil && keep > 0 && (since.IsZero() || t.Sub(since) < keep):
			if since.IsZero() {
				since = t
			}
		default:
			if current != nil {
				current.to = t
				out = append(out, *current)
			}
			active, since, current = time.Time{}, time.Time{}, nil
		}
	}
	if current != nil {
		out = append(out, *current)
	}
	return out, pending
}

func (r tested) durations() (hold, keep time.Duration, err error) {
	for _, d := range []struct {
		text string
		to   *time.Duration
	}{{r.hold, &hold}, {r.keep, &keep}} {
		if d.text == "" {
			continue
		}
		parsed, err := commonmodel.ParseDuration(d.text)
		if err != nil {
			return 0, 0, err
		}
		*d.to = time.Duration(parsed)
	}
	return hold, keep, nil
}

// alertLabels are those of an alert: the series' without its name, and the rule's own.
func alertLabels(series labels.Labels, own map[string]string) map[string]string {
	out := series.Map()
	delete(out, model.MetricName)
	for name, v := range own {
		out[name] = v
	}
	return out
}

// metricNames are the metrics that an expression selects by name.
func metricNames(expr parser.Expr) []string {
	var out []string
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if v, ok := node.(*parser.VectorSelector); ok && v.Name != "" {
			out = append(out, v.Name)
		}
		return nil
	})
	slices.Sort(out)
	return slices.Compact(out)
}

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
