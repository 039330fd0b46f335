package view

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

const (
	dateTime = "2006-01-02 15:04:05"
	millis   = "2006-01-02 15:04:05.000"
	Clock    = "15:04:05"
	NoYear   = "Jan 2 15:04:05" // the date that a log without years has
)

// Instant writes a moment as far as it is known, and with its uncertainty when that is wider than a second; not its basis.
func Instant(m model.Moment) string {
	if m.IsZero() {
		return "unknown"
	}
	text := Dated(m)
	width := m.Latest.Sub(m.Earliest)
	if width <= time.Second {
		return text
	}
	before, after := m.At.Sub(m.Earliest), m.Latest.Sub(m.At)
	if before > unbounded {
		return text + " or earlier"
	}
	if difference := (after - before).Abs(); difference <= width/10 {
		return text + " ± " + words.Seconds(width.Seconds()/2)
	}
	return text + " (−" + words.Seconds(before.Seconds()) + " +" + words.Seconds(after.Seconds()) + ")"
}

// unbounded is how far back a bound lies that says nothing of an incident, but that there was no Kubernetes before it.
const unbounded = 4 * 365 * 24 * time.Hour

// Dated is a moment's best estimate.
func Dated(m model.Moment) string {
	digits := ""
	if exact(m) {
		digits = ".000"
	}
	switch m.Missing() {
	case model.NoDate:
		return model.TimeOfDay(m.At)
	case model.NoYear:
		return m.At.Format(NoYear + digits)
	}
	return m.At.Format(dateTime+digits) + zoneAt(m.At)
}

// exact reports that a moment is known to milliseconds.
func exact(m model.Moment) bool { return m.Latest.Sub(m.Earliest) < 500*time.Millisecond }

// InstantOr writes an optional moment, or why there is none.
func InstantOr(m *model.Moment, none string) string {
	if m == nil || m.IsZero() {
		return none
	}
	return Instant(*m)
}

// Collection says when the bundle was collected and how that is known, or else the newest time in it, which came before.
func Collection(m *model.Moment, how model.CollectedHow, none string) string {
	if m != nil && !m.IsZero() {
		switch how {
		case model.CollectedRecorded:
			return Instant(*m)
		case model.CollectedNamed:
			return Instant(*m) + ", by the name of what it lies in"
		case model.CollectedAges:
			return Instant(*m) + ", from an age and a date of the same thing"
		case model.CollectedSupplied:
			return Instant(*m) + ", set by --collected-at"
		}
	}
	if m != nil && !m.IsZero() && m.Basis == model.Assumed && m.Missing() != model.NoYear {
		return "at a time not recorded: only distances in time are certain"
	}
	if m != nil && !m.IsZero() && m.Basis != model.Observed {
		return "at a time not recorded; the newest time in the bundle is " + Instant(*m)
	}
	return InstantOr(m, none)
}

// TimesText says what the times of a report are.
func TimesText(s *model.StandIn) string {
	if s != nil {
		return words.OneLine(s.Means)
	}
	return "Times are UTC."
}

// TimeOfDay is the clock part of an instant, for a place that names the day elsewhere.
func TimeOfDay(m model.Moment) string {
	if exact(m) && m.Missing() != model.NoDate {
		return m.At.Format(Clock + ".000")
	}
	return ClockAt(m.At)
}

// ClockOf is the time of day beside a distance; "" where the distance is all that is known.
func ClockOf(at time.Time) string {
	if model.MissingOf(at) == model.NoDate {
		return ""
	}
	return at.Format(Clock)
}

// Zone is that of a time whose date is known: a log without a year has none.
func Zone(at time.Time) string {
	if model.MissingOf(at) != "" {
		return ""
	}
	return zoneAt(at)
}

// zoneAt is UTC, or the offset from it there and then: it distinguishes the two hours that the end of summer time has.
func zoneAt(at time.Time) string {
	if at.Location() == time.UTC {
		return " UTC"
	}
	return at.Format(" UTC-07:00")
}

// atClock is a moment's time of day with its bounds, for a sentence that goes on: "at 09:17:28", or "between 09:17:28 and 09:22:30".
func atClock(m model.Moment) string {
	text := m.Clock(ClockAt)
	return words.If(!strings.HasPrefix(text, "between "), "at ") + text
}

// ClockAt is model.TimeOfDay in the zone of the report, which its times have.
func ClockAt(at time.Time) string {
	if model.MissingOf(at) != "" {
		return model.TimeOfDay(at)
	}
	return at.Format(Clock)
}

// DateAt is model.DateTime, likewise.
func DateAt(at time.Time) string {
	if model.MissingOf(at) != "" {
		return model.DateTime(at)
	}
	return at.Format(dateTime)
}

// stampAt is model.Stamp, likewise.
func stampAt(at time.Time) string { return DateAt(at) + Zone(at) }

// Span writes a duration with its bounds, "7 min (6 min 52 s–7 min 8 s)", or alone when the bounds say no more than rounding does.
func Span(r model.Range) string {
	best, low, high := words.Seconds(r.Best), words.Seconds(r.Min), words.Seconds(r.Max)
	if r.Max-r.Best > unbounded.Seconds() {
		return best + orLonger
	}
	if low == best && high == best || r.Best >= 10 && r.Max-r.Min <= 1.5 {
		return best
	}
	if r.Min < 0 {
		return best + " (" + low + " to " + high + ")"
	}
	return best + " (" + low + "–" + high + ")"
}

// atLeast is the span of what had not ended.
func atLeast(r model.Range) string { return "at least " + strings.TrimSuffix(Span(r), orLonger) }

const orLonger = " or longer"

// UntilText is the end of a stretch whose beginning stands before it.
func UntilText(m *model.Moment) string {
	if m == nil || m.IsZero() {
		return "; end unknown"
	}
	return " to " + Instant(*m)
}

// Offset writes how long after zero an instant is, "T+06:32" or "T−1:02:03.4"; where nothing is dated, as every other time.
func Offset(zero, at time.Time) string {
	if model.MissingOf(at) == model.NoDate {
		return model.TimeOfDay(at)
	}
	d, sign := at.Sub(zero), "+"
	if d < 0 {
		d, sign = -d, "−"
	}
	tenths := d.Round(100*time.Millisecond).Milliseconds() / 100
	hours, rest := tenths/36000, tenths%36000
	text := fmt.Sprintf("%02d:%02d.%d", rest/600, rest%600/10, rest%10)
	if hours > 0 {
		text = fmt.Sprintf("%d:", hours) + text
	}
	return "T" + sign + text
}

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
		switch {
		case !ok:
			return text + fraction + " UTC"
		case named != "":
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
	switch {
	case w.first.IsZero() || begin == name:
		return name
	case begin == end:
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
