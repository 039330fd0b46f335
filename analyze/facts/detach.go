package facts

import (
	"time"

	"github.com/volpost/volpost/model"
)

// DetachedSince is the first proof that the volume left its node after an observation: a detach that went through, or the attachment
// gone. Nil when there is none, and when the observation names no known volume.
func (w *World) DetachedSince(o *model.Observation) *model.Observation {
	v := w.Volumes.Find(o.Volume)
	if v == nil || o.Last.IsZero() {
		return nil
	}
	left := Kinds(model.DetachSucceeded, model.VolumeMarkedDetached, model.AttachmentGone, model.AttacherDetached)
	return First(w.ByVolume[v], After(o.Last.At), func(d *model.Observation) bool {
		return left(d) && (d.Node == o.Node || d.Attachment != "" && d.Attachment == o.Attachment)
	})
}

// movedLately is how long before the collection an attach or a detach may still be under way: the controller waits two minutes for one.
const movedLately = 2 * time.Minute

// MovedLately reports that a volume was attached to a node, detached from it or asked to be shortly before the collection.
func (w *World) MovedLately(v *Volume, node string) bool {
	at := w.Axis.CapturedAt
	moves := Kinds(model.AttachStarted, model.AttachSucceeded, model.AttachmentCreated, model.AttachmentAttached, model.AttacherAttached,
		model.DetachStarted, model.DetachSucceeded, model.DetachForcedTimeout, model.DetachForcedTaint, model.AttacherDetached,
		model.VolumeMarkedDetached, model.DetachVerifiedSafe)
	return at != nil && First(w.ByVolume[v], After(at.Earliest.Add(-movedLately)), func(o *model.Observation) bool {
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
	v, later := w.Volumes.Find(o.Volume), After(o.Last.At)
	if First(w.ByVolume[v], later, Kinds(model.AttachSucceeded, model.AttachmentAttached, model.AttacherAttached)) != nil {
		return true
	}
	return o.Attachment != "" && First(w.ByAttach[o.Attachment], later, Kinds(model.AttacherAttached, model.AttachmentAttached)) != nil
}
