package manifest

import (
	"bytes"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/klauspost/compress/s2"

	"github.com/volpost/volpost/model"
)

// textStore keeps texts of objects that follow each other, which are alike and pack well. It is safe for concurrent use.
type textStore struct {
	mu     sync.Mutex
	texts  []byte // until it is closed
	packed []byte // from then on
	number int    // then, too
}

// put keeps some lines of a text, nil for all, and an empty one for each of the others. It returns where what is kept begins and ends.
func (s *textStore) put(raw []byte, kept []keptLines) (from, to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from = len(s.texts)
	if kept == nil {
		s.texts = append(s.texts, raw...)
	}
	line := 1
	for _, k := range kept {
		for ; line < k.line; line++ {
			s.texts = append(s.texts, '\n')
		}
		s.texts = append(s.texts, raw[k.from:k.to]...)
		line += bytes.Count(raw[k.from:k.to], []byte("\n"))
	}
	return from, len(s.texts)
}

// close packs the texts of a store that is full, in a buffer that it may take, and returns their size now, and both buffers for the next.
func (s *textStore) close(buffer []byte) (texts, used []byte, packed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.texts) < storeBytes {
		return nil, nil, 0
	}
	buffer = s2.EncodeBetter(buffer[:cap(buffer)], s.texts)
	texts = s.texts
	s.packed, s.texts = bytes.Clone(buffer), nil
	s.number = int(unpacked.closed.Add(1))
	return texts, buffer, len(s.packed)
}

// view shows a text that was put. It is valid until use returns, which must not ask for another.
func (s *textStore) view(from, to int, use func(text []byte)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.packed == nil {
		use(s.texts[from:to])
		return
	}
	unpacked.view(s, from, to, use)
}

// unpacked are the stores that were used last: a text is mostly requested with its neighbours. Safe for concurrent use.
var unpacked blocks

type blocks struct {
	closed atomic.Int64 // stores

	mu   sync.Mutex
	last [64]block
}

type block struct {
	of   *textStore
	text []byte
}

func (b *blocks) view(s *textStore, from, to int, use func(text []byte)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := &b.last[s.number%len(b.last)]
	if at.of != s {
		if cap(at.text) > scratchBytes {
			at.text = nil
		}
		at.text, _ = s2.Decode(at.text[:cap(at.text)], s.packed) // it was packed here
		at.of = s
	}
	use(at.text[from:to:to])
}

// pack puts a value in a store as its protobuf message, a quarter of its memory or less, and decodes it when it is requested. That form has
// no apiVersion and kind, no empty list, and of a metav1.Time the whole second, which is all that the API server writes.
func pack[V any, P kubernetes[V]](value P, on *textStore) model.Content[*V] {
	text, err := value.Marshal()
	if err != nil {
		return model.Whole((*V)(value)) // each type of Kubernetes has such a form
	}
	from, to := on.put(text, nil)
	return &message[V, P]{store: on, from: int32(from), to: int32(to)}
}

type message[V any, P kubernetes[V]] struct {
	store    *textStore
	from, to int32

	mu  sync.Mutex
	now weak.Pointer[V] // while it is in use
}

func (p *message[V, P]) Value() *V {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v := p.now.Value(); v != nil {
		return v
	}
	v := new(V)
	p.store.view(int(p.from), int(p.to), func(text []byte) {
		if err := P(v).Unmarshal(text); err != nil {
			panic("manifest: a packed value is none: " + err.Error()) // it was packed here
		}
	})
	p.now = weak.Make(v)
	return v
}
