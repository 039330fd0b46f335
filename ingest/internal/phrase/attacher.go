package phrase

import (
	"cmp"
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// attacherRows are the external-attacher's (pkg/controller, 2.2.1–4.13.0): printf lines with the VolumeAttachment as a Go
// string up to 4.5.1, structured with the key VolumeAttachment from 4.6.1 on. Errors are printed as info at verbosity 2.
var attacherRows = newTable(externalAttacher, []row{
	{text: "Attaching", since: "2.2.1–4.13.0", kind: model.AttacherAttaching, read: readHandled},
	{text: "Attached", since: "2.2.1–4.13.0", kind: model.AttacherAttached, read: readHandled},
	{text: "Detaching", since: "2.2.1–4.13.0", kind: model.AttacherDetaching, read: readHandled},
	{text: "Detached", since: "2.2.1–4.13.0", kind: model.AttacherDetached, read: readHandled},
	{text: "Fully attached", since: "2.2.1–4.13.0", kind: model.AttachmentAttached, read: readHandled},
	{text: "Finalizer removed", since: "2.2.1–4.13.0", kind: model.AttachmentGone, read: readFinalizerRemoved},
	{text: "Saved detach error", since: "2.2.1–4.13.0", kind: model.AttachmentDetachError, read: readHandled},
	{text: "Saved attach error", since: "2.2.1–4.13.0", kind: model.AttachmentAttachError, read: readHandled},
	{text: "Error processing", since: "2.2.1–4.13.0", kind: model.AttacherFailed, read: readProcessing},
	{text: "VolumeAttachment attached status and actual state do not match", since: "4.6.1–4.13.0", kind: model.AttachmentDrift,
		keys: "attachment=VolumeAttachment handle=volumeHandle? attached=attachedStatus? found?"},
	{text: "VA <attachment> for volume <handle> has attached status <attached> but actual state <found>. Adding", since: "2.2.1–4.5.1",
		kind: model.AttachmentDrift},
	{text: "Can't get CSINode <node>: <detail>", since: "2.2.1–4.5.1",
		kind: model.NodeHealthUnknown}, // it detaches by the node's annotation instead
	{text: "Started PV processing <volume>", since: "2.2.1–4.5.1", kind: model.AttacherLookedAtVolume},
	{text: "Started PersistentVolume processing", since: "4.6.1–4.13.0", kind: model.AttacherLookedAtVolume, keys: "volume=PersistentVolume"},
	{text: "Starting CSI attacher", since: "2.2.1–4.13.0", kind: model.AttacherStarted},
})

// readHandled reads the attachment that the line is about. `Detached "csi-…" with error: …` is not a detach.
func readHandled(r *logline.Record, o *model.Observation) bool {
	rest := attachmentIn(r, o)
	if err, failed := strings.CutPrefix(rest, " with error"); failed {
		o.Kind, o.Detail = model.AttacherFailed, strings.TrimLeft(err, ": ")
	}
	return o.Attachment != ""
}

// attachmentIn fills in the attachment that a line names by its key, or in quotes, and returns what follows these.
func attachmentIn(r *logline.Record, o *model.Observation) (rest string) {
	if o.Attachment = name(r.Get("VolumeAttachment")); o.Attachment == "" {
		o.Attachment, rest, _ = cutQuoted(r.Message[indexAny(r.Message, `"`):])
	}
	return rest
}

// readFinalizerRemoved: the finalizer was the last thing that kept the deleted object, unless another was added.
func readFinalizerRemoved(r *logline.Record, o *model.Observation) bool {
	o.At = o.At.As(model.Derived)
	o.Last = o.At
	return readHandled(r, o)
}

// readProcessing reads `Error processing "csi-…": failed to detach: <err>`.
func readProcessing(r *logline.Record, o *model.Observation) bool {
	rest := attachmentIn(r, o)
	o.Detail = cmp.Or(r.Get("err"), strings.TrimPrefix(rest, ": "))
	if _, rest, ok := strings.Cut(o.Detail, `persistentvolume "`); ok { // that it could not look up
		o.Volume.PersistentVolume, _, _ = strings.Cut(rest, `" not found`)
	}
	return o.Attachment != ""
}
