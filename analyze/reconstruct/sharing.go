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
	pods := c.World.held(c.OldPods)
	if c.From != "" && !c.Resolved() { // later the volume may have come back
		pods = append(pods, c.World.PodsOf(c.Volume)...)
	}
	known := map[model.Ref]bool{}
	return where(pods, func(p model.Object[*corev1.Pod]) bool {
		pod, again := p.Value(), known[p.Ref]
		known[p.Ref] = true
		return !again && pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil && pod.Spec.NodeName != c.To &&
			(c.From == "" || pod.Spec.NodeName == c.From) && !c.isNewPod(p.Ref)
	})
}

// Sharing finds, among the objects of the bundle, a pod that runs on the old node and a waiting one on another node that name
// one claim, neither of which is being deleted: the claim is shared, whoever made the pods.
func (c *Case) Sharing() (old, waiting model.Object[*corev1.Pod], ok bool) {
	for _, o := range c.Serving() {
		for _, p := range c.World.held(c.NewPods) {
			if wants(p.Value()) && p.Value().Spec.NodeName != o.Value().Spec.NodeName && sameClaim(o, p) {
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
	one := c.SameOwner() && c.Workload != nil && c.Workload.Kind == "Deployment"
	if !c.PodsInBundle() {
		one = c.OneDeployment()
	}
	return one && old != "" && fresh != "" && old != fresh
}

// OwnersDiffer reports that both an old and a new pod are in the bundle and belong to two workloads.
func (c *Case) OwnersDiffer() bool { return c.PodsInBundle() && !c.SameOwner() }

// OldOwner is what would make another pod in the place of the old one: its controller, with a ReplicaSet followed to its
// Deployment. Without one known tells that the pod's object says so; otherwise nothing is known.
func (c *Case) OldOwner() (owner *model.Ref, known bool) {
	pods := append(c.Serving(), c.World.held(c.OldPods)...)
	if len(pods) == 0 {
		return nil, false
	}
	top := c.World.TopOwner(pods[0])
	if top == pods[0].Ref {
		return nil, true
	}
	return &top, true
}

// RefsOf names objects.
func RefsOf[T any](list []model.Object[T]) (out []model.Ref) {
	for _, o := range list {
		out = append(out, o.Ref)
	}
	return out
}

// podReady is the condition Ready of a pod, with the path of its fields; zero when it has none.
func podReady(p model.Object[*corev1.Pod]) (cond corev1.PodCondition, field string) {
	for i, cond := range p.Value().Status.Conditions {
		if cond.Type == corev1.PodReady {
			return cond, fmt.Sprintf("status.conditions[%d].", i)
		}
	}
	return cond, field
}

// ReadySince is the condition Ready of a pod at the collection: whether it is there, its value, and since when, with the quote.
func ReadySince(p model.Object[*corev1.Pod]) (ready model.Truth, since metav1.Time, quote *model.Observation) {
	cond, field := podReady(p)
	switch {
	case field == "":
		return model.Unknown, since, nil
	case cond.Status == corev1.ConditionTrue:
		ready = model.True
	default:
		ready = model.False
	}
	return ready, cond.LastTransitionTime, Cite(p, field+"lastTransitionTime")
}
