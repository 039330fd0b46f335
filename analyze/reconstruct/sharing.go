package reconstruct

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// Serving are the pods in the bundle that run on the old node with the volume and are not being deleted: as long as there is
// one, the controller has no reason to detach, and whatever the pod serves depends on it.
func (c *Case) Serving() []model.Object[*corev1.Pod] {
	var out []model.Object[*corev1.Pod]
	add := func(p model.Object[*corev1.Pod]) {
		pod := p.Value()
		known := slices.ContainsFunc(out, func(o model.Object[*corev1.Pod]) bool { return o.Ref == p.Ref })
		if !known && pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil && pod.Spec.NodeName != c.To &&
			(c.From == "" || pod.Spec.NodeName == c.From) && !c.isNewPod(p.Ref) {
			out = append(out, p)
		}
	}
	for _, ref := range c.OldPods {
		if p, ok := c.World.Pod(ref); ok {
			add(p)
		}
	}
	if c.From != "" && !c.Resolved() { // later the volume may have come back
		for _, p := range c.World.PodsOf(c.Volume) {
			add(p)
		}
	}
	return out
}

// Sharing finds, among the objects of the bundle, a pod that runs on the old node and a waiting one on another node that name
// one claim, neither of which is being deleted: the claim is shared, whoever made the pods.
func (c *Case) Sharing() (old, waiting model.Object[*corev1.Pod], ok bool) {
	for _, o := range c.Serving() {
		for _, ref := range c.NewPods {
			p, found := c.World.Pod(ref)
			if found && wants(p.Value()) && p.Value().Spec.NodeName != o.Value().Spec.NodeName && sameClaim(o, p) {
				return o, p, true
			}
		}
	}
	return old, waiting, false
}

// wants reports that a pod is on a node and still needs its volumes.
func wants(p *corev1.Pod) bool {
	return p.Spec.NodeName != "" && p.DeletionTimestamp == nil && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed
}

func sameClaim(a, b model.Object[*corev1.Pod]) bool {
	claims := ClaimsOf(b.Value())
	return a.Ref.Namespace == b.Ref.Namespace && slices.ContainsFunc(ClaimsOf(a.Value()), func(name string) bool { return slices.Contains(claims, name) })
}

// Revisions reports that the old and the new pod belong to one Deployment and differ in their template, so that a rolling
// update made the new one.
func (c *Case) Revisions() bool {
	old, fresh := c.TemplateHash(c.OldPods), c.TemplateHash(c.NewPods)
	if old == "" || fresh == "" || old == fresh {
		return false
	}
	if c.PodsInBundle() {
		return c.SameOwner() && c.Workload != nil && c.Workload.Kind == "Deployment"
	}
	return c.OneDeployment()
}

// OwnersDiffer reports that both an old and a new pod are in the bundle and belong to two workloads.
func (c *Case) OwnersDiffer() bool { return c.PodsInBundle() && !c.SameOwner() }

// OldOwner is what would make another pod in the place of the old one: its controller, with a ReplicaSet followed to its
// Deployment. Without one known tells that the pod's object says so; otherwise nothing is known.
func (c *Case) OldOwner() (owner *model.Ref, known bool) {
	for _, list := range [][]model.Ref{RefsOf(c.Serving()), c.OldPods} {
		for _, ref := range list {
			p, ok := c.World.Pod(ref)
			if !ok {
				continue
			}
			if metav1.GetControllerOf(p.Value()) == nil {
				return nil, true
			}
			top := c.World.TopOwner(p)
			return &top, true
		}
	}
	return nil, false
}

// RefsOf names pods.
func RefsOf(pods []model.Object[*corev1.Pod]) []model.Ref {
	var out []model.Ref
	for _, p := range pods {
		out = append(out, p.Ref)
	}
	return out
}

// ReadySince is the condition Ready of a pod at the collection: whether it is there, its value, and since when, with the quote.
func ReadySince(p model.Object[*corev1.Pod]) (ready model.Truth, since metav1.Time, quote *model.Observation) {
	for i, cond := range p.Value().Status.Conditions {
		if cond.Type != corev1.PodReady {
			continue
		}
		quote = Cite(p, fmt.Sprintf("status.conditions[%d].lastTransitionTime", i))
		if cond.Status == corev1.ConditionTrue {
			return model.True, cond.LastTransitionTime, quote
		}
		return model.False, cond.LastTransitionTime, quote
	}
	return model.Unknown, metav1.Time{}, nil
}
