package view

import (
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/fields"
	"github.com/volpost/volpost/model/words"
)

// Normal gives a report in one zone, cut to microseconds, with each string through text, and without what its JSON does not hold. Clocks are
// moved in sentences: not in what others wrote, or what is to be typed or found again.
func Normal(r *model.Report, text func(string) string, w *walls) *model.Report {
	if w == nil {
		return fields.Change(r, fields.Changer{Text: fields.Each(func(s string) string { return text(utf8Text(s)) }), Time: normalTime})
	}
	return fields.Change(r, fields.Changer{
		Text: func(v reflect.Value, kind string) string {
			s := utf8Text(v.String())
			if kind == "" || kind == "message" {
				s = w.sentence(s)
			}
			return text(s)
		},
		Time: func(t time.Time) time.Time {
			if t = normalTime(t); model.MissingOf(t) != "" || t == firstTime || t == lastTime {
				return t
			}
			return t.In(w.Zone)
		},
	})
}

// CopyValue is a copy without what JSON cannot write.
func CopyValue[T any](v *T) *T {
	return fields.Change(v, fields.Changer{Text: fields.Each(utf8Text), Time: normalTime})
}

// ForPeople is a copy of a value whose strings are visible.
func ForPeople[T any](v *T) *T {
	return fields.Change(v, fields.Changer{Text: fields.Each(func(s string) string { return words.Visible(utf8Text(s)) }), Time: normalTime})
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
