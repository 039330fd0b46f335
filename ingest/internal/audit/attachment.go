package audit

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// attachmentBody is what is used of a VolumeAttachment, whole or as a patch.
type attachmentBody struct {
	body
	Spec struct {
		Attacher, NodeName string
		Source             struct{ PersistentVolumeName string }
	}
	Status struct {
		Attached                 *bool
		AttachError, DetachError struct{ Message string }
	}
}

func (f *facts) attachment(r *request) {
	var asked, answered attachmentBody
	hasAsked := decodeBody(r.request, &asked)
	hasAnswered := decodeBody(r.response, &answered) && answered.Kind != "Status"
	o := f.of(r, "VolumeAttachment", answered.Metadata, asked.Metadata)
	if o.Object.Name == "" {
		return
	}
	o.Attachment = o.Object.Name
	// The answer is the whole object; a patch has only what changes.
	for _, b := range []*attachmentBody{&answered, &asked} {
		fill(&o.Attacher, b.Spec.Attacher)
		fill(&o.Node, b.Spec.NodeName)
		fill(&o.Volume.PersistentVolume, b.Spec.Source.PersistentVolumeName)
	}
	o.Volume.Driver = o.Attacher
	switch {
	case r.verb == "create" && r.subresource == "":
		f.forget(o.Attachment)
		f.say(o, model.AttachmentCreated, "")
	case r.verb == "delete" && r.subresource == "":
		f.deletion(r, o, &answered, hasAnswered)
	case r.verb == "patch" || r.verb == "update":
		f.attachmentStatus(o, &asked, hasAsked)
		if r.subresource == "" {
			f.finalized(r, o, &asked, &answered, hasAnswered)
		}
	}
}

func fill(to *string, name string) {
	if *to == "" && validName(name) {
		*to = name
	}
}

// deletion reads a DELETE, which the controller repeats until the object is gone. The answer says since when it is being deleted.
func (f *facts) deletion(r *request, o model.Observation, answered *attachmentBody, known bool) {
	since, err := time.Parse(time.RFC3339, answered.Metadata.DeletionTimestamp)
	if known && err == nil && r.received.Sub(since) > 2*time.Second && !f.deleting[o.Attachment] {
		// The file begins after the first request, of which only its second is left.
		first := o
		first.Actor, first.Agent, first.At = "", "", model.WholeSecond(since)
		f.say(first, model.AttachmentDeletionRequested, "")
	}
	f.sayOnce(o, model.AttachmentDeletionRequested, "")
	f.begun(o.Attachment)
	// An object that a finalizer holds is marked; one without is answered as it was.
	if known && answered.Metadata.finalized() && answered.Metadata.DeletionTimestamp == "" {
		f.say(o, model.AttachmentGone, "")
		f.forget(o.Attachment)
	}
}

// attachmentStatus reads a patch or update of the status. An update repeats what was so, which folding takes care of.
func (f *facts) attachmentStatus(o model.Observation, asked *attachmentBody, known bool) {
	if !known {
		return
	}
	s := &asked.Status
	if s.Attached != nil && *s.Attached {
		f.sayOnce(o, model.AttachmentAttached, "")
	} else if s.Attached != nil && byUser(&o) {
		f.say(o, model.AttachmentEdited, model.EditedAttached)
	}
	if s.AttachError.Message != "" {
		f.sayOnce(o, model.AttachmentAttachError, clip(s.AttachError.Message, maxMessage))
	}
	if s.DetachError.Message != "" {
		f.sayOnce(o, model.AttachmentDetachError, clip(s.DetachError.Message, maxMessage))
	}
}

// finalized finds the change that takes the last finalizer of an object that is being deleted: with it the object is
// gone. Without the answer, the request must clear all of them, and the file must have the deletion.
func (f *facts) finalized(r *request, o model.Observation, asked, answered *attachmentBody, known bool) {
	clears := asked.Metadata.clears() || removesFinalizers(r)
	switch {
	case known && answered.Metadata.DeletionTimestamp != "" && answered.Metadata.finalized():
	case !known && f.deleting[o.Attachment] && clears:
		o.At = o.At.As(model.Derived)
	case clears && byUser(&o):
		f.say(o, model.AttachmentEdited, model.EditedFinalizers)
		return
	default:
		return
	}
	f.say(o, model.AttachmentGone, "last finalizer removed")
	f.forget(o.Attachment)
}

// byUser reports that no controller acted: those of Kubernetes and of drivers have accounts of services.
func byUser(o *model.Observation) bool {
	return o.Actor == "system:admin" || o.Actor != "" && !strings.HasPrefix(o.Actor, "system:")
}

func removesFinalizers(r *request) bool {
	removes := func(op operation) bool { return op.Op == "remove" && op.Path == "/metadata/finalizers" }
	return slices.ContainsFunc(operations(r.request), removes)
}
