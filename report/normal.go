package report

import (
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
)

// normal copies a report so that it has no nil slice where the schema wants an array, its times are UTC and cut to
// microseconds, its strings are UTF-8, and each has gone through text. What the JSON report does not hold is left out, so
// that a report renders the same before and after it was JSON. The original stays as it is.
func normal(r *model.Report, text func(string) string) *model.Report {
	return copyValue(reflect.ValueOf(r), text).Interface().(*model.Report)
}

var timeType = reflect.TypeFor[time.Time]()

// copyValue copies the exported fields of everything that v reaches. It walks by reflection because the promise holds
// for every field of the report, also for those that later versions add.
func copyValue(v reflect.Value, text func(string) string) reflect.Value {
	if v.Type() == timeType {
		return reflect.ValueOf(normalTime(v.Interface().(time.Time)))
	}
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(text(utf8Text(v.String())))
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(copyValue(v.Elem(), text))
		}
	case reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(copyValue(v.Index(i), text))
		}
	case reflect.Map:
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for _, key := range v.MapKeys() {
			out.SetMapIndex(copyValue(key, text), copyValue(v.MapIndex(key), text))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				out.Field(i).Set(copyValue(v.Field(i), text))
			}
		}
	default:
		out.Set(v)
	}
	return out
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
