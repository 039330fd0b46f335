package wait

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Removal is the request that ended the blocking VolumeAttachment: the last finalizer, or an object without one; nil without an audit log.
func (c *Case) Removal() *model.Observation {
	return facts.First(c.World.ByAttach[c.Attachment.Name], c.held, facts.And(facts.Kinds(model.AttachmentGone), facts.FromAudit))
}

// DeletionRequests are the requests to delete the blocking VolumeAttachment whose sender is known, a third program too.
func (c *Case) DeletionRequests() []*model.Observation {
	return facts.Where(c.World.ByAttach[c.Attachment.Name], func(o *model.Observation) bool {
		third := fromLog(o) && o.Component != "" && o.Component != facts.ControllerManager
		sent := o.Actor != "" || third
		return o.Kind == model.AttachmentDeletionRequested && sent && c.held.Holds(o.At.At)
	})
}

// DetachCalls are the attacher's lines about a detach call for the blocking VolumeAttachment: begun, done or failed.
func (c *Case) DetachCalls() []*model.Observation {
	return facts.Where(c.World.ByAttach[c.Attachment.Name], func(o *model.Observation) bool {
		called := o.Kind == model.AttacherDetaching || o.Kind == model.AttacherDetached || failedDetach(o)
		return called && fromLog(o) && c.held.Holds(o.At.At)
	})
}

// AttacherSilent is a proof that the log of the working attacher covers the detach without a word of it: its line about the attach to
// the wanted node, from a log that begins before the request and shows no start since, which may be another replica's. Else nil.
func (c *Case) AttacherSilent() *model.Observation {
	if !c.DetachRequested.Known() || !c.Gone.Known() || len(c.DetachCalls()) > 0 {
		return nil
	}
	attach := facts.Kinds(model.AttacherAttaching, model.AttacherAttached, model.AttacherFailed)
	later := facts.First(c.World.ByAttach[c.next.Name], facts.After(c.Gone.Latest), facts.And(attach, fromLog))
	if later == nil || !c.World.LogReaches(later, c.DetachRequested.Earliest) || c.AttacherStart(later.At.At) != nil {
		return nil
	}
	return later
}

// RefusedElsewhere are the failed attaches to the wanted node since a time in which the back end says that another machine has the
// volume. The controller repeats the last attachError until the attacher has written another: of an attachment older than the time its
// lines are no proof (csi_attacher.go, 1.13–1.36).
func (c *Case) RefusedElsewhere(since facts.Instant) []*model.Observation {
	echoes := c.NewAttachment.Before(since)
	return inOrder(facts.Where(c.AttachErrors(), func(o *model.Observation) bool {
		if earlier := since.Known() && !o.Last.Latest.After(since.Earliest); earlier || echoes && !c.FirstHand(o) {
			return false
		}
		return upstream.InUseElsewhere(o.Detail, c.To)
	}))
}

// FirstHand reports that a failed attach is reported by the one that got the back end's answer: the attacher, or an in-tree controller.
func (c *Case) FirstHand(o *model.Observation) bool {
	return o.Kind != model.AttachFailed || c.Volume.UniqueName != "" && c.Volume.Handle == ""
}

// Drift is the attacher's first complaint, after the attach, that the wanted attachment says attached and the back end does not; else nil.
func (c *Case) Drift() *model.Observation {
	if !c.Attached.Known() {
		return nil
	}
	return facts.First(c.World.ByAttach[c.next.Name], facts.After(c.Attached.Earliest), func(o *model.Observation) bool {
		return o.Kind == model.AttachmentDrift && o.Detail == "status.attached=true, back end false"
	})
}

// UncertainSince is the new leader's line, since it took over, that the old attachment is uncertain to it; else nil.
func (c *Case) UncertainSince(takeover facts.Instant) *model.Observation {
	return facts.First(c.World.ByVolume[c.Volume], facts.After(takeover.Earliest), facts.And(facts.Kinds(model.VolumeUncertain), onNode(c.From)))
}

// AttachErrors are the failures of the attach to the wanted node since the report, in no particular order.
func (c *Case) AttachErrors() []*model.Observation {
	while := facts.During(c.Began.Earliest, c.Attached.Latest)
	failed := facts.Kinds(model.AttachmentAttachError, model.AttacherFailed)
	return unique(slices.Concat(facts.Where(c.World.ByVolume[c.Volume], func(o *model.Observation) bool {
		return o.Kind == model.AttachFailed && while.Holds(o.At.At) && mayBeOn(c.To)(o)
	}), facts.Where(c.World.ByAttach[c.next.Name], func(o *model.Observation) bool { return failed(o) && while.Holds(o.At.At) })))
}

// OtherVolumesFailing are failed detaches of other volumes until the end of the wait whose text passes a test, one for each volume.
func (c *Case) OtherVolumesFailing(from time.Time, test func(string) bool) []*model.Observation {
	w := facts.During(from, c.Ended().Latest)
	seen := map[*facts.Volume]bool{nil: true, c.Volume.Storage(): true}
	return facts.Where(c.World.ByKind[model.DetachFailed], func(o *model.Observation) bool {
		v := c.World.Volumes.Find(o.Volume).Storage()
		if seen[v] || !w.Holds(o.At.At) || !test(o.Detail) {
			return false
		}
		seen[v] = true
		return true
	})
}

// erased dates the end of a VolumeAttachment that went away without a detach call, in a window in which the controller missed it. The
// external-attacher looks at a PersistentVolume when an attachment of it is deleted (controller.go vaDeleted, 2.2.1–4.13.0), which it logs
// at -v=4. It begins a detach as soon as an attachment with its finalizer is being deleted: without one, deletion and end are one.
func (c *Case) erased(l *Life, found *model.Observation, missed facts.Window) facts.Instant {
	called := facts.Kinds(model.AttacherDetaching, model.AttacherDetached, model.AttacherFailed)
	own := c.World.ByAttach[c.Attachment.Name]
	looks := facts.Where(missed.Of(c.World.ByVolume[c.Volume]), facts.Kinds(model.AttacherLookedAtVolume))
	if len(looks) != 1 || l.Gone.Known() || facts.First(own, facts.During(missed.From, looks[0].At.Latest.Add(time.Second)), called) != nil {
		return facts.Instant{}
	}
	if c.looksAround(looks[0]) || c.World.Unordered([]*model.Observation{looks[0], found}) {
		return facts.Instant{}
	}
	return derived(looks[0].At, "the external-attacher looked at the volume, which it does when an attachment of it is deleted, "+
		"and had begun no detach", looks[0])
}

// looksAround reports that the attacher looked at other volumes in the same moment: then it went through all of them, as it does at its
// start and every ten minutes (--resync).
func (c *Case) looksAround(o *model.Observation) bool {
	near := facts.During(o.At.At.Add(-time.Second), o.At.At.Add(time.Second))
	return facts.First(c.World.ByKind[model.AttacherLookedAtVolume], near, func(other *model.Observation) bool {
		return other != o && other.Volume.PersistentVolume != o.Volume.PersistentVolume
	}) != nil
}

// Erased reports that the blocking VolumeAttachment went away although no detach call had succeeded: the request that ended it was not the
// attacher's, or the log of the working attacher reaches over that time without a success.
func (c *Case) Erased() bool {
	calls, removal := c.DetachCalls(), c.Removal()
	switch {
	case !c.Gone.Known() || slices.ContainsFunc(calls, facts.Kinds(model.AttacherDetached)) || c.finalizerByAttacher():
		return false
	case removal != nil:
		return !c.World.IsAttacher(removal)
	case slices.ContainsFunc(c.Gone.Witness, facts.Kinds(model.AttacherLookedAtVolume)):
		return true
	case len(calls) > 0:
		return c.failedToTheEnd(calls[len(calls)-1])
	}
	return c.AttacherSilent() != nil && c.FoundDetached() != nil
}

// finalizerByAttacher reports the attacher's line that it took its finalizer away itself.
func (c *Case) finalizerByAttacher() bool {
	return facts.First(c.World.ByAttach[c.Attachment.Name], c.held, facts.And(facts.Kinds(model.AttachmentGone), fromLog)) != nil
}

// failedToTheEnd reports that the attacher's newest word of the detach is a failure, and that its log goes on past the end of the
// attachment, without a start that another replica's work could lie behind.
func (c *Case) failedToTheEnd(last *model.Observation) bool {
	over := func(in *model.Input) bool {
		return in.Path == last.Input && facts.Covers(in, last.At.Earliest, c.Gone.Latest.Add(csiPoll))
	}
	failedBefore := last.Kind == model.AttacherFailed && last.At.Latest.Before(c.Gone.Latest) && c.Gone.Basis != model.Assumed
	return failedBefore && slices.ContainsFunc(c.World.Logs[facts.Attacher], over) && c.AttacherStart(c.Gone.At) == nil
}
