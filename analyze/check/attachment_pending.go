package check

import (
	"fmt"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model/words"
)

// attachPatience is how long an attach may take: after five minutes (--retry-interval-max) the attacher has retried and reported.
// Recordings: 3 to 10 s.
const attachPatience = 300 * time.Second

var attachmentPending = Check{
	ID: "attachment-pending", Severity: "warning",
	Title:  "An attach has not come about for more than five minutes",
	Remedy: "See whether the external-attacher of the driver runs, and what its log says.",
	Doc: Doc{
		Means: `The controller asked for the volume on a node, and neither success nor an error stands in the VolumeAttachment. Without
the external-attacher's finalizer no attacher has taken it up: it is not running, or not for this driver.`,
		DecidedBy:  "status.attached is false, there is no attachError and no deletionTimestamp, and the attachment is older than 300 s at the collection.",
		LeftAlone:  "Attachments that an open incident waits for; attachments to nodes that do not exist and of volumes that do not exist, which are findings of their own.",
		References: []string{"external-attacher cmd/csi-attacher/main.go --retry-interval-max (5m), --timeout (15s), 2.2.1–4.13.0"},
	},
	Needs: []Need{needAttachments, needCollectionTime},
	Look:  lookAttachmentPending,
}

func lookAttachmentPending(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	known := toldBy(cases)
	list := attachments(w, func(a attachment) bool {
		s := a.Value().Status
		return !s.Attached && s.AttachError == nil && a.Value().DeletionTimestamp == nil && !known.wanted[a.place()] &&
			!nodeGone(w, a.node()) && !volumeGone(w, a.pv) && atLeast(w, a.Value().CreationTimestamp) > attachPatience
	})
	type group struct {
		attacher string
		taken    bool
	}
	var out []Hit
	for _, g := range grouped(list, func(a attachment) group { return group{a.Value().Spec.Attacher, takenUp(a)} }) {
		why := "The external-attacher has taken it up and reports neither success nor an error."
		if !takenUp(g[0]) {
			why = "It has no finalizer of an external-attacher: none for " + g[0].Value().Spec.Attacher + " has taken it up."
		}
		what := fmt.Sprintf("VolumeAttachment %s for %s on %s was made %s and is not attached.",
			g[0].Ref.Name, g[0].name(), g[0].node(), ago(w, g[0].Value().CreationTimestamp))
		if len(g) > 1 {
			what = fmt.Sprintf("%d VolumeAttachments (of %s) were made more than five minutes ago and are not attached; the first of these %s.",
				len(g), words.List(namesOf(g)), ago(w, g[0].Value().CreationTimestamp))
			why = strings.Replace(why, "It has", "They have", 1)
			why = strings.Replace(why, "taken it up", "taken them up", 1)
		}
		out = append(out, Hit{
			Objects: refsWithNodes(g), Text: what + " " + why,
			Remedy: "See whether the external-attacher for " + g[0].Value().Spec.Attacher + " runs and leads, and what its log says of " + g[0].Ref.Name + ".",
			Shown:  quote(g, "metadata.creationTimestamp", "status.attached"),
		})
	}
	return out
}

// takenUp reports that an external-attacher has put its finalizer on the attachment, which it does before it attaches.
func takenUp(a attachment) bool {
	for _, f := range a.Value().Finalizers {
		if strings.HasPrefix(f, "external-attacher/") {
			return true
		}
	}
	return false
}
