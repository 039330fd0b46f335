package view

import (
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Normal gives a report in one zone, cut to microseconds, with each string through text, and without what its JSON does not hold.
func Normal(r *model.Report, text func(string) string, w *walls) *model.Report {
	c := newCopier(func(s string) string { return text(utf8Text(s)) })
	if w != nil {
		verbatim := *c
		c.text, c.verbatim = func(s string) string { return text(w.sentence(utf8Text(s))) }, &verbatim
		inZone := func(t time.Time) time.Time {
			if t = normalTime(t); model.MissingOf(t) != "" || t == firstTime || t == lastTime {
				return t
			}
			return t.In(w.Zone)
		}
		c.time, verbatim.time = inZone, inZone
	}
	return changed(r, c)
}

func newCopier(text func(string) string) *copier {
	return &copier{text: text, time: normalTime, plans: map[reflect.Type]plan{}}
}

// CopyValue is a copy without what JSON cannot write.
func CopyValue[T any](v *T) *T { return changed(v, newCopier(utf8Text)) }

// ForPeople is a copy of a value whose strings are visible.
func ForPeople[T any](v *T) *T {
	return changed(v, newCopier(func(s string) string { return words.Visible(utf8Text(s)) }))
}

// ChangeText is a copy of a value whose strings have each gone through text. Its times stay as they are.
func ChangeText[T any](v *T, text func(string) string) *T {
	c := newCopier(text)
	c.time = func(t time.Time) time.Time { return t }
	return changed(v, c)
}

// changed is a value as it should be. The original stays as it is.
func changed[T any](v *T, c *copier) *T {
	out, _ := c.fixed(reflect.ValueOf(v))
	return out.Interface().(*T)
}

// noSentence are types and fields with what others wrote, or what is to be typed or found again: a clock in them stays.
var noSentence = map[string]bool{ // for lookup only
	"Evidence": true, "Source": true, "Input": true, "Clock": true, "Unreadable": true, "Ref": true, "MetricSource": true,
	"MetricSeries": true, "Firing": true, "Bundle.Root": true, "Problem.Path": true, "NotCollected.Command": true,
	"NotCollected.Also": true, "InspectionItem.Command": true, "Remediation.Commands": true, "Proof.Command": true, "Step.Command": true,
	"Alert.Expr": true, "Alert.Corrected": true, "Alert.Origin": true,
}

var timeType = reflect.TypeFor[time.Time]()

// copier changes what is not as it should be, in copies.
type copier struct {
	text     func(string) string
	time     func(time.Time) time.Time
	verbatim *copier               // of what is no sentence; nil for this one
	plans    map[reflect.Type]plan // for lookup only
}

// plan is what has to be looked at in a struct.
type plan struct {
	deep     []int        // exported fields that are more than bits
	verbatim map[int]bool // of these, what is no sentence: quotes, commands and names
	hidden   []int        // fields that the JSON report does not hold
}

// fixed is a value as it should be, and whether that is another one: v itself where nothing that it reaches needs a change.
func (c *copier) fixed(v reflect.Value) (out reflect.Value, other bool) {
	switch v.Kind() {
	case reflect.String:
		if s := c.text(v.String()); s != v.String() {
			out = reflect.New(v.Type()).Elem()
			out.SetString(s)
			return out, true
		}
	case reflect.Pointer:
		if inner, changed := c.fixed(v.Elem()); changed {
			out = reflect.New(v.Type().Elem())
			out.Elem().Set(inner)
			return out, true
		}
	case reflect.Slice:
		return c.fixedSlice(v)
	case reflect.Map:
		return c.fixedMap(v)
	case reflect.Struct:
		if v.Type() == timeType {
			return c.fixedTime(v)
		}
		return c.fixedStruct(v)
	}
	return v, false
}

func (c *copier) fixedSlice(v reflect.Value) (out reflect.Value, other bool) {
	out = v
	for i := range v.Len() {
		if inner, changed := c.fixed(v.Index(i)); changed {
			if !other {
				out, other = reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v), true
			}
			out.Index(i).Set(inner)
		}
	}
	return out, other
}

func (c *copier) fixedStruct(v reflect.Value) (out reflect.Value, other bool) {
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
	for _, i := range plan.deep {
		of := c
		if c.verbatim != nil && plan.verbatim[i] {
			of = c.verbatim
		}
		if inner, changed := of.fixed(v.Field(i)); changed {
			set(i, inner)
		}
	}
	return out, other
}

// fixedMap is always another map where there is one: a report has few, and small ones.
func (c *copier) fixedMap(v reflect.Value) (reflect.Value, bool) {
	if v.IsNil() {
		return v, false
	}
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for of := v.MapRange(); of.Next(); {
		key, _ := c.fixed(of.Key())
		value, _ := c.fixed(of.Value())
		out.SetMapIndex(key, value)
	}
	return out, true
}

func (c *copier) fixedTime(v reflect.Value) (reflect.Value, bool) {
	t := *v.Addr().Interface().(*time.Time) // without a copy on the heap
	if fixed := c.time(t); fixed != t {
		return reflect.ValueOf(fixed), true
	}
	return v, false
}

func (c *copier) plan(t reflect.Type) plan {
	p, known := c.plans[t]
	if !known {
		p.verbatim = map[int]bool{}
		for i := range t.NumField() {
			switch f := t.Field(i); {
			case !f.IsExported():
			case f.Tag.Get("json") == "-":
				p.hidden = append(p.hidden, i)
			case !flat(f.Type):
				p.deep = append(p.deep, i)
				p.verbatim[i] = noSentence[t.Name()] || noSentence[t.Name()+"."+f.Name]
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

// utf8Text is s with each byte that is no UTF-8 replaced, as JSON has to.
func utf8Text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// The years that RFC 3339 can write; a manifest can claim any.
var (
	firstTime = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	lastTime  = time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC)
)

// normalTime is t in UTC, cut to microseconds, within the years that RFC 3339 can write.
func normalTime(t time.Time) time.Time {
	return model.Earlier(model.Later(t.UTC().Truncate(time.Microsecond), firstTime), lastTime)
}
