package check

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var podVolumeConflict = Check{
	ID: "pod-volume-conflict", Severity: "warning",
	Title:  "A pod cannot be scheduled where its volumes are",
	Remedy: "Let the pod run where its volumes are, or make the volumes anew where the pod has to run.",
	Doc: Doc{
		Means: `The pod is not scheduled, and no node satisfies both its own node selector and affinity and the node affinity of all of its volumes: two
volumes of two zones, or a volume of one zone and a pod that asks for another. Waiting changes nothing.`,
		DecidedBy: "A pod without a node and with condition PodScheduled False; the node affinity of its bound PersistentVolumes, its nodeSelector and its required node affinity, each against the labels of all Nodes.",
		LeftAlone: "Pods for which a node remains: taints, resources or other pods keep them. Volumes that no node at all can reach: see volume-no-node.",
		References: []string{
			"kubernetes pkg/scheduler/framework/plugins/volumebinding (\"node(s) had volume node affinity conflict\" up to 1.32, \"didn't match PersistentVolume's node affinity\" from 1.33)",
			"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#node-affinity",
		},
	},
	Needs: []Need{needPods, needVolumes, needNodeList, needClaims},
	Look:  lookPodVolumeConflict,
}

func lookPodVolumeConflict(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	topology := reconstruct.NewTopology(w)
	var out []Hit
	for _, p := range w.PodsWithoutNode() {
		condition := unscheduled(p)
		if condition < 0 {
			continue
		}
		if h, ok := conflict(w, topology, p); ok {
			h.Shown = append(h.Shown, reconstruct.CiteAll(p, fmt.Sprintf("status.conditions[%d].message", condition))...)
			out = append(out, h)
		}
	}
	return out
}

// unscheduled is the index of the condition by which the scheduler says that it found no node; -1 without one.
func unscheduled(p pod) int {
	if p.Value().Spec.NodeName != "" || p.Value().DeletionTimestamp != nil || finished(p) {
		return -1
	}
	return slices.IndexFunc(p.Value().Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse
	})
}

// conflict looks for a node that the pod and all of its volumes allow.
func conflict(w *reconstruct.World, t *reconstruct.Topology, p pod) (Hit, bool) {
	own := t.OfPod(&p.Value().Spec)
	left := own
	h := Hit{Objects: []model.Ref{p.Ref}}
	var places []string
	for _, name := range reconstruct.ClaimsOf(p.Value()) {
		c, ok := w.Claim(p.Ref.Namespace, name)
		if !ok {
			continue
		}
		pv, ok := volumeOf(w, c.Value())
		if !ok || pv.Value().Spec.NodeAffinity == nil {
			continue
		}
		reach := t.OfVolume(pv.Value())
		if len(reach) == 0 {
			return Hit{}, false
		}
		left = t.Both(left, reach)
		h.Objects = append(h.Objects, pv.Ref)
		h.Shown = append(h.Shown, affinityEvidence(pv)...)
		places = append(places, fmt.Sprintf("%s is on nodes with %s", pv.Ref.Name, affinityText(pv.Value())))
	}
	if len(left) > 0 || len(own) == 0 || len(places) == 0 {
		return Hit{}, false
	}
	h.Text = fmt.Sprintf("Pod %s is not scheduled, and no node can take it: %s; by its own selector and affinity it may run on %s.", p.Ref, words.List(places), nodesText(own, len(w.Nodes)))
	return h, true
}

// nodesText names some nodes, or says that they are all.
func nodesText(list []node, all int) string {
	if len(list) == all {
		return "any node"
	}
	return words.List(nodeNames(list))
}
