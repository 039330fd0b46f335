package diff

import (
	"cmp"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// near is by how much two collections may differ on a wait's first report: an event is written after the log line.
const near = 2 * time.Second

// pair is an incident as both sides show it.
type pair struct {
	was, is   *model.Incident
	alignedBy string
}

// incidents aligns the incidents and says what became of each.
func (c *comparison) incidents() {
	pairs, gone, come := align(c.before, c.after)
	for _, p := range pairs {
		c.both(p)
	}
	for _, was := range gone {
		c.onlyBefore(was)
	}
	for _, is := range come {
		c.onlyAfter(is, pairs, gone)
	}
	slices.SortStableFunc(c.out.Incidents, func(a, b model.IncidentChange) int {
		return cmp.Or(cmp.Compare(gravity(a.Change), gravity(b.Change)), digestOf(a).Began.At.Compare(digestOf(b).Began.At), cmp.Compare(digestOf(a).ID, digestOf(b).ID))
	})
}

// gravity is the order in which a reader needs the incidents.
func gravity(k model.ChangeKind) int {
	return slices.Index([]model.ChangeKind{model.ChangeStillOpen, model.ChangeNew, model.ChangeContradicted, model.ChangeUncovered, model.ChangeEnded, model.ChangeSame}, k)
}

func digestOf(c model.IncidentChange) *model.IncidentDigest { return cmp.Or(c.After, c.Before) }

// align pairs incidents of one volume and wanted node by their first reports, else by overlapping waits, nearest first.
func align(a, b *Side) (pairs []pair, gone, come []*model.Incident) {
	taken := map[*model.Incident]bool{}
	of := map[*model.Incident]pair{}
	for _, fits := range []struct {
		by   string
		test func(was, is *model.Incident) bool
	}{
		{"the same volume and node, and the same first report", func(was, is *model.Incident) bool { return begins(was, is) }},
		{"the same volume and node, and waits that overlap", func(was, is *model.Incident) bool {
			return overlap(wait(was, a.captured()), wait(is, b.captured()))
		}},
	} {
		for i := range a.Report.Incidents {
			was := &a.Report.Incidents[i]
			if taken[was] {
				continue
			}
			var best *model.Incident
			for j := range b.Report.Incidents {
				is := &b.Report.Incidents[j]
				if !taken[is] && oneAxis(was, is) && sameVolume(was.Volume, is.Volume) && samePlaces(was, is) && fits.test(was, is) &&
					(best == nil || apart(was, is) < apart(was, best)) {
					best = is
				}
			}
			if best != nil {
				taken[was], taken[best] = true, true
				of[was] = pair{was, best, fits.by}
			}
		}
	}
	for i := range a.Report.Incidents {
		if was := &a.Report.Incidents[i]; taken[was] {
			pairs = append(pairs, of[was])
		} else {
			gone = append(gone, was)
		}
	}
	for i := range b.Report.Incidents {
		if is := &b.Report.Incidents[i]; !taken[is] {
			come = append(come, is)
		}
	}
	return pairs, gone, come
}

// oneAxis reports whether the times of two incidents can be compared: distances of two collections count from two instants.
func oneAxis(a, b *model.Incident) bool {
	x, y := a.MultiAttach.Began.Missing(), b.MultiAttach.Began.Missing()
	return x == y && x != model.NoDate
}

func apart(a, b *model.Incident) time.Duration {
	return a.MultiAttach.Began.At.Sub(b.MultiAttach.Began.At).Abs()
}

// sameVolume compares by unique name, PersistentVolume, handle and driver, or claim. A name in which both differ makes them two.
func sameVolume(a, b model.IncidentVolume) bool {
	type names struct{ x, y string }
	for _, n := range []names{{a.VolumeHandle, b.VolumeHandle}, {a.Driver, b.Driver}, {a.PersistentVolume, b.PersistentVolume}} {
		if n.x != "" && n.y != "" && n.x != n.y {
			return false
		}
	}
	switch {
	case a.UniqueName != "" && a.UniqueName == b.UniqueName, a.PersistentVolume != "" && a.PersistentVolume == b.PersistentVolume,
		a.VolumeHandle != "" && a.Driver != "" && a.VolumeHandle == b.VolumeHandle && a.Driver == b.Driver:
		return true
	}
	return a.Claim != nil && b.Claim != nil && a.Claim.Name != "" && a.Claim.Is(*b.Claim)
}

// samePlaces reports whether old and wanted node can be the same; one that is not known can be any.
func samePlaces(a, b *model.Incident) bool {
	can := func(x, y string) bool { return x == "" || y == "" || x == y }
	return can(a.From.Node, b.From.Node) && can(a.To.Node, b.To.Node)
}

// begins reports whether the first reports can be one.
func begins(a, b *model.Incident) bool {
	x, y := a.MultiAttach.Began, b.MultiAttach.Began
	return !x.Earliest.After(y.Latest.Add(near)) && !y.Earliest.After(x.Latest.Add(near))
}

// stretch is a stretch of time.
type stretch struct{ from, to time.Time }

// wait is the time that an incident surely lasted, up to the collection when it was still open then.
func wait(in *model.Incident, captured *model.Moment) stretch {
	out := stretch{in.MultiAttach.Began.Latest, in.MultiAttach.Began.Latest}
	switch {
	case in.MultiAttach.Ended != nil:
		out.to = in.MultiAttach.Ended.Earliest
	case in.Span.Open && captured != nil:
		out.to = captured.Latest
	}
	return out
}

func overlap(a, b stretch) bool { return !a.from.After(b.to) && !b.from.After(a.to) }
