package reconstruct

import (
	"time"

	"github.com/volpost/volpost/model"
)

// firstDetach is the first detach from a node that was not refused: the controller asks the API whether the node still
// uses the volume only after it says that it starts.
func firstDetach(list []*model.Observation, held window, node string) Instant {
	var start Instant
	var tries []*model.Observation
	for _, o := range where(held.of(list), onNode(node)) {
		switch o.Kind {
		case model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint:
			tries = append(tries, o)
			if !start.Known() {
				start = seen(o)
			}
		case model.DetachRefusedInUse:
			start = triedAfter(tries, o)
		case model.DetachVerifiedSafe, model.DetachSucceeded, model.DetachFailed, model.DetachSafetySkipped:
			if start.Known() {
				return start
			}
		}
	}
	return start
}

// triedAfter is the try that followed the last of the refusals. Repeated lines are one observation with a count and the
// time of the last, so that it may stand in one that began before the refusal.
func triedAfter(tries []*model.Observation, refused *model.Observation) Instant {
	for _, o := range tries {
		if !o.Last.At.After(refused.Last.At) {
			continue
		}
		m := o.Last
		if o.Count > 2 && refused.Last.Earliest.Before(m.Earliest) {
			m.Earliest = refused.Last.Earliest // one of the tries between may be the one that was not refused
		}
		return derived(m, "the controller tried again after the node's refusal", o, refused)
	}
	return Instant{}
}

// longestRun is the longest silence within one observation of repeated lines.
const longestRun = 10 * time.Minute

// SeenWithin reports that an observation, or one of the repetitions that it stands for, surely lies between two times.
func SeenWithin(o *model.Observation, from, to time.Time) bool {
	within := window{from: from, to: to}
	return within.holds(o.At.At) || within.holds(o.Last.At) ||
		o.At.At.Before(from) && o.Last.At.After(to) && to.Sub(from) > longestRun
}

// DetachedSince is the first proof that the volume left its node after an observation: a detach that went through, or the
// attachment gone. Nil when there is none, and when the observation names no volume that is known.
func (w *World) DetachedSince(o *model.Observation) *model.Observation {
	v := w.Volumes.Find(o.Volume)
	if v == nil || o.Last.IsZero() {
		return nil
	}
	left := kinds(model.DetachSucceeded, model.VolumeMarkedDetached, model.AttachmentGone, model.AttacherDetached)
	return first(w.byVolume[v], after(o.Last.At), func(d *model.Observation) bool {
		return left(d) && (d.Node == o.Node || d.Attachment != "" && d.Attachment == o.Attachment)
	})
}

// Told are the observations of a kind, in the order of time.
func (w *World) Told(kind model.Kind) []*model.Observation { return w.byKind[kind] }

// movedLately is how long before the collection an attach or a detach may still be under way, so that objects which were
// listed one after the other contradict each other: the controller waits two minutes for one.
const movedLately = 2 * time.Minute

// MovedLately reports that a volume was attached to a node, detached from it or asked to be shortly before the collection.
func (w *World) MovedLately(v *Volume, node string) bool {
	at := w.Axis.CapturedAt
	moves := kinds(model.AttachStarted, model.AttachSucceeded, model.AttachmentCreated, model.AttachmentAttached, model.AttacherAttached,
		model.DetachStarted, model.DetachSucceeded, model.DetachForcedTimeout, model.DetachForcedTaint, model.AttacherDetached,
		model.VolumeMarkedDetached, model.DetachVerifiedSafe)
	return at != nil && first(w.byVolume[v], after(at.Earliest.Add(-movedLately)), func(o *model.Observation) bool {
		return moves(o) && (o.Node == node || o.Node == "")
	}) != nil
}

// InUse cites the entry of a Node's status.volumesInUse for a volume; nil when there is none.
func (w *World) InUse(v *Volume, node string) *model.Observation {
	return w.nodeLists[entry{model.NodeVolumesInUse, v, node}]
}

// entry is that of a volume in one of the two lists of a Node's status.
type entry struct {
	kind   model.Kind
	volume *Volume
	node   string
}

// ListedAttached cites the entry of a Node's status.volumesAttached for a volume; nil when there is none.
func (w *World) ListedAttached(v *Volume, node string) *model.Observation {
	return w.nodeLists[entry{model.NodeVolumesAttached, v, node}]
}

// AttachedSince reports that the volume of an observation was attached after it.
func (w *World) AttachedSince(o *model.Observation) bool {
	if o.Last.IsZero() {
		return false
	}
	if v := w.Volumes.Find(o.Volume); v != nil && first(w.byVolume[v], after(o.Last.At), kinds(model.AttachSucceeded, model.AttachmentAttached, model.AttacherAttached)) != nil {
		return true
	}
	return o.Attachment != "" && first(w.byAttach[o.Attachment], after(o.Last.At), kinds(model.AttacherAttached, model.AttachmentAttached)) != nil
}
