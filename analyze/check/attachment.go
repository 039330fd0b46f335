package check

import (
	"fmt"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// attachment is a VolumeAttachment of the bundle with what it attaches.
type attachment struct {
	*model.Object[*storagev1.VolumeAttachment]
	pv, on string              // the PersistentVolume, empty for an inline volume, and the node
	volume *reconstruct.Volume // nil for an inline volume that nothing else names
}

func (a attachment) node() string { return a.on }

// name is the volume's, for a sentence.
func (a attachment) name() string {
	switch {
	case a.pv != "":
		return a.pv
	case a.volume != nil:
		return a.volume.Key()
	}
	return "an inline volume"
}

// place is where the volume is attached, as an incident would name it.
func (a attachment) place() placed { return placed{a.volume.Storage(), a.node()} }

// refs are the attachment and its volume.
func (a attachment) refs() []model.Ref {
	if a.pv == "" {
		return []model.Ref{a.Ref}
	}
	return []model.Ref{a.Ref, volumeRef(a.pv)}
}

// exclusive reports whether only one node may have the volume, as far as is known.
func (a attachment) exclusive() bool {
	if a.volume == nil {
		return false
	}
	exclusive, known := a.volume.Exclusive()
	return exclusive && known
}

// attachments are the VolumeAttachments of the bundle that pass a test, ordered by volume and node; their names are hashes.
func attachments(w *reconstruct.World, test func(attachment) bool) []attachment {
	var out []attachment
	for _, i := range w.AttachmentsInOrder() {
		obj := &w.Attachments[i]
		a := attachment{Object: obj}
		if a.pv, a.on = w.Attached(i); a.pv != "" {
			a.volume = w.Volumes.Find(model.VolumeID{PersistentVolume: a.pv})
		} else if inline := obj.Value().Spec.Source.InlineVolumeSpec; inline != nil && inline.CSI != nil {
			a.volume = w.Volumes.Find(model.VolumeID{Driver: inline.CSI.Driver, Handle: inline.CSI.VolumeHandle})
		}
		if test(a) {
			out = append(out, a)
		}
	}
	return out
}

// needAttachments is met when the bundle has VolumeAttachments, or a list without any.
var needAttachments = Need{
	Holds: []string{"VolumeAttachment"},
	What:  "the VolumeAttachments", Command: "kubectl get volumeattachments -o yaml --show-managed-fields",
	Met: func(w *reconstruct.World) bool {
		return len(w.Attachments) > 0 || w.Listed("VolumeAttachment", "")
	},
}

// needNodes is met when the bundle has Nodes.
var needNodes = Need{
	Holds: []string{"Node"},
	What:  "the Nodes", Command: "kubectl get nodes -o yaml --show-managed-fields",
	Met: func(w *reconstruct.World) bool { return len(w.Nodes) > 0 },
}

// namesOf are the volumes of some attachments.
func namesOf(list []attachment) []string {
	var out []string
	for _, a := range list {
		out = append(out, a.name())
	}
	return out
}

// refsOf are the attachments and their volumes.
func refsOf(list []attachment) []model.Ref {
	var out []model.Ref
	for _, a := range list {
		out = append(out, a.refs()...)
	}
	return withoutRepeats(out)
}

// quote cites fields of the first few attachments.
func quote(list []attachment, fields ...string) []*model.Observation {
	var out []*model.Observation
	for i, a := range list {
		if i == maxShown {
			break
		}
		out = append(out, reconstruct.CiteAll(*a.Object, fields...)...)
	}
	return out
}

// onIt names the volumes that are attached to a node.
func onIt(list []attachment) string {
	if len(list) == 1 {
		return "volume " + list[0].name() + " is"
	}
	return fmt.Sprintf("%d volumes (%s) are", len(list), words.List(namesOf(list)))
}
