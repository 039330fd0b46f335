package alert

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/volpost/volpost/model"
)

// memo keeps the series that rules select, because rules share their metrics. Several goroutines may ask it at once; it asks its
// source for one at a time, because sources need not be safe for several.
type memo struct {
	mu     sync.Mutex
	source model.MetricSource
	// from and to are loaded when a selection is first asked for, be it asked for less.
	from, to time.Time
	kept     map[string]*selection
	order    []string // of kept, the oldest first
	bytes    int
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

// get selects series with their samples from from to to, both included, and maybe some more.
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
		p, err := pack(l, samples)
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

// ended marks where a series of answers ends. A server that answers has looked back already: a step without a value is one at which it
// has none, and rules must not look back from there once more. The step of a series is that of the source, or its own when that is
// wider: of another query.
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
	chunks []packedChunk
}

type packedChunk struct {
	first, last int64 // milliseconds since 1970
	chunk       *chunkenc.XORChunk
}

// perChunk is how many samples a chunk of a block has.
const perChunk = 120

// pack reads a series to its end. One that cannot be is an error: half a series would be evaluated as one that ended.
func pack(l model.Labels, samples model.Samples) (*packed, error) {
	p := &packed{labels: promLabels(l)}
	var add chunkenc.Appender
	n := 0
	for s, err := range samples {
		if err != nil {
			return nil, err
		}
		t := s.At.UnixMilli()
		if n%perChunk == 0 {
			p.compact()
			c := chunkenc.NewXORChunk()
			if add, err = c.Appender(); err != nil {
				return nil, err
			}
			p.chunks = append(p.chunks, packedChunk{first: t, chunk: c})
		}
		n++
		add.Append(0, t, float(s))
		p.chunks[len(p.chunks)-1].last = t
	}
	p.compact()
	return p, nil
}

// compact lets go of the space that the last chunk was given to grow.
func (p *packed) compact() {
	if n := len(p.chunks); n > 0 {
		p.chunks[n-1].chunk.Compact()
	}
}

// size is about what it takes, in bytes.
func (p *packed) size() int {
	n := 64 + int(p.labels.ByteSize())
	for _, c := range p.chunks {
		n += 80 + len(c.chunk.Bytes())
	}
	return n
}

// between is the series with the chunks that overlap a stretch of time, as a view.
func (p *packed) between(from, to int64) *packed {
	low := 0
	for low < len(p.chunks) && p.chunks[low].last < from {
		low++
	}
	high := low
	for high < len(p.chunks) && p.chunks[high].first <= to {
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
		return p.chunks[0].chunk.Iterator(reuse)
	}
	list := make([]chunkenc.Iterator, 0, len(p.chunks))
	for _, c := range p.chunks {
		list = append(list, c.chunk.Iterator(nil))
	}
	return storage.ChainSampleIteratorFromIterators(reuse, list)
}
