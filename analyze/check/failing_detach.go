package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var failingDetach = Check{
	ID: "failing-detach", Severity: "warning",
	Title:  "A detach fails",
	Remedy: "Repair what the error names before the volume has to move.",
	Doc: Doc{
		Means: `The detach of a volume from a node was tried and failed, and nothing shows that it went through since. The controller tries
again, at last every two minutes, the external-attacher every five; until then the volume can be used nowhere else.`,
		DecidedBy: "A failed or refused detach in the controller's log or events, or status.detachError of a VolumeAttachment, without a later success for the same volume and node.",
		LeftAlone: "Failures that belong to an incident; failures that a later detach made good.",
		References: []string{
			"kubernetes pkg/util/goroutinemap/exponentialbackoff (at most 2m2s), 1.13–1.36",
			"external-attacher cmd/csi-attacher/main.go --retry-interval-max (5m), 2.2.1–4.13.0",
		},
	},
	Look: lookFailingDetach,
}

func lookFailingDetach(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	var out []Hit
	for _, g := range byNode(w, cases, model.DetachFailed, model.DetachRefusedInUse, model.AttachmentDetachError) {
		g = slices.DeleteFunc(g, func(o *model.Observation) bool { return w.DetachedSince(o) != nil })
		if len(g) == 0 {
			continue
		}
		refs := objects(w, g)
		newest := g[len(g)-1]
		out = append(out, Hit{Objects: refs, Shown: ends(g), Text: fmt.Sprintf(
			"%s could not be detached from %s: %s", volumes(refs), cmp.Or(newest.Node, "an unknown node"), whyFailed(newest))})
	}
	return out
}

// whyFailed is the error as the source has it; a refusal has none of its own.
func whyFailed(o *model.Observation) string {
	if o.Kind == model.DetachRefusedInUse {
		return cmp.Or(shorten(o.Detail), "the node still lists it in status.volumesInUse")
	}
	return cmp.Or(shorten(o.Detail), "the source does not say why")
}
