package redact

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

// Report gives the names back to a redacted report. The original stays as it is. It answers ErrOtherKey for the report of
// another key, and for one that is not redacted.
func (k *Key) Report(r *model.Report) (*model.Report, error) {
	if r.Redaction == nil || r.Redaction.Key != k.Of || r.Bundle.Root != k.Of {
		return nil, ErrOtherKey
	}
	back := k.reverse()
	out := back.copy(reflect.ValueOf(r)).Interface().(*model.Report)
	out.Bundle.Root, out.Redaction = k.Root, nil
	return out, nil
}

// reverse maps pseudonyms in lower case to names.
type reverse map[string]string

func (k *Key) reverse() reverse {
	out := make(reverse, len(k.Names))
	for _, n := range k.Names {
		out[n.Pseudonym] = n.Name
	}
	return out
}

// text gives names back to a text.
func (b reverse) text(s string) string {
	var out strings.Builder
	for s != "" {
		from, to, name := b.unitAt(s)
		if to == 0 {
			from, to = len(s), len(s)
		}
		for _, p := range pieces(s[:from]) {
			if !p.run {
				out.WriteString(p.text)
				continue
			}
			for _, q := range segments(p.text) {
				out.WriteString(b.segment(q.text))
			}
		}
		out.WriteString(name)
		s = s[to:]
	}
	return out.String()
}

// unitAt is where the next unit stands that is a pseudonym, with its name.
func (b reverse) unitAt(s string) (from, to int, name string) {
	for base := 0; ; base = from + 1 {
		if from, to = unitFrom(s, base); to == 0 {
			return 0, 0, ""
		}
		if name, ok := b.unit(s[from:to]); ok && bounded(s, from, to, formOf(s[from:to])) {
			return from, to, name
		}
	}
}

var dashed = regexp.MustCompile(`^\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}$`)

func (b reverse) unit(s string) (string, bool) {
	lower := strings.ToLower(s)
	isDashed := dashed.MatchString(s)
	if isDashed {
		lower = strings.ReplaceAll(lower, "-", ".")
	}
	name, ok := b[lower]
	if isDashed {
		name = strings.ReplaceAll(name, ".", "-")
	}
	if s != strings.ToLower(s) {
		name = strings.ToUpper(name)
	}
	return name, ok
}

// segment is the name of a pseudonym, in its spelling; any other segment as it is.
func (b reverse) segment(s string) string {
	name, ok := b[strings.ToLower(s)]
	switch sp := spellingOf(s); {
	case !ok, sp == mixed:
		return s
	case spellingOf(name) == mixed || name != strings.ToLower(name):
		return name
	default:
		return sp.as(name)
	}
}

// copy copies a value with the names given back to its texts.
func (b reverse) copy(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(v.String())
		if v.Type() == reflect.TypeFor[string]() {
			out.SetString(b.text(v.String()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(b.copy(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(b.copy(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
			for _, key := range v.MapKeys() { // into a map: the order does not matter
				out.SetMapIndex(b.copy(key), b.copy(v.MapIndex(key)))
			}
		}
	case reflect.Struct:
		out.Set(v) // times, and what is not exported
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Type.PkgPath() != "time" {
				out.Field(i).Set(b.copy(v.Field(i)))
			}
		}
	default:
		out.Set(v)
	}
	return out
}
