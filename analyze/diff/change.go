package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// both says what became of an incident that both sides show.
func (c *comparison) both(p pair) {
	was, is := digest(p.was), digest(p.is)
	out := model.IncidentChange{
		Before: was, After: is, AlignedBy: p.alignedBy, Phases: phases(p.was, p.is), CauseText: causeText(was, is), CannotTell: []string{},
	}
	switch {
	case was.Open && is.Open:
		out.Change, out.Text = model.ChangeStillOpen, "was open in the first, and the second shows no end of it"
		if a, b := c.before.captured(), c.after.captured(); a != nil && b != nil && b.At.Sub(a.At).Round(time.Second) > 0 {
			out.Text += fmt.Sprintf(", %s later", words.Duration(b.At.Sub(a.At).Round(time.Second)))
		}
	case was.Open && is.Ended != nil:
		out.Change = model.ChangeEnded
		out.Text = fmt.Sprintf("was open in the first, and ended at %s, after %s",
			model.Stamp(is.Ended.At), words.Whole(is.Began.Until(*is.Ended).Best))
	case was.Open:
		out.Change, out.Text = model.ChangeUncovered, "was open in the first; the second does not show when it ended"
	case is.Open:
		out.Change, out.Text = model.ChangeContradicted, "the first shows that it ended, the second shows it open: one of them lacks evidence"
	default:
		out.Change, out.Text = model.ChangeSame, "both show it, ended"
		if was.Ended == nil || is.Ended == nil {
			out.Text = "both show it, and one does not show when it ended"
		}
	}
	c.out.Incidents = append(c.out.Incidents, out)
}

// onlyBefore says why the second collection lacks an incident of the first. That never proves its end: logs rotate, events expire.
func (c *comparison) onlyBefore(was *model.Incident) {
	d := digest(was)
	out := model.IncidentChange{Before: d, Phases: []model.PhaseChange{}, CannotTell: []string{}}
	if covered := c.after.covers(d.Began); covered != "" {
		out.Change = model.ChangeContradicted
		out.Text = fmt.Sprintf("the second does not show it, although %s tells of attaches and detaches before and after", covered)
	} else {
		out.Change = model.ChangeUncovered
		out.Text = "the second does not show it: nothing in it reaches back to " + model.Stamp(d.Began.At)
		if d.Began.Missing() != "" {
			out.Text = "the second does not show it, and nothing dates it"
		}
		if d.Open {
			out.CannotTell = append(out.CannotTell, "whether it is over")
		}
	}
	c.out.Incidents = append(c.out.Incidents, out)
}

// onlyAfter says whether an incident of the second collection is new.
func (c *comparison) onlyAfter(is *model.Incident) {
	d := digest(is)
	out := model.IncidentChange{After: d, Phases: []model.PhaseChange{}, CannotTell: []string{}}
	switch captured := c.before.captured(); {
	case captured == nil:
		out.Change, out.Text = model.ChangeUncovered, "the first does not show it, and nothing tells when the first was collected"
		out.CannotTell = append(out.CannotTell, "whether it is new")
	case d.Began.Missing() != "":
		out.Change, out.Text = model.ChangeUncovered, "the first does not show it, and nothing dates it"
		out.CannotTell = append(out.CannotTell, "whether it is new")
	case d.Began.Earliest.After(captured.Latest):
		out.Change, out.Text = model.ChangeNew, "began at "+model.Stamp(d.Began.At)+", after the first was collected"
		if captured.Basis != model.Observed {
			out.Text = "began at " + model.Stamp(d.Began.At) + ", after the newest time in the first"
		}
	case c.before.covers(d.Began) != "":
		out.Change = model.ChangeContradicted
		out.Text = fmt.Sprintf("the first does not show it, although %s tells of attaches and detaches before and after",
			c.before.covers(d.Began))
	default:
		out.Change = model.ChangeUncovered
		out.Text = "began at " + model.Stamp(d.Began.At) + ", before the first was collected; the first holds nothing that would show it"
		out.CannotTell = append(out.CannotTell, "whether it was there at the first collection")
	}
	out.Text += openText(d)
	c.out.Incidents = append(c.out.Incidents, out)
}

func openText(d *model.IncidentDigest) string {
	if d.Open {
		return ". The second shows no end of it"
	}
	if d.Ended != nil {
		return ". It ended after " + words.Whole(d.Began.Until(*d.Ended).Best)
	}
	return ""
}

// covers names a log with attaches and detaches before and after a time, not a standby's, which would show a wait then. Events expire.
func (s *Side) covers(began model.Moment) string {
	if slices.ContainsFunc(s.Report.Bundle.Problems, model.Problem.CutsShort) {
		return ""
	}
	type reach struct{ before, after bool }
	of := map[string]reach{}
	path := map[string]string{}
	for _, e := range s.Report.Evidence {
		if e.Source.Kind == model.SourceLog {
			path[e.ID] = e.Source.Path
		}
	}
	for _, item := range s.Report.Timeline {
		if item.Kind != model.MultiAttach && !strings.HasPrefix(string(item.Kind), "attach-") &&
			!strings.HasPrefix(string(item.Kind), "detach-") {
			continue
		}
		for _, id := range item.Evidence {
			p := path[id]
			if p == "" {
				continue
			}
			r := of[p]
			r.before, r.after = r.before || item.At.Latest.Before(began.Earliest), r.after || item.At.Earliest.After(began.Latest)
			if of[p] = r; r.before && r.after {
				return p
			}
		}
	}
	return ""
}

func digest(in *model.Incident) *model.IncidentDigest {
	d := &model.IncidentDigest{
		ID: in.ID, From: in.From.Node, To: in.To.Node, Began: bare(in.MultiAttach.Began), Open: in.Span.Open, Seconds: in.Span.Seconds,
		Volume: cmp.Or(in.Volume.PersistentVolume, in.Volume.UniqueName),
	}
	if c := in.Volume.Claim; c != nil && c.Name != "" {
		d.Volume = c.String()
	}
	if in.MultiAttach.Ended != nil {
		ended := bare(*in.MultiAttach.Ended)
		d.Ended = &ended
	}
	if len(in.Causes) > 0 {
		d.Cause, d.Verdict = in.Causes[0].ID, in.Causes[0].Verdict
	}
	if a := in.Advice; a != nil {
		d.First, d.Prevent = model.FirstOf(slices.Concat(a.Now, a.Better)...), model.FirstOf(a.Prevent...)
		for _, act := range a.Done {
			n := slices.IndexFunc(in.Remediations, func(r model.Remediation) bool { return act.Remedy != nil && r.ID == *act.Remedy })
			if n < 0 {
				continue
			}
			done := model.ActDigest{Remedy: *act.Remedy, Title: in.Remediations[n].Title, Effect: act.Effect, Saved: act.Saved}
			if act.At != nil {
				at := bare(*act.At)
				done.At = &at
			}
			d.Done = append(d.Done, done)
		}
	}
	return d
}

// bare is a moment without its evidence, whose identifiers mean nothing outside of its report.
func bare(m model.Moment) model.Moment {
	m.Evidence = nil
	return m
}

// causeText says that another cause is told first; "" when it is the same.
func causeText(was, is *model.IncidentDigest) string {
	if was.Cause == is.Cause || was.Cause == "" || is.Cause == "" {
		return ""
	}
	return "the first cause was " + was.Cause + " and is " + is.Cause
}
