package model

import (
	"fmt"
	"strconv"
	"time"
)

// Missing is what is unknown of an instant, besides the distance to others.
type Missing string

// NoYear: month, day and time of day are known. NoDate: only distances are, such as ages give.
const (
	NoYear Missing = "year"
	NoDate Missing = "date"
)

// What stands for them on the one axis. Both lie before Kubernetes. StandInYear is a leap year, so that 29 February exists.
const (
	StandInYear = 2000
	standInDate = 1990
)

// T is the instant from which distances are counted where no date is known; StandIn.Means says which one it is.
var T = time.Date(standInDate, time.January, 1, 12, 0, 0, 0, time.UTC)

// StandIn says that nothing shows the date of what happened, or its year. The moments of a report have dates nevertheless, since
// RFC 3339 knows no time without one: those in Year, and in the years around it, mean nothing but what is known.
type StandIn struct {
	Missing Missing    `json:"missing"`
	Year    int        `json:"year"`
	T       *time.Time `json:"t,omitempty"` // the instant from which the sentences count, as "T+6m13s"; for NoDate
	Means   string     `json:"means"`       // in a sentence
}

// MissingOf says what is unknown of an instant; "" where its date is known. An age is below twelve years; an unset clock says 1970.
func MissingOf(t time.Time) Missing {
	if y := t.UTC().Year(); y > standInDate-15 && y <= standInDate+5 {
		return NoDate
	} else if y >= StandInYear-1 && y <= StandInYear+1 {
		return NoYear
	}
	return ""
}

// Missing is that of the best estimate. What a source says, it says with its date.
func (m Moment) Missing() Missing {
	if m.Basis == Observed {
		return ""
	}
	return MissingOf(m.At)
}

// TimeOfDay writes the time of day in UTC, or the distance from T where that is all that is known.
func TimeOfDay(t time.Time) string {
	if MissingOf(t) == NoDate {
		return "T" + distance(t.Sub(T))
	}
	return t.UTC().Format("15:04:05")
}

// DateTime writes date and time of day, as far as they are known.
func DateTime(t time.Time) string {
	switch MissingOf(t) {
	case NoDate:
		return TimeOfDay(t)
	case NoYear:
		return t.UTC().Format("Jan 2 15:04:05")
	}
	return t.UTC().Format(time.DateTime)
}

// Stamp is DateTime with its zone, which belongs to a date: a log without a year has no zone either.
func Stamp(t time.Time) string {
	if MissingOf(t) != "" {
		return DateTime(t)
	}
	return DateTime(t) + " UTC"
}

// distance writes how far an instant lies from another: "+6m13s", "−0.5s"; below ten seconds to a tenth, from a day on to a minute.
func distance(d time.Duration) string {
	const day = 24 * time.Hour
	sign := "+"
	if d = d.Round(100 * time.Millisecond); d < 0 {
		sign, d = "−", -d
	}
	if d < 10*time.Second {
		return sign + strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
	}
	if d < day {
		return sign + d.Round(time.Second).String()
	}
	return fmt.Sprintf("%s%dd%dh%dm", sign, d/day, int(d.Hours())%24, int(d.Minutes())%60)
}
