package check

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var attachmentNodeGone = Check{
	ID: "attachment-node-gone", Severity: "warning",
	Title:  "A volume is attached to a node that does not exist",
	Remedy: "Make sure that the machine is gone, then let the attacher detach the volume.",
	Doc: Doc{
		Means: `The VolumeAttachment outlived its Node. Without the Node object the controller takes the node as unhealthy, but it still waits
for the pods to go and then, when the volume was mounted, six minutes. An attachment that is left after that needs a person: the
driver may refuse to detach from a machine that it cannot find.`,
		DecidedBy: "spec.nodeName of a VolumeAttachment is not among the Nodes, of which the bundle has a list.",
		LeftAlone: "Attachments that an open incident names as the blocking one; bundles with single Nodes instead of a list.",
		References: []string{
			"kubernetes pkg/controller/volume/attachdetach (node removal), 1.13–1.36",
			"external-attacher pkg/controller/csi_handler.go getNodeID: falls back on the attachment's annotation, 2.2.1–4.13.0",
		},
	},
	Needs: []Need{needAttachments, needNodeList},
	Look:  lookAttachmentNodeGone,
}

// needNodeList is met when a Node that is not in the bundle did not exist.
var needNodeList = Need{
	Holds: []string{"Node"},
	What:  "the list of the Nodes", Command: "kubectl get nodes -o yaml --show-managed-fields",
	Met: func(w *reconstruct.World) bool { return nodesListed(w) },
}

func nodesListed(w *reconstruct.World) bool { return len(w.Nodes) > 0 && w.Listed("Node", "") }

// nodeGone reports that a node surely does not exist.
func nodeGone(w *reconstruct.World, name string) bool {
	_, ok := w.Node(name)
	return !ok && name != "" && nodesListed(w)
}

func lookAttachmentNodeGone(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	known := toldBy(cases)
	list := attachments(w, func(a attachment) bool { return nodeGone(w, a.node()) && !known.held[a.place()] })
	var out []Hit
	for _, g := range grouped(list, attachment.node) {
		node := g[0].node()
		out = append(out, Hit{
			Objects: append([]model.Ref{nodeRef(node)}, refsOf(g)...),
			Text: fmt.Sprintf("%s for %s, which does not exist: the bundle lists %s%s.",
				attach(g), node, words.Plural(len(w.Nodes), "other Node", "other Nodes"), deletingToo(g)),
			Remedy: fmt.Sprintf("When the machine %s is certainly gone, delete its attachment (kubectl delete volumeattachment %s). Take a finalizer away only when the storage system shows the volume detached.",
				node, word(g[0].Ref.Name)),
			Shown: quote(g, "spec.nodeName", "metadata.deletionTimestamp"),
		})
	}
	return out
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
	n := 0
	for _, a := range g {
		if a.Value().DeletionTimestamp != nil {
			n++
		}
	}
	switch {
	case n == 0:
		return ""
	case len(g) == 1:
		return "; it is being deleted"
	case n == len(g):
		return "; all are being deleted"
	}
	if n == 1 {
		return "; one of them is being deleted"
	}
	return fmt.Sprintf("; %d of them are being deleted", n)
}
