package wait

import (
	"reflect"
	"unsafe"

	"github.com/volpost/volpost/analyze/facts"

	"github.com/volpost/volpost/model"
)

// StepsOf runs the steps of each case of a world, and hands over what each finds and leaves.
func StepsOf(w *facts.World, visit func(step int, name string, before, after *Case)) {
	all, _ := demands(w)
	for _, c := range all {
		c.begin(w)
		for n, s := range caseSteps() {
			before := *c
			s.fill(c)
			visit(n, s.name, &before, c)
		}
	}
}

// Again runs a step on a copy of what it found, with decoys in some fields.
func Again(step int, before *Case, decoys map[int]bool, decoy *model.Observation) *Case {
	c := *before
	v := reflect.ValueOf(&c).Elem()
	for n := range v.NumField() {
		if f := v.Field(n); decoys[n] {
			f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
			f.Set(reflect.ValueOf(decoyOf(f.Interface(), decoy)))
		}
	}
	caseSteps()[step].fill(&c)
	return &c
}

// decoyOf is a value of the same type that says something.
func decoyOf(v any, o *model.Observation) any {
	switch v.(type) {
	case facts.Instant:
		return seen(o)
	case []facts.Instant:
		return []facts.Instant{seen(o)}
	case []*model.Observation:
		return []*model.Observation{o}
	case []model.Ref:
		return []model.Ref{o.Pod}
	case *model.Ref:
		return &o.Pod
	case model.Basis:
		return model.Assumed
	case Attachment:
		return Attachment{Name: "decoy"}
	case []Life:
		return []Life{{Created: seen(o), DeletionRequested: seen(o), Gone: seen(o)}}
	case facts.Window:
		return facts.After(o.At.At)
	case bool:
		return true
	}
	panic(v)
}

// FieldOf is a field of a case, an unexported one too.
func FieldOf(c *Case, n int) any {
	f := reflect.ValueOf(c).Elem().Field(n)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Interface()
}

// UsedUntil are the bounds of the release.
func UsedUntil(c *Case) (start, end facts.Instant) { return c.usedUntil() }
