package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// pair is an incident as both sides show it; one of them may not.
type pair struct {
	was, is   *model.Incident
	alignedBy string
}

// incidents aligns the incidents and says what became of each.
func (c *comparison) incidents() {
	for _, p := range align(c.before, c.after) {
		out := model.IncidentChange{Before: digest(p.was), After: digest(p.is), AlignedBy: p.alignedBy, Phases: []model.PhaseChange{},
			CannotTell: []string{}}
		unknown := ""
		switch was, is := out.Before, out.After; {
		case is == nil:
			out.Change, out.Text, unknown = c.onlyBefore(was)
		case was == nil:
			out.Change, out.Text, unknown = c.onlyAfter(is)
			if is.Open {
				out.Text += ". The second shows no end of it"
			} else if is.Ended != nil {
				out.Text += ". It ended after " + words.Whole(is.Began.Until(*is.Ended).Best)
			}
		default:
			out.Phases = phases(p.was, p.is)
			out.Change, out.Text = c.both(was, is)
			if was.Cause != is.Cause && was.Cause != "" && is.Cause != "" {
				out.CauseText = "the first cause was " + was.Cause + " and is " + is.Cause
			}
		}
		if unknown != "" {
			out.CannotTell = append(out.CannotTell, unknown)
		}
		c.out.Incidents = append(c.out.Incidents, out)
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

// both says what became of an incident that both sides show.
func (c *comparison) both(was, is *model.IncidentDigest) (model.ChangeKind, string) {
	switch {
	case was.Open && is.Open:
		text := "was open in the first, and the second shows no end of it"
		if a, b := c.before.captured(), c.after.captured(); a != nil && b != nil && b.At.Sub(a.At).Round(time.Second) > 0 {
			text += fmt.Sprintf(", %s later", words.Duration(b.At.Sub(a.At).Round(time.Second)))
		}
		return model.ChangeStillOpen, text
	case was.Open && is.Ended != nil:
		return model.ChangeEnded, fmt.Sprintf("was open in the first, and ended at %s, after %s",
			model.Stamp(is.Ended.At), words.Whole(is.Began.Until(*is.Ended).Best))
	case was.Open:
		return model.ChangeUncovered, "was open in the first; the second does not show when it ended"
	case is.Open:
		return model.ChangeContradicted, "the first shows that it ended, the second shows it open: one of them lacks evidence"
	case was.Ended == nil || is.Ended == nil:
		return model.ChangeSame, "both show it, and one does not show when it ended"
	}
	return model.ChangeSame, "both show it, ended"
}

// onlyBefore says why the second collection lacks an incident of the first. That never proves its end: logs rotate, events expire.
func (c *comparison) onlyBefore(was *model.IncidentDigest) (change model.ChangeKind, text, unknown string) {
	if covered := c.after.covers(was.Began); covered != "" {
		return model.ChangeContradicted, fmt.Sprintf("the second does not show it, although %s tells of attaches and detaches before and after", covered), ""
	}
	text = "the second does not show it: nothing in it reaches back to " + model.Stamp(was.Began.At)
	if was.Began.Missing() != "" {
		text = "the second does not show it, and nothing dates it"
	}
	return model.ChangeUncovered, text, words.If(was.Open, "whether it is over")
}

// onlyAfter says whether an incident of the second collection is new.
func (c *comparison) onlyAfter(is *model.IncidentDigest) (change model.ChangeKind, text, unknown string) {
	captured := c.before.captured()
	if captured == nil {
		return model.ChangeUncovered, "the first does not show it, and nothing tells when the first was collected", "whether it is new"
	}
	if is.Began.Missing() != "" {
		return model.ChangeUncovered, "the first does not show it, and nothing dates it", "whether it is new"
	}
	began := "began at " + model.Stamp(is.Began.At)
	if is.Began.Earliest.After(captured.Latest) {
		if captured.Basis != model.Observed {
			return model.ChangeNew, began + ", after the newest time in the first", ""
		}
		return model.ChangeNew, began + ", after the first was collected", ""
	}
	if covered := c.before.covers(is.Began); covered != "" {
		return model.ChangeContradicted, fmt.Sprintf("the first does not show it, although %s tells of attaches and detaches before and after", covered), ""
	}
	return model.ChangeUncovered, began + ", before the first was collected; the first holds nothing that would show it",
		"whether it was there at the first collection"
}

// covers names a log with attaches and detaches before and after a time, not a standby's, which would show a wait then. Events expire.
func (s *Side) covers(began model.Moment) string {
	if slices.ContainsFunc(s.report.Bundle.Problems, model.Problem.CutsShort) {
		return ""
	}
	before, after, path := map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, e := range s.report.Evidence {
		if e.Source.Kind == model.SourceLog {
			path[e.ID] = e.Source.Path
		}
	}
	for _, item := range s.report.Timeline {
		kind := string(item.Kind)
		if item.Kind != model.MultiAttach && !strings.HasPrefix(kind, "attach-") && !strings.HasPrefix(kind, "detach-") {
			continue
		}
		for _, id := range item.Evidence {
			p := path[id]
			before[p] = before[p] || item.At.Latest.Before(began.Earliest)
			after[p] = after[p] || item.At.Earliest.After(began.Latest)
			if p != "" && before[p] && after[p] {
				return p
			}
		}
	}
	return ""
}

func digest(in *model.Incident) *model.IncidentDigest {
	if in == nil {
		return nil
	}
	d := &model.IncidentDigest{
		ID: in.ID, From: in.From.Node, To: in.To.Node, Began: *bare(&in.MultiAttach.Began), Ended: bare(in.MultiAttach.Ended), Open: in.Span.Open,
		Seconds: in.Span.Seconds, Volume: cmp.Or(in.Volume.PersistentVolume, in.Volume.UniqueName),
	}
	if c := in.Volume.Claim; c != nil && c.Name != "" {
		d.Volume = c.String()
	}
	if len(in.Causes) > 0 {
		d.Cause, d.Verdict = in.Causes[0].ID, in.Causes[0].Verdict
	}
	if a := in.Advice; a != nil {
		d.First, d.Prevent = model.FirstOf(slices.Concat(a.Now, a.Better)...), model.FirstOf(a.Prevent...)
		for _, act := range a.Done {
			for _, r := range in.Remediations {
				if act.Remedy != nil && r.ID == *act.Remedy {
					d.Done = append(d.Done, model.ActDigest{Remedy: r.ID, Title: r.Title, At: bare(act.At), Effect: act.Effect, Saved: act.Saved})
				}
			}
		}
	}
	return d
}

// bare is a moment without its evidence, whose identifiers mean nothing outside of its report.
func bare(m *model.Moment) *model.Moment {
	if m == nil {
		return nil
	}
	out := *m
	out.Evidence = nil
	return &out
}

// near is by how much two collections may differ on a wait's first report: an event is written after the log line.
const near = 2 * time.Second

// align pairs incidents of one volume and wanted node by their first reports, else by overlapping waits, nearest first. What has no partner
// is a pair alone.
func align(a, b *Side) (pairs []pair) {
	of := map[*model.Incident]pair{}
	for _, fits := range []struct {
		by   string
		test func(was, is *model.Incident) bool
	}{
		{"the same volume and node, and the same first report", func(was, is *model.Incident) bool {
			x, y := was.MultiAttach.Began, is.MultiAttach.Began
			return !x.Earliest.After(y.Latest.Add(near)) && !y.Earliest.After(x.Latest.Add(near))
		}},
		{"the same volume and node, and waits that overlap", func(was, is *model.Incident) bool {
			from, to := wait(was, a.captured())
			begin, end := wait(is, b.captured())
			return !from.After(end) && !begin.After(to)
		}},
	} {
		for i := range a.report.Incidents {
			was := &a.report.Incidents[i]
			if of[was].is != nil {
				continue
			}
			if best := nearest(was, b, func(is *model.Incident) bool { return of[is].was == nil && fits.test(was, is) }); best != nil {
				of[was], of[best] = pair{was, best, fits.by}, pair{was, best, fits.by}
			}
		}
	}
	for i := range a.report.Incidents {
		was := &a.report.Incidents[i]
		pairs = append(pairs, cmp.Or(of[was], pair{was: was}))
	}
	for i := range b.report.Incidents {
		if is := &b.report.Incidents[i]; of[is].was == nil {
			pairs = append(pairs, pair{is: is})
		}
	}
	return pairs
}

// nearest is the incident of the other side that may be the same, passes a test, and began nearest to it; nil without one.
func nearest(was *model.Incident, other *Side, test func(*model.Incident) bool) (best *model.Incident) {
	apart := func(is *model.Incident) time.Duration {
		return was.MultiAttach.Began.At.Sub(is.MultiAttach.Began.At).Abs()
	}
	for i := range other.report.Incidents {
		is := &other.report.Incidents[i]
		places := can(was.From.Node, is.From.Node) && can(was.To.Node, is.To.Node)
		maybe := oneAxis(was, is) && sameVolume(was.Volume, is.Volume) && places
		if maybe && test(is) && (best == nil || apart(is) < apart(best)) {
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
	return a.Claim != nil && b.Claim != nil && a.Claim.Name != "" && a.Claim.Is(*b.Claim)
}

// can reports whether two names can be of one thing: one that is not known can be any.
func can(x, y string) bool { return x == "" || y == "" || x == y }

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

// phases compares the phases of two incidents, in the order of the second. Lengths whose ranges touch are the same.
func phases(was, is *model.Incident) []model.PhaseChange {
	out := []model.PhaseChange{}
	for _, p := range slices.Concat(is.Phases, was.Phases) {
		if !slices.ContainsFunc(out, func(c model.PhaseChange) bool { return c.ID == p.ID }) {
			out = append(out, phase(p.ID, was, is))
		}
	}
	return out
}

func phase(id model.PhaseID, was, is *model.Incident) model.PhaseChange {
	before, openBefore := length(was, id)
	after, openAfter := length(is, id)
	out := model.PhaseChange{ID: id, Before: before, After: after, Change: "same", Unfinished: words.If(openBefore, "before") + words.If(openAfter, "after")}
	if openBefore && openAfter {
		out.Unfinished = "both"
	}
	switch {
	case before == nil:
		out.Change = "only-after"
		return out
	case after == nil:
		out.Change = "only-before"
		return out
	case after.Min > before.Max:
		out.Change = "longer"
	case after.Max < before.Min:
		out.Change = "shorter"
	}
	out.By = &model.Range{Best: micro(after.Best - before.Best), Min: micro(after.Min - before.Max), Max: micro(after.Max - before.Min)}
	return out
}

// length is how long a phase took, all its stretches together, and whether it had not ended at the collection.
func length(in *model.Incident, id model.PhaseID) (sum *model.Range, open bool) {
	for i, p := range in.Phases {
		if p.ID != id {
			continue
		}
		sum = new(cmp.Or(sum, &model.Range{}).Plus(p.Seconds))
		open = in.Span.Open && i == len(in.Phases)-1
	}
	return sum, open
}

// micro cuts a difference of seconds to the microseconds that times have.
func micro(seconds float64) float64 { return math.Round(seconds*1_000_000) / 1_000_000 }
