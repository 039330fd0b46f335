package reconstruct

import (
	"fmt"

	"github.com/volpost/volpost/model"
)

// Attachless says in a clause why a volume can have no VolumeAttachment, with the quote that shows it where one does; ""
// when it can have one. Only CSI volumes have, and of these only those whose driver asks to be attached (1.14–1.36). A
// volume of an in-tree plugin that was migrated to a driver goes by the driver's unique name.
func (w *World) Attachless(v *Volume) (string, *model.Observation) {
	if pv := v.PV; pv != nil && pv.Value().Spec.Local != nil {
		return "a local volume is not attached", Cite(*pv, "spec.local.path")
	}
	if pv := v.PV; pv != nil && pv.Value().Spec.HostPath != nil {
		return "a directory of a host is not attached", Cite(*pv, "spec.hostPath.path")
	}
	if _, _, csi := model.ParseUniqueName(v.UniqueName); v.UniqueName != "" && !csi {
		return "a volume of a plugin of Kubernetes' own, or of a flexvolume, has no VolumeAttachment", nil
	}
	for _, d := range model.Newest(w.Snapshot.CSIDrivers) {
		if need := d.Value().Spec.AttachRequired; d.Value().Name == v.Driver && v.Driver != "" && need != nil && !*need {
			return fmt.Sprintf("the driver %s asks for no attach", v.Driver), Cite(d, "spec.attachRequired")
		}
	}
	return "", nil
}

// AttachedByNode cites the entry of the old Node's status.volumesAttached for the volume: the attach/detach controller's
// own record, which is all that blocks where there is no VolumeAttachment. Nil when there is none.
func (c *Case) AttachedByNode() *model.Observation {
	for _, o := range c.World.byNode[c.From] {
		if o.Kind == model.NodeVolumesAttached && c.holds(o) {
			return o
		}
	}
	return nil
}
