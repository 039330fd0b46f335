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
	return facts.First(c.own(), c.held, facts.And(facts.Kinds(model.AttachmentGone), facts.FromAudit))
}

// DeletionRequests are the requests to delete the blocking VolumeAttachment whose sender is known, a third program too.
func (c *Case) DeletionRequests() []*model.Observation {
	return those(c.own(), c.held, facts.Kinds(model.AttachmentDeletionRequested), func(o *model.Observation) bool {
		third := o.Component != "" && o.Component != facts.ControllerManager
		return o.Actor != "" || third && fromLog(o)
	})
}

// DetachCalls are the attacher's lines about a detach call for the blocking VolumeAttachment: begun, done or failed.
func (c *Case) DetachCalls() []*model.Observation {
	return those(c.own(), c.held, fromLog, func(o *model.Observation) bool {
		return o.Kind == model.AttacherDetaching || o.Kind == model.AttacherDetached || failedDetach(o)
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
	return only(later, later != nil && c.World.LogReaches(later, c.DetachRequested.Earliest) && c.AttacherStart(later.At.At) == nil)
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

// AttachErrors are the failures of the attach to the wanted node since the report, in no particular order.
func (c *Case) AttachErrors() []*model.Observation {
	while := facts.During(c.Began.Earliest, c.Attached.Latest)
	return unique(append(those(c.said(), while, facts.Kinds(model.AttachFailed), mayBeOn(c.To)),
		those(c.World.ByAttach[c.next.Name], while, facts.Kinds(model.AttachmentAttachError, model.AttacherFailed))...))
}

// erased dates the end of a VolumeAttachment that went away without a detach call, in a window in which the controller missed it. The
// external-attacher looks at a PersistentVolume when an attachment of it is deleted (controller.go vaDeleted, 2.2.1–4.13.0), which it logs
// at -v=4. It begins a detach as soon as an attachment with its finalizer is being deleted: without one, deletion and end are one.
func (c *Case) erased(l *Life, found *model.Observation, missed facts.Window) facts.Instant {
	called := facts.Kinds(model.AttacherDetaching, model.AttacherDetached, model.AttacherFailed)
	looks := those(c.said(), missed, facts.Kinds(model.AttacherLookedAtVolume))
	if len(looks) != 1 || l.Gone.Known() {
		return facts.Instant{}
	}
	o := looks[0]
	near := facts.During(o.At.At.Add(-time.Second), o.At.At.Add(time.Second))
	// Together with others: it went through all volumes, as it does at its start and every ten minutes (--resync).
	around := facts.First(c.World.ByKind[model.AttacherLookedAtVolume], near, func(other *model.Observation) bool {
		return other.Volume.PersistentVolume != o.Volume.PersistentVolume
	})
	begun := facts.First(c.own(), facts.During(missed.From, o.At.Latest.Add(time.Second)), called)
	if around != nil || begun != nil || c.World.Unordered([]*model.Observation{o, found}) {
		return facts.Instant{}
	}
	return derived(o.At, "the external-attacher looked at the volume, which it does when an attachment of it is deleted, "+
		"and had begun no detach", o)
}

// Erased reports that the blocking VolumeAttachment went away although no detach call had succeeded: the request that ended it was not the
// attacher's, or the log of the working attacher reaches over that time without a success.
func (c *Case) Erased() bool {
	calls, removal := c.DetachCalls(), c.Removal()
	switch {
	case !c.Gone.Known(), facts.Find(calls, facts.Kinds(model.AttacherDetached)) != nil,
		facts.First(c.own(), c.held, facts.And(facts.Kinds(model.AttachmentGone), fromLog)) != nil: // the attacher's line that it did it itself
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

// failedToTheEnd reports that the attacher's newest word of the detach is a failure, and that its log goes on past the end of the
// attachment, without a start that another replica's work could lie behind.
func (c *Case) failedToTheEnd(last *model.Observation) bool {
	over := func(in *model.Input) bool {
		return in.Path == last.Input && facts.Covers(in, last.At.Earliest, c.Gone.Latest.Add(csiPoll))
	}
	failedBefore := last.Kind == model.AttacherFailed && last.At.Latest.Before(c.Gone.Latest) && c.Gone.Basis != model.Assumed
	return failedBefore && slices.ContainsFunc(c.World.Logs[facts.Attacher], over) && c.AttacherStart(c.Gone.At) == nil
}
