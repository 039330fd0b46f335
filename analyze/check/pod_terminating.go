package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// endPatience is how long past its grace period an ordinary pod may take: containers are killed at its end; the recordings show up to 11
// s.
const endPatience = time.Minute

var podTerminating = Check{
	ID: "pod-terminating", Severity: "warning",
	Title:  "A pod with a volume is past its grace period",
	Remedy: "Let the node finish the pod; delete it by force only when the node is off or its containers are gone.",
	Doc: Doc{
		Means: `The pod was deleted, its grace period is over, and the object is still there. As long as a container of it counts as running,
the controller does not detach its volumes; a StatefulSet makes no replacement while the object exists.`,
		DecidedBy: "metadata.deletionTimestamp, which is the end of the grace period, lies more than a minute before the collection.",
		LeftAlone: "Pods without a claim; pods with finalizers of their own; pods of an open incident; pods that were never bound to a node.",
		References: []string{
			"kubernetes pkg/volume/util IsPodTerminated, 1.13–1.36",
			"kubernetes pkg/controller/statefulset, 1.13–1.36",
			"kubernetes pkg/controller/podgc (pods of deleted nodes; of nodes with the out-of-service taint since 1.24), 1.13–1.36",
		},
	},
	Needs: []Need{needPods, needCollectionTime},
	Look:  lookPodTerminating,
}

func lookPodTerminating(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	known := toldBy(cases)
	list := volumePods(w, func(p pod) bool {
		at := p.Value().DeletionTimestamp
		return at != nil && nodeOf(p) != "" && len(p.Value().Finalizers) == 0 && !known.old[p.Ref.String()] && !known.fresh[p.Ref.String()] &&
			atLeast(w, *at) > endPatience
	})
	type group struct{ node, why string }
	var out []Hit
	for _, g := range grouped(list, func(p pod) group { return group{nodeOf(p), whyNotEnded(w, p)} }) {
		node, why := nodeOf(g[0]), whyNotEnded(w, g[0])
		r := w.Readiness(node)
		var shown []*model.Observation
		if why == nodeUnready {
			shown = r.Shown
		}
		out = append(out, Hit{
			Objects: podRefs(node, g),
			Text: fmt.Sprintf("%s on %s: the grace period ended %s.%s %s", podsAre(g, "is still there", "are still there"), node,
				ago(w, *g[0].Value().DeletionTimestamp), statefulNote(g), strings.ReplaceAll(why, "NODE", node)),
			Remedy: endRemedy(w, g[0], why),
			Shown:  slices.Concat(shown, quotePods(g, "metadata.deletionTimestamp", "spec.nodeName")),
		})
	}
	return out
}

// The reasons for which a pod does not end, with NODE for the node.
const (
	nodeMissing  = "NODE does not exist; pod GC removes its pods after 40 s."
	nodeUnready  = "NODE is not Ready, and only its kubelet can finish the pod."
	stillRunning = "Its containers still count as running."
	tearingDown  = "Its containers have stopped; the kubelet has not finished taking it down."
	noStatus     = "Nothing tells the state of its containers."
)

func whyNotEnded(w *reconstruct.World, p pod) string {
	r := w.Readiness(nodeOf(p))
	switch statuses := p.Value().Status.ContainerStatuses; {
	case nodeGone(w, nodeOf(p)):
		return nodeMissing
	case r.Known && !r.Ready:
		return nodeUnready
	case len(statuses) == 0:
		return noStatus
	default:
		for _, s := range statuses {
			if s.State.Running != nil {
				return stillRunning
			}
		}
		return tearingDown
	}
}

func statefulNote(g []pod) string {
	if slices.ContainsFunc(g, ofStatefulSet) {
		return " A StatefulSet makes no replacement while the object exists."
	}
	return ""
}

func endRemedy(w *reconstruct.World, p pod, why string) string {
	node := nodeOf(p)
	switch why {
	case nodeMissing:
		return "See whether the pod garbage collector runs: it is part of the kube-controller-manager."
	case nodeUnready:
		return bringBack(w, node)
	case tearingDown:
		return fmt.Sprintf("See in the kubelet's log of %s what keeps a volume of pod %s (UID %s) mounted.", node, p.Ref, p.Value().UID)
	}
	return fmt.Sprintf("See in the kubelet's log of %s why the containers of pod %s (UID %s) do not stop.", node, p.Ref, p.Value().UID)
}
