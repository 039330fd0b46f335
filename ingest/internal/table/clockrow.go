package table

import (
	"regexp"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// clockLead is a time of day, with its date or without, that a person or a page put in front of a row or a message.
var clockLead = regexp.MustCompile(`^ *[\[(]?(\d{4}-\d\d-\d\d)?[T ]?(\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?(Z| ?[+-]\d\d:\d\d| ?UTC| ?GMT)?[\])]?[:,|]?(?: +[-–|])? +(\S.*)$`)

// clockRow reads a row of events, or a message, behind a time of day. Without a date the time floats, on the first day there is.
func clockRow(s string) (eventRow, bool) {
	if !marked(s) {
		return eventRow{}, false
	}
	m := clockLead.FindStringSubmatch(s)
	if m == nil {
		return eventRow{}, false
	}
	r, ok := shapedRow(m[4])
	if !ok {
		r, ok = bareRow(m[4])
	}
	at := clockTime(m[1], m[2], m[3])
	if !ok || at.IsZero() || r.seen.last != nil {
		return eventRow{}, false
	}
	r.floats = m[1] == ""
	r.record.First, r.record.Last = at, at
	return r, true
}

// clockTime is an instant up to its precision; one without a zone is assumed to be UTC.
func clockTime(date, day, zone string) model.Moment {
	precision := time.Second
	if len(day) == len("15:04") {
		day, precision = day+":00", time.Minute
	}
	if zone = strings.TrimSpace(zone); !strings.Contains(zone, ":") {
		zone = "Z"
	}
	floats := date == ""
	if floats {
		date = "1970-01-01"
	}
	t, err := time.Parse(time.RFC3339, date+"T"+day+zone)
	if err != nil {
		return model.Moment{}
	}
	return model.Between(t, t.Add(precision-time.Microsecond))
}

// dateClocks gives the rows that show a time of day alone an age that counts back from the newest of them: when they were printed nothing
// shows, so that they have no age of the last time. The rows of a text are in their order: a clock that falls back by half a day is one of the next day.
func (r *reader) dateClocks() {
	var rows []*model.Observation
	var day time.Duration
	last, newest := model.Moment{}, r.newest
	for i := range r.out {
		o := &r.out[i]
		if !o.Floating {
			continue
		}
		if last.At.Sub(o.At.At) > 12*time.Hour {
			day += 24 * time.Hour
		}
		last, o.At, o.Floating = o.At, o.At.Shift(day), false
		if o.At.At.After(newest.At) {
			newest = o.At
		}
		rows = append(rows, o)
	}
	for _, o := range rows {
		age := model.Range{Best: newest.At.Sub(o.At.At).Seconds(), Min: max(0, newest.Earliest.Sub(o.At.Latest).Seconds()),
			Max: newest.Latest.Sub(o.At.Earliest).Seconds()}
		o.At, o.Last = model.Moment{}, model.Moment{}
		if r.hint.CollectedAt == nil { // else the ages would count back from there
			o.Age = &age
		}
	}
}
