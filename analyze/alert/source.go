package alert

import (
	"context"
	"math"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"

	"github.com/volpost/volpost/model"
)

// queryable lets Prometheus' engine select from a source of metrics.
type queryable struct{ source model.MetricSource }

// Querier implements storage.Queryable.
func (q queryable) Querier(from, to int64) (storage.Querier, error) {
	return querier{q.source, from, to}, nil
}

type querier struct {
	source   model.MetricSource
	from, to int64 // milliseconds since 1970
}

// Select implements storage.Querier. A series that cannot be read to its end fails the query: half a series would be
// evaluated as one that ended.
func (q querier) Select(ctx context.Context, _ bool, hints *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	from, to := q.from, q.to
	if hints != nil {
		from, to = hints.Start, hints.End
	}
	set := &seriesSet{at: -1}
	set.err = q.source.Select(modelMatchers(matchers), instant(from), instant(to), func(l model.Labels, samples model.Samples) error {
		var list []chunks.Sample
		for s, err := range samples {
			if err != nil {
				return err
			}
			list = append(list, point{s.At.UnixMilli(), float(s)})
		}
		set.list = append(set.list, storage.NewListSeries(promLabels(l), list))
		return ctx.Err()
	})
	return set
}

// LabelValues implements storage.Querier; no expression needs it.
func (querier) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

// LabelNames implements storage.Querier; no expression needs it.
func (querier) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

// Close implements storage.Querier.
func (querier) Close() error { return nil }

// seriesSet is a list of series.
type seriesSet struct {
	list []storage.Series
	at   int
	err  error
}

func (s *seriesSet) Next() bool {
	s.at++
	return s.err == nil && s.at < len(s.list)
}
func (s *seriesSet) At() storage.Series                { return s.list[s.at] }
func (s *seriesSet) Err() error                        { return s.err }
func (s *seriesSet) Warnings() annotations.Annotations { return nil }

// point is one sample as the engine wants it.
type point struct {
	t int64
	f float64
}

func (p point) T() int64                      { return p.t }
func (p point) ST() int64                     { return 0 }
func (p point) F() float64                    { return p.f }
func (p point) H() *histogram.Histogram       { return nil }
func (p point) FH() *histogram.FloatHistogram { return nil }
func (p point) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (p point) Copy() chunks.Sample           { return p }

func float(s model.Sample) float64 {
	if s.Stale {
		return math.Float64frombits(value.StaleNaN)
	}
	return s.Value
}

func promLabels(l model.Labels) labels.Labels {
	b := labels.NewScratchBuilder(len(l))
	for _, label := range l {
		b.Add(label.Name, label.Value)
	}
	return b.Labels()
}

func modelMatchers(list []*labels.Matcher) []model.Matcher {
	out := make([]model.Matcher, 0, len(list))
	for _, m := range list {
		t := map[labels.MatchType]model.MatchType{
			labels.MatchEqual: model.MatchEqual, labels.MatchNotEqual: model.MatchNotEqual,
			labels.MatchRegexp: model.MatchRegexp, labels.MatchNotRegexp: model.MatchNotRegexp,
		}[m.Type]
		out = append(out, model.Matcher{Name: m.Name, Type: t, Value: m.Value})
	}
	return out
}
