package model

// Object is one copy of a Kubernetes object in a file. Several copies of one object are ordered by ResourceVersion.
type Object[T any] struct {
	Ref             Ref
	Content         Content[T] // nil for what was not found
	ResourceVersion uint64     // 0 when absent or not a number
	Input           string     // path of the Input that holds it
	Line            int        // of that file, the object's first; from 1

	// Cite quotes a field of this copy, named as a JSON path such as status.conditions[3].lastTransitionTime or spec.nodeName.
	// It returns false when the field is not in the file. It is nil for objects made in tests.
	Cite func(field string) (line int, quote Quote, ok bool)
}

// Value is what the object holds, never to be changed. It may be decoded anew at each call.
func (o Object[T]) Value() T {
	if o.Content == nil {
		var none T
		return none
	}
	return o.Content.Value()
}

// Source is the object's place in the bundle.
func (o Object[T]) Source() Source { return Source{Kind: SourceManifest, Path: o.Input, Line: o.Line} }

// SourceOf is where a field of this copy stands, with its text. Without the field it is the object itself.
func (o Object[T]) SourceOf(field string) (Source, Quote) {
	src := o.Source()
	if o.Cite != nil {
		if line, quote, ok := o.Cite(field); ok {
			src.Line, src.Field = line, field
			return src, quote
		}
	}
	return src, Quote{SHA256: emptySHA256}
}

// emptySHA256 is the hash of an empty text.
const emptySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// Newest returns each object's copy with the highest ResourceVersion, in the order of appearance. Objects of one name differ in UID.
func Newest[T any](copies []Object[T]) []Object[T] {
	at := make(map[Ref]struct{}, len(copies))
	for i := range copies {
		at[copies[i].Ref] = struct{}{}
	}
	if len(at) == len(copies) {
		return copies[:len(copies):len(copies)]
	}
	return newest(copies)
}

func newest[T any](copies []Object[T]) []Object[T] {
	var out []Object[T]
	at := map[Ref]int{}
	for _, c := range copies {
		i, ok := at[c.Ref]
		if !ok {
			at[c.Ref] = len(out)
			out = append(out, c)
			continue
		}
		if c.ResourceVersion > out[i].ResourceVersion {
			out[i] = c
		}
	}
	return out
}

// Content holds the value of an object. It is safe for concurrent use.
type Content[T any] interface {
	Value() T
}

// Whole holds a value as it is.
func Whole[T any](value T) Content[T] { return whole[T]{value} }

type whole[T any] struct{ value T }

func (w whole[T]) Value() T { return w.value }
