package check

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model/words"
)

var attachError = Check{
	ID: "attach-error", Severity: "warning",
	Title:  "An attach fails",
	Remedy: "Repair what the error names; the attacher tries again by itself.",
	Doc: Doc{
		Means: `The driver refused to attach the volume. The external-attacher keeps trying, at last every five minutes, and the pod waits.
Errors such as an attach limit, a quota, a missing volume or missing rights have nothing to do with Multi-Attach.`,
		DecidedBy: "status.attachError of a VolumeAttachment that is not attached and not being deleted.",
		LeftAlone: "Attachments that an open incident waits for.",
		References: []string{
			"external-attacher pkg/controller/csi_handler.go saveAttachError, 2.2.1–4.13.0",
			"external-attacher cmd/csi-attacher/main.go --retry-interval-max (5m), 2.2.1–4.13.0",
		},
	},
	Needs: []Need{needAttachments},
	Look:  lookAttachError,
}

func lookAttachError(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	known := toldBy(cases)
	list := attachments(w, func(a attachment) bool {
		return a.Value().Status.AttachError != nil && !a.Value().Status.Attached && a.Value().DeletionTimestamp == nil && !known.wanted[a.place()]
	})
	type group struct{ node, attacher, message string }
	var out []Hit
	for _, g := range grouped(list, func(a attachment) group {
		return group{a.node(), a.Value().Spec.Attacher, a.Value().Status.AttachError.Message}
	}) {
		first := g[0]
		e := first.Value().Status.AttachError
		at := ""
		if !e.Time.IsZero() {
			at = " (last at " + e.Time.UTC().Format("2006-01-02 15:04:05") + " UTC)"
		}
		what := "Volume " + first.name()
		if len(g) > 1 {
			what = fmt.Sprintf("%d volumes (%s)", len(g), words.List(namesOf(g)))
		}
		out = append(out, Hit{
			Objects: refsWithNodes(g),
			Text:    fmt.Sprintf("%s could not be attached to %s by %s%s: %s", what, first.node(), first.Value().Spec.Attacher, at, orNoText(shorten(e.Message))),
			Remedy:  fmt.Sprintf("Repair what the error names; the attacher tries again by itself: kubectl describe volumeattachment %s", word(first.Ref.Name)),
			Shown:   quote(g, "status.attachError.message"),
		})
	}
	return out
}

func orNoText(s string) string {
	if s == "" {
		return "the error has no text"
	}
	return s
}
