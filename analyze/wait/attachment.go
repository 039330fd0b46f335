package wait

import (
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// Attachment is a VolumeAttachment of a case: an object of the bundle, or only its name.
type Attachment struct {
	Name         string // empty when it cannot be known
	Basis        model.NameBasis
	HashVerified *bool // nil when there is nothing to compare
	Object       *model.Object[*storagev1.VolumeAttachment]
}

// attachments names the VolumeAttachments of the volume on the node that held it, and on the wanted one.
func attachments(c *Case) {
	c.Attachment, c.next = nameAttachment(c.World, c.Volume, c.From), nameAttachment(c.World, c.Volume, c.To)
}

// nameAttachment prefers the object, then a table or a log that has the name, then the hash. A name that the bundle holds is
// checked against the hash: a mismatch means edited evidence, or an attachment that Kubernetes did not make.
func nameAttachment(w *facts.World, v *facts.Volume, node string) Attachment {
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
	} else if o := namedBy(w, v, node); o == nil {
		a = nameByHash(w, v, hash)
	} else if a.Name = o.Attachment; facts.FromAudit(o) {
		a.Basis = model.NameAudit
	}
	if same := a.Name == hash; complete && a.Basis != model.NameDerived && a.Basis != model.NameNone {
		a.HashVerified = &same
	}
	return a
}

// nameByHash is the name in a log, which is the hash, or the hash alone; none where the volume can have no attachment.
func nameByHash(w *facts.World, v *facts.Volume, hash string) Attachment {
	// Also what a driver says of its calls is there, without the name.
	o := facts.Find(w.ByAttach[hash], func(o *model.Observation) bool { return o.Attachment == hash && (fromLog(o) || facts.FromAudit(o)) })
	if o != nil && facts.FromAudit(o) {
		return Attachment{Name: hash, Basis: model.NameAudit}
	}
	if o != nil {
		return Attachment{Name: hash, Basis: model.NameLog}
	}
	if why, _ := w.Attachless(v); hash == "" || why != "" {
		return Attachment{Basis: model.NameNone}
	}
	return Attachment{Name: hash, Basis: model.NameDerived}
}

// NewAttachmentName names the VolumeAttachment of the volume on the wanted node.
func (c *Case) NewAttachmentName() Attachment { return c.next }

// namedBy is what a pasted table, a description, a metric or an audit log shows of the VolumeAttachment of a volume on a node.
func namedBy(w *facts.World, v *facts.Volume, node string) *model.Observation {
	return facts.Find(w.ByVolume[v], func(o *model.Observation) bool {
		row := o.Source.Kind == model.SourceText || facts.FromMetric(o) || facts.FromAudit(o)
		return row && o.Attachment != "" && o.Node == node
	})
}

// AttachedByNode cites the entry of the old Node's status.volumesAttached for the volume: the attach/detach controller's
// own record, which is all that blocks where there is no VolumeAttachment. Nil when there is none.
func (c *Case) AttachedByNode() *model.Observation { return c.World.ListedAttached(c.Volume, c.From) }
