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

// Pack holds a value as its protobuf message, on a shelf, a quarter of its size in memory or less, and decodes it for whoever asks. What that form
// has no room for is lost: apiVersion and kind, fractions of a second in a metav1.Time, and the difference between a list or
// map that is empty and one that is not there. It answers false for a value that has no such form.
func Pack[V any, P Message[V]](value P, on Shelf) (packed Content[*V], ok bool) {
	text, err := value.Marshal()
	if err != nil {
		return nil, false
	}
	from, to := on.Put(text)
	return &pack[V, P]{shelf: on, from: int32(from), to: int32(to)}, true
}

// Shelf keeps texts, of no more than 2 GiB together.
type Shelf interface {
	Put(text []byte) (from, to int) // where it is
	// View shows a text. It is valid until use returns, which must not ask for another.
	View(from, to int, use func(text []byte))
}

// PackBytes is what a value that is packed takes beside its text.
const PackBytes = 48

type pack[V any, P Message[V]] struct {
	shelf    Shelf
	from, to int32

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
	p.shelf.View(int(p.from), int(p.to), func(text []byte) {
		if err := P(v).Unmarshal(text); err != nil {
			panic("model: a value that was packed is not one: " + err.Error()) // the text is our own
		}
	})
	p.now = weak.Make(v)
	return v
}
