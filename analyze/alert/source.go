package alert

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"

	"github.com/volpost/volpost/model"
)

// fetch gives the series that matchers allow, with at least their samples from a time to another, both included.
type fetch func(matchers []*labels.Matcher, from, to time.Time) ([]*packed, error)

// querier gives Prometheus' engine the series of a source. Expressions use no other method.
type querier struct {
	storage.Querier
	evaluator
	from, to int64 // milliseconds since 1970
}

func (e evaluator) querier(from, to int64) (storage.Querier, error) {
	return querier{storage.NoopQuerier(), e, from, to}, nil
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
	list, err := q.source(matchers, instant(from), instant(to))
	if err != nil {
		return storage.ErrSeriesSet(err)
	}
	return &seriesSet{storage.EmptySeriesSet(), list, -1, from, to}
}

// seriesSet is a list of series in a stretch of time.
type seriesSet struct {
	storage.SeriesSet
	list     []*packed
	at       int
	from, to int64
}

func (s *seriesSet) Next() bool {
	s.at++
	return s.at < len(s.list)
}

func (s *seriesSet) At() storage.Series { return s.list[s.at].between(s.from, s.to) }

// none is what a sample has where a series has no value any more.
var none = math.Float64frombits(value.StaleNaN)

func promLabels(l model.Labels) labels.Labels {
	b := labels.NewScratchBuilder(len(l))
	for _, label := range l {
		if label.Value != "" { // to Prometheus an empty label is none
			b.Add(label.Name, label.Value)
		}
	}
	return b.Labels()
}

// allowed are the series that all matchers allow.
func allowed(list []*packed, matchers []*labels.Matcher) []*packed {
	return slices.DeleteFunc(slices.Clone(list), func(p *packed) bool {
		return slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(p.labels.Get(m.Name)) })
	})
}
