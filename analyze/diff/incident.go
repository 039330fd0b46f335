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
		c.onlyAfter(is)
	}
	slices.SortStableFunc(c.out.Incidents, func(a, b model.IncidentChange) int {
		x, y := cmp.Or(a.After, a.Before), cmp.Or(b.After, b.Before)
		return cmp.Or(cmp.Compare(slices.Index(gravity, a.Change), slices.Index(gravity, b.Change)),
			x.Began.At.Compare(y.Began.At), cmp.Compare(x.ID, y.ID))
	})
}

// gravity is the order in which a reader needs the incidents.
var gravity = []model.ChangeKind{
	model.ChangeStillOpen, model.ChangeNew, model.ChangeContradicted, model.ChangeUncovered, model.ChangeEnded, model.ChangeSame,
}

// align pairs incidents of one volume and wanted node by their first reports, else by overlapping waits, nearest first.
func align(a, b *Side) (pairs []pair, gone, come []*model.Incident) {
	taken := map[*model.Incident]bool{}
	of := map[*model.Incident]pair{}
	for _, fits := range []struct {
		by   string
		test func(was, is *model.Incident) bool
	}{
		{"the same volume and node, and the same first report", begins},
		{"the same volume and node, and waits that overlap", func(was, is *model.Incident) bool {
			from, to := wait(was, a.captured())
			begin, end := wait(is, b.captured())
			return !from.After(end) && !begin.After(to)
		}},
	} {
		for i := range a.Report.Incidents {
			was := &a.Report.Incidents[i]
			if taken[was] {
				continue
			}
			if best := nearest(was, b, func(is *model.Incident) bool { return !taken[is] && fits.test(was, is) }); best != nil {
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

// nearest is the incident of the other side that may be the same, passes a test, and began nearest to it; nil without one.
func nearest(was *model.Incident, other *Side, test func(*model.Incident) bool) *model.Incident {
	var best *model.Incident
	for i := range other.Report.Incidents {
		is := &other.Report.Incidents[i]
		maybe := oneAxis(was, is) && sameVolume(was.Volume, is.Volume) && samePlaces(was, is)
		if maybe && test(is) && (best == nil || apart(was, is) < apart(was, best)) {
			best = is
		}
	}
	return best
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
	if !can(a.VolumeHandle, b.VolumeHandle) || !can(a.Driver, b.Driver) || !can(a.PersistentVolume, b.PersistentVolume) {
		return false
	}
	same := func(x, y string) bool { return x != "" && x == y }
	if same(a.UniqueName, b.UniqueName) || same(a.PersistentVolume, b.PersistentVolume) {
		return true
	}
	if same(a.VolumeHandle, b.VolumeHandle) && same(a.Driver, b.Driver) {
		return true
	}
	none := model.Ref{}
	claim := *cmp.Or(a.Claim, &none)
	return claim.Name != "" && claim.Is(*cmp.Or(b.Claim, &none))
}

// samePlaces reports whether old and wanted node can be the same; one that is not known can be any.
func samePlaces(a, b *model.Incident) bool {
	return can(a.From.Node, b.From.Node) && can(a.To.Node, b.To.Node)
}

// can reports whether two names can be of one thing.
func can(x, y string) bool { return x == "" || y == "" || x == y }

// begins reports whether the first reports can be one.
func begins(a, b *model.Incident) bool {
	x, y := a.MultiAttach.Began, b.MultiAttach.Began
	return !x.Earliest.After(y.Latest.Add(near)) && !y.Earliest.After(x.Latest.Add(near))
}

// wait is the time that an incident surely lasted, up to the collection when it was still open then.
func wait(in *model.Incident, captured *model.Moment) (from, to time.Time) {
	from = in.MultiAttach.Began.Latest
	if in.MultiAttach.Ended != nil {
		return from, in.MultiAttach.Ended.Earliest
	}
	if in.Span.Open && captured != nil {
		return from, captured.Latest
	}
	return from, from
}
