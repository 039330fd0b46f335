package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model/words"
)

// Attaches and detaches that fail or do not come to an end; attachment.go has where attachments are.

func lookAttachError(w *facts.World, cases []*wait.Case, hit func(Hit)) {
	known := reportedStateOf(cases)
	list := attachments(w, func(a attachment) bool {
		return a.refused() && !known.wanted[a.place()]
	})
	type group struct{ node, attacher, message string }
	for _, g := range grouped(list, func(a attachment) group {
		return group{a.node(), a.Value().Spec.Attacher, a.Value().Status.AttachError.Message}
	}) {
		first := g[0]
		e := first.Value().Status.AttachError
		at := words.If(!e.Time.IsZero(), " (last at "+e.Time.UTC().Format("2006-01-02 15:04:05")+" UTC)")
		hit(Hit{
			Objects: refsWithNodes(g...),
			Text: fmt.Sprintf("%s could not be attached to %s by %s%s: %s",
				volumesText(namesOf(g)), first.node(), first.Value().Spec.Attacher, at, cmp.Or(shorten(e.Message), "the error has no text")),
			Remedy: strings.TrimSuffix(attacherTries, ".") + ": kubectl describe volumeattachment " + word(first.Ref.Name),
			Shown:  quote(g, "status.attachError.message"), Since: first.Value().CreationTimestamp,
		})
	}
}

// attachPatience: after five minutes (--retry-interval-max) the attacher has retried and reported. Recordings: 3 to 10 s.
const attachPatience = 300 * time.Second

func lookAttachmentPending(w *facts.World, cases []*wait.Case, hit func(Hit)) {
	known := reportedStateOf(cases)
	list := attachments(w, func(a attachment) bool {
		if s := a.Value().Status; s.Attached || s.AttachError != nil || a.deleting() {
			return false
		}
		return !known.wanted[a.place()] && a.whole(w) && atLeast(w, a.Value().CreationTimestamp) > attachPatience
	})
	type group struct {
		attacher string
		taken    bool
	}
	for _, g := range grouped(list, func(a attachment) group { return group{a.Value().Spec.Attacher, takenUp(a)} }) {
		why := "An external-attacher has begun, and reports neither success nor an error."
		if !takenUp(g[0]) {
			why = "No finalizer of an external-attacher is there: none for " + g[0].Value().Spec.Attacher + " has begun."
		}
		what := fmt.Sprintf("VolumeAttachment %s for %s on %s was created %s and is not attached.",
			g[0].Ref.Name, g[0].name(), g[0].node(), ago(w, g[0].Value().CreationTimestamp))
		if len(g) > 1 {
			what = fmt.Sprintf("%d VolumeAttachments (of %s) were created more than five minutes ago and are not attached; the first of these %s.",
				len(g), words.List(namesOf(g)), ago(w, g[0].Value().CreationTimestamp))
		}
		hit(Hit{
			Objects: refsWithNodes(g...), Text: what + " " + why,
			Remedy: fmt.Sprintf("See whether the external-attacher for %s runs and leads, and what its log says of %s.",
				g[0].Value().Spec.Attacher, g[0].Ref.Name),
			Shown: quote(g, "metadata.creationTimestamp", "status.attached"), Since: g[0].Value().CreationTimestamp,
		})
	}
}

// takenUp reports that an external-attacher has put its finalizer on the attachment, which it does before it attaches.
func takenUp(a attachment) bool {
	return slices.ContainsFunc(a.Value().Finalizers, func(f string) bool { return strings.HasPrefix(f, "external-attacher/") })
}

func lookAttachmentDeleting(w *facts.World, cases []*wait.Case, hit func(Hit)) {
	known := reportedStateOf(cases)
	list := attachments(w, func(a attachment) bool {
		if !a.deleting() || len(a.Value().Finalizers) == 0 || a.Value().Status.DetachError != nil {
			return false
		}
		return !known.held[a.place()] && a.whole(w) && atLeast(w, *a.Value().DeletionTimestamp) > upstream.CSITimeout
	})
	type group struct{ node, finalizers string }
	for _, g := range grouped(list, func(a attachment) group { return group{a.node(), strings.Join(a.Value().Finalizers, ", ")} }) {
		first := g[0]
		what := fmt.Sprintf("VolumeAttachment %s of %s on %s was deleted %s",
			first.Ref.Name, first.name(), first.node(), ago(w, *first.Value().DeletionTimestamp))
		if len(g) > 1 {
			what = fmt.Sprintf("%d VolumeAttachments (of %s) on %s were deleted, the first of these %s",
				len(g), words.List(namesOf(g)), first.node(), ago(w, *first.Value().DeletionTimestamp))
		}
		hit(Hit{
			Objects: refsWithNodes(g...),
			Text:    fmt.Sprintf("%s; %s still holds it, and no error of a detach is reported.", what, strings.Join(first.Value().Finalizers, ", ")),
			Remedy: fmt.Sprintf("See what the external-attacher for %s logs about %s, and restart it when it logs nothing. Take the finalizer "+
				"away only when the storage system shows %s detached from %s.",
				first.Value().Spec.Attacher, first.Ref.Name, first.name(), first.node()),
			Shown: quote(g, "metadata.deletionTimestamp", "metadata.finalizers", "status.attached"), Since: *first.Value().DeletionTimestamp,
		})
	}
}
