package facts

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Attachless says in a clause why a volume can have no VolumeAttachment, with the quote that shows it; "" when it can. Only CSI volumes
// have, whose driver asks to be attached (1.14–1.36). One of a migrated in-tree plugin goes by the driver's unique name.
func (w *World) Attachless(v *Volume) (string, *model.Observation) {
	_, _, csi := model.ParseUniqueName(v.UniqueName)
	switch pv := v.PV; {
	case pv != nil && pv.Value().Spec.Local != nil:
		return "a local volume is not attached", Cite(*pv, "spec.local.path")
	case pv != nil && pv.Value().Spec.HostPath != nil:
		return "a directory of a host is not attached", Cite(*pv, "spec.hostPath.path")
	case v.UniqueName != "" && !csi:
		return inTreeHasNone, nil
	case pv != nil && v.UniqueName == "":
		if field := neverCSI(pv.Value()); field != "" {
			return inTreeHasNone, Cite(*pv, field)
		}
	case v.UniqueName == "" && v.Driver == "":
		inTree := func(o *model.Observation) bool {
			return o.Kind == model.AttachFailed && upstream.InTreeAnswer(o.Detail)
		}
		if o := Find(w.ByVolume[v], inTree); o != nil {
			return inTreeHasNone, o
		}
	}
	for _, d := range model.Newest(w.Snapshot.CSIDrivers) {
		if need := d.Value().Spec.AttachRequired; d.Value().Name == v.Driver && need != nil && !*need {
			return fmt.Sprintf("the driver %s asks for no attach", v.Driver), Cite(d, "spec.attachRequired")
		}
	}
	return "", nil
}

// inTreeHasNone is the clause for volumes of plugins that are part of Kubernetes.
const inTreeHasNone = "a volume of a plugin of Kubernetes' own, or of a flexvolume, has no VolumeAttachment"

// neverCSI is the field of a PersistentVolume by which no CSI driver handles it; "" when one may. Volumes that the binder provisioned are
// marked once their plugin is migrated (pv.kubernetes.io/migrated-to, 1.17–1.36); those made by hand have no mark.
func neverCSI(pv *corev1.PersistentVolume) string {
	s := &pv.Spec
	switch {
	case s.ISCSI != nil:
		return "spec.iscsi.targetPortal"
	case s.FC != nil:
		return "spec.fc.lun"
	case s.FlexVolume != nil:
		return "spec.flexVolume.driver"
	case s.CSI != nil:
		return ""
	}
	by := pv.Annotations[provisionedBy]
	if strings.HasPrefix(by, "kubernetes.io/") && pv.Annotations[migratedTo] == "" {
		return `metadata.annotations["` + provisionedBy + `"]`
	}
	return ""
}

// The annotations by which the volume binder names who made a volume, and which driver handles it now.
const (
	provisionedBy = "pv.kubernetes.io/provisioned-by"
	migratedTo    = "pv.kubernetes.io/migrated-to"
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
