package alert

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"

	"github.com/volpost/volpost/model"
)

// memo caches selected series, since rules share metrics. It is safe for concurrent use; its source is called one at a time.
type memo struct {
	mu     sync.Mutex
	source model.MetricSource
	// from and to are what a first selection loads at least.
	from, to time.Time
	kept     map[string]*selection
	order    []string // of kept, the oldest first
	bytes    int
	points   []promql.FPoint // buffer
}

// selection is the series that some matchers allow, in a stretch of time.
type selection struct {
	from, to time.Time
	series   []*packed
	bytes    int
}

// maxKept bounds a memo, in bytes.
const maxKept = 96 << 20

func newMemo(source model.MetricSource) *memo {
	return &memo{source: source, kept: map[string]*selection{}}
}

// get selects series with at least their samples from from to to, both included.
func (m *memo) get(matchers []model.Matcher, from, to time.Time) ([]*packed, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := keyOf(matchers)
	if s := m.kept[key]; s != nil {
		if !from.Before(s.from) && !to.After(s.to) {
			return s.series, nil
		}
		m.drop(key)
	}
	if !m.from.IsZero() && m.from.Before(from) {
		from = m.from
	}
	if m.to.After(to) {
		to = m.to
	}
	s := &selection{from: from, to: to}
	err := m.source.Select(matchers, from, to, func(l model.Labels, samples model.Samples) error {
		if m.source.Form == model.MetricAPI {
			samples = ended(samples, m.source.Interval)
		}
		m.points = m.points[:0]
		for s, err := range samples {
			if err != nil {
				return err // half a series would be evaluated as one that ended
			}
			m.points = append(m.points, promql.FPoint{T: s.At.UnixMilli(), F: float(s)})
		}
		p, err := pack(promLabels(l), m.points)
		if err != nil {
			return err
		}
		s.series = append(s.series, p)
		s.bytes += p.size()
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.keep(key, s)
	return s.series, nil
}

// ended adds stale markers to an answer of the API: the server has looked back already, so a step without a value has none, and rules
// must not look back again. The step is the source's, or the series' own where that is wider (another query).
func ended(samples model.Samples, step time.Duration) model.Samples {
	return func(yield func(model.Sample, error) bool) {
		list, own := []model.Sample{}, time.Duration(0)
		var damage error
		for s, err := range samples {
			if err != nil {
				damage = err
				break
			}
			if n := len(list); n > 0 {
				if d := s.At.Sub(list[n-1].At); own == 0 || d < own {
					own = d
				}
			}
			list = append(list, s)
		}
		step = max(step, own)
		for i, s := range list {
			last := i+1 == len(list)
			if !yield(s, nil) {
				return
			}
			if next := s.At.Add(step); (last || list[i+1].At.After(next.Add(step/2))) && !yield(model.Sample{At: next, Stale: true}, nil) {
				return
			}
		}
		if damage != nil {
			yield(model.Sample{}, damage)
		}
	}
}

func (m *memo) keep(key string, s *selection) {
	for len(m.order) > 0 && m.bytes+s.bytes > maxKept {
		m.drop(m.order[0])
	}
	m.kept[key] = s
	m.order = append(m.order, key)
	m.bytes += s.bytes
}

func (m *memo) drop(key string) {
	m.bytes -= m.kept[key].bytes
	delete(m.kept, key)
	m.order = slices.DeleteFunc(m.order, func(k string) bool { return k == key })
}

func keyOf(matchers []model.Matcher) string {
	var b strings.Builder
	for _, m := range matchers {
		b.WriteString(m.Name + "\x00" + string(m.Type) + "\x00" + m.Value + "\x00")
	}
	return b.String()
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
func (p *packed) between(from, to int64) *packed {
	low := 0
	for low < len(p.chunks) && p.chunks[low].MaxTime < from {
		low++
	}
	high := low
	for high < len(p.chunks) && p.chunks[high].MinTime <= to {
		high++
	}
	return &packed{labels: p.labels, chunks: p.chunks[low:high]}
}

// Labels implements storage.Series.
func (p *packed) Labels() labels.Labels { return p.labels }

// Iterator implements storage.Series.
func (p *packed) Iterator(reuse chunkenc.Iterator) chunkenc.Iterator {
	switch len(p.chunks) {
	case 0:
		return chunkenc.NewNopIterator()
	case 1:
		return p.chunks[0].Chunk.Iterator(reuse)
	}
	list := make([]chunkenc.Iterator, 0, len(p.chunks))
	for _, c := range p.chunks {
		list = append(list, c.Chunk.Iterator(nil))
	}
	return storage.ChainSampleIteratorFromIterators(reuse, list)
}
