package check

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var attachmentName = Check{
	ID: "attachment-name", Severity: "warning",
	Title:  "A VolumeAttachment does not have the name that Kubernetes gives it",
	Remedy: "Find out who made the attachment, and whether names in the bundle were replaced, before acting on it.",
	Doc: Doc{
		Means: `The attach/detach controller names the VolumeAttachment of a CSI volume csi- and the SHA-256 of volume handle, driver and node.
Another name means that something else made the attachment, so that the controller will not delete it; or that the
PersistentVolume was replaced since; or that names in the bundle were replaced, so that nothing in it can be matched with the cluster.`,
		DecidedBy:  "The name of a VolumeAttachment against the hash of its node, its attacher and the volumeHandle of its PersistentVolume.",
		LeftAlone:  "Attachments of in-tree volumes, whose handle is a translated one, of inline volumes, and of volumes whose PersistentVolume is not in the bundle.",
		References: []string{"kubernetes pkg/volume/csi/csi_attacher.go getAttachmentName, 1.13–1.36"},
	},
	Needs: []Need{needAttachments, needVolumes},
	Look:  lookAttachmentName,
}

// needVolumes is met when the bundle has PersistentVolumes, or a list without any.
var needVolumes = Need{
	Holds: []string{"PersistentVolume"},
	What:  "the PersistentVolumes", Command: "kubectl get pv -o yaml",
	Met: func(w *reconstruct.World) bool {
		return len(w.Snapshot.PersistentVolumes) > 0 || w.Listed("PersistentVolume", "")
	},
}

// hashed is the shape of the controller's names.
var hashed = regexp.MustCompile(`^csi-[0-9a-f]{64}$`)

func lookAttachmentName(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	compared := 0
	wrong := attachments(w, func(a attachment) bool {
		if a.pv == "" || a.volume == nil || a.volume.PV == nil || a.volume.PV.Value().Spec.CSI == nil {
			return false
		}
		compared++
		return a.Ref.Name != expectedName(a)
	})
	if len(wrong) > 1 && len(wrong) == compared {
		return []Hit{noneMatches(wrong)}
	}
	var out []Hit
	for _, a := range wrong {
		out = append(out, Hit{
			Objects: append(a.refs(), nodeRef(a.node())),
			Text: fmt.Sprintf("VolumeAttachment %s attaches %s to %s, but Kubernetes would have called it %s. %s",
				a.Ref.Name, a.pv, a.node(), expectedName(a), whyOther(a)),
			Shown: nameEvidence(a),
		})
	}
	return out
}

func expectedName(a attachment) string {
	return model.AttachmentName(a.volume.PV.Value().Spec.CSI.VolumeHandle, a.Value().Spec.Attacher, a.node())
}

// whyOther names what can be the reason, as far as the objects tell.
func whyOther(a attachment) string {
	made, replaced := a.Value().CreationTimestamp, a.volume.PV.Value().CreationTimestamp
	switch {
	case !hashed.MatchString(a.Ref.Name):
		return "The name is not of the controller's kind: something else made the attachment, and the controller will not delete it."
	case !made.IsZero() && made.Before(&replaced):
		return "The PersistentVolume is younger than the attachment: it was made anew since, perhaps with another volume handle."
	}
	return "Either names in the bundle were replaced, or something else made the attachment."
}

// noneMatches is one finding for a bundle in which all names are wrong: it was probably edited.
func noneMatches(wrong []attachment) Hit {
	why := "Names of nodes or volumes in the bundle were probably replaced; then names in this report are not those of the cluster."
	if !slices.ContainsFunc(wrong, func(a attachment) bool { return hashed.MatchString(a.Ref.Name) }) {
		why = "None has the shape of the controller's names: something else made them, or their names were replaced."
	}
	var shown []*model.Observation
	for _, a := range wrong[:min(len(wrong), maxShown)] {
		shown = append(shown, nameEvidence(a)...)
	}
	return Hit{
		Objects: refsOf(wrong), Shown: shown,
		Text: fmt.Sprintf("None of the names of %d VolumeAttachments follows from the volume handle, the driver and the node. %s", len(wrong), why),
	}
}

func nameEvidence(a attachment) []*model.Observation {
	return append(reconstruct.CiteAll(*a.Object, "metadata.name", "spec.nodeName", "spec.attacher"), reconstruct.CiteAll(*a.volume.PV, "spec.csi.volumeHandle")...)
}
