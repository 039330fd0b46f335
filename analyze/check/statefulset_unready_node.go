package check

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var statefulSetUnreadyNode = Check{
	ID: "statefulset-unready-node", Severity: "warning",
	Title:  "Pods of a StatefulSet are on a node that is not Ready",
	Remedy: "Bring the node back, or fence it and let the controller know.",
	Doc: Doc{
		Means: `A StatefulSet keeps at most one pod of a name: it makes no replacement while the old object exists, and the object stays until
the kubelet of its node, the pod garbage collector or a person removes it. On a node that does not come back these pods stay
down, whatever their tolerations.`,
		DecidedBy: "A pod with a claim, owned by a StatefulSet, not finished and not being deleted, on a node with a Ready condition other than True at the collection. The eviction to come counts the pod's toleration from the taint's timeAdded.",
		LeftAlone: "Pods of an open incident; pods that are being deleted, which are an incident when their volume is attached there, and else a finding of their own once they are past their grace period.",
		References: []string{
			"kubernetes pkg/controller/statefulset/stateful_set_control.go, 1.13–1.36",
			"https://kubernetes.io/docs/tasks/run-application/force-delete-stateful-set-pod/",
		},
	},
	Needs: []Need{needPods, needNodes},
	Look:  lookStatefulSetUnreadyNode,
}

// quoteOwners cites what makes the first few pods a StatefulSet's.
func quoteOwners(g []pod) []*model.Observation {
	var out []*model.Observation
	for _, p := range g[:min(len(g), maxShown)] {
		for i, o := range p.Value().OwnerReferences {
			if o.Kind == "StatefulSet" {
				out = append(out, reconstruct.CiteAll(p, fmt.Sprintf("metadata.ownerReferences[%d].kind", i))...)
			}
		}
	}
	return out
}

func lookStatefulSetUnreadyNode(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	known := toldBy(cases)
	list := volumePods(w, func(p pod) bool {
		r := w.Readiness(nodeOf(p))
		return ofStatefulSet(p) && r.Known && !r.Ready && p.Value().DeletionTimestamp == nil && !finished(p) && !known.old[p.Ref.String()] && !known.fresh[p.Ref.String()]
	})
	var out []Hit
	for _, g := range grouped(list, nodeOf) {
		node := nodeOf(g[0])
		r := w.Readiness(node)
		eviction, due := firstEviction(w, node, g)
		out = append(out, Hit{
			Objects: podRefs(node, g),
			Text: fmt.Sprintf("%s on %s, which is not Ready (%s). Its StatefulSet makes no replacement before the object is gone, and nothing on a dead node removes it.",
				podsAre(g, "of a StatefulSet is", "of StatefulSets are"), node, condition(r)) + eviction,
			Remedy: bringBack(w, node),
			Shown:  slices.Concat(r.Shown, quotePods(g, "spec.nodeName"), quoteOwners(g), due),
		})
	}
	return out
}

// firstEviction says which of a lost node's pods is evicted first and when, by its toleration and the taint's time; nothing without the
// taint, or when it was due before the collection.
func firstEviction(w *reconstruct.World, node string, g []pod) (text string, shown []*model.Observation) {
	n, held := w.Node(node)
	end, dated := collected(w)
	if !held || !dated {
		return "", nil
	}
	for i, taint := range n.Value().Spec.Taints {
		if taint.Key != upstream.UnreachableTaint || taint.Effect != corev1.TaintEffectNoExecute || taint.TimeAdded == nil {
			continue
		}
		var first time.Time
		for _, p := range g {
			t := tolerates(p)
			due := taint.TimeAdded.Add(t.shortest)
			if !t.matches || t.unlimited || due.Before(end) || !first.IsZero() && !due.Before(first) {
				continue
			}
			first = due
			text = fmt.Sprintf(" Unless %s is back before, %s is evicted at %s UTC, when its toleration (%s) has run out, and stays Terminating.",
				node, p.Ref, due.UTC().Format("2006-01-02 15:04:05"), words.Duration(t.shortest))
			shown = append(reconstruct.CiteAll(n, fmt.Sprintf("spec.taints[%d].timeAdded", i)), reconstruct.CiteAll(p, fmt.Sprintf("spec.tolerations[%d].tolerationSeconds", t.index))...)
		}
	}
	return text, shown
}
