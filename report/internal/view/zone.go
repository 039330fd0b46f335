package view

import (
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// walls are the clocks on the wall of the zone that a report is shown in: they move the clocks that its sentences hold as text.
type walls struct {
	Zone        *time.Location
	first, last time.Time            // of the story: sentences give times of other days with their date
	known       map[string]time.Time // clock in UTC → an instant of the story that has it; zero for several with different offsets
}

// wallsOf are the clocks for a report; nil for UTC: where none is set, and where no date is known, and so no zone.
func wallsOf(r *model.Report, zone *time.Location) *walls {
	if zone == nil || zone == time.UTC || r.Bundle.StandIn != nil {
		return nil
	}
	w := &walls{Zone: zone, known: map[string]time.Time{}}
	for _, item := range r.Timeline {
		w.reach(item.At.At)
	}
	for _, in := range r.Incidents {
		w.reach(in.Span.From.At)
		w.reach(in.Span.To.At)
	}
	if at := r.Bundle.CapturedAt; w.first.IsZero() && at != nil {
		w.reach(at.At)
	}
	c := &copier{text: func(s string) string { return s }, plans: map[reflect.Type]plan{}, time: func(t time.Time) time.Time {
		w.learn(t)
		return t
	}}
	changed(r, c)
	return w
}

func (w *walls) reach(t time.Time) {
	if t.IsZero() || model.MissingOf(t) != "" {
		return
	}
	if w.first.IsZero() || t.Before(w.first) {
		w.first = t
	}
	if t.After(w.last) {
		w.last = t
	}
}

// covers reports whether a sentence can give an instant without its date.
func (w *walls) covers(t time.Time) bool {
	const day = 24 * time.Hour
	return !w.first.IsZero() && !t.Before(w.first.Add(-day)) && !t.After(w.last.Add(day))
}

func (w *walls) learn(t time.Time) {
	if !w.covers(t) {
		return
	}
	text := t.UTC().Format(Clock)
	if other, ok := w.known[text]; ok && !other.IsZero() && w.offset(other) != w.offset(t) {
		t = time.Time{}
	} else if ok {
		return
	}
	w.known[text] = t
}

func (w *walls) offset(t time.Time) int {
	_, offset := t.In(w.Zone).Zone()
	return offset
}

// instant is one that a clock in UTC can mean, of the report or any day of the story; false where their offsets differ.
func (w *walls) instant(text string) (time.Time, bool) {
	if t, ok := w.known[text]; ok {
		return t, !t.IsZero()
	}
	of, err := time.Parse(Clock, text)
	if err != nil || w.first.IsZero() {
		return time.Time{}, false
	}
	const day = 24 * time.Hour
	var found time.Time
	for at := w.first.UTC().Truncate(day).Add(-day + of.Sub(of.Truncate(day))); !at.After(w.last.Add(day)); at = at.Add(day) {
		if !w.covers(at) {
			continue
		}
		if !found.IsZero() && w.offset(found) != w.offset(at) {
			return time.Time{}, false
		}
		found = at
	}
	return found, !found.IsZero()
}

var (
	// inSentence is what may be a clock, with its date and its zone if they stand beside it.
	inSentence = regexp.MustCompile(`(?:(\d{4}-\d\d-\d\d)([ T]))?(\d\d:\d\d:\d\d)(\.\d+)?(Z\b| UTC\b)?`)
	// foreign is before or behind what is no clock, or one of a zone of its own.
	foreignBefore = regexp.MustCompile(`[\w:.+^−-]$`)
	foreignBehind = regexp.MustCompile(`^(?:\w|:\d|\.\d| ?[+-]\d\d:?\d\d| [A-Z]{3,4}\b)`)
	quotes        = regexp.MustCompile("\"[^\"]*\"|“[^”]*”|`[^`]*`")
)

// sentence moves the clocks of a sentence, but not of the quotes in it. One of which it is not sure keeps UTC, by name.
func (w *walls) sentence(s string) string {
	if !inSentence.MatchString(s) {
		return s
	}
	var b strings.Builder
	done := 0
	for _, at := range quotes.FindAllStringIndex(s, -1) {
		b.WriteString(w.clocks(s[done:at[0]]) + s[at[0]:at[1]])
		done = at[1]
	}
	return b.String() + w.clocks(s[done:])
}

func (w *walls) clocks(s string) string {
	var b strings.Builder
	done := 0
	for _, m := range inSentence.FindAllStringSubmatchIndex(s, -1) {
		if foreignBefore.MatchString(s[:m[0]]) || foreignBehind.MatchString(s[m[1]:]) {
			continue
		}
		part := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return s[m[2*n]:m[2*n+1]]
		}
		b.WriteString(s[done:m[0]] + w.clock(part(1), part(2), part(3), part(4), part(5)))
		done = m[1]
	}
	return b.String() + s[done:]
}

// clock moves one clock: with its date it is an instant, alone it has to be found.
func (w *walls) clock(date, between, text, fraction, named string) string {
	if date == "" {
		t, ok := w.instant(text)
		if !ok {
			return text + fraction + " UTC"
		}
		if named != "" {
			named = Zone(t.In(w.Zone))
		}
		return t.In(w.Zone).Format(Clock) + fraction + named
	}
	t, err := time.Parse(dateTime, date+" "+text)
	if err != nil || model.MissingOf(t) != "" {
		return date + between + text + fraction + named
	}
	t = t.In(w.Zone)
	switch named {
	case "Z":
		named = t.Format("-07:00")
	case " UTC":
		named = Zone(t)
	}
	return t.Format(time.DateOnly) + between + t.Format(Clock) + fraction + named
}

// ZoneText names the zone of all times of the report, and its offsets in the story.
func (v *View) ZoneText() string {
	if v.Walls == nil {
		return "UTC"
	}
	name := v.Walls.Zone.String()
	w := v.Walls
	begin, end := strings.TrimSpace(Zone(w.first.In(w.Zone))), strings.TrimSpace(Zone(w.last.In(w.Zone)))
	if w.first.IsZero() || begin == name {
		return name
	}
	if begin == end {
		return name + " (" + begin + ")"
	}
	_, change := w.first.In(w.Zone).ZoneBounds()
	return name + " (" + begin + ", from " + change.Format(dateTime) + " on " + end + ")"
}

// Times says what the times of the report are.
func (v *View) Times() string {
	if s := v.Bundle.StandIn; s != nil {
		return TimesText(s)
	}
	return "Times are " + words.OneLine(v.ZoneText()) + "."
}
