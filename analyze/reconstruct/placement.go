package reconstruct

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// assumedYear stands for a year that nothing in the bundle tells. It is a leap year, so that 29 February exists, and old
// enough that nobody takes it for the truth.
const assumedYear = 2000

// placement is how a floating log is put onto the axis, and why so.
type placement struct {
	year        int
	zone        time.Duration // of the log's header, east of UTC
	yearBasis   string
	zoneBasis   string
	basis       model.Basis
	offset      time.Duration // what remains between this clock and the other sources
	uncertainty time.Duration
}

// place decides year and zone of a floating input by the best evidence: the same event in another source; a time that
// the log itself prints in full; the wrapper of another file of the same component; the collection time; else nothing.
func place(in model.Input, own []*model.Observation, index sightings, kin []model.Input, newest time.Time) placement {
	if v, residuals, ok := winner(index.votes(own)); ok {
		return placement{
			year: v.year, zone: v.zone, basis: model.Derived,
			yearBasis: fmt.Sprintf("%d, from %s that an Event object records too", v.year, plural(len(residuals), "line", "lines")),
			zoneBasis: zoneName(v.zone) + ", from the same",
			offset:    median(residuals), uncertainty: max(spread(residuals), time.Millisecond),
		}
	}
	if p, ok := printedInFull(own); ok {
		return p
	}
	p := placement{year: assumedYear, basis: model.Assumed, yearBasis: fmt.Sprintf("%d, assumed: nothing in the bundle tells the year", assumedYear)}
	p.zoneBasis = "UTC, assumed: nothing in the bundle tells the zone; controllers in containers usually log in UTC"
	if len(kin) > 0 {
		p.zone = *kin[0].ZoneOffset
		p.zoneBasis = zoneName(p.zone) + ", as in " + kin[0].Path
	}
	switch {
	case in.To == nil:
	case in.YearOfEnd != 0:
		p.year = in.YearOfEnd - in.To.Year()
		p.yearBasis = fmt.Sprintf("%d, from the title of the log", in.YearOfEnd)
	case !newest.IsZero():
		p.year = newest.Year() - in.To.Year()
		if inYear(*in.To, p.year).Add(-p.zone).After(newest.Add(time.Hour)) {
			p.year--
		}
		for leapDay(in, own) && !isLeap(p.year) {
			p.year--
		}
		p.yearBasis = fmt.Sprintf("%d, the latest that ends the log before %s, the newest time in the bundle", p.year, newest.UTC().Format(time.RFC3339))
		if len(kin) > 0 {
			p.basis = model.Derived
		}
	}
	return p
}

// leapDay reports whether a log has lines of a 29 February, which a year without one would make the 1 March. Floating
// times begin in year 0, which has one.
func leapDay(in model.Input, own []*model.Observation) bool {
	on := func(t time.Time) bool { return t.Year() == 0 && t.Month() == time.February && t.Day() == 29 }
	return in.From != nil && on(*in.From) || in.To != nil && on(*in.To) ||
		slices.ContainsFunc(own, func(o *model.Observation) bool { return o.Floating && on(o.At.At) })
}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// retryTime is the instant that a failed operation prints with Go's time.String: year and the process's own zone.
var retryTime = regexp.MustCompile(`No retries permitted until (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [+-]\d{4})`)

// maxBackoff bounds how far that instant lies after the line (goroutinemap/exponentialbackoff, at most 2m2s).
const maxBackoff = 3 * time.Minute

// printedInFull reads year and zone from a retry time that the log prints.
func printedInFull(own []*model.Observation) (placement, bool) {
	for _, o := range own {
		if !o.Floating {
			continue
		}
		m := retryTime.FindStringSubmatch(o.Quote.Text)
		if m == nil {
			continue
		}
		t, err := time.Parse("2006-01-02 15:04:05.999999999 -0700", m[1])
		if err != nil {
			continue
		}
		_, east := t.Zone()
		zone := time.Duration(east) * time.Second
		for year := t.Year() - 1; year <= t.Year(); year++ {
			wait := t.Sub(inYear(o.At.At, year).Add(-zone))
			if wait >= 0 && wait <= maxBackoff {
				where := fmt.Sprintf("line %d prints %q", o.Source.Line, m[1])
				return placement{year: year, zone: zone, basis: model.Derived,
					yearBasis: fmt.Sprintf("%d, %s", year, where), zoneBasis: zoneName(zone) + ", " + where}, true
			}
		}
	}
	return placement{}, false
}

func (p placement) at(t time.Time) time.Time { return inYear(t, p.year).Add(-p.zone) }

func (p placement) moment(m model.Moment) model.Moment {
	if m.IsZero() {
		return m
	}
	return model.Moment{At: p.at(m.At), Earliest: p.at(m.Earliest), Latest: p.at(m.Latest), Basis: m.Basis.Weaker(p.basis), Evidence: m.Evidence}
}

func (p placement) pointer(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := p.at(*t)
	return &u
}

func (p placement) clock() *model.Clock {
	return &model.Clock{Year: p.yearBasis, Zone: p.zoneBasis, OffsetSeconds: seconds(p.offset), OffsetUncertainty: seconds(p.uncertainty)}
}

func (p placement) problems(in model.Input) []model.Problem {
	if p.basis != model.Assumed {
		return nil
	}
	return []model.Problem{{Severity: model.Warning, Path: in.Path,
		Message: "its lines have neither year nor zone; used: year " + p.yearBasis + "; zone " + p.zoneBasis}}
}

// ownClock explains the clock of an input whose times have year and zone, and what remains between it and the Events.
func ownClock(in model.Input, own []*model.Observation, index sightings) *model.Clock {
	if in.Component == "" || in.From == nil {
		return nil
	}
	c := &model.Clock{Year: "as written", Zone: "as written"}
	if in.ZoneOffset != nil {
		c.Year = "from the line's prefix"
		c.Zone = zoneName(*in.ZoneOffset) + ", the header against the line's prefix"
	}
	var residuals []time.Duration
	for _, o := range own {
		if key, ok := sightingKey(*o); ok {
			if d, ok := nearest(index[key], o.At.At); ok && d.Abs() <= maxSkew {
				residuals = append(residuals, d)
			}
		}
	}
	if len(residuals) > 0 {
		c.OffsetSeconds, c.OffsetUncertainty = seconds(median(residuals)), seconds(spread(residuals))
	}
	return c
}

// nearest is the distance to the nearest of some times: of a happening that recurs, each line has its own event.
func nearest(times []time.Time, t time.Time) (time.Duration, bool) {
	if len(times) == 0 {
		return 0, false
	}
	best := times[0].Sub(t)
	for _, x := range times[1:] {
		if d := x.Sub(t); d.Abs() < best.Abs() {
			best = d
		}
	}
	return best, true
}

func seconds(d time.Duration) float64 { return d.Round(time.Microsecond).Seconds() }

func zoneName(d time.Duration) string {
	if d == 0 {
		return "UTC"
	}
	sign := '+'
	if d < 0 {
		sign, d = '-', -d
	}
	return fmt.Sprintf("UTC%c%02d:%02d", sign, int(d.Hours()), int(d.Minutes())%60)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
