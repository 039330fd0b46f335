package alert

import (
	"context"
	"math"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"

	"github.com/volpost/volpost/model"
)

// queryable lets Prometheus' engine select from series that rules have recorded, and from a source of metrics.
type queryable struct {
	memo     *memo
	recorded *overlay
}

// Querier implements storage.Queryable.
func (q queryable) Querier(from, to int64) (storage.Querier, error) {
	return querier{q, from, to}, nil
}

type querier struct {
	queryable
	from, to int64 // milliseconds since 1970
}

// Select implements storage.Querier. A series that cannot be read to its end fails the query: half a series would be
// evaluated as one that ended.
func (q querier) Select(ctx context.Context, _ bool, hints *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	from, to := q.from, q.to
	if hints != nil {
		from, to = hints.Start, hints.End
	}
	if err := ctx.Err(); err != nil {
		return storage.ErrSeriesSet(err)
	}
	if made, ok := q.recorded.of(matchers); ok {
		return &seriesSet{list: made, at: -1}
	}
	list, err := q.memo.get(modelMatchers(matchers), instant(from), instant(to))
	if err != nil {
		return storage.ErrSeriesSet(err)
	}
	views := make([]storage.Series, 0, len(list))
	for _, p := range list {
		views = append(views, p.between(from, to))
	}
	return &seriesSet{list: views, at: -1}
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
}

func (s *seriesSet) Next() bool {
	s.at++
	return s.at < len(s.list)
}
func (s *seriesSet) At() storage.Series                { return s.list[s.at] }
func (s *seriesSet) Err() error                        { return nil }
func (s *seriesSet) Warnings() annotations.Annotations { return nil }

func float(s model.Sample) float64 {
	if s.Stale {
		return math.Float64frombits(value.StaleNaN)
	}
	return s.Value
}

func promLabels(l model.Labels) labels.Labels {
	b := labels.NewScratchBuilder(len(l))
	for _, label := range l {
		if label.Value != "" { // to Prometheus an empty label is none
			b.Add(label.Name, label.Value)
		}
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
