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

// querier gives Prometheus' engine the recorded series and those of a source. Expressions use no other method.
type querier struct {
	storage.Querier
	memo     *memo
	recorded *overlay
	from, to int64 // milliseconds since 1970
}

func (e evaluator) querier(from, to int64) (storage.Querier, error) {
	return querier{storage.NoopQuerier(), e.source, e.recorded, from, to}, nil
}

// Select implements storage.Querier. A series that cannot be read to its end fails the query: half would count as one that ended.
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
		out = append(out, model.Matcher{Name: m.Name, Type: model.MatchType(m.Type.String()), Value: m.Value})
	}
	return out
}
