package reconstruct

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// Replacement is what the owner of the old pod does when that pod is deleted in the ordinary way.
type Replacement struct {
	Owner   model.Ref   // zero for a pod that nobody owns, or whose owner is not known
	Comes   model.Truth // the owner makes another pod at once
	Back    model.Truth // that pod can be placed on the old node
	OnlyTo  bool        // it can be placed on the wanted node only, where it shares the volume
	Witness []*model.Observation
}

// Replacement looks at the owner of the old pod, and at where another pod of it can go.
func (c *Case) Replacement() Replacement {
	r := Replacement{Comes: model.Unknown, Back: model.Unknown}
	pod, ok := c.oldPodObject()
	if !ok {
		return r
	}
	owner := metav1.GetControllerOf(pod.Value())
	if owner == nil {
		r.Comes = model.False
		return r
	}
	r.Owner = model.Ref{Kind: owner.Kind, Namespace: pod.Ref.Namespace, Name: owner.Name, UID: string(owner.UID)}
	if owner.Kind != "ReplicaSet" {
		return r
	}
	for _, n := range c.World.replicaSet[r.Owner.String()] {
		rs := c.World.ReplicaSets[n]
		if !rs.Ref.Is(r.Owner) || rs.Value().Spec.Replicas == nil {
			continue
		}
		r.Witness = append(r.Witness, CiteAll(rs, "spec.replicas")...)
		switch {
		case *rs.Value().Spec.Replicas > 0:
			r.Comes = model.True
		case !c.Resolved():
			r.Comes = model.False // of a wait that is over it may have been scaled since
		}
	}
	c.place(&r, pod.Value())
	return r
}

// oldPodObject is a copy of a pod that held the volume, or of one that its owner made in its place on the old node.
func (c *Case) oldPodObject() (model.Object[*corev1.Pod], bool) {
	for _, ref := range c.OldPods {
		if pod, ok := c.World.Pod(ref); ok {
			return pod, true
		}
	}
	return model.Object[*corev1.Pod]{}, false
}

// place finds where a pod like the old one can go, by what a list of nodes shows of cordons, taints and the pod's selector.
// Affinity is not worked out: it leaves the other nodes open.
func (c *Case) place(r *Replacement, pod *corev1.Pod) {
	node, ok := c.World.Node(c.From)
	if !ok {
		return
	}
	r.Back = model.False
	if takes(node.Value(), pod) {
		r.Back = model.True
		return
	}
	r.Witness = append(r.Witness, CiteAll(node, cordoned(node.Value()))...)
	if c.To == "" || !c.World.Listed("Node", "") || pod.Spec.Affinity != nil && pod.Spec.Affinity.NodeAffinity != nil {
		return
	}
	r.OnlyTo = true
	for _, n := range c.World.Nodes {
		if takes(n.Value(), pod) != (n.Ref.Name == c.To) {
			r.OnlyTo = false
		}
	}
}

// takes reports that nothing on a node keeps a pod from being scheduled there: a cordon, a taint, a label that it asks for.
func takes(n *corev1.Node, pod *corev1.Pod) bool {
	if n.Spec.Unschedulable {
		return false
	}
	for _, t := range n.Spec.Taints {
		if t.Effect != corev1.TaintEffectPreferNoSchedule && !tolerated(pod, t) {
			return false
		}
	}
	for k, v := range pod.Spec.NodeSelector {
		if n.Labels[k] != v {
			return false
		}
	}
	return true
}

func tolerated(pod *corev1.Pod, taint corev1.Taint) bool {
	for _, t := range pod.Spec.Tolerations {
		if t.Effect != "" && t.Effect != taint.Effect || t.Key != "" && t.Key != taint.Key {
			continue
		}
		if t.Operator == corev1.TolerationOpExists || t.Key != "" && t.Value == taint.Value {
			return true
		}
	}
	return false
}

// cordoned is the field that keeps pods from a node.
func cordoned(n *corev1.Node) string {
	if n.Spec.Unschedulable {
		return "spec.unschedulable"
	}
	return fmt.Sprintf("spec.taints[%d]", max(len(n.Spec.Taints)-1, 0))
}
