package reconstruct

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

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
	for _, o := range where(own, func(o *model.Observation) bool { return o.Floating }) {
		key, _ := sightingKey(*o)
		for _, t := range s[key] {
			for year := t.Year() - 1; year <= t.Year()+1; year++ {
				d := t.Sub(inYear(o.At.At, year))
				zone := d.Round(zoneStep)
				if zone.Abs() <= eastmost && (d-zone).Abs() <= maxSkew {
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

// inYear moves a floating time, whose year counts from 0, to a year. 29 February stays a day only in leap years; in
// others it becomes 1 March, which no vote for a wrong year survives.
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
