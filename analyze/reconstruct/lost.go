package reconstruct

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Removal is the request that ended the blocking VolumeAttachment, as an audit log has it: it took the last finalizer, or
// deleted an object that had none. Nil when no audit log has it.
func (c *Case) Removal() *model.Observation {
	return first(c.World.byAttach[c.Attachment.Name], c.held, and(kinds(model.AttachmentGone), fromAudit))
}

// DeletionRequests are the requests to delete the blocking VolumeAttachment whose sender is known: from an audit log, or
// from the log of a third program that deletes attachments.
func (c *Case) DeletionRequests() []*model.Observation {
	return where(c.World.byAttach[c.Attachment.Name], func(o *model.Observation) bool {
		sent := o.Actor != "" || o.Source.Kind == model.SourceLog && o.Component != "" && o.Component != "kube-controller-manager"
		return o.Kind == model.AttachmentDeletionRequested && sent && c.held.holds(o.At.At)
	})
}

// IsAttacher reports that a request was sent by an external-attacher: its program says so, or the same user with the same
// program has written the status of a VolumeAttachment, which only the attacher does.
func (w *World) IsAttacher(o *model.Observation) bool {
	if upstream.ActorOf(o.Actor, o.Agent).Name == upstream.ExternalAttacher {
		return true
	}
	return o.Actor != "" && slices.ContainsFunc(w.byKind[model.AttachmentAttached], func(a *model.Observation) bool {
		return fromAudit(a) && a.Actor == o.Actor && a.Agent == o.Agent
	})
}

// DetachCalls are the attacher's lines about a detach call for the blocking VolumeAttachment since it was attached:
// begun, done or failed.
func (c *Case) DetachCalls() []*model.Observation {
	return where(c.World.byAttach[c.Attachment.Name], func(o *model.Observation) bool {
		called := kinds(model.AttacherDetaching, model.AttacherDetached)(o) || o.Kind == model.AttacherFailed && !strings.HasPrefix(o.Detail, "failed to attach")
		return called && fromLog(o) && c.held.holds(o.At.At)
	})
}

// AttacherSilent is a proof that the log of the working attacher covers the detach without a word of it: its line about
// the attach to the wanted node, from a log that begins before the request and shows no start since. Nil when the log
// does not cover the time, or the attacher may have been another replica.
func (c *Case) AttacherSilent() *model.Observation {
	name := c.next.Name
	if !c.DetachRequested.Known() || !c.Gone.Known() || len(c.DetachCalls()) > 0 {
		return nil
	}
	later := first(c.World.byAttach[name], after(c.Gone.Latest), and(kinds(model.AttacherAttaching, model.AttacherAttached, model.AttacherFailed), fromLog))
	if later == nil || !c.World.LogReaches(later, c.DetachRequested.Earliest) {
		return nil
	}
	began := last(c.World.byKind[model.AttacherStarted], window{from: c.DetachRequested.Earliest, to: later.At.At}, func(*model.Observation) bool { return true })
	if began != nil {
		return nil
	}
	return later
}

// RefusedElsewhere are the failed attaches to the wanted node since a time in which the back end says that another machine
// has the volume. The controller repeats the last attachError of the object until the attacher has written another; of an
// attachment that is older than the time its lines are no proof (csi_attacher.go, 1.13–1.36).
func (c *Case) RefusedElsewhere(since Instant) []*model.Observation {
	echoes := c.NewAttachment.Before(since)
	var out []*model.Observation
	for _, o := range c.AttachErrors() {
		if !upstream.InUseElsewhere(o.Detail, c.To) || since.Known() && !o.Last.Latest.After(since.Earliest) {
			continue
		}
		if !echoes || c.FirstHand(o) {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, (*model.Observation).Compare)
	return out
}

// FirstHand reports that a failed attach is told by whoever got the back end's answer: the external-attacher, or the
// controller of an in-tree volume.
func (c *Case) FirstHand(o *model.Observation) bool {
	return o.Kind != model.AttachFailed || c.Volume.UniqueName != "" && c.Volume.Handle == ""
}

// Drift is the attacher's first complaint, after the attach, that the attachment of the wanted node says attached while the
// back end does not have the volume there. Nil when there is none.
func (c *Case) Drift() *model.Observation {
	if !c.Attached.Known() {
		return nil
	}
	return first(c.World.byAttach[c.next.Name], after(c.Attached.Earliest), func(o *model.Observation) bool {
		return o.Kind == model.AttachmentDrift && o.Detail == "status.attached=true, back end false"
	})
}

// UncertainSince is the new leader's line, since it took over, that the old attachment is uncertain to it. Nil when there
// is none.
func (c *Case) UncertainSince(takeover Instant) *model.Observation {
	return first(c.World.byVolume[c.Volume], after(takeover.Earliest), and(kinds(model.VolumeUncertain), onNode(c.From)))
}
