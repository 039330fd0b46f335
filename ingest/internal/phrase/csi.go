package phrase

import (
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// fromCSI begins each message of the CSI plugin.
const fromCSI = "kubernetes.io/csi: "

// csiRows are the CSI plugin's lines on VolumeAttachments (pkg/volume/csi/csi_attacher.go), printf in all versions, most at verbosity 4.
var csiRows = newTable(controllerManager, []row{
	{text: fromCSI + "attachment [", holds: "] created successfully", since: "1.13–1.36",
		kind: model.AttachmentCreated, read: readAttachment},
	{text: fromCSI + "attachment for <handle> failed: <detail>", since: "1.13–1.36", kind: model.AttachmentAttachError},
	{text: fromCSI + "detachment for VolumeAttachment [<attachment>] for volume [<handle>] failed: <detail>", since: "1.13–1.16",
		kind: model.AttachmentDetachError},
	{text: fromCSI + "detachment for VolumeAttachment for volume [<handle>] failed: <detail>", since: "1.17–1.36",
		kind: model.AttachmentDetachError},
	{text: fromCSI + "detacher deleted ok VolumeAttachment.ID=<attachment>", since: "1.13–1.36", kind: model.AttachmentDeletionRequested},
	{text: fromCSI + "VolumeAttachment object [", holds: "object deleted", since: "1.13–1.36", kind: model.AttachmentGone, read: readGone},
	{text: fromCSI + "VolumeAttachment object [", holds: "has been deleted", since: "1.13–1.31",
		kind: model.AttachmentGone, read: readAttachment},
	{text: fromCSI + "VolumeAttachment [", holds: "has deletion timestamp", since: "1.13–1.36",
		kind: model.AttachmentStuckDeleting, read: readAttachment},
	{text: fromCSI + "VolumeAttachment [", holds: "has been deleted", since: "1.13–1.36", kind: model.AttachmentGone, read: readAttachment},
	{text: fromCSI + "attacher.VolumesAreAttached failed for attach.ID=", since: "1.13–1.36",
		kind: model.AttachmentCheckFailed, read: readCheckFailed},
	{text: fromCSI + "Attach timeout after ", since: "1.21–1.36", kind: model.OperationTimeout, detail: "attach", read: readTimeout},
	{text: fromCSI + "Detach timeout after ", since: "1.21–1.36", kind: model.OperationTimeout, detail: "detach", read: readTimeout},
	{text: fromCSI + "attacher.WaitForAttach timeout after ", since: "1.13–1.16", kind: model.OperationTimeout,
		detail: "attach", read: readTimeout},
	{text: fromCSI + "detacher.WaitForDetach timeout after ", since: "1.13–1.16", kind: model.OperationTimeout,
		detail: "detach", read: readTimeout},
	// 1.17–1.20 print this for attach as well.
	{text: fromCSI + "attachdetacher.WaitForDetach timeout after ", since: "1.17–1.20", kind: model.OperationTimeout, read: readTimeout},
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

// readCheckFailed reads `attacher.VolumesAreAttached failed for attach.ID=<name>: <err>`, kept whole: its wording shows whose error it is.
func readCheckFailed(r *logline.Record, o *model.Observation) bool {
	rest, _ := strings.CutPrefix(r.Message, fromCSI+"attacher.VolumesAreAttached failed for attach.ID=")
	var ok bool
	o.Attachment, _, ok = strings.Cut(rest, ": ")
	o.Detail = strings.TrimPrefix(r.Message, fromCSI)
	return ok && o.Attachment != "" && !strings.Contains(o.Attachment, " ")
}

// readTimeout reads `… timeout after 2m0s [volume=<handle>; attachment.ID=csi-…]`.
func readTimeout(r *logline.Record, o *model.Observation) bool {
	var ok bool
	o.Volume.Handle, ok = between(r.Message, "[volume=", "; attachment.ID=")
	o.Attachment, _ = between(r.Message, "; attachment.ID=", "]")
	return ok
}
