package check

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model/words"
)

var attachmentVolumeGone = Check{
	ID: "attachment-volume-gone", Severity: "warning",
	Title:  "An attachment is left of a PersistentVolume that does not exist",
	Remedy: "Detach the volume in the storage system, then remove the attachment.",
	Doc: Doc{
		Means: `The external-attacher keeps a finalizer on the PersistentVolume while it is attached, because it reads driver and handle from
it. When the PersistentVolume was removed in spite of that, the attachment can not be detached any more, and stays.`,
		DecidedBy: "spec.source.persistentVolumeName of a VolumeAttachment is not among the PersistentVolumes, of which the bundle has a list.",
		LeftAlone: "Inline volumes; bundles with single PersistentVolumes instead of a list.",
		References: []string{
			"external-attacher pkg/controller/csi_handler.go csiDetach and SyncNewOrUpdatedPersistentVolume, 2.2.1–4.13.0",
		},
	},
	Needs: []Need{needAttachments, needVolumeList},
	Look:  lookAttachmentVolumeGone,
}

// needVolumeList is met when a PersistentVolume that is not in the bundle did not exist.
var needVolumeList = Need{
	Holds: []string{"PersistentVolume"},
	What:  "the list of the PersistentVolumes", Command: "kubectl get pv -o yaml",
	Met: func(w *reconstruct.World) bool { return w.Listed("PersistentVolume", "") },
}

// volumeGone reports that a PersistentVolume surely does not exist.
func volumeGone(w *reconstruct.World, name string) bool {
	_, ok := w.Inventory.PV(name)
	return !ok && name != "" && w.Listed("PersistentVolume", "")
}

func lookAttachmentVolumeGone(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	var out []Hit
	for _, a := range attachments(w, func(a attachment) bool { return volumeGone(w, a.pv) }) {
		out = append(out, Hit{
			Objects: append(a.refs(), nodeRef(a.node())),
			Text: fmt.Sprintf("VolumeAttachment %s on %s is of PersistentVolume %s, which does not exist: the bundle lists %s%s. The attacher reads driver and handle from it and can not detach without.",
				a.Ref.Name, a.node(), a.pv, words.Plural(len(w.Inventory.PVs), "other", "others"), deletingToo([]attachment{a})),
			Remedy: fmt.Sprintf("Find the volume of %s in the storage system of %s and detach it from %s there; only then take the finalizer of VolumeAttachment %s away.",
				a.pv, a.Value().Spec.Attacher, a.node(), a.Ref.Name),
			Shown: quote([]attachment{a}, "spec.source.persistentVolumeName", "spec.nodeName", "metadata.deletionTimestamp"),
		})
	}
	return out
}
