package alert

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"

	"github.com/volpost/volpost/model"
)

// memo caches selected series, since rules share metrics.
type memo struct {
	source model.MetricSource
	// from and to are what a first selection loads at least.
	from, to time.Time
	kept     []*selection // the oldest first
	bytes    int
	lost     damages
	points   []promql.FPoint // buffer
}

// selection is the series that some matchers allow, in a stretch of time.
type selection struct {
	key      string
	from, to time.Time
	series   []*packed
	bytes    int
	err      error // instead of series: what is damaged costs most, and is not read anew for each rule
}

// maxKept bounds a memo, in bytes.
const maxKept = 96 << 20

// get is a fetch.
func (m *memo) get(matchers []*labels.Matcher, from, to time.Time) ([]*packed, error) {
	asked := make([]model.Matcher, 0, len(matchers))
	for _, x := range matchers {
		asked = append(asked, model.Matcher{Name: x.Name, Type: model.MatchType(x.Type.String()), Value: x.Value})
	}
	key := fmt.Sprintf("%q", asked)
	if i := slices.IndexFunc(m.kept, func(s *selection) bool { return s.key == key }); i >= 0 {
		if s := m.kept[i]; !from.Before(s.from) && !to.After(s.to) {
			return s.series, s.err
		}
		m.drop(i)
	}
	if !m.from.IsZero() {
		from = model.Earlier(from, m.from)
	}
	s := &selection{key: key, from: from, to: model.Later(to, m.to)}
	err := m.source.Select(asked, s.from, s.to, func(l model.Labels, samples model.Samples) error {
		p, err := m.read(l, samples)
		if err == nil {
			s.series = append(s.series, p)
			s.bytes += p.size()
		}
		return err
	})
	if err != nil {
		s.series, s.bytes, s.err = nil, 0, err
		m.lost.note(m.source.Input, err)
	}
	for len(m.kept) > 0 && m.bytes+s.bytes > maxKept {
		m.drop(0)
	}
	m.kept = append(m.kept, s)
	m.bytes += s.bytes
	return s.series, s.err
}

func (m *memo) drop(i int) {
	m.bytes -= m.kept[i].bytes
	m.kept = slices.Delete(m.kept, i, i+1)
}

// read is a series of the source. Half a series would be evaluated as one that ended.
func (m *memo) read(l model.Labels, samples model.Samples) (*packed, error) {
	m.points = m.points[:0]
	for s, err := range samples {
		if err != nil {
			return nil, err
		}
		if s.Stale {
			s.Value = none
		}
		m.points = append(m.points, promql.FPoint{T: s.At.UnixMilli(), F: s.Value})
	}
	if m.source.Form == model.MetricAPI {
		m.points = ended(m.points, m.source.Interval.Milliseconds())
	}
	return pack(promLabels(l), m.points)
}

// ended adds stale markers to an answer of the API: the server has looked back already, so a step without a value has none, and rules
// must not look back again. The step, in milliseconds, is the source's, or the series' own where that is wider (another query).
func ended(points []promql.FPoint, step int64) (out []promql.FPoint) {
	own := int64(0)
	for i := 1; i < len(points); i++ {
		if d := points[i].T - points[i-1].T; own == 0 || d < own {
			own = d
		}
	}
	step = max(step, own)
	for i, p := range points {
		out = append(out, p)
		if i+1 == len(points) || points[i+1].T > p.T+step+step/2 {
			out = append(out, promql.FPoint{T: p.T + step, F: none})
		}
	}
	return out
}

// packed is one series, compressed as in a block.
type packed struct {
	labels labels.Labels
	chunks []chunks.Meta
}

// perChunk is how many samples the encoder puts into a chunk.
const perChunk = 120

// pack compresses a series.
func pack(l labels.Labels, points []promql.FPoint) (*packed, error) {
	p := &packed{labels: l, chunks: make([]chunks.Meta, 0, len(points)/perChunk+1)}
	series := promql.NewStorageSeries(promql.Series{Metric: l, Floats: points})
	it := storage.NewSeriesToChunkEncoder(series).Iterator(nil)
	for it.Next() {
		it.At().Chunk.Compact() // frees the room to grow
		p.chunks = append(p.chunks, it.At())
	}
	return p, it.Err()
}

// size is about what it takes, in bytes.
func (p *packed) size() int {
	n := 64 + int(p.labels.ByteSize())
	for _, c := range p.chunks {
		n += 80 + len(c.Chunk.Bytes())
	}
	return n
}

// between is a view of the chunks that overlap a stretch of time.
func (p *packed) between(from, to int64) storage.Series {
	low := sort.Search(len(p.chunks), func(i int) bool { return p.chunks[i].MaxTime >= from })
	high := sort.Search(len(p.chunks), func(i int) bool { return p.chunks[i].MinTime > to })
	view := p.chunks[low:high]
	return &storage.SeriesEntry{Lset: p.labels, SampleIteratorFn: func(reuse chunkenc.Iterator) chunkenc.Iterator {
		switch len(view) {
		case 0:
			return chunkenc.NewNopIterator()
		case 1:
			return view[0].Chunk.Iterator(reuse)
		}
		list := make([]chunkenc.Iterator, 0, len(view))
		for _, c := range view {
			list = append(list, c.Chunk.Iterator(nil))
		}
		return storage.ChainSampleIteratorFromIterators(reuse, list)
	}}
}

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
