package alert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	commonmodel "github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"

	"github.com/volpost/volpost/model"
)

// Bounds for hostile expressions. None is of time, which would make reports differ. bounds.go has those that samples do not count.
const (
	maxSamples   = 5_000_000       // in memory at once, of one query
	maxTouched   = 300_000_000     // of one rule, in all of its queries
	maxExpr      = 64 << 10        // bytes of an expression; the parser's tree is walked recursively
	maxFailures  = 100             // evaluations of one rule that may fail
	maxSteps     = 120             // evaluations of one query
	firstSteps   = 8               // of the first query of an expression, which shows how many samples the next ones take
	usualSamples = 1_000_000       // that a query of more evaluations than one is meant to have in memory at once
	maxLookback  = 5 * time.Minute // Prometheus' default: how long a series without a stale marker lives on
	noTimeout    = 1 << 62         // the engine wants one
)

// subqueryStep is the step of subqueries that do not say it: Prometheus' default evaluation interval.
const subqueryStep = time.Minute

// window is the stretch over which rules are evaluated, at every interval since the Unix epoch.
type window struct {
	from, to time.Time
	interval time.Duration
}

func (w window) aligned() window {
	w.from, w.to = w.from.Truncate(w.interval).Add(w.interval), w.to.Truncate(w.interval)
	return w
}

// steps is the number of evaluations of an aligned window.
func (w window) steps() int {
	if w.to.Before(w.from) {
		return 0
	}
	return int(w.to.Sub(w.from)/w.interval) + 1
}

func (w window) at(step int) time.Time { return w.from.Add(time.Duration(step) * w.interval) }

// step is the one at a time, in milliseconds since 1970.
func (w window) step(ms int64) int { return int(instant(ms).Sub(w.from) / w.interval) }

// nothing is no value at any step of a window.
func (w window) nothing() []float64 { return slices.Repeat([]float64{none}, w.steps()) }

// evaluator runs rules over one source.
type evaluator struct {
	source fetch
	engine *promql.Engine
}

func evaluatorOf(source fetch) evaluator {
	return evaluator{source: source, engine: promql.NewEngine(promql.EngineOpts{
		MaxSamples: maxSamples, Timeout: noTimeout, LookbackDelta: maxLookback, EnableAtModifier: true, EnableNegativeOffset: true,
		Parser:                   parser.NewParser(parser.Options{}),
		NoStepSubqueryIntervalFn: func(int64) int64 { return subqueryStep.Milliseconds() },
	})}
}

// outcome of a rule.
type outcome struct {
	fired   []model.Firing
	pending bool // it was pending at some time
	err     error
	parsed  bool
	metrics []string // that the expression names, sorted
	results int      // series that the expression returned, at any time

	evaluated window
	failed    int   // evaluations that failed
	failure   error // of the first of them
}

// parse reads an expression and says whether an alert can be made of it.
func parse(text string) (parser.Expr, error) {
	if len(text) > maxExpr {
		return nil, fmt.Errorf("parse error: an expression of %d bytes is not read; the longest that is has %d", len(text), maxExpr)
	}
	return parser.NewParser(parser.Options{}).ParseExpr(text)
}

// all runs rules at the intervals of their groups: those that follow each other with one expression and one interval evaluate it once.
func (e evaluator) all(ctx context.Context, rules []tested, w window) (out []outcome) {
	for len(rules) > 0 {
		first, n := rules[0], 1
		for n < len(rules) && rules[n].expr == first.expr && rules[n].interval == first.interval {
			n++
		}
		out, rules = append(out, e.run(ctx, rules[:n], first.window(w))...), rules[n:]
	}
	return out
}

// run evaluates rules of one expression in a window: range queries, and the states of each series that they return.
func (e evaluator) run(ctx context.Context, rules []tested, w window) []outcome {
	var p points
	shared := outcome{evaluated: w.aligned()}
	shared.metrics, shared.err = evaluable(rules[0].expr)
	if shared.parsed = shared.metrics != nil; shared.err == nil {
		p, shared.err = e.points(ctx, rules[0].expr, shared.evaluated, &shared)
		shared.results = len(p.series)
	}
	out := slices.Repeat([]outcome{shared}, len(rules))
	for i, r := range rules {
		if o := &out[i]; o.err == nil {
			o.err = o.states(p, r)
		}
	}
	return out
}

// evaluable are the metrics that an expression names, sorted, if it parses, and why no alert can be made of it.
func evaluable(text string) (metrics []string, err error) {
	expr, err := parse(text)
	if err != nil {
		return nil, err
	}
	metrics = append([]string{}, metricNames(expr)...)
	if t := expr.Type(); t != parser.ValueTypeVector && t != parser.ValueTypeScalar {
		return metrics, fmt.Errorf("the expression is a %s, and an alert needs an instant vector", t)
	}
	return metrics, bounded(expr)
}

// points are the results of an expression by evaluation.
type points struct {
	series []*promql.Series // of all queries: a series has one entry for each that returned it
	failed map[int]bool     // evaluations without a result, because of an error
}

// errTime is why a rule was not run to its end.
var errTime = errors.New("the limit of time (--max-time) is reached, and it is not run to its end")

// points evaluates in pieces, to bound the samples in memory. A piece that fails is halved: a server evaluates each instant by itself.
func (e evaluator) points(ctx context.Context, expr string, w window, out *outcome) (points, error) {
	all := points{failed: map[int]bool{}}
	touched, size := int64(0), firstSteps
	for first := 0; first < w.steps(); {
		n := min(size, w.steps()-first)
		matrix, samples, peak, err := e.query(ctx, expr, window{w.at(first), w.at(first + n - 1), w.interval})
		touched += samples
		switch {
		case ctx.Err() != nil:
			return all, errTime
		case errors.As(err, new(promql.ErrStorage)):
			return all, err
		case touched > maxTouched:
			return all, fmt.Errorf("its evaluation touches more than %d million samples", maxTouched/1_000_000)
		case err != nil && n > 1:
			size = (n + 1) / 2
			continue
		case errors.As(err, new(promql.ErrTooManySamples)):
			return all, err
		case err != nil:
			all.failed[first] = true
			if err := out.fail(err, w.steps()); err != nil {
				return all, err
			}
		default:
			for i := range matrix {
				all.series = append(all.series, &matrix[i])
			}
			size = min(2*size, maxSteps, max(1, n*usualSamples/max(1, peak)))
		}
		first += n
	}
	return all, nil
}

// fail counts an evaluation that failed. The error that it returns ends the rule: all of its evaluations failed, or too many.
func (o *outcome) fail(err error, steps int) error {
	o.failed, o.failure = o.failed+1, cmp.Or(o.failure, err)
	if o.failed > maxFailures {
		return fmt.Errorf("it fails at every one of %d evaluations: %w", o.failed, err)
	}
	if o.failed == steps {
		return err
	}
	return nil
}

// query is one range query, with the number of samples that it went through, and that it had in memory at once.
func (e evaluator) query(ctx context.Context, expr string, w window) (matrix promql.Matrix, samples int64, peak int, err error) {
	query, err := e.engine.NewRangeQuery(ctx, storage.QueryableFunc(e.querier), nil, expr, w.from, w.to, w.interval)
	if err != nil {
		return nil, 0, 0, err
	}
	defer query.Close()
	result := query.Exec(ctx)
	samples, peak = query.Stats().Samples.TotalSamples, query.Stats().Samples.PeakSamples
	if result.Err != nil {
		return nil, samples, peak, result.Err
	}
	found, err := result.Matrix()
	for _, s := range found { // Close takes the result back for the next query
		matrix = append(matrix, promql.Series{Metric: s.Metric, Floats: slices.Clone(s.Floats), Histograms: slices.Clone(s.Histograms)})
	}
	return matrix, samples, peak, err
}

func (r tested) durations() (hold, keep time.Duration, err error) {
	lasting, err := commonmodel.ParseDuration(cmp.Or(r.hold, "0s"))
	if err != nil {
		return 0, 0, fmt.Errorf("its for: %w", err)
	}
	kept, err := commonmodel.ParseDuration(cmp.Or(r.keep, "0s"))
	if err != nil {
		return 0, 0, fmt.Errorf("its keep_firing_for: %w", err)
	}
	return time.Duration(lasting), time.Duration(kept), nil
}

// metricNames are the metrics that an expression selects by name.
func metricNames(expr parser.Expr) []string {
	var out []string
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if v, ok := node.(*parser.VectorSelector); ok {
			if name, ok := metricIn(v.LabelMatchers); ok {
				out = append(out, name)
			}
		}
		return nil
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// metricIn is the metric that matchers name.
func metricIn(matchers []*labels.Matcher) (string, bool) {
	named := func(m *labels.Matcher) bool { return m.Name == model.MetricName && m.Type == labels.MatchEqual }
	if i := slices.IndexFunc(matchers, named); i >= 0 {
		return matchers[i].Value, true
	}
	return "", false
}

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// window is that of a rule, at the interval of its group.
func (r tested) window(w window) window {
	if r.interval > 0 {
		w.interval = max(r.interval, minInterval)
	}
	return w
}

// minInterval bounds how often rules are evaluated.
const minInterval = 5 * time.Second
