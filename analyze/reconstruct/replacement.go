package reconstruct

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// Replacement is what the owner of the old pod does when that pod is deleted in the ordinary way.
type Replacement struct {
	Owner   model.Ref   // zero for a pod without an owner, or whose owner is not known
	Comes   model.Truth // the owner makes another pod at once
	Back    model.Truth // that pod can be placed on the old node
	OnlyTo  bool        // it can be placed on the wanted node only, where it shares the volume
	Witness []*model.Observation
}

// Replacement looks at the owner of the old pod, and at where another pod of it can go.
func (c *Case) Replacement() Replacement {
	r := Replacement{Comes: model.Unknown, Back: model.Unknown}
	pods := c.World.held(c.OldPods) // or copies of those that their owner made in their place on the old node
	if len(pods) == 0 {
		return r
	}
	owner, owned := controllerOf(pods[0])
	if r.Owner = owner; !owned {
		r.Comes = model.False
	}
	if owner.Kind != "ReplicaSet" {
		return r
	}
	for _, rs := range picked(c.World.ReplicaSets, c.World.replicaSet[owner.String()]) {
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
	c.place(&r, pods[0].Value())
	return r
}

// place finds where a pod like the old one can go: cordons, taints and its selector decide. Affinity is left open.
func (c *Case) place(r *Replacement, pod *corev1.Pod) {
	node, ok := c.World.Node(c.From)
	if !ok {
		return
	}
	if takes(node.Value(), pod) {
		r.Back = model.True
		return
	}
	r.Back, r.Witness = model.False, append(r.Witness, CiteAll(node, cordoned(node.Value()))...)
	known := c.To != "" && c.World.Listed("Node", "") && (pod.Spec.Affinity == nil || pod.Spec.Affinity.NodeAffinity == nil)
	r.OnlyTo = known && !slices.ContainsFunc(c.World.Nodes, func(n model.Object[*corev1.Node]) bool {
		return takes(n.Value(), pod) != (n.Ref.Name == c.To)
	})
}

// takes reports that nothing on a node keeps a pod from being scheduled there: a cordon, a taint, a label that it asks for.
func takes(n *corev1.Node, pod *corev1.Pod) bool {
	for k, v := range pod.Spec.NodeSelector {
		if n.Labels[k] != v {
			return false
		}
	}
	return !n.Spec.Unschedulable && !slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool {
		return t.Effect != corev1.TaintEffectPreferNoSchedule && !tolerated(pod, t)
	})
}

func tolerated(pod *corev1.Pod, taint corev1.Taint) bool {
	return slices.ContainsFunc(pod.Spec.Tolerations, func(t corev1.Toleration) bool {
		return (t.Effect == "" || t.Effect == taint.Effect) && (t.Key == "" || t.Key == taint.Key) &&
			(t.Operator == corev1.TolerationOpExists || t.Key != "" && t.Value == taint.Value)
	})
}

// cordoned is the field that keeps pods from a node.
func cordoned(n *corev1.Node) string {
	if n.Spec.Unschedulable {
		return "spec.unschedulable"
	}
	return fmt.Sprintf("spec.taints[%d]", max(len(n.Spec.Taints)-1, 0))
}
