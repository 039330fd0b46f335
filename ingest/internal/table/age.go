package table

import (
	"regexp"
	"strconv"
	"time"

	"github.com/volpost/volpost/model"
)

// agePattern is an age as kubectl prints it (apimachinery util/duration HumanDuration, and its predecessor up to 1.11): one or two units.
const agePattern = `(?:\d+y(?:\d+d)?|\d+d(?:\d+h)?|\d+h(?:\d+m)?|\d+m(?:\d+s)?|\d+s)`

// maxAge is the length of the longest age.
const maxAge = 10

// noAge are the texts that stand for an age that kubectl does not know, or that lies in the future of its clock.
const noAge = `<unknown>|<invalid>|<none>`

var (
	ageText   = regexp.MustCompile(`^` + agePattern + `$`)
	ageUnits  = regexp.MustCompile(`(\d+)([ydhms])`)
	ageSeries = regexp.MustCompile(`^(` + agePattern + `|` + noAge + `)(?: +\(x(\d+)(?: over (` + agePattern + `|` + noAge + `))?\))?$`)
)

// parseAge reads an age as seconds. It is cut to its smallest unit, and the API's instant to a second: one second less to one unit more.
func parseAge(s string) *model.Range {
	if len(s) > maxAge || !ageText.MatchString(s) {
		return nil
	}
	var seconds, unit float64
	for _, part := range ageUnits.FindAllStringSubmatch(s, -1) {
		n, err := strconv.Atoi(part[1])
		if err != nil {
			return nil
		}
		unit = unitSeconds[part[2]]
		seconds += float64(n) * unit
	}
	least, most := max(seconds-1, 0), seconds+unit
	return &model.Range{Best: (least + most) / 2, Min: least, Max: most}
}

var unitSeconds = map[string]float64{"y": 365 * 24 * 60 * 60, "d": 24 * 60 * 60, "h": 60 * 60, "m": 60, "s": 1} // for lookup only

// seen is when something was seen first and last, as ages, and how often.
type seen struct {
	first, last *model.Range
	count       int
}

// parseCount reads how often something was seen; a number that is none, or absurd, counts once.
func parseCount(s string) int {
	if n, err := strconv.Atoi(s); err == nil && n > 0 && n < 1_000_000_000 {
		return n
	}
	return 1
}

// parseSeen reads "33s", "33s (x4 over 5m)" and "<unknown>". The first age is that of the last time.
func parseSeen(s string) (seen, bool) {
	m := ageSeries.FindStringSubmatch(s)
	if m == nil {
		return seen{}, false
	}
	out := seen{last: parseAge(m[1]), count: 1}
	out.first = out.last
	if m[2] != "" {
		out.count = parseCount(m[2])
		out.first = parseAge(m[3])
	}
	return out, true
}

// instantLayouts are how instants are printed, with how exactly: by kubectl as the API does, or as mail does, in the zone of the terminal; by
// the consoles Rancher and OpenShift without a zone, which is assumed to be UTC.
var instantLayouts = []struct {
	layout    string
	precision time.Duration
}{
	{time.RFC3339, time.Second}, {time.RFC1123Z, time.Second}, {"Mon, Jan 2 2006 3:04:05 pm", time.Second}, {"Jan 2, 2006, 3:04 PM", time.Minute},
}

// instant reads an instant; zero for none, and for the zero time of Go, which is printed as a date in the year 1.
func instant(s string) model.Moment {
	for _, l := range instantLayouts {
		t, err := time.Parse(l.layout, s)
		if err != nil || t.Year() < 1970 {
			continue
		}
		if t.Nanosecond() != 0 {
			return model.Exactly(t)
		}
		if l.precision == time.Second {
			return model.WholeSecond(t)
		}
		return model.Between(t, t.Add(l.precision-time.Microsecond))
	}
	return model.Moment{}
}

// Place turns ages into instants, given when their files were collected, as wide as the collection and the shown precision together.
func Place(observations []model.Observation, collected model.Moment) {
	if collected.IsZero() {
		return
	}
	for i := range observations {
		o := &observations[i]
		if o.At.IsZero() && o.Age != nil {
			o.At = before(collected, *o.Age)
		}
		if o.Last.IsZero() && o.LastAge != nil {
			o.Last = before(collected, *o.LastAge)
		}
	}
}

// before is the instant that was an age before the collection.
func before(collected model.Moment, age model.Range) model.Moment {
	back := func(t time.Time, seconds float64) time.Time {
		return t.Add(-time.Duration(seconds * float64(time.Second)))
	}
	m := model.Between(back(collected.Earliest, age.Max), back(collected.Latest, age.Min))
	return m.As(collected.Basis)
}
