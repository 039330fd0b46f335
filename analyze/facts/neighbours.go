package facts

import (
	"fmt"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// maxZone is the zone that is farthest ahead of UTC. A log in a zone that is not known may be written so far before what its
// lines say, read as UTC, and the season moves none of it by a year.
const maxZone = 14 * time.Hour

// endSlack is by how much a log may end after the time of its collection, which is often that of its beginning.
const endSlack = time.Hour

// neighbours are what the rest of a bundle says of years and zones, for the logs that say nothing themselves.
type neighbours struct {
	s      *model.Snapshot
	during model.Collected
	newest time.Time // that anything in the bundle states with a year
	zones  []zoned
}

// zoned is an input whose zone is known, though its lines do not say it.
type zoned struct {
	path, component string
	zone            time.Duration
	prefixed        bool // by the prefix of its lines
}

func newNeighbours(s *model.Snapshot) *neighbours {
	n := &neighbours{s: s, during: s.Collected()}
	for _, o := range s.Observations {
		if !o.Floating {
			n.newest = model.Later(n.newest, o.Last.Latest)
		}
	}
	return n
}

// learn takes an input whose lines have year and zone.
func (n *neighbours) learn(in model.Input) {
	if in.ZoneOffset != nil {
		n.zones = append(n.zones, zoned{in.Path, in.Component, *in.ZoneOffset, true})
	}
}

// placed takes a log that has its year and zone itself.
func (n *neighbours) placed(in model.Input, p placement) {
	n.zones = append(n.zones, zoned{in.Path, in.Component, p.zone, false})
	if in.To != nil && p.at(*in.To).After(n.newest) {
		n.newest = p.at(*in.To)
	}
}

// zone decides the zone of a log that lacks it, and reports whether it is known: what the user said; that of another log of the
// component; that of all others, when they agree, which is likely only.
func (n *neighbours) zone(in model.Input, p *placement) bool {
	kin := slices.IndexFunc(n.zones, func(z zoned) bool {
		if in.Component == "" {
			return z.prefixed
		}
		return z.component == in.Component
	})
	if supplied := n.s.Supplied; supplied.LogZone != nil {
		p.location, p.zoneBasis = supplied.LogZone, supplied.LogZoneName+", set by --log-zone"
		return true
	}
	if kin >= 0 {
		z := n.zones[kin]
		p.zone, p.zoneBasis = z.zone, zoneName(z.zone)+", as in "+z.path
		return true
	}
	p.zoneBasis = "UTC, assumed: nothing in the bundle tells the zone; controllers in containers usually log in UTC"
	if len(n.zones) > 0 && !slices.ContainsFunc(n.zones, func(z zoned) bool { return z.zone != n.zones[0].zone }) {
		p.zone = n.zones[0].zone
		p.zoneBasis = zoneName(p.zone) + ", assumed: the zone of every log of the bundle whose zone is known, such as " + n.zones[0].path
	}
	return false
}

// year decides the year of a log's first line, and reports whether it is known.
func (n *neighbours) year(in model.Input, zoneKnown bool, p *placement) bool {
	collected := n.collected(in.Path)
	supplied := n.s.Supplied.Year
	if supplied != 0 {
		p.year = supplied - in.To.Year()
		if collected == nil || !p.at(*in.To).After(collected.Latest.Add(n.slack(zoneKnown, *p))) {
			p.yearBasis = fmt.Sprintf("%d, set by --year", supplied)
			return true
		}
		p.refused = append(p.refused, fmt.Sprintf("--year %d is not used for this log: it would end after %s, when the bundle was collected; "+
			"leave the flag out, or give the year of its last line", supplied, collected.Latest.UTC().Format(time.RFC3339)))
	}
	if collected != nil {
		n.endBy(in, p, collected.Latest, n.slack(zoneKnown, *p))
		p.yearBasis = fmt.Sprintf("%d, the latest that ends the log before %s, when the bundle was collected",
			p.year+in.To.Year(), collected.Latest.UTC().Format(time.RFC3339))
		return true
	}
	if !n.newest.IsZero() {
		n.endBy(in, p, n.newest, halfAYear)
		p.yearBasis = fmt.Sprintf("%d, in which the log ends nearest to %s, the newest time in the rest of the bundle",
			p.year+in.To.Year(), n.newest.UTC().Format(time.RFC3339))
		return p.at(*in.To).Sub(n.newest).Abs() <= surelyNear
	}
	p.year = model.StandInYear
	return false
}

// collected is when the collection ran that holds a log; nil when nothing records it, or the user.
func (n *neighbours) collected(path string) *model.Moment {
	if c := n.during.Of(path); c != nil {
		return &c.CapturedAt
	}
	if n.s.CapturedAt != nil {
		return n.s.CapturedAt
	}
	if t := n.s.Supplied.CollectedAt; !t.IsZero() && t.Add(suppliedSlack).After(n.newest) {
		return &model.Moment{At: t, Earliest: t, Latest: t, Basis: model.Derived}
	}
	return nil
}

// slack is by how much a log may seem to end after the time of its collection, in whatever zone it may be.
func (n *neighbours) slack(zoneKnown bool, p placement) time.Duration {
	if zoneKnown {
		return endSlack
	}
	return endSlack + max(maxZone-p.zone, 0)
}

// endBy takes the latest year in which a log ends before a time, or not much later.
func (n *neighbours) endBy(in model.Input, p *placement, t time.Time, slack time.Duration) {
	p.year = t.Year() + 1 - in.To.Year()
	for p.at(*in.To).After(t.Add(slack)) {
		p.year--
	}
}

// halfAYear is as far as a log may end after another time so that no other year brings it nearer.
const halfAYear = 365 * 24 * time.Hour / 2

// surelyNear is how near to the rest of the bundle a log ends whose year is beyond doubt.
const surelyNear = 30 * 24 * time.Hour

// fit moves a log that would end after the collection to a zone east of UTC in which it does not.
func (n *neighbours) fit(in model.Input, p *placement) {
	collected := n.collected(in.Path)
	if collected == nil {
		return
	}
	over := p.at(*in.To).Sub(collected.Latest)
	if over <= endSlack {
		return
	}
	step := 30 * time.Minute
	zone := p.zone + (over + step - 1).Truncate(step)
	if zone > maxZone {
		return
	}
	p.zone = zone
	p.zoneBasis = fmt.Sprintf("%s, assumed: in a zone farther west it would end after %s, when the bundle was collected",
		zoneName(zone), collected.Latest.UTC().Format(time.RFC3339))
}
