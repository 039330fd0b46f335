package cause

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// transient is how long a detach may fail in an ordinary move: the attacher retries after one second, two, four and so on.
const transient = time.Minute

// failing is a stretch of failed detaches that have one kind of fault in common.
type failing struct {
	errors      []*model.Observation // in the order of time
	since       time.Time
	least, most time.Duration // bounds of how long they held the detach up
	now         bool          // the collection still found the detach failing
}

// failures finds the failed detaches with one of some faults, and for how long they kept the volume.
func failures(c *wait.Case, faults ...upstream.Fault) failing {
	f, fault := failing{}, upstream.FaultDriver
	worded := slices.ContainsFunc(c.DetachErrors, func(o *model.Observation) bool { return o.Detail != "" })
	for _, o := range slices.SortedStableFunc(slices.Values(c.DetachErrors), (*model.Observation).Compare) {
		if o.At.IsZero() || o.Detail == "" && worded {
			continue // "Saved detach error" has its text in another line
		}
		if !upstream.HoldsBack(o.Detail) {
			fault = upstream.DetachFault(o.Detail)
		}
		if slices.Contains(faults, fault) {
			f.errors = append(f.errors, o)
		}
	}
	if len(f.errors) == 0 || !c.DetachRequested.Known() {
		return failing{}
	}
	f.since = failingSince(c, f.errors)
	last := lastSeen(f.errors)
	least, most := last, last
	switch {
	case c.Gone.Known():
		// The attacher tries again after five minutes at the latest: a longer silence has another reason.
		least = model.Later(last, model.Earlier(c.Gone.Earliest, last.Add(upstream.AttacherRetryMax+upstream.AttacherCallTimeout)))
		most = model.Later(last, c.Gone.Latest)
	case stillDeleting(c):
		f.now = true
		least, most = model.Later(last, c.World.Axis.CapturedAt.Earliest), model.Later(last, c.World.Axis.CapturedAt.Latest)
	case c.Resolved():
		most = model.Later(last, c.Ended().Latest)
	case c.World.Axis.CapturedAt != nil:
		most = model.Later(last, c.World.Axis.CapturedAt.Latest)
		f.now = most.Sub(last) <= upstream.AttacherRetryMax
	}
	f.least, f.most = least.Sub(f.since), most.Sub(f.since)
	return f
}

// failingSince is the first failure; the object keeps the last alone: without a log the failing is assumed to begin with the request.
func failingSince(c *wait.Case, errors []*model.Observation) time.Time {
	if slices.ContainsFunc(errors, func(o *model.Observation) bool {
		return o.Source.Kind == model.SourceLog || o.Source.Kind == model.SourceAudit
	}) {
		return errors[0].At.At
	}
	return model.Earlier(errors[0].At.At, c.DetachRequested.At)
}

// lastSeen is when the last of some observations was made.
func lastSeen(list []*model.Observation) (last time.Time) {
	for _, o := range list {
		last = model.Later(last, model.Later(o.At.At, o.Last.At))
	}
	return last
}

// verdict of failures as the reason of the wait; empty when they held the volume up for too short a time to matter.
func (f failing) verdict() model.Verdict {
	if len(f.errors) == 0 {
		return ""
	}
	if f.now || f.least >= transient {
		return model.Confirmed
	}
	if f.most >= transient {
		return model.Likely
	}
	return ""
}

// stillDeleting reports that the collection found the blocking VolumeAttachment, being deleted.
func stillDeleting(c *wait.Case) bool {
	a := c.Attachment.Object
	found := a != nil && c.World.Axis.CapturedAt != nil
	return found && a.Value().DeletionTimestamp != nil && !c.AttachmentIsLater()
}

// affected are the phases that failing detaches lengthen; the attach is one when it was tried in between and held back afterwards.
func affected(c *wait.Case) []model.PhaseID {
	divided := c.Gone.Known() && c.Gone.Latest.Sub(c.Gone.Earliest) <= transient
	if divided && !secondAttachment(c) && len(c.AttachErrors()) == 0 {
		return []model.PhaseID{model.PhaseDetach}
	}
	return []model.PhaseID{model.PhaseDetach, model.PhaseAttach}
}

// secondAttachment reports that the new VolumeAttachment was created while the old one existed.
func secondAttachment(c *wait.Case) bool {
	return c.NewAttachment.Known() && (!c.Gone.Known() || c.NewAttachment.At.Before(c.Gone.At))
}

// answerOf is what the driver or the cloud said, on one line.
func answerOf(errors []*model.Observation) string {
	for _, mark := range []string{"rpc error: ", ""} {
		for _, o := range errors {
			if text := strings.TrimRight(upstream.Answer(o.Detail), ". \n"); strings.Contains(o.Detail, mark) && (mark != "" || text != "") {
				return strings.TrimSuffix(upstream.Excerpt(text, 160), ", Message:") // googleapi ends so where there is none
			}
		}
	}
	return "its error text is not in the bundle" // "Saved detach error" says only that there was one
}

// sample keeps the first and the last of many.
func sample(list []*model.Observation) []*model.Observation {
	if len(list) <= 4 {
		return list
	}
	return append(list[:3:3], list[len(list)-1])
}
