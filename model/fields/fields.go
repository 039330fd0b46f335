// Package fields changes the texts and times of a report or of another value of the model wherever they stand, in copies.
package fields

import (
	"maps"
	"reflect"
	"slices"
	"time"
)

// Texts is a copy of a value whose strings have each gone through text. Its times stay as they are.
func Texts[T any](v *T, text func(string) string) *T {
	return Change(v, Changer{Text: Each(text)})
}

// Each is a function of texts for all of them, whatever they are.
func Each(text func(string) string) func(reflect.Value, string) string {
	return func(v reflect.Value, _ string) string { return text(v.String()) }
}

// Changer changes what is not as it should be, in copies. A field of the model says by its tag text what stands in it: a name (with what it
// names, as name:node), a quote, a path, a command, a message of a problem, one of a fixed list (keep), root or identity; else a sentence.
type Changer struct {
	Text  func(v reflect.Value, kind string) string // a string by the kind of its field; of the value of a label "label " and its name
	Time  func(time.Time) time.Time                 // nil: they stay
	Enter func(v reflect.Value) (leave func())      // a struct or a map of labels is looked at; may be nil

	plans map[reflect.Type]plan // for lookup only
}

// Change is a value as it should be. The original stays as it is.
func Change[T any](v *T, c Changer) *T {
	c.plans = map[reflect.Type]plan{}
	out, _ := c.fixed(reflect.ValueOf(v), "")
	return out.Interface().(*T)
}

var timeType = reflect.TypeFor[time.Time]()

// plan is what has to be looked at in a struct.
type plan struct {
	deep   []int    // exported fields that are more than bits
	kinds  []string // of these
	hidden []int    // fields that the JSON report does not hold
}

// fixed is a value as it should be, and whether that is another one: v itself where nothing that it reaches needs a change.
func (c *Changer) fixed(v reflect.Value, kind string) (out reflect.Value, other bool) {
	switch v.Kind() {
	case reflect.String:
		if s := c.Text(v, kind); s != v.String() {
			out = reflect.New(v.Type()).Elem()
			out.SetString(s)
			return out, true
		}
	case reflect.Pointer:
		if inner, changed := c.fixed(v.Elem(), kind); changed {
			out = reflect.New(v.Type().Elem())
			out.Elem().Set(inner)
			return out, true
		}
	case reflect.Slice:
		return c.fixedSlice(v, kind)
	case reflect.Map:
		return c.fixedMap(v, kind)
	case reflect.Struct:
		if v.Type() == timeType {
			return c.fixedTime(v)
		}
		return c.fixedStruct(v)
	}
	return v, false
}

func (c *Changer) fixedSlice(v reflect.Value, kind string) (out reflect.Value, other bool) {
	out = v
	for i := range v.Len() {
		if inner, changed := c.fixed(v.Index(i), kind); changed {
			if !other {
				out, other = reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v), true
			}
			out.Index(i).Set(inner)
		}
	}
	return out, other
}

func (c *Changer) fixedStruct(v reflect.Value) (out reflect.Value, other bool) {
	if c.Enter != nil {
		defer c.Enter(v)()
	}
	out = v
	set := func(i int, field reflect.Value) { // in a copy, which the first change makes
		if !other {
			out, other = reflect.New(v.Type()).Elem(), true
			out.Set(v)
		}
		out.Field(i).Set(field)
	}
	plan := c.plan(v.Type())
	for _, i := range plan.hidden {
		if f := v.Field(i); !f.IsZero() {
			set(i, reflect.Zero(f.Type()))
		}
	}
	for n, i := range plan.deep {
		if inner, changed := c.fixed(v.Field(i), plan.kinds[n]); changed {
			set(i, inner)
		}
	}
	return out, other
}

// fixedMap is always another map where there is one: a report has few, of labels, and small ones.
func (c *Changer) fixedMap(v reflect.Value, kind string) (reflect.Value, bool) {
	labels, _ := v.Interface().(map[string]string)
	if labels == nil {
		return v, false
	}
	if c.Enter != nil {
		defer c.Enter(v)()
	}
	out := make(map[string]string, len(labels))
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		key := c.Text(reflect.ValueOf(name), kind)
		out[key] = c.Text(reflect.ValueOf(labels[name]), "label "+name)
	}
	return reflect.ValueOf(out), true
}

func (c *Changer) fixedTime(v reflect.Value) (reflect.Value, bool) {
	t := *v.Addr().Interface().(*time.Time) // without a copy on the heap
	if c.Time == nil {
		return v, false
	}
	if fixed := c.Time(t); fixed != t {
		return reflect.ValueOf(fixed), true
	}
	return v, false
}

func (c *Changer) plan(t reflect.Type) plan {
	p, known := c.plans[t]
	if !known {
		for i := range t.NumField() {
			switch f := t.Field(i); {
			case !f.IsExported():
			case f.Tag.Get("json") == "-":
				p.hidden = append(p.hidden, i)
			case !flat(f.Type):
				p.deep = append(p.deep, i)
				p.kinds = append(p.kinds, f.Tag.Get("text"))
			}
		}
		c.plans[t] = p
	}
	return p
}

// flat reports whether a value of the type is copied by assignment, whatever it holds.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
		return false
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); t == timeType || f.Tag.Get("json") == "-" || !flat(f.Type) {
				return false
			}
		}
	}
	return true
}
