package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

const (
	dateTime = "2006-01-02 15:04:05"
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
	if assumed := m != nil && !m.IsZero() && m.Basis == model.Assumed; assumed && m.Missing() != model.NoYear {
		return "at a time not recorded: only time differences are certain"
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
