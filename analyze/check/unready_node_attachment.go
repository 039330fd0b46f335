package check

import (
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

var unreadyNodeAttachment = Check{
	ID: "unready-node-attachment", Severity: "warning",
	Title:  "Volumes are attached to a node that is not Ready",
	Remedy: "Bring the node back, or fence it and let the controller know.",
	Doc: Doc{
		Means: `A volume that only one node may have stays attached to a node that is not Ready until the pods that use it are gone from the
API and a detach has gone through. Whoever needs it elsewhere gets a Multi-Attach error for that long.`,
		DecidedBy: "A VolumeAttachment with status.attached true whose node has a Ready condition other than True at the collection.",
		LeftAlone: "Attachments that an open incident names as the blocking one; volumes that several nodes may have at once; nodes whose condition the bundle does not hold.",
		References: []string{
			"kubernetes pkg/controller/volume/attachdetach/reconciler/reconciler.go, 1.13–1.36",
			"https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/#non-graceful-node-shutdown",
		},
	},
	Needs: []Need{needAttachments, needNodes},
	Look:  lookUnreadyNodeAttachment,
}

func lookUnreadyNodeAttachment(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	known := toldBy(cases)
	list := attachments(w, func(a attachment) bool {
		return a.Value().Status.Attached && a.exclusive() && !known.held[a.place()]
	})
	var out []Hit
	for _, g := range grouped(list, attachment.node) {
		node := g[0].node()
		r := w.Readiness(node)
		if !r.Known || r.Ready {
			continue
		}
		out = append(out, Hit{
			Objects: append([]model.Ref{nodeRef(node)}, refsOf(g)...),
			Text: fmt.Sprintf("%s is not Ready (%s), and %s attached to it. Whoever needs such a volume on another node waits until the old pod is gone from the API and the detach is through.",
				node, condition(r), onIt(g)),
			Remedy: bringBack(w, node),
			Shown:  slices.Concat(r.Shown, quote(g, "spec.nodeName", "status.attached")),
		})
	}
	return out
}

// condition writes a Ready condition down.
func condition(r reconstruct.Readiness) string {
	s := "the condition is " + string(r.Status)
	if r.Reason != "" {
		s += ", " + r.Reason
	}
	if !r.Since.IsZero() {
		s += ", since " + r.Since.UTC().Format("2006-01-02 15:04:05") + " UTC"
	}
	return s
}

// bringBack is what can be done about a node that is not Ready, by what the version offers.
func bringBack(w *reconstruct.World, node string) string {
	back := "Bring " + node + " back. "
	taint := "kubectl taint node " + word(node) + " " + upstream.OutOfServiceTaint + "=nodeshutdown:NoExecute"
	switch {
	case upstream.OutOfServiceDetach(w.Version) == upstream.Supported:
		return back + "Only when the machine is certainly off, and only until it comes back: " + taint
	case !w.Version.Known():
		return back + "Only when the machine is certainly off, only until it comes back, and with Kubernetes 1.26 or later: " + taint
	}
	return back + "Only when the machine is certainly off: delete its pods with --grace-period=0 --force; a volume that is still in use is detached six minutes later."
}
