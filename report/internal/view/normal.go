package view

import (
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Normal gives a report whose times are of one zone and cut to microseconds, and whose strings are UTF-8 and have each gone through
// text. The clocks in its sentences are of the zone, too; what is no sentence of this program stays as it is. What the JSON report does not hold is left out, so that a report renders the same before and after it was JSON. The
// original stays as it is; what needs no change is shared with it, because a report of thousands of incidents is large,
// and most of it is right.
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
	return changed(reflect.ValueOf(r), c).Interface().(*model.Report)
}

func newCopier(text func(string) string) *copier {
	return &copier{text: text, time: normalTime, plans: map[reflect.Type]plan{}}
}

// CopyValue copies the exported fields of everything that v reaches so that, besides, it has no nil slice where the schema
// wants an array. It walks by reflection because the promise holds for every field of the report, also for those that later
// versions add.
func CopyValue[T any](v *T) *T {
	c := newCopier(utf8Text)
	c.arrays = true
	return changed(reflect.ValueOf(v), c).Interface().(*T)
}

func changed(v reflect.Value, c *copier) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	c.own(out)
	return out
}

// noSentence are the types and fields of a report with what others wrote, and with what is to be typed or found again: a clock in them
// stays.
var noSentence = map[string]bool{ // for lookup only
	"Evidence": true, "Source": true, "Input": true, "Clock": true, "Unreadable": true, "Ref": true, "MetricSource": true, "MetricSeries": true, "Firing": true,
	"Bundle.Root": true, "Problem.Path": true, "NotCollected.Command": true, "NotCollected.Also": true, "InspectionItem.Command": true,
	"Remediation.Commands": true, "Proof.Command": true, "Alert.Expr": true, "Alert.Corrected": true, "Alert.Origin": true,
}

var timeType = reflect.TypeFor[time.Time]()

// copier changes what is not as it should be, in copies.
type copier struct {
	text     func(string) string
	time     func(time.Time) time.Time
	verbatim *copier               // of what is no sentence; nil for this one
	arrays   bool                  // nil slices are not as they should be
	plans    map[reflect.Type]plan // for lookup only
}

// plan is what own and right have to look at in a struct.
type plan struct {
	deep   []int        // exported fields that are more than bits
	said   map[int]bool // of these, what is no sentence: quotes, commands and names
	hidden []int        // fields that the JSON report does not hold
}

// own changes v, a shallow copy, and whatever it reaches that needs a change, of which it makes a copy before.
func (c *copier) own(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if s := c.text(v.String()); s != v.String() {
			v.SetString(s)
		}
	case reflect.Pointer:
		if !c.right(v) {
			fresh := reflect.New(v.Type().Elem())
			fresh.Elem().Set(v.Elem())
			v.Set(fresh)
			c.own(fresh.Elem())
		}
	case reflect.Slice:
		if !c.right(v) {
			fresh := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(fresh, v)
			v.Set(fresh)
			for i := range v.Len() {
				c.own(v.Index(i))
			}
		}
	case reflect.Map:
		if !c.right(v) {
			fresh := reflect.MakeMapWithSize(v.Type(), v.Len())
			for _, key := range v.MapKeys() {
				fresh.SetMapIndex(changed(key, c), changed(v.MapIndex(key), c))
			}
			v.Set(fresh)
		}
	case reflect.Struct:
		if v.Type() == timeType {
			t := v.Addr().Interface().(*time.Time)
			*t = c.time(*t)
			return
		}
		plan := c.plan(v.Type())
		for _, i := range plan.hidden {
			v.Field(i).SetZero()
		}
		for _, i := range plan.deep {
			c.of(plan, i).own(v.Field(i))
		}
	}
}

// of is the copier of a field.
func (c *copier) of(p plan, field int) *copier {
	if c.verbatim != nil && p.said[field] {
		return c.verbatim
	}
	return c
}

// right reports whether nothing that v reaches needs a change.
func (c *copier) right(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return v.String() == "" || c.text(v.String()) == v.String()
	case reflect.Pointer:
		return v.IsNil() || c.right(v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return !c.arrays
		}
		for i := range v.Len() {
			if !c.right(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for of := v.MapRange(); of.Next(); {
			if !c.right(of.Key()) || !c.right(of.Value()) {
				return false
			}
		}
		return !c.arrays || !v.IsNil()
	case reflect.Struct:
		if v.Type() == timeType {
			t, known := timeOf(v)
			return known && c.time(t) == t
		}
		plan := c.plan(v.Type())
		for _, i := range plan.hidden {
			if !v.Field(i).IsZero() {
				return false
			}
		}
		for _, i := range plan.deep {
			if !c.of(plan, i).right(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

// timeOf reads a time where it stands, without a copy of it on the heap.
func timeOf(v reflect.Value) (time.Time, bool) {
	if !v.CanAddr() {
		return time.Time{}, false
	}
	return *v.Addr().Interface().(*time.Time), true
}

func (c *copier) plan(t reflect.Type) plan {
	p, known := c.plans[t]
	if !known {
		p.said = map[int]bool{}
		for i := range t.NumField() {
			switch f := t.Field(i); {
			case !f.IsExported():
			case f.Tag.Get("json") == "-":
				p.hidden = append(p.hidden, i)
			case !flat(f.Type):
				p.deep = append(p.deep, i)
				p.said[i] = noSentence[t.Name()] || noSentence[t.Name()+"."+f.Name]
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
	t = t.UTC().Truncate(time.Microsecond)
	if t.Before(firstTime) {
		return firstTime
	}
	if t.After(lastTime) {
		return lastTime
	}
	return t
}

// ForPeople is a copy of a value whose strings are visible. The original stays as it is.
func ForPeople[T any](v *T) *T {
	return changed(reflect.ValueOf(v), newCopier(func(s string) string { return words.Visible(utf8Text(s)) })).Interface().(*T)
}
