package model

import (
	"sync"
	"weak"
)

// Content holds the value of an object. It is safe for concurrent use.
type Content[T any] interface {
	Value() T
}

// Whole holds a value as it is.
func Whole[T any](value T) Content[T] { return whole[T]{value} }

type whole[T any] struct{ value T }

func (w whole[T]) Value() T { return w.value }

// Message is a type of Kubernetes with the protobuf form that it has between API server and etcd.
type Message[V any] interface {
	*V
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// Pack holds a value as its protobuf message, a quarter of its size in memory, and decodes it for whoever asks. What that form
// has no room for is lost: apiVersion and kind, fractions of a second in a metav1.Time, and the difference between a list or
// map that is empty and one that is not there. It answers false for a value that has no such form.
func Pack[V any, P Message[V]](value P) (packed Content[*V], bytes int, ok bool) {
	text, err := value.Marshal()
	if err != nil {
		return nil, 0, false
	}
	return &pack[V, P]{text: text}, len(text) + packBytes, true
}

// packBytes is what a pack takes beside its text.
const packBytes = 48

type pack[V any, P Message[V]] struct {
	text []byte

	mu  sync.Mutex
	now weak.Pointer[V] // while somebody uses it
}

func (p *pack[V, P]) Value() *V {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v := p.now.Value(); v != nil {
		return v
	}
	v := new(V)
	if err := P(v).Unmarshal(p.text); err != nil {
		panic("model: a value that was packed is not one: " + err.Error()) // the text is our own
	}
	p.now = weak.Make(v)
	return v
}
