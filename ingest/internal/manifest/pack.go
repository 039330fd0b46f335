package manifest

import (
	"sync"
	"weak"

	"github.com/volpost/volpost/model"
)

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
