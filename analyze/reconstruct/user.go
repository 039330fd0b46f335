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
	if c.Variant == model.ExclusivelyAttached {
		return false
	}
	if slices.ContainsFunc(c.Mirrors, func(o *model.Observation) bool { return !o.At.Earliest.Before(t) }) {
		return true // it was reported as waiting for the volume itself
	}
	for _, p := range c.OldPods {
		if pod, ok := c.World.Pod(p); ok && Counts(pod.Value()) && !pod.Value().CreationTimestamp.Time.After(t) {
			return true
		}
	}
	if asked := c.DeletionRequested; asked.Known() && !asked.Earliest.Before(t.Add(-killSettle)) && !c.OldPodFinished.Known() {
		return true // a pod that nobody has asked to go counts until it finishes
	}
	old := c.about(c.OldPods)
	for _, p := range c.OldPods {
		o := first(old, window{}, func(o *model.Observation) bool {
			return o.Pod.Is(p) && kinds(model.PodGone, model.PodForceDeleted, model.PodFinished, model.PodContainersStopped)(o)
		})
		if o != nil && !o.At.Earliest.Before(t) {
			return true
		}
	}
	return false
}

// Counts reports that the attach/detach controller counts a pod object as a user of its volumes: it has not finished, and it is
// not both being deleted and without a running container (IsPodTerminated, pkg/volume/util, 1.13–1.36).
func Counts(p *corev1.Pod) bool {
	if p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
		return false
	}
	if p.DeletionTimestamp == nil {
		return true
	}
	for _, s := range p.Status.ContainerStatuses {
		if s.State.Terminated == nil && s.State.Waiting == nil {
			return true
		}
	}
	return false
}
