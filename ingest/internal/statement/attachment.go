package statement

import (
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/model"
)

type attachmentStatements = about[*storagev1.VolumeAttachment]

// attachment says when a VolumeAttachment was created, attached and asked to go, and what its attacher complained of.
func attachment(o model.Object[*storagev1.VolumeAttachment]) []model.Observation {
	a := of(o)
	va := o.Value()
	a.base.Attachment, a.base.Attacher, a.base.Node = o.Ref.Name, va.Spec.Attacher, va.Spec.NodeName
	if pv := va.Spec.Source.PersistentVolumeName; pv != nil {
		a.base.Volume.PersistentVolume = *pv
	}
	// An inline volume has no PersistentVolume; its specification stands in the attachment itself.
	if inline := va.Spec.Source.InlineVolumeSpec; inline != nil && inline.CSI != nil {
		a.base.Volume.Driver, a.base.Volume.Handle = inline.CSI.Driver, inline.CSI.VolumeHandle
		a.base.Volume = a.base.Volume.Complete()
	}
	if !va.CreationTimestamp.IsZero() {
		a.say(model.AttachmentCreated, second(va.CreationTimestamp), "metadata.creationTimestamp", nil)
	}
	if !va.DeletionTimestamp.IsZero() {
		// The grace period of a VolumeAttachment is 0: the timestamp is the request.
		a.say(model.AttachmentDeletionRequested, second(*va.DeletionTimestamp), "metadata.deletionTimestamp", nil)
	}
	attached(a)
	failed(a, model.AttachmentAttachError, "status.attachError", va.Status.AttachError)
	failed(a, model.AttachmentDetachError, "status.detachError", va.Status.DetachError)
	return a.out
}

// attached takes the time of the last status write for that of the attach. With a detach error the last write is that error's (measured: it
// equals status.detachError.time). The quote is of the time where there is one, else of the state.
func attached(a *attachmentStatements) {
	va := a.object.Value()
	if !va.Status.Attached {
		return
	}
	at, field := model.Moment{}, "status.attached"
	if t, i, ok := owner(va.ManagedFields, "status", "attached"); ok && va.Status.DetachError == nil {
		at, field = model.WholeSecond(t), managedTime(i)
	}
	a.say(model.AttachmentAttached, at, field, nil)
}

// failed reads an error. Its message says more than its time, and is quoted.
func failed(a *attachmentStatements, kind model.Kind, field string, e *storagev1.VolumeError) {
	switch {
	case e == nil:
	case e.Message != "":
		a.say(kind, second(e.Time), field+".message", detail(e.Message))
	default:
		a.say(kind, second(e.Time), field+".time", nil)
	}
}
