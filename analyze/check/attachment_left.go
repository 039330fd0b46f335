package check

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var attachmentNodeGone = Check{
	ID: "attachment-node-gone", Severity: "warning", Title: "A volume is attached to a node that does not exist",
	Remedy: "Make sure that the machine is gone, then let the attacher detach the volume.",
	Means: `The VolumeAttachment outlived its Node. The controller takes a node without object as unhealthy, but still waits for the pods
to go and then, when the volume was mounted, six minutes. What is left after that needs a person: the driver may refuse to detach from a
machine that it cannot find.`,
	DecidedBy: "spec.nodeName of a VolumeAttachment is not among the Nodes, of which the bundle has a list.",
	LeftAlone: "Attachments that an open incident names as the blocking one; bundles with single Nodes instead of a list.",
	References: []string{"kubernetes pkg/controller/volume/attachdetach (node removal), 1.13–1.36",
		"external-attacher pkg/controller/csi_handler.go getNodeID: falls back on the attachment's annotation, 2.2.1–4.13.0"},
	Needs: []Need{needAttachments, needNodeList}, Look: lookAttachmentNodeGone,
}

func lookAttachmentNodeGone(w *reconstruct.World, cases []*reconstruct.Case, hit func(Hit)) {
	known := reportedStateOf(cases)
	list := attachments(w, func(a attachment) bool { return nodeGone(w, a.node()) && !known.held[a.place()] })
	for _, g := range grouped(list, attachment.node) {
		node := g[0].node()
		hit(Hit{
			Objects: append([]model.Ref{nodeRef(node)}, refsOf(g...)...),
			Text: fmt.Sprintf("%s for %s, which does not exist: the bundle lists %s%s.",
				attach(g), node, words.Count(len(w.Nodes), "other Node"), deletingToo(g)),
			Remedy: fmt.Sprintf("When the machine %s is certainly gone, delete its attachment (kubectl delete volumeattachment %s). Take a "+
				"finalizer away only when the storage system shows the volume detached.", node, word(g[0].Ref.Name)),
			Shown: quote(g, "spec.nodeName", "metadata.deletionTimestamp"),
		})
	}
}

// attach begins a sentence about some attachments.
func attach(g []attachment) string {
	if len(g) == 1 {
		return "VolumeAttachment " + g[0].Ref.Name + " of " + g[0].name() + " is"
	}
	return fmt.Sprintf("%d VolumeAttachments, of %s, are", len(g), words.List(namesOf(g)))
}

// deletingToo counts the attachments that are being deleted.
func deletingToo(g []attachment) string {
	n := len(only(g, func(a attachment) bool { return a.Value().DeletionTimestamp != nil }))
	switch {
	case n == 0:
		return ""
	case len(g) == 1:
		return "; it is being deleted"
	case n == len(g):
		return "; all are being deleted"
	case n == 1:
		return "; one of them is being deleted"
	}
	return fmt.Sprintf("; %d of them are being deleted", n)
}

var attachmentVolumeGone = Check{
	ID: "attachment-volume-gone", Severity: "warning", Title: "An attachment is left of a PersistentVolume that does not exist",
	Remedy: "Detach the volume in the storage system, then remove the attachment.",
	Means: `The external-attacher keeps a finalizer on the PersistentVolume while it is attached, because it reads driver and handle from
it. When the PersistentVolume was removed in spite of that, the attachment can not be detached any more, and stays.`,
	DecidedBy:  "spec.source.persistentVolumeName of a VolumeAttachment is not among the PersistentVolumes, of which the bundle has a list.",
	LeftAlone:  "Inline volumes; bundles with single PersistentVolumes instead of a list.",
	References: []string{"external-attacher pkg/controller/csi_handler.go csiDetach and SyncNewOrUpdatedPersistentVolume, 2.2.1–4.13.0"},
	Needs:      []Need{needAttachments, needVolumeList}, Look: lookAttachmentVolumeGone,
}

func lookAttachmentVolumeGone(w *reconstruct.World, _ []*reconstruct.Case, hit func(Hit)) {
	for _, a := range attachments(w, func(a attachment) bool { return volumeGone(w, a.pv) }) {
		hit(Hit{
			Objects: refsWithNodes(a),
			Text: fmt.Sprintf("VolumeAttachment %s on %s is of PersistentVolume %s, which does not exist: the bundle lists %s%s. The attacher "+
				"reads driver and handle from it and can not detach without.",
				a.Ref.Name, a.node(), a.pv, words.Count(len(w.Inventory.PVs), "other"), deletingToo([]attachment{a})),
			Remedy: fmt.Sprintf("Find the volume of %s in the storage system of %s and detach it from %s there; only then take the finalizer of "+
				"VolumeAttachment %s away.", a.pv, a.Value().Spec.Attacher, a.node(), a.Ref.Name),
			Shown: quote([]attachment{a}, "spec.source.persistentVolumeName", "spec.nodeName", "metadata.deletionTimestamp"),
		})
	}
}

var attachmentWithoutPod = Check{
	ID: "attachment-without-pod", Severity: "warning", Title: "A volume is attached to a node on which no pod uses it",
	Remedy: "See whether the controller still means to detach the volume; restart it when it does not.",
	Means: `The controller detaches a volume as soon as no pod on the node needs it and the node has reported the unmount. An attachment
that stays without either is one that the controller does not know: it keeps the volume from every other node.`,
	DecidedBy: `A VolumeAttachment with status.attached true that existed before the collection began; no pod on its node that has not
finished uses the claim, and the pods of the claim's namespace are listed; the node does not list the volume in status.volumesInUse.`,
	LeftAlone: `Attachments that are being deleted or that an open incident names; volumes in status.volumesInUse, a finding of its own;
volumes attached or detached in the last two minutes before the collection, the time that the controller waits for one.`,
	References: []string{"kubernetes pkg/controller/volume/attachdetach/reconciler/reconciler.go, 1.13–1.36",
		"kubernetes pkg/volume/csi/csi_attacher.go csiTimeout (2m), 1.17–1.36"},
	Needs: []Need{needAttachments, needPods, needNodes, needCollectionTime}, Look: lookAttachmentWithoutPod,
}

func lookAttachmentWithoutPod(w *reconstruct.World, cases []*reconstruct.Case, hit func(Hit)) {
	known := reportedStateOf(cases)
	list := attachments(w, func(a attachment) bool {
		return a.Value().Status.Attached && a.Value().DeletionTimestamp == nil && !known.held[a.place()] && !known.wanted[a.place()] &&
			atLeast(w, a.Value().CreationTimestamp) > 0 && unused(w, a.volume, a.node()) && w.InUse(a.volume, a.node()) == nil
	})
	for _, a := range list {
		claim := a.volume.Claim
		hit(Hit{
			Objects: append(refsWithNodes(a), claimRef(claim)),
			Text: fmt.Sprintf("Volume %s is attached to %s, where no pod of the bundle uses its claim %s, and the node does not list it as in "+
				"use. A detach that begins during the collection would look the same.", a.name(), a.node(), claim),
			Remedy: fmt.Sprintf("Look again (kubectl get volumeattachment %s). When it is still there, nobody uses %s and the controller's log "+
				"does not mention it, restart the kube-controller-manager.", word(a.Ref.Name), claim),
			Shown: quote([]attachment{a}, "spec.nodeName", "status.attached"),
		})
	}
}

// unused reports that no pod on a node uses a volume or just did, with claim, Node and pods listed, and that nothing moved lately.
func unused(w *reconstruct.World, v *reconstruct.Volume, node string) bool {
	if v == nil || w.MovedLately(v, node) {
		return false
	}
	for _, s := range v.Same() { // the pods of each claim on the handle count
		if s.Claim.Name == "" || !w.Listed("Pod", s.Claim.Namespace) {
			return false
		}
	}
	if _, ok := w.Node(node); !ok {
		return false
	}
	return !slices.ContainsFunc(w.UsersAt(v, node), func(p pod) bool { return !finished(p) })
}

// finished reports that a pod will not run again; the controller does not count it as a user of its volumes.
func finished(p pod) bool {
	return p.Value().Status.Phase == corev1.PodSucceeded || p.Value().Status.Phase == corev1.PodFailed
}
