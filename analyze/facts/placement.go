package facts

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// placement is how a floating log is put onto the axis, and why so.
type placement struct {
	year        int
	zone        time.Duration  // of the log's header, east of UTC
	location    *time.Location // the same where it changes with the season; nil else
	yearBasis   string
	zoneBasis   string
	basis       model.Basis
	offset      time.Duration // what remains between this clock and the other sources
	uncertainty time.Duration
	refused     []string // of what the user said, with the reason
}

// itself is how a log shows its own year and zone: by the same event in another source, or by a time that it prints in full.
func itself(own []*model.Observation, index sightings) (placement, bool) {
	if v, residuals, ok := winner(index.votes(own)); ok {
		return placement{
			year: v.year, zone: v.zone, basis: model.Derived,
			yearBasis: fmt.Sprintf("%d, from %s that an Event object records too", v.year, words.Plural(len(residuals), "line", "lines")),
			zoneBasis: zoneName(v.zone) + ", from the same",
			offset:    median(residuals), uncertainty: max(spread(residuals), time.Millisecond),
		}, true
	}
	return printedInFull(own)
}

// place decides year and zone of a log that lacks them: as the user said, as the logs beside it, as what the bundle dates.
func place(in model.Input, near *neighbours) placement {
	p := placement{year: model.StandInYear, basis: model.Assumed, yearBasis: "assumed: nothing in the bundle tells it"}
	zoneKnown := near.zone(in, &p)
	if in.To == nil {
		return p
	}
	yearKnown := near.year(in, zoneKnown, &p)
	if !zoneKnown {
		near.fit(in, &p)
	}
	if yearKnown && zoneKnown {
		p.basis = model.Derived
	}
	return p
}

// fullTimes are the instants that lines print with Go's time.String: when a failed operation may be tried again, at most 2m2s after the
// line (goroutinemap/exponentialbackoff), and when a pod ran, which is the statement's own time.
var fullTimes = []struct {
	text        *regexp.Regexp
	least, most time.Duration
}{
	{regexp.MustCompile(`No retries permitted until (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [+-]\d{4})`), 0, 3 * time.Minute},
	{regexp.MustCompile(`observedRunningTime="(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [+-]\d{4})`), -time.Second, time.Second},
}

// printedInFull reads year and zone from an instant that the log prints.
func printedInFull(own []*model.Observation) (placement, bool) {
	for _, o := range Where(own, func(o *model.Observation) bool { return o.Floating }) {
		for _, full := range fullTimes {
			if m := full.text.FindStringSubmatch(o.Quote.Text); m != nil {
				if p, ok := inFull(o, m[1], full.least, full.most); ok {
					return p, true
				}
			}
		}
	}
	return placement{}, false
}

// inFull is the year and the zone that put a statement so far before an instant which its line prints.
func inFull(o *model.Observation, text string, least, most time.Duration) (placement, bool) {
	t, err := time.Parse("2006-01-02 15:04:05.999999999 -0700", text)
	_, east := t.Zone()
	zone := time.Duration(east) * time.Second
	for year := t.Year() - 1; err == nil && year <= t.Year(); year++ {
		wait := t.Sub(inYear(o.At.At, year).Add(-zone))
		if wait >= least && wait <= most {
			where := fmt.Sprintf("line %d prints %q", o.Source.Line, text)
			return placement{year: year, zone: zone, basis: model.Derived,
				yearBasis: fmt.Sprintf("%d, %s", year, where), zoneBasis: zoneName(zone) + ", " + where}, true
		}
	}
	return placement{}, false
}

func (p placement) at(t time.Time) time.Time {
	in := inYear(t, p.year)
	if p.location == nil {
		return in.Add(-p.zone)
	}
	return time.Date(in.Year(), in.Month(), in.Day(), in.Hour(), in.Minute(), in.Second(), in.Nanosecond(), p.location).UTC()
}

func (p placement) moment(m model.Moment) model.Moment {
	if m.IsZero() {
		return m
	}
	m.At, m.Earliest, m.Latest, m.Basis = p.at(m.At), p.at(m.Earliest), p.at(m.Latest), m.Basis.Weaker(p.basis)
	return m
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
	refused := p.refused
	if p.basis == model.Assumed {
		const text = "its lines have neither zone nor year: year %s; zone %s; --year and --log-zone set them"
		refused = append(refused, fmt.Sprintf(text, p.yearBasis, p.zoneBasis))
	}
	return warnings(in, refused...)
}

// warnings are what there is to say of an input.
func warnings(in model.Input, texts ...string) []model.Problem {
	return Each(texts, func(t string) model.Problem { return model.Problem{Severity: model.Warning, Path: in.Path, Message: t} })
}

// contradict says of a log that shows its year and zone itself what else the user said of it.
func (p placement) contradict(supplied model.Supplied, in model.Input) []model.Problem {
	var out []string
	refuse := func(flag, is string) {
		out = append(out, flag+" is not used for this log: "+is+"; leave the flag out, or give the logs that it is of by themselves")
	}
	if in.To != nil && supplied.Year != 0 && supplied.Year != p.year+in.To.Year() {
		refuse(fmt.Sprintf("--year %d", supplied.Year), "its year is "+p.yearBasis)
	}
	if in.To != nil && supplied.LogZone != nil && supplied.OffsetAt(inYear(*in.To, p.year)) != p.zone {
		refuse("--log-zone "+supplied.LogZoneName, "its zone is "+p.zoneBasis)
	}
	return warnings(in, out...)
}

// explained adds to an account of a clock by how much it was set.
func explained(c, set *model.Clock) *model.Clock {
	if c == nil || set == nil {
		return cmp.Or(c, set)
	}
	c.OffsetSeconds, c.OffsetUncertainty = set.OffsetSeconds, set.OffsetUncertainty
	return c
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
	return slices.MinFunc(times, func(a, b time.Time) int { return cmp.Compare(a.Sub(t).Abs(), b.Sub(t).Abs()) }).Sub(t), true
}

func seconds(d time.Duration) float64 { return d.Round(time.Microsecond).Seconds() }

func zoneName(d time.Duration) string {
	if d == 0 {
		return "UTC"
	}
	return time.Time{}.In(time.FixedZone("", int(d.Seconds()))).Format("UTC-07:00")
}

// sightings finds what other sources, whose times have year and zone, say of the same happening.
type sightings map[string][]time.Time

// newSightings indexes the observations whose time is exact and absolute.
func newSightings(all []model.Observation) sightings {
	s := sightings{}
	for _, o := range all {
		if o.Floating || o.At.IsZero() || o.Source.Kind != model.SourceEvent {
			continue
		}
		if key, ok := sightingKey(o); ok {
			s[key] = append(s[key], o.At.At)
		}
	}
	return s
}

// sightingKey names a happening that a controller both logs and reports as an Event. The Multi-Attach line and its event
// are written 28 µs to 0.1 s apart (recordings, and public incident 073).
func sightingKey(o model.Observation) (string, bool) {
	if o.Kind == model.MultiAttach {
		return string(o.Kind) + "|" + o.Volume.PersistentVolume, o.Volume.PersistentVolume != ""
	}
	if o.Object.Name == "" {
		return "", false
	}
	return strings.Join([]string{string(o.Kind), o.Object.Key(), o.Volume.PersistentVolume, o.Pod.Key(), o.Node, o.Detail}, "|"), true
}

// zoneStep is the grid of the world's zone offsets.
const zoneStep = 15 * time.Minute

// maxSkew bounds the difference between two clocks that still counts as skew and not as another event.
const maxSkew = time.Minute

// vote is one way to place a log: the year, and the zone of its header.
type vote struct {
	year int
	zone time.Duration
}

// votes compares each floating observation with the sightings of the same happening.
func (s sightings) votes(own []*model.Observation) map[vote][]time.Duration {
	out := map[vote][]time.Duration{}
	for _, o := range Where(own, func(o *model.Observation) bool { return o.Floating }) {
		key, _ := sightingKey(*o)
		for _, t := range s[key] {
			for year := t.Year() - 1; year <= t.Year()+1; year++ {
				d := t.Sub(inYear(o.At.At, year))
				zone := d.Round(zoneStep)
				if zone.Abs() <= maxZone && (d-zone).Abs() <= maxSkew {
					v := vote{year: year, zone: -zone}
					out[v] = append(out[v], d-zone)
				}
			}
		}
	}
	return out
}

// winner is the vote with the most sightings; equal counts go to the smaller residual, then to the later year.
func winner(votes map[vote][]time.Duration) (vote, []time.Duration, bool) {
	if len(votes) == 0 {
		return vote{}, nil, false
	}
	best := slices.MaxFunc(slices.Collect(maps.Keys(votes)), func(a, b vote) int {
		return cmp.Or(
			cmp.Compare(len(votes[a]), len(votes[b])),
			cmp.Compare(median(votes[b]).Abs(), median(votes[a]).Abs()),
			cmp.Compare(a.year, b.year),
			cmp.Compare(a.zone, b.zone),
		)
	})
	return best, votes[best], true
}

// inYear moves a floating time, of a year from 0 on, to a year. 29 February becomes 1 March but in leap years.
func inYear(t time.Time, year int) time.Time {
	return time.Date(year+t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

func median(d []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(d))
	return sorted[len(sorted)/2]
}

// spread is the largest distance from the median.
func spread(d []time.Duration) time.Duration {
	m := median(d)
	return max(slices.Max(d)-m, m-slices.Min(d))
}
