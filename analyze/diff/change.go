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
		Before: was, After: is, AlignedBy: p.alignedBy, Phases: phases(p.was, p.is), CauseText: causeText(p.was, p.is), CannotTell: []string{},
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
	if text := c.blockerAfter(was); text != "" {
		out.Text += ". " + text
	}
	c.out.Incidents = append(c.out.Incidents, out)
}

// blockerAfter says what the second collection shows of the VolumeAttachment that blocked.
func (c *comparison) blockerAfter(was *model.Incident) string {
	b := was.BlockingAttachment
	if b.Name == nil {
		return ""
	}
	for _, is := range c.after.Attachments {
		switch {
		case is.Name != *b.Name:
		case b.UID == "" || is.UID == "":
			return "A VolumeAttachment of the blocking one's name is still there; nothing shows whether it is the same object"
		case b.UID != is.UID:
			return "The blocking VolumeAttachment is gone; another one has its name"
		default:
			return "The blocking VolumeAttachment is still there"
		}
	}
	if c.after.Listed {
		return "The blocking VolumeAttachment is gone"
	}
	return "It is not known whether the blocking VolumeAttachment is gone: the " + c.after.noList("second")
}

// onlyAfter says whether an incident of the second collection is new.
func (c *comparison) onlyAfter(is *model.Incident, pairs []pair, gone []*model.Incident) {
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
	if earlier := previous(is, pairs, gone); earlier != nil && out.Change == model.ChangeNew {
		out.Again = digest(earlier)
		out.Phases, out.CauseText = phases(earlier, is), causeText(earlier, is)
	}
	out.Text += openText(d)
	c.out.Incidents = append(c.out.Incidents, out)
}

// previous is the newest incident of the same volume that the first collection shows.
func previous(is *model.Incident, pairs []pair, gone []*model.Incident) *model.Incident {
	var best *model.Incident
	take := func(was *model.Incident) {
		if sameVolume(was.Volume, is.Volume) && was.MultiAttach.Began.Latest.Before(is.MultiAttach.Began.Earliest) &&
			(best == nil || was.MultiAttach.Began.At.After(best.MultiAttach.Began.At)) {
			best = was
		}
	}
	for _, p := range pairs {
		take(p.was)
	}
	for _, was := range gone {
		take(was)
	}
	return best
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

// causeText compares the causes; "" when they are the same, as sure.
func causeText(was, is *model.Incident) string {
	verdicts := func(in *model.Incident) (ids []string, of map[string]model.Verdict) {
		of = map[string]model.Verdict{}
		for _, c := range in.Causes {
			if _, twice := of[c.ID]; !twice {
				ids = append(ids, c.ID)
			}
			of[c.ID] = c.Verdict
		}
		return ids, of
	}
	ids, before := verdicts(was)
	now, after := verdicts(is)
	var parts []string
	if len(ids) > 0 && len(now) > 0 && ids[0] != now[0] {
		parts = append(parts, fmt.Sprintf("the first cause was %s and is %s", ids[0], now[0]))
	}
	for _, id := range now {
		if v, there := before[id]; !there {
			parts = append(parts, fmt.Sprintf("%s (%s) is told now", id, after[id]))
		} else if v != after[id] {
			parts = append(parts, fmt.Sprintf("%s was %s and is %s", id, v, after[id]))
		}
	}
	for _, id := range ids {
		if _, there := after[id]; !there {
			parts = append(parts, fmt.Sprintf("%s (%s) is not told any more", id, before[id]))
		}
	}
	return strings.Join(parts, "; ")
}
