package facts

import (
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
		same := d.Attachment != "" && d.Attachment == o.Attachment
		return left(d) && (same || d.Node == o.Node)
	})
}

// InUse cites the entry of a Node's status.volumesInUse for a volume; nil when there is none.
func (w *World) InUse(v *Volume, node string) *model.Observation {
	return Find(w.ByVolume[v], func(o *model.Observation) bool { return o.Kind == model.NodeVolumesInUse && o.Node == node })
}

// ListedAttached cites the entry of a Node's status.volumesAttached for a volume; nil when there is none.
func (w *World) ListedAttached(v *Volume, node string) *model.Observation {
	return Find(w.ByVolume[v], func(o *model.Observation) bool { return o.Kind == model.NodeVolumesAttached && o.Node == node })
}
