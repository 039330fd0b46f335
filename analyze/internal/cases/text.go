package cases

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/model"
)

// day is when most of the cases happened, which their goldens leave out.
const day = "2026-03-14T"

// Text writes a value on one line as a golden has it: what is not zero of its exported fields, an observation as its place, and what
// implements fmt.Stringer as that. Of objects and of what is larger than an answer, such as a world, it writes nothing.
func Text(v any) string {
	if v == nil {
		return ""
	}
	return text(reflect.ValueOf(v))
}

func text(v reflect.Value) string {
	if !v.IsValid() || v.IsZero() {
		return ""
	}
	switch x := v.Interface().(type) {
	case time.Time:
		return strings.TrimPrefix(x.UTC().Format("2006-01-02T15:04:05.999"), day)
	case model.Moment:
		return moment(x)
	case *model.Observation:
		return fmt.Sprintf("%s:%d%s", x.Source.Path, x.Source.Line, x.Source.Field)
	case model.Observation:
		return fmt.Sprintf("%s:%d%s", x.Source.Path, x.Source.Line, x.Source.Field)
	case fmt.Stringer:
		return x.String()
	case float64:
		if math.IsInf(x, 1) {
			return "" // never
		}
		return strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.Elem().Kind() == reflect.Struct && strings.Contains(v.Elem().Type().PkgPath(), "k8s.io") {
			return ""
		}
		return text(v.Elem())
	case reflect.Slice, reflect.Array:
		return list(v)
	case reflect.Struct:
		return fields(v)
	case reflect.Func, reflect.Map, reflect.Chan, reflect.Interface:
		return ""
	}
	return fmt.Sprint(v.Interface())
}

// Places puts the places of quotes where a text has their identifiers.
func Places(l *evidence.Ledger, text string) string {
	var pairs []string
	for _, e := range l.All() {
		pairs = append(pairs, e.ID, fmt.Sprintf("%s:%d%s", e.Source.Path, e.Source.Line, e.Source.Field))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func moment(m model.Moment) string {
	s := text(reflect.ValueOf(m.At))
	if w := m.Latest.Sub(m.Earliest); w > 0 {
		s += fmt.Sprintf("-%s+%s", m.At.Sub(m.Earliest), m.Latest.Sub(m.At))
	}
	return s + " " + string(m.Basis)
}

func list(v reflect.Value) string {
	var out []string
	for n := range v.Len() {
		out = append(out, text(v.Index(n)))
	}
	return "[" + strings.Join(out, " | ") + "]"
}

func fields(v reflect.Value) string {
	var out []string
	for n := range v.NumField() {
		f := v.Type().Field(n)
		if s := ""; f.IsExported() {
			if s = text(v.Field(n)); s != "" && f.Anonymous {
				out = append(out, s)
			} else if s != "" {
				out = append(out, f.Name+"="+s)
			}
		}
	}
	return strings.Join(out, " ")
}
