package reconstruct

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/model"
)

// Attachment is a VolumeAttachment of a case: an object of the bundle, or only its name.
type Attachment struct {
	Name         string // empty when it cannot be known
	Basis        model.NameBasis
	HashVerified *bool // nil when there is nothing to compare
	Object       *model.Object[*storagev1.VolumeAttachment]
	Why          string // why the name is not known
}

// attachments names the VolumeAttachments of the volume on the node that held it, and on the wanted one.
func attachments(c *Case) {
	c.Attachment, c.next = nameAttachment(c.World, c.Volume, c.From), nameAttachment(c.World, c.Volume, c.To)
	if c.From == "" {
		c.Attachment.Why = "the node that held the volume is not known"
	}
}

// nameAttachment prefers the object, then a table or a log that has the name, then the hash. A name that the bundle holds is
// checked against the hash: a mismatch means edited evidence, or an attachment that Kubernetes did not make.
func nameAttachment(w *World, v *Volume, node string) Attachment {
	if node == "" {
		return Attachment{Basis: model.NameNone}
	}
	hash, complete := "", v.Handle != "" && v.Driver != ""
	if complete {
		hash = model.AttachmentName(v.Handle, v.Driver, node)
	}
	a := Attachment{Basis: model.NameSnapshot}
	if obj, ok := w.AttachmentOf(v, node); ok {
		a.Name, a.Object = obj.Value().Name, &obj
	} else if a.Name = rowName(w, v, node); a.Name == "" {
		a = nameByHash(w, v, hash)
	}
	if same := a.Name == hash; complete && a.Basis != model.NameDerived && a.Basis != model.NameNone {
		a.HashVerified = &same
	}
	return a
}

// nameByHash is the name in a log, which is the hash, or the hash alone; none where the volume can have no attachment.
func nameByHash(w *World, v *Volume, hash string) Attachment {
	// Also what a driver says of its calls is there, without the name.
	o := find(w.byAttach[hash], func(o *model.Observation) bool { return o.Attachment == hash && (fromLog(o) || fromAudit(o)) })
	switch {
	case o != nil && fromAudit(o):
		return Attachment{Name: hash, Basis: model.NameAudit}
	case o != nil:
		return Attachment{Name: hash, Basis: model.NameLog}
	}
	why, _ := w.Attachless(v)
	switch {
	case hash == "":
		return Attachment{Basis: model.NameNone, Why: cmp.Or(why, "driver or volume handle is not known")}
	case why != "":
		return Attachment{Basis: model.NameNone, Why: why}
	}
	return Attachment{Name: hash, Basis: model.NameDerived}
}

// NewAttachmentName names the VolumeAttachment of the volume on the wanted node.
func (c *Case) NewAttachmentName() Attachment { return c.next }

// rowName is the name of the VolumeAttachment that a pasted table, a description or a metric shows for a volume on a node.
func rowName(w *World, v *Volume, node string) string {
	o := find(w.byVolume[v], func(o *model.Observation) bool {
		return (o.Source.Kind == model.SourceText || fromMetric(o)) && o.Attachment != "" && o.Node == node
	})
	if o == nil {
		return ""
	}
	return o.Attachment
}

// AttachmentPV is the PersistentVolume that the blocking VolumeAttachment names, with the quote; "" when the bundle does
// not hold the object. It differs from the volume's own when the PersistentVolume was made anew under another name.
func (c *Case) AttachmentPV() (string, *model.Observation) {
	a := c.Attachment.Object
	if a == nil || c.AttachmentIsLater() || a.Value().Spec.Source.PersistentVolumeName == nil {
		return "", nil
	}
	return *a.Value().Spec.Source.PersistentVolumeName, Cite(*a, "spec.source.persistentVolumeName")
}

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
func (c *Case) AttachedByNode() *model.Observation { return c.World.ListedAttached(c.Volume, c.From) }

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
