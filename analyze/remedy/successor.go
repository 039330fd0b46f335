package remedy

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// replacement is the fit of the old pod's deletion by what its owner does then; without a reason when no other pod is made.
func (i *Incident) replacement() Fit {
	r := successorOf(i.Case)
	comes := r.Comes
	if comes == model.Unknown && i.HasCause(model.CauseRolloutSurge) {
		comes = model.True // a rolling update keeps the old pod until the new one is Ready
	}
	owner, its := "Its owner", "its owner"
	if r.Owner.Name != "" {
		owner = fmt.Sprintf("%s %s", r.Owner.Kind, r.Owner.Name)
		its = owner
	}
	const instead = " Scaling to zero and back, or kubectl rollout undo, ends it."
	another := owner + " creates another pod at once, "
	return first([]when{
		{comes == model.False, fits("")}, // a StatefulSet's next pod is the one that waits; and what ended here was followed by no other
		{comes == model.Unknown && (r.Owner.Kind == "StatefulSet" || r.Owner.Name == "" && i.Case.Released.Known()), fits("")},
		{r.Owner.Kind == "DaemonSet", noEffect(another + "on the same node, which keeps the volume there.")},
		{comes == model.Unknown && r.Owner.Kind != "ReplicaSet",
			undecidable("Whether " + its + " creates another pod, which could keep the volume on " + i.node() + ", is not in the bundle.")},
		{comes == model.Unknown,
			undecidable("Whether " + owner + " creates another pod, which could keep the volume, is not in the bundle: its replicas.")},
		{r.Back == model.True,
			noEffect(another + "which can be scheduled on " + i.node() + " again and keeps the volume there: the wait goes on." + instead)},
		{r.OnlyTo, fits(another + "which cannot come back to " + i.node() + " and only to " + i.Case.To + ", where both may use the volume.")},
		{r.Back == model.False,
			undecidable(another + "which cannot come back to " + i.node() + "; where else it is scheduled, and which pod gets the volume then, " +
				"nothing decides." + instead)},
		{true, noEffect(another + "and nothing in the bundle keeps it from " + i.node() + ", where it keeps the volume." + instead)},
	})
}

// successor is what the owner of the old pod does when that pod is deleted in the ordinary way.
type successor struct {
	Owner  model.Ref   // zero for a pod without an owner, or whose owner is not known
	Comes  model.Truth // the owner creates another pod at once
	Back   model.Truth // that pod can be placed on the old node
	OnlyTo bool        // it can be placed on the wanted node only, where it shares the volume
}

// successorOf looks at the owner of the old pod, and at where another pod of it can go.
func successorOf(c *wait.Case) successor {
	r := successor{Comes: model.Unknown, Back: model.Unknown}
	pods := c.World.Held(c.OldPods) // or copies of those that their owner made in their place on the old node
	if len(pods) == 0 {
		return r
	}
	owner, owned := facts.ControllerOf(pods[0])
	if r.Owner = owner; !owned {
		r.Comes = model.False
	}
	if owner.Kind != "ReplicaSet" {
		return r
	}
	if rs, ok := facts.Found(c.World, c.World.ReplicaSets, owner); ok && rs.Value().Spec.Replicas != nil {
		if *rs.Value().Spec.Replicas > 0 {
			r.Comes = model.True
		} else if !c.Resolved() {
			r.Comes = model.False // of a wait that is over it may have been scaled since
		}
	}
	place(c, &r, pods[0].Value())
	return r
}

// place finds where a pod like the old one can go: cordons, taints and its selector decide. Affinity is left open.
func place(c *wait.Case, r *successor, pod *corev1.Pod) {
	node, ok := c.World.Node(c.From)
	if !ok {
		return
	}
	if takes(node.Value(), pod) {
		r.Back = model.True
		return
	}
	r.Back = model.False
	anywhere := pod.Spec.Affinity == nil || pod.Spec.Affinity.NodeAffinity == nil
	known := c.To != "" && c.World.Listed("Node", "") && anywhere
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
		return t.Effect != corev1.TaintEffectPreferNoSchedule && !facts.TolerationOf(pod, t).Matches
	})
}
