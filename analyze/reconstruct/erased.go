package reconstruct

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// erased dates the end of a VolumeAttachment that went away without a detach call, in a window in which the controller missed it. The
// external-attacher looks at a PersistentVolume when an attachment of it is deleted (controller.go vaDeleted, 2.2.1–4.13.0), which it logs
// at -v=4. It begins a detach as soon as an attachment with its finalizer is being deleted: without one, deletion and end are one.
func (c *Case) erased(l *Life, found *model.Observation, missed window) Instant {
	called := kinds(model.AttacherDetaching, model.AttacherDetached, model.AttacherFailed)
	own := c.World.byAttach[c.Attachment.Name]
	looks := where(missed.of(c.World.byVolume[c.Volume]), kinds(model.AttacherLookedAtVolume))
	if len(looks) != 1 || l.Gone.Known() || c.looksAround(looks[0]) || c.World.Unordered([]*model.Observation{looks[0], found}) ||
		first(own, window{missed.from, looks[0].At.Latest.Add(time.Second)}, called) != nil {
		return Instant{}
	}
	return derived(looks[0].At, "the external-attacher looked at the volume, which it does when an attachment of it is deleted, "+
		"and had begun no detach", looks[0])
}

// looksAround reports that the attacher looked at other volumes in the same moment: then it went through all of them, as it does at its
// start and every ten minutes (--resync).
func (c *Case) looksAround(o *model.Observation) bool {
	near := window{o.At.At.Add(-time.Second), o.At.At.Add(time.Second)}
	return first(c.World.byKind[model.AttacherLookedAtVolume], near, func(other *model.Observation) bool {
		return other != o && other.Volume.PersistentVolume != o.Volume.PersistentVolume
	}) != nil
}

// Erased reports that the blocking VolumeAttachment went away although no detach call had succeeded: the request that ended it was not the
// attacher's, or the log of the working attacher reaches over that time without a success.
func (c *Case) Erased() bool {
	calls, removal := c.DetachCalls(), c.Removal()
	switch {
	case !c.Gone.Known() || slices.ContainsFunc(calls, kinds(model.AttacherDetached)) || c.finalizerByAttacher():
		return false
	case removal != nil:
		return !c.World.IsAttacher(removal)
	case slices.ContainsFunc(c.Gone.Witness, kinds(model.AttacherLookedAtVolume)):
		return true
	case len(calls) > 0:
		return c.failedToTheEnd(calls[len(calls)-1])
	}
	return c.AttacherSilent() != nil && c.FoundDetached() != nil
}

// finalizerByAttacher reports the attacher's line that it took its finalizer away itself.
func (c *Case) finalizerByAttacher() bool {
	return first(c.World.byAttach[c.Attachment.Name], c.held, and(kinds(model.AttachmentGone), fromLog)) != nil
}

// failedToTheEnd reports that the attacher's newest word of the detach is a failure, and that its log goes on past the end of the
// attachment, without a start that another replica's work could lie behind.
func (c *Case) failedToTheEnd(last *model.Observation) bool {
	over := func(in *model.Input) bool {
		return in.Path == last.Input && covers(in, last.At.Earliest, c.Gone.Latest.Add(csiPoll))
	}
	return last.Kind == model.AttacherFailed && last.At.Latest.Before(c.Gone.Latest) && c.Gone.Basis != model.Assumed &&
		slices.ContainsFunc(c.World.logs[Attacher], over) && c.AttacherStart(c.Gone.At) == nil
}
