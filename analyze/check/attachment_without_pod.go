package check

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var attachmentWithoutPod = Check{
	ID: "attachment-without-pod", Severity: "warning",
	Title:  "A volume is attached to a node on which no pod uses it",
	Remedy: "See whether the controller still means to detach the volume; restart it when it does not.",
	Doc: Doc{
		Means: `The controller detaches a volume as soon as no pod on the node needs it and the node has reported the unmount. An attachment
that stays without either is one that the controller does not know: it keeps the volume from every other node.`,
		DecidedBy: `A VolumeAttachment with status.attached true that existed before the collection began; no pod on its node that has
not finished uses the claim, and the pods of the claim's namespace are listed; the node does not list the volume in status.volumesInUse.`,
		LeftAlone: `Attachments that are being deleted or that an open incident names; volumes that the node lists in status.volumesInUse, which is
a finding of its own; volumes with an attach or a detach in the last two minutes before the collection, the time that the controller waits for one.`,
		References: []string{
			"kubernetes pkg/controller/volume/attachdetach/reconciler/reconciler.go, 1.13–1.36",
			"kubernetes pkg/volume/csi/csi_attacher.go csiTimeout (2m), 1.17–1.36",
		},
	},
	Needs: []Need{needAttachments, needPods, needNodes, needCollectionTime},
	Look:  lookAttachmentWithoutPod,
}

// needPods is met when the bundle has pods.
var needPods = Need{
	Holds: []string{"Pod"},
	What:  "the pods", Command: "kubectl get pods -A -o yaml --show-managed-fields",
	Met: func(w *reconstruct.World) bool { return len(w.Pods) > 0 || w.Listed("Pod", "") },
}

func lookAttachmentWithoutPod(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	known := toldBy(cases)
	list := attachments(w, func(a attachment) bool {
		return a.Value().Status.Attached && a.Value().DeletionTimestamp == nil && !known.held[a.place()] && !known.wanted[a.place()] &&
			atLeast(w, a.Value().CreationTimestamp) > 0 && unused(w, a.volume, a.node()) && w.InUse(a.volume, a.node()) == nil
	})
	var out []Hit
	for _, a := range list {
		claim := a.volume.Claim
		out = append(out, Hit{
			Objects: append(a.refs(), nodeRef(a.node()), claimRef(claim)),
			Text: fmt.Sprintf("Volume %s is attached to %s, where no pod of the bundle uses its claim %s, and the node does not list it as in use. A detach that begins during the collection would look the same.",
				a.name(), a.node(), claim),
			Remedy: fmt.Sprintf("Look again (kubectl get volumeattachment %s). When it is still there, nobody uses %s and the controller's log does not mention it, restart the kube-controller-manager.",
				word(a.Ref.Name), claim),
			Shown: quote([]attachment{a}, "spec.nodeName", "status.attached"),
		})
	}
	return out
}

// unused reports that no pod on a node uses a volume or just did: claim, Node and pods are listed, and nothing was attached or detached
// lately.
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
	for _, p := range w.UsersAt(v, node) {
		if !finished(p) {
			return false
		}
	}
	return true
}

// finished reports that a pod will not run again; the controller does not count it as a user of its volumes.
func finished(p model.Object[*corev1.Pod]) bool {
	return p.Value().Status.Phase == corev1.PodSucceeded || p.Value().Status.Phase == corev1.PodFailed
}
