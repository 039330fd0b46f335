package check

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var attachedWithoutAttachment = Check{
	ID: "attached-without-attachment", Severity: "warning",
	Title:  "A node lists a volume as attached that has no VolumeAttachment",
	Remedy: "See what the controller's log says of the volume, and ask the storage system where it is attached.",
	Doc: Doc{
		Means: `The controller writes status.volumesAttached from what it believes, and the VolumeAttachment is what the attacher goes by. An
entry without one means that somebody removed the VolumeAttachment and the controller has not noticed, which it does once a
minute while it runs; the storage system may still have the volume attached.`,
		DecidedBy: "A CSI volume in status.volumesAttached of a node without a VolumeAttachment for volume and node, by reference or by name, in a complete list.",
		LeftAlone: "In-tree volumes, which have no VolumeAttachment; volumes with an attach or a detach in the last two minutes before the collection.",
		References: []string{
			"kubernetes pkg/controller/volume/attachdetach/statusupdater, 1.13–1.36",
			"kubernetes --attach-detach-reconcile-sync-period (1m), 1.13–1.36",
		},
	},
	Needs: []Need{needNodes, needAttachmentList},
	Look:  lookAttachedWithoutAttachment,
}

// needAttachmentList is met when a VolumeAttachment that is not in the bundle did not exist.
var needAttachmentList = Need{
	Holds: []string{"VolumeAttachment"},
	What:  "the list of the VolumeAttachments", Command: needAttachments.Command,
	Met: func(w *reconstruct.World) bool { return w.Listed("VolumeAttachment", "") },
}

func lookAttachedWithoutAttachment(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	var out []Hit
	for _, n := range w.Nodes {
		node := n.Value().Name
		left := nodeVolumes(w, attachedNames(n), func(v *reconstruct.Volume) bool {
			_, ok := w.AttachmentOf(v, node)
			return !ok && v.Handle != "" && v.Driver != "" && !w.MovedLately(v, node)
		})
		if len(left) == 0 {
			continue
		}
		var shown []*model.Observation
		for _, v := range left[:min(len(left), maxShown)] {
			shown = append(shown, w.ListedAttached(v, node))
		}
		out = append(out, Hit{
			Objects: append([]model.Ref{n.Ref}, volumeRefs(left)...), Shown: shown,
			Text: fmt.Sprintf("%s lists %s in status.volumesAttached, and there is no VolumeAttachment for it: it was removed behind the controller, which notices within a minute while it runs.",
				node, volumeNames(left)),
			Remedy: fmt.Sprintf("Look again (kubectl get node %s -o yaml). When %s is still listed, see what the kube-controller-manager logs about it, and ask the storage system of %s where it is attached.",
				word(node), left[0].Key(), left[0].Driver),
		})
	}
	return out
}

func attachedNames(n model.Object[*corev1.Node]) []corev1.UniqueVolumeName {
	var out []corev1.UniqueVolumeName
	for _, v := range n.Value().Status.VolumesAttached {
		out = append(out, v.Name)
	}
	return out
}
