package manifest

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/model"
)

// list is where a snapshot keeps the objects of a kind.
type list interface {
	add(to *model.Snapshot, r Record, path string)
	join(to, from *model.Snapshot)
	sort(*model.Snapshot)
}

type listOf[T any] func(*model.Snapshot) *[]model.Object[T]

func (of listOf[T]) add(to *model.Snapshot, r Record, path string) {
	*of(to) = append(*of(to), Object(r, path, r.content.(model.Content[T])))
}

func (of listOf[T]) join(to, from *model.Snapshot) { *of(to) = append(*of(to), *of(from)...) }

// sort orders copies as model.Snapshot says; the place breaks ties.
func (of listOf[T]) sort(s *model.Snapshot) {
	slices.SortStableFunc(*of(s), func(a, b model.Object[T]) int {
		return cmp.Or(
			cmp.Compare(a.Ref.Namespace, b.Ref.Namespace),
			cmp.Compare(a.Ref.Name, b.Ref.Name),
			cmp.Compare(a.Ref.UID, b.Ref.UID),
			cmp.Compare(a.ResourceVersion, b.ResourceVersion),
			cmp.Compare(a.Input, b.Input),
			cmp.Compare(a.Line, b.Line),
		)
	})
}

// Hold makes of the value what is kept, but of an Event or settings, and returns about how many bytes it takes beside the store.
func (r *Record) Hold() (bytes int) {
	if r.kind.list != nil {
		r.content, bytes = r.kind.hold(r)
		r.Value = nil
	}
	return bytes
}

// AddTo adds the object of a record that was held to its list.
func (r Record) AddTo(s *model.Snapshot, path string) { r.kind.list.add(s, r, path) }

// Object is a record as the model has it.
func Object[T any](r Record, path string, content model.Content[T]) model.Object[T] {
	return model.Object[T]{Ref: r.Ref, Content: content, ResourceVersion: r.ResourceVersion, Input: path, Line: r.Line, Cite: r.cite.masked}
}

// Join appends the objects of a snapshot to those of another.
func Join(to, from *model.Snapshot) {
	for _, k := range kinds {
		if k.list != nil {
			k.list.join(to, from)
		}
	}
}

// Sort orders the objects of a snapshot as model promises.
func Sort(s *model.Snapshot) {
	for _, k := range kinds {
		if k.list != nil {
			k.list.sort(s)
		}
	}
}
