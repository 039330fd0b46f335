package report

import (
	"fmt"
	"math"
	"time"

	"github.com/volpost/volpost/model"
)

const (
	dateTime = "2006-01-02 15:04:05"
	millis   = "2006-01-02 15:04:05.000"
	clock    = "15:04:05"
	noYear   = "Jan 2 15:04:05" // the date that a log without years has
)

// instant writes a moment as a UTC date and time, as far as they are known and with as many digits, and with its uncertainty
// when that is wider than a second. The basis is not part of it.
func instant(m model.Moment) string {
	if m.IsZero() {
		return "unknown"
	}
	text := dated(m)
	width := m.Latest.Sub(m.Earliest)
	if width <= time.Second {
		return text
	}
	before, after := m.At.Sub(m.Earliest), m.Latest.Sub(m.At)
	if difference := (after - before).Abs(); difference <= width/10 {
		return text + " ± " + seconds(width.Seconds()/2)
	}
	return text + " (−" + seconds(before.Seconds()) + " +" + seconds(after.Seconds()) + ")"
}

// dated is a moment's best estimate.
func dated(m model.Moment) string {
	digits := ""
	if exact(m) {
		digits = ".000"
	}
	switch m.Missing() {
	case model.NoDate:
		return model.TimeOfDay(m.At)
	case model.NoYear:
		return m.At.Format(noYear + digits)
	}
	return m.At.Format(dateTime+digits) + " UTC"
}

// exact reports that a moment is known to milliseconds.
func exact(m model.Moment) bool { return m.Latest.Sub(m.Earliest) < 500*time.Millisecond }

// instantOr writes an optional moment, or why there is none.
func instantOr(m *model.Moment, none string) string {
	if m == nil || m.IsZero() {
		return none
	}
	return instant(*m)
}

// collection says when the bundle was collected and how that is known, and, when nothing tells it, the newest time in it: the
// collection cannot have come before. Reports of earlier versions do not say how.
func collection(m *model.Moment, how model.CollectedHow, none string) string {
	if m != nil && !m.IsZero() {
		switch how {
		case model.CollectedRecorded:
			return instant(*m)
		case model.CollectedNamed:
			return instant(*m) + ", by the name of what it lies in"
		case model.CollectedAges:
			return instant(*m) + ", from an age and a date of the same thing"
		case model.CollectedSaid:
			return instant(*m) + ", set by --collected-at"
		}
	}
	if m != nil && !m.IsZero() && m.Basis == model.Assumed && m.Missing() != model.NoYear {
		return "at a time not recorded: only distances in time are certain"
	}
	if m != nil && !m.IsZero() && m.Basis != model.Observed {
		return "at a time not recorded; the newest time in the bundle is " + instant(*m)
	}
	return instantOr(m, none)
}

// timesText says what the times of a report are.
func timesText(s *model.StandIn) string {
	if s != nil {
		return oneLine(s.Means)
	}
	return "Times are UTC."
}

// timeOfDay is the clock part of an instant, for a place that names the day elsewhere.
func timeOfDay(m model.Moment) string {
	if exact(m) && m.Missing() != model.NoDate {
		return m.At.Format(clock + ".000")
	}
	return model.TimeOfDay(m.At)
}

// clockOf is the time of day beside a distance; "" where the distance is all that is known.
func clockOf(at time.Time) string {
	if model.MissingOf(at) == model.NoDate {
		return ""
	}
	return at.Format(clock)
}

// zone is that of a time whose date is known: a log without a year has none.
func zone(at time.Time) string {
	if model.MissingOf(at) != "" {
		return ""
	}
	return " UTC"
}

// span writes a duration with its bounds, "7m 0.1s (6m 59.9s–7m 0.3s)", or alone when the bounds say the same.
func span(r model.Range) string {
	best, low, high := seconds(r.Best), seconds(r.Min), seconds(r.Max)
	if low == best && high == best {
		return best
	}
	if r.Min < 0 {
		return best + " (" + low + " to " + high + ")"
	}
	return best + " (" + low + "–" + high + ")"
}

// seconds writes a duration as a person says it: tenths below an hour, milliseconds below a tenth.
func seconds(s float64) string {
	sign := ""
	if s < 0 {
		sign, s = "−", -s
	}
	if math.IsNaN(s) || s > 1e10 {
		return sign + "very long"
	}
	tenths := int64(math.Round(s * 10))
	switch {
	case s == 0:
		return "0s"
	case tenths < 1:
		return fmt.Sprintf("%s%dms", sign, max(1, int64(math.Round(s*1000))))
	case tenths < 600:
		return fmt.Sprintf("%s%s", sign, tenth(tenths))
	case tenths < 36000:
		return fmt.Sprintf("%s%dm %s", sign, tenths/600, tenth(tenths%600))
	}
	whole := int64(math.Round(s))
	if whole < 86400 {
		return fmt.Sprintf("%s%dh %dm %ds", sign, whole/3600, whole%3600/60, whole%60)
	}
	return fmt.Sprintf("%s%dd %dh %dm", sign, whole/86400, whole%86400/3600, whole%3600/60)
}

// tenth writes tenths of a second, without a zero after the point.
func tenth(t int64) string {
	if t%10 == 0 {
		return fmt.Sprintf("%ds", t/10)
	}
	return fmt.Sprintf("%d.%ds", t/10, t%10)
}

// offset writes how long after zero an instant is, "T+06:32" or "T−1:02:03.4"; where nothing is dated, as every other time.
func offset(zero, at time.Time) string {
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
