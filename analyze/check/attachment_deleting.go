package check

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model/words"
)

var attachmentDeleting = Check{
	ID: "attachment-deleting", Severity: "warning",
	Title:  "A detach has not come to an end for more than two minutes",
	Remedy: "See whether the external-attacher of the driver runs, and what its log says.",
	Doc: Doc{
		Means: `The VolumeAttachment was deleted, and a finalizer keeps it. The external-attacher takes its finalizer away when the driver has
detached the volume; while it does not, the controller will not attach the volume elsewhere.`,
		DecidedBy: "metadata.deletionTimestamp lies more than two minutes before the collection, which is how long the controller waits for one detach, and there is no status.detachError.",
		LeftAlone: "Attachments that an open incident names as the blocking one; attachments with a detachError, or whose node or volume does not exist, which are findings of their own.",
		References: []string{
			"kubernetes pkg/volume/csi/csi_attacher.go csiTimeout (2m), 1.17–1.36",
			"external-attacher pkg/controller/csi_handler.go syncDetach, 2.2.1–4.13.0",
		},
	},
	Needs: []Need{needAttachments, needCollectionTime},
	Look:  lookAttachmentDeleting,
}

func lookAttachmentDeleting(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	known := toldBy(cases)
	list := attachments(w, func(a attachment) bool {
		at := a.Value().DeletionTimestamp
		return at != nil && len(a.Value().Finalizers) > 0 && a.Value().Status.DetachError == nil && !known.held[a.place()] &&
			!nodeGone(w, a.node()) && !volumeGone(w, a.pv) && atLeast(w, *at) > upstream.CSITimeout
	})
	type group struct{ node, finalizers string }
	var out []Hit
	for _, g := range grouped(list, func(a attachment) group { return group{a.node(), strings.Join(a.Value().Finalizers, ", ")} }) {
		first := g[0]
		what := fmt.Sprintf("VolumeAttachment %s of %s on %s was deleted %s", first.Ref.Name, first.name(), first.node(), ago(w, *first.Value().DeletionTimestamp))
		if len(g) > 1 {
			what = fmt.Sprintf("%d VolumeAttachments (of %s) on %s were deleted, the first of these %s", len(g), words.List(namesOf(g)), first.node(), ago(w, *first.Value().DeletionTimestamp))
		}
		out = append(out, Hit{
			Objects: refsWithNodes(g),
			Text:    fmt.Sprintf("%s; %s still holds it, and no error of a detach is reported.", what, strings.Join(first.Value().Finalizers, ", ")),
			Remedy: fmt.Sprintf("See what the external-attacher for %s logs about %s, and restart it when it logs nothing. Take the finalizer away only when the storage system shows %s detached from %s.",
				first.Value().Spec.Attacher, first.Ref.Name, first.name(), first.node()),
			Shown: quote(g, "metadata.deletionTimestamp", "metadata.finalizers", "status.attached"),
		})
	}
	return out
}
