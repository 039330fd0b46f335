package wait

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// Serving are the pods in the bundle that run on the old node with the volume and are not being deleted: the controller waits for them.
func (c *Case) Serving() []model.Object[*corev1.Pod] {
	pods := c.World.Held(c.OldPods)
	if c.From != "" && !c.Resolved() { // later the volume may have come back
		pods = append(pods, c.World.PodsAt(c.Volume, c.From)...)
	}
	known := map[model.Ref]bool{}
	return facts.Where(pods, func(p model.Object[*corev1.Pod]) bool {
		pod, again := p.Value(), known[p.Ref]
		known[p.Ref] = true
		elsewhere := c.From != "" && pod.Spec.NodeName != c.From
		if again || c.isNewPod(p.Ref) || elsewhere {
			return false
		}
		return runs(pod) && pod.Spec.NodeName != c.To
	})
}

// runs reports that a pod runs and is not being deleted.
func runs(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodRunning && p.DeletionTimestamp == nil
}

// Sharing finds a pod that runs on the old node and a waiting one on another node that name one claim and are not being deleted.
func (c *Case) Sharing() (old, waiting model.Object[*corev1.Pod], ok bool) {
	for _, o := range c.Serving() {
		for _, p := range c.World.Held(c.NewPods) {
			if wants(p.Value()) && p.Value().Spec.NodeName != o.Value().Spec.NodeName && sameClaim(o, p) {
				return o, p, true
			}
		}
	}
	return old, waiting, false
}

// wants reports that a pod is on a node and still needs its volumes.
func wants(p *corev1.Pod) bool {
	return p.Spec.NodeName != "" && p.DeletionTimestamp == nil && !facts.Finished(p)
}

func sameClaim(a, b model.Object[*corev1.Pod]) bool {
	claims := facts.ClaimsOf(b.Value())
	shared := func(name string) bool { return slices.Contains(claims, name) }
	return a.Ref.Namespace == b.Ref.Namespace && slices.ContainsFunc(facts.ClaimsOf(a.Value()), shared)
}

// Revisions reports that the old and the new pod belong to one Deployment and differ in their template: a rolling update.
func (c *Case) Revisions() bool {
	old, fresh := c.TemplateHash(c.OldPods), c.TemplateHash(c.NewPods)
	if old == "" || fresh == "" || old == fresh {
		return false
	}
	if !c.PodsInBundle() {
		return c.OneDeployment()
	}
	return c.SameOwner() && c.ownedBy("Deployment")
}

// OwnersDiffer reports that both an old and a new pod are in the bundle and belong to two workloads.
func (c *Case) OwnersDiffer() bool { return c.PodsInBundle() && !c.SameOwner() }

// OldOwner is the TopOwner of an old pod, which would make another in its place; nil for a pod without one; known when a pod is there.
func (c *Case) OldOwner() (owner *model.Ref, known bool) {
	pods := append(c.Serving(), c.World.Held(c.OldPods)...)
	if len(pods) == 0 {
		return nil, false
	}
	top := c.World.TopOwner(pods[0])
	if top == pods[0].Ref {
		return nil, true
	}
	return &top, true
}
