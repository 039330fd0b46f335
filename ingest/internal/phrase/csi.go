package phrase

import (
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// fromCSI begins each message of the CSI plugin.
const fromCSI = "kubernetes.io/csi: "

// timedOut ends those about a wait that was too long.
const timedOut = "[volume=<handle>; attachment.ID=<attachment>]"

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
	{text: fromCSI + "attacher.VolumesAreAttached failed for attach.ID=<attachment>: ", since: "1.13–1.36",
		kind: model.AttachmentCheckFailed, read: readCheckFailed},
	{text: fromCSI + "Attach timeout after <> " + timedOut, since: "1.21–1.36", kind: model.OperationTimeout, detail: "attach"},
	{text: fromCSI + "Detach timeout after <> " + timedOut, since: "1.21–1.36", kind: model.OperationTimeout, detail: "detach"},
	{text: fromCSI + "attacher.WaitForAttach timeout after <> " + timedOut, since: "1.13–1.16", kind: model.OperationTimeout,
		detail: "attach"},
	{text: fromCSI + "detacher.WaitForDetach timeout after <> " + timedOut, since: "1.13–1.16", kind: model.OperationTimeout,
		detail: "detach"},
	// 1.17–1.20 print this for attach as well.
	{text: fromCSI + "attachdetacher.WaitForDetach timeout after <> " + timedOut, since: "1.17–1.20", kind: model.OperationTimeout},
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

// readCheckFailed keeps the error whole: its wording shows whose error it is.
func readCheckFailed(r *logline.Record, o *model.Observation) bool {
	o.Detail = strings.TrimPrefix(r.Message, fromCSI)
	return true
}
