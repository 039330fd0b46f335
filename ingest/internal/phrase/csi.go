package phrase

import (
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// csiRows are the CSI plugin's dealings with VolumeAttachments (pkg/volume/csi/csi_attacher.go), printf lines in all
// versions, most of them at verbosity 4.
var csiRows = newTable(controllerManager, []row{
	{text: "kubernetes.io/csi: attachment [", holds: "] created successfully", since: "1.13–1.36", kind: model.AttachmentCreated, read: readAttachment},
	{text: "kubernetes.io/csi: attachment for <handle> failed: <detail>", since: "1.13–1.36", kind: model.AttachmentAttachError},
	{text: "kubernetes.io/csi: detachment for VolumeAttachment [<attachment>] for volume [<handle>] failed: <detail>", since: "1.13–1.16",
		kind: model.AttachmentDetachError},
	{text: "kubernetes.io/csi: detachment for VolumeAttachment for volume [<handle>] failed: <detail>", since: "1.17–1.36",
		kind: model.AttachmentDetachError},
	{text: "kubernetes.io/csi: detacher deleted ok VolumeAttachment.ID=<attachment>", since: "1.13–1.36",
		kind: model.AttachmentDeletionRequested},
	{text: "kubernetes.io/csi: VolumeAttachment object [", holds: "object deleted", since: "1.13–1.36", kind: model.AttachmentGone, read: readGone},
	{text: "kubernetes.io/csi: VolumeAttachment object [", holds: "has been deleted", since: "1.13–1.31", kind: model.AttachmentGone, read: readAttachment},
	{text: "kubernetes.io/csi: VolumeAttachment [", holds: "has deletion timestamp", since: "1.13–1.36", kind: model.AttachmentStuckDeleting, read: readAttachment},
	{text: "kubernetes.io/csi: VolumeAttachment [", holds: "has been deleted", since: "1.13–1.36", kind: model.AttachmentGone, read: readAttachment},
	{text: "kubernetes.io/csi: attacher.VolumesAreAttached failed for attach.ID=", since: "1.13–1.36", kind: model.AttachmentCheckFailed, read: readCheckFailed},
	{text: "kubernetes.io/csi: Attach timeout after ", since: "1.21–1.36", kind: model.OperationTimeout, detail: "attach", read: readTimeout},
	{text: "kubernetes.io/csi: Detach timeout after ", since: "1.21–1.36", kind: model.OperationTimeout, detail: "detach", read: readTimeout},
	{text: "kubernetes.io/csi: attacher.WaitForAttach timeout after ", since: "1.13–1.16", kind: model.OperationTimeout, detail: "attach", read: readTimeout},
	{text: "kubernetes.io/csi: detacher.WaitForDetach timeout after ", since: "1.13–1.16", kind: model.OperationTimeout, detail: "detach", read: readTimeout},
	// 1.17–1.20 print this for attach as well.
	{text: "kubernetes.io/csi: attachdetacher.WaitForDetach timeout after ", since: "1.17–1.20", kind: model.OperationTimeout, read: readTimeout},
})

// readAttachment reads "[csi-…]" and, where the line has it, " for volume [handle]".
func readAttachment(r *logline.Record, o *model.Observation) bool {
	id, ok := between(r.Message, "[", "]")
	o.Attachment = id
	o.Volume.Handle, _ = between(r.Message, " for volume [", "]")
	return ok && id != ""
}

// pollGap is the longest pause between the plugin's looks at a VolumeAttachment: it begins with half a second and grows
// to about seven (csi_attacher.go, ≥ 1.21; earlier versions watch).
const pollGap = 8 * time.Second

// readGone: the plugin looked and found the object gone, since its look before.
func readGone(r *logline.Record, o *model.Observation) bool {
	o.At = o.At.Widen(pollGap, 0).As(model.Derived)
	o.Last = o.At
	return readAttachment(r, o)
}

// readCheckFailed reads `attacher.VolumesAreAttached failed for attach.ID=<name>: <err>`. The whole message is kept: its
// wording is what tells an error of the controller.
func readCheckFailed(r *logline.Record, o *model.Observation) bool {
	rest, _ := strings.CutPrefix(r.Message, "kubernetes.io/csi: attacher.VolumesAreAttached failed for attach.ID=")
	var ok bool
	o.Attachment, _, ok = strings.Cut(rest, ": ")
	o.Detail = strings.TrimPrefix(r.Message, "kubernetes.io/csi: ")
	return ok && o.Attachment != "" && !strings.Contains(o.Attachment, " ")
}

// readTimeout reads `… timeout after 2m0s [volume=<handle>; attachment.ID=csi-…]`.
func readTimeout(r *logline.Record, o *model.Observation) bool {
	var ok bool
	o.Volume.Handle, ok = between(r.Message, "[volume=", "; attachment.ID=")
	o.Attachment, _ = between(r.Message, "; attachment.ID=", "]")
	return ok
}
