package table

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// clockLead is a time of day, with its date or without, that a person or a page put in front of a row or a message, maybe in a list.
var clockLead = regexp.MustCompile(`^ *(?:[-*•] +)?\**[\[(]?(\d{4}-\d\d-\d\d)?[T ]?(\d{1,2}:\d\d(?::\d\d)?)(?:[.,]\d+)?( ?[AaPp][Mm]\b)?` +
	`(Z| ?[+-]\d\d:\d\d| ?UTC| ?GMT)?[\])]?\**[:,|]?(?: +[-–—|])? +(\S.*)$`)

// maxClock is how far from the beginning of a line, in bytes, the hour of its clock may end.
const maxClock = 24

// clocked takes the clock off a line: what stands behind it, its time, and whether that floats, on the first day there is, for want of a date.
func clocked(s string) (rest string, at model.Moment, floats bool) {
	if i := strings.IndexByte(s, ':'); i < 1 || i > maxClock {
		return "", at, false
	}
	m := clockLead.FindStringSubmatch(s)
	if m == nil {
		return "", at, false
	}
	return m[5], clockTime(m[1], m[2], m[3], m[4]), m[1] == ""
}

// clockRow reads a row of events, or a message, behind a time of day.
func clockRow(s string) (eventRow, bool) { return behindClock(s, shapedRow, bareRow) }

// saidRow is the same where words of a person stand between the clock and the message, or end it.
func saidRow(s string) (eventRow, bool) { return behindClock(s, decoratedRow, cutRow) }

// behindClock reads what stands behind a time of day by the first way that can.
func behindClock(s string, ways ...func(string) (eventRow, bool)) (eventRow, bool) {
	if !marked(s) {
		return eventRow{}, false
	}
	rest, at, floats := clocked(s)
	if at.IsZero() {
		return eventRow{}, false
	}
	for _, read := range ways {
		if r, ok := read(rest); ok && r.written(at, floats) {
			if m := stuckPod().FindStringSubmatch(rest); m != nil && !r.about && !machineName().MatchString(m[1]) {
				r.about, r.record.Object = true, model.PodRef("", m[1], "")
			}
			return r, true
		}
	}
	return eventRow{}, false
}

// stuckPod is the pod of which a message says before the report that it waits. Its name is one that a controller made.
var stuckPod = sync.OnceValue(func() *regexp.Regexp {
	const waits = `stuck|hanging|hangs|hängt|steht|waiting|waits|blocked|pending|not starting|(?:in )?ContainerCreating|(?:won't|can't|cannot|does not|doesn't) (?:start|come up)`
	return regexp.MustCompile(`(?:^|: |> |[Pp]od )["\x60]?([a-z0-9][a-z0-9.-]*-(?:\d{1,3}|[a-z0-9]{5}))["\x60]? (?:is |was )?(?:still |now |again )?(?:` + waits + `)\b.*(?:Multi-Attach|AttachVolume|FailedAttach)`)
})

// machineName begins as people call machines.
var machineName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:node|worker|master|host|server|vm|k8s|ip)-`) })

// clockAge bounds, in seconds, the ages that count back from a clock without a date: older ones are of another day.
const clockAge = 6 * 3600.0

// written gives a row the time at which it was printed or pasted, from which its ages count back; false where it has one, or an age too long for it.
func (r *eventRow) written(at model.Moment, floats bool) bool {
	e := &r.record
	if !e.First.IsZero() || r.seen.first != nil && r.seen.first.Max > clockAge {
		return false
	}
	r.floats, e.First, e.Last = floats, at, at
	if r.seen.first != nil && r.seen.last != nil {
		e.First, e.Last = before(at, *r.seen.first), before(at, *r.seen.last)
	}
	return true
}

// cutReport is a report up to the volume, as people shorten it.
var cutReport = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`Multi-Attach error for volume "[^"\s]+"[ .!]*$`) })

// cutRow reads a report of which a person kept no more than the volume.
func cutRow(s string) (eventRow, bool) {
	message := strings.TrimRight(cutReport().FindString(s), " .!")
	return eventRow{record: phrase.EventRecord{Reason: "FailedAttachVolume", Message: message}, seen: seen{count: 1}, cut: true}, message != ""
}

// clockTime is an instant up to its precision; one without a zone is assumed to be UTC.
func clockTime(date, day, half, zone string) model.Moment {
	precision, layout := time.Second, "15:04:05"
	if strings.Count(day, ":") == 1 {
		day, precision = day+":00", time.Minute
	}
	if half = strings.ToUpper(strings.TrimSpace(half)); half != "" {
		layout, day = "3:04:05PM", day+half
	}
	clock, err := time.Parse(layout, day)
	if err != nil {
		return model.Moment{}
	}
	day = clock.Format(time.TimeOnly)
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
		last, o.At, o.Last, o.Floating = o.At, o.At.Shift(day), o.Last.Shift(day), false
		printed := o.Last
		if o.LastAge != nil { // which counts back from the message that it was pasted into
			printed = printed.Shift(time.Duration(o.LastAge.Best * float64(time.Second)))
		}
		if printed.At.After(newest.At) {
			newest = printed
		}
		rows = append(rows, o)
	}
	age := func(at model.Moment) *model.Range {
		return &model.Range{Best: newest.At.Sub(at.At).Seconds(), Min: max(0, newest.Earliest.Sub(at.Latest).Seconds()),
			Max: newest.Latest.Sub(at.Earliest).Seconds()}
	}
	for _, o := range rows {
		if r.hint.CollectedAt == nil { // else the ages would count back from there
			if o.Age = age(o.At); o.LastAge != nil {
				o.LastAge = age(o.Last)
			}
		}
		o.At, o.Last = model.Moment{}, model.Moment{}
	}
}
