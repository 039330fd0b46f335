package model

import (
	"math"
	"time"

	"github.com/volpost/volpost/model/words"
)

// Basis says how a value is known.
type Basis string

// Observed: a source says so. Derived: by a rule of Kubernetes or arithmetic. Assumed: a default that nothing confirms.
const (
	Observed Basis = "observed"
	Derived  Basis = "derived"
	Assumed  Basis = "assumed"
)

// weakest orders bases: what rests on an assumption is assumed.
func (b Basis) weakness() int {
	switch b {
	case Observed:
		return 0
	case Derived:
		return 1
	}
	return 2
}

// Weaker returns the weaker of two bases.
func (b Basis) Weaker(other Basis) Basis {
	if other.weakness() > b.weakness() {
		return other
	}
	return b
}

// Moment is an instant known to lie within [Earliest, Latest]; At is the best estimate. All three are UTC.
// Evidence holds the ids of the quotes that it rests on; it is empty until the report is assembled.
type Moment struct {
	At       time.Time `json:"at"`
	Earliest time.Time `json:"earliest"`
	Latest   time.Time `json:"latest"`
	Basis    Basis     `json:"basis"`
	Evidence []string  `json:"evidence,omitempty"`
}

// Exactly is an observed instant whose source has at least microseconds, such as a klog header or a MicroTime.
func Exactly(t time.Time) Moment {
	t = t.UTC().Truncate(time.Microsecond)
	return Moment{At: t, Earliest: t, Latest: t, Basis: Observed}
}

// WholeSecond is an observed instant that its source cut to a whole second: it lies within the second that begins at t.
func WholeSecond(t time.Time) Moment {
	t = t.UTC().Truncate(time.Second)
	return Moment{At: t, Earliest: t, Latest: t.Add(time.Second - time.Microsecond), Basis: Observed}
}

// Between is a derived instant known only by its bounds; the best estimate is the middle.
func Between(earliest, latest time.Time) Moment {
	earliest, latest = earliest.UTC().Truncate(time.Microsecond), latest.UTC().Truncate(time.Microsecond)
	if latest.Before(earliest) {
		latest = earliest
	}
	return Moment{At: earliest.Add(latest.Sub(earliest) / 2).Truncate(time.Microsecond), Earliest: earliest, Latest: latest, Basis: Derived}
}

// IsZero reports whether the moment is unset.
func (m Moment) IsZero() bool { return m.At.IsZero() }

// Clock is the time of day for a sentence, as a function writes it, with its bounds where they are wider than two seconds.
func (m Moment) Clock(write func(time.Time) string) string {
	if width := m.Latest.Sub(m.Earliest); m.Vague() {
		return "between " + write(m.Earliest) + " and " + write(m.Latest)
	} else if width > 2*time.Second {
		return write(m.At) + " ± " + words.Seconds(width.Seconds()/2)
	}
	return write(m.At)
}

// Vague reports bounds so wide that their middle says nothing.
func (m Moment) Vague() bool { return m.Latest.Sub(m.Earliest) > 15*time.Second }

// Shift moves the whole interval by d.
func (m Moment) Shift(d time.Duration) Moment {
	m.At, m.Earliest, m.Latest = m.At.Add(d), m.Earliest.Add(d), m.Latest.Add(d)
	return m
}

// Widen makes the interval larger by the given amounts before and after.
func (m Moment) Widen(before, after time.Duration) Moment {
	m.Earliest, m.Latest = m.Earliest.Add(-before), m.Latest.Add(after)
	return m
}

// As returns the moment with a weaker basis; a basis is never strengthened.
func (m Moment) As(b Basis) Moment {
	m.Basis = m.Basis.Weaker(b)
	return m
}

// Until is the duration from m to the later moment to, in seconds, with the bounds of both intervals. It is never below zero.
func (m Moment) Until(to Moment) Range {
	r := Range{
		Best: to.At.Sub(m.At).Seconds(),
		Min:  to.Earliest.Sub(m.Latest).Seconds(),
		Max:  to.Latest.Sub(m.Earliest).Seconds(),
	}
	return Range{Best: max(r.Best, 0), Min: max(r.Min, 0), Max: max(r.Max, 0)}
}

// Range is a duration in seconds with its bounds: Min ≤ Best ≤ Max.
type Range struct {
	Best float64 `json:"best"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// Known reports that the range lies in finite time: what never comes is infinite.
func (r Range) Known() bool { return !math.IsInf(r.Best, 0) && !math.IsNaN(r.Best) }

// Plus is the sum of two durations.
func (r Range) Plus(o Range) Range {
	return Range{Best: r.Best + o.Best, Min: r.Min + o.Min, Max: r.Max + o.Max}
}

// At is the value at a position u of [0, 1]: as often below the best estimate as above it, and evenly on either side.
func (r Range) At(u float64) float64 {
	if math.IsInf(r.Min, 1) || r.Max == r.Min {
		return r.Min
	}
	if u < 0.5 {
		return r.Min + 2*u*(r.Best-r.Min)
	}
	return r.Best + (2*u-1)*(r.Max-r.Best)
}

// Earlier is the first of two times.
func Earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Later is the last of two times.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
