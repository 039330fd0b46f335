package reconstruct

import (
	"cmp"

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

// attachment names the VolumeAttachment of the volume on the node that held it.
func attachment(c *Case) Attachment {
	if c.From == "" {
		return Attachment{Basis: model.NameNone, Why: "the node that held the volume is not known"}
	}
	return nameAttachment(c.World, c.Volume, c.From)
}

// nameAttachment prefers the object, then a log that has the name, then the hash. A name that the bundle holds is
// checked against the hash: a mismatch means edited evidence, or an attachment that Kubernetes did not make.
func nameAttachment(w *World, v *Volume, node string) Attachment {
	hash, complete := "", v.Handle != "" && v.Driver != ""
	if complete {
		hash = model.AttachmentName(v.Handle, v.Driver, node)
	}
	if obj, ok := w.AttachmentOf(v, node); ok {
		a := Attachment{Name: obj.Value().Name, Basis: model.NameSnapshot, Object: &obj}
		if complete {
			same := obj.Value().Name == hash
			a.HashVerified = &same
		}
		return a
	}
	if name := rowName(w, v, node); name != "" {
		a := Attachment{Name: name, Basis: model.NameSnapshot}
		if complete {
			same := name == hash
			a.HashVerified = &same
		}
		return a
	}
	if !complete {
		why, _ := w.Attachless(v)
		return Attachment{Basis: model.NameNone, Why: cmp.Or(why, "driver or volume handle is not known")}
	}
	for _, o := range w.byAttach[hash] { // also what a driver says of its calls, without the name
		if o.Attachment == hash && (o.Source.Kind == model.SourceLog || o.Source.Kind == model.SourceAudit) {
			verified := true
			basis := model.NameLog
			if o.Source.Kind == model.SourceAudit {
				basis = model.NameAudit
			}
			return Attachment{Name: hash, Basis: basis, HashVerified: &verified}
		}
	}
	if why, _ := w.Attachless(v); why != "" {
		return Attachment{Basis: model.NameNone, Why: why}
	}
	return Attachment{Name: hash, Basis: model.NameDerived}
}

// NewAttachmentName names the VolumeAttachment of the volume on the wanted node.
func (c *Case) NewAttachmentName() Attachment { return c.next }

func nextAttachment(c *Case) Attachment {
	if c.To == "" {
		return Attachment{Basis: model.NameNone}
	}
	return nameAttachment(c.World, c.Volume, c.To)
}

// rowName is the name of the VolumeAttachment that a pasted table, a description or a metric shows for a volume on a node.
func rowName(w *World, v *Volume, node string) string {
	for _, o := range w.byVolume[v] {
		if (o.Source.Kind == model.SourceText || o.Source.Kind == model.SourceMetric) && o.Attachment != "" && o.Node == node {
			return o.Attachment
		}
	}
	return ""
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
