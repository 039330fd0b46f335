package view

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// walls are the clocks on the wall of the zone that a report is shown in: they move the clocks that its sentences hold as text. All times of a
// report have one offset, that of the zone when its story begins: a clock alone says not on which side of a change it stands.
type walls struct {
	Zone *time.Location
}

// wallsOf are the clocks for a report; nil for UTC: where none is set, and where no date is known, and so no zone.
func wallsOf(r *model.Report, zone *time.Location) *walls {
	if zone == nil || zone == time.UTC || r.Bundle.StandIn != nil {
		return nil
	}
	first, last := storyOf(r)
	if first.IsZero() {
		return nil
	}
	_, offset := first.In(zone).Zone()
	name := zone.String()
	if _, later := last.In(zone).Zone(); later != offset { // the page's script would show what follows at the other
		name = first.In(zone).Format("UTC-07:00")
	}
	return &walls{time.FixedZone(name, offset)}
}

// storyOf is when the story of a report begins and ends.
func storyOf(r *model.Report) (first, last time.Time) {
	times := []time.Time{}
	for _, item := range r.Timeline {
		times = append(times, item.At.At)
	}
	for _, in := range r.Incidents {
		times = append(times, in.Span.From.At, in.Span.To.At)
	}
	times = slices.DeleteFunc(times, func(t time.Time) bool { return t.IsZero() || model.MissingOf(t) != "" })
	if at := r.Bundle.CapturedAt; len(times) == 0 && at != nil {
		times = append(times, at.At)
	}
	if len(times) == 0 {
		return first, last
	}
	return slices.MinFunc(times, time.Time.Compare), slices.MaxFunc(times, time.Time.Compare)
}

var (
	// inSentence is what may be a clock, with its date and its zone if they stand beside it.
	inSentence = regexp.MustCompile(`(?:(\d{4}-\d\d-\d\d)([ T]))?(\d\d:\d\d:\d\d)(\.\d+)?(Z\b| UTC\b)?`)
	// foreign is before or behind what is no clock, or one of a zone of its own.
	foreignBefore = regexp.MustCompile(`[\w:.+^−-]$`)
	foreignBehind = regexp.MustCompile(`^(?:\w|:\d|\.\d| ?[+-]\d\d:?\d\d| [A-Z]{3,4}\b)`)
	quotes        = regexp.MustCompile("\"[^\"]*\"|“[^”]*”|`[^`]*`")
)

// sentence moves the clocks of a sentence, but not of the quotes in it.
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

// clock moves one clock, with its date where it has one.
func (w *walls) clock(date, between, text, fraction, named string) string {
	form, day := Clock, date != ""
	if day {
		form = time.DateOnly + between + Clock
	}
	t, err := time.Parse(form, date+between+text)
	if err != nil || day && model.MissingOf(t) != "" {
		return date + between + text + fraction + named
	}
	t = t.In(w.Zone)
	if named == "Z" {
		named = t.Format("-07:00")
	} else if named != "" {
		named = zoneAt(t)
	}
	return t.Format(form) + fraction + named
}

// ZoneText names the zone of all times of the report, with its offset.
func (v *View) ZoneText() string {
	if v.Walls == nil {
		return "UTC"
	}
	name, offset := v.Walls.Zone.String(), time.Time{}.In(v.Walls.Zone).Format("UTC-07:00")
	return name + words.If(name != offset, " ("+offset+")")
}

// Times says what the times of the report are.
func (v *View) Times() string {
	if s := v.Bundle.StandIn; s != nil {
		return TimesText(s)
	}
	return "Times are " + words.OneLine(v.ZoneText()) + "."
}
