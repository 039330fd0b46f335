package reconstruct

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// countsAt reports that an old pod is proven to have counted as a user of the volume at a time: its object in the bundle still
// does, or what ended that came later.
func (c *Case) countsAt(t time.Time) bool {
	since := func(o *model.Observation) bool { return !o.At.Earliest.Before(t) }
	switch asked := c.DeletionRequested; {
	case c.Variant == model.ExclusivelyAttached:
		return false
	case slices.ContainsFunc(c.Mirrors, since):
		return true // it was reported as waiting for the volume itself
	case slices.ContainsFunc(c.World.held(c.OldPods), func(p model.Object[*corev1.Pod]) bool {
		return Counts(p.Value()) && !p.Value().CreationTimestamp.Time.After(t)
	}):
		return true
	case asked.Known() && !asked.Earliest.Before(t.Add(-killSettle)) && !c.OldPodFinished.Known():
		return true // a pod that nobody has asked to go counts until it finishes
	}
	old := c.about(c.OldPods)
	return slices.ContainsFunc(c.OldPods, func(p model.Ref) bool {
		o := first(old, window{}, and(ofPod(p), kinds(model.PodGone, model.PodForceDeleted, model.PodFinished, model.PodContainersStopped)))
		return o != nil && since(o)
	})
}

// Counts reports that the attach/detach controller counts a pod object as a user of its volumes: it has not finished, and it is
// not both being deleted and without a running container (IsPodTerminated, pkg/volume/util, 1.13–1.36).
func Counts(p *corev1.Pod) bool {
	runs := func(s corev1.ContainerStatus) bool { return s.State.Terminated == nil && s.State.Waiting == nil }
	return p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed &&
		(p.DeletionTimestamp == nil || slices.ContainsFunc(p.Status.ContainerStatuses, runs))
}
