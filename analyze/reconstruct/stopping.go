package reconstruct

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// PreStopFailures are the kubelet's events that a preStop hook of an old pod failed, or was cut off by the end of the grace period
// (FailedPreStopHook, pkg/kubelet/events, 1.13–1.36).
func (c *Case) PreStopFailures() []*model.Observation {
	return where(c.about(c.OldPods), func(o *model.Observation) bool {
		return o.Kind == model.KubernetesEvent && o.Detail == "FailedPreStopHook"
	})
}

// StopShown reports that the release is known by the end of the old pod's containers, and not by that of its object, which the kubelet
// keeps until it has unmounted the volumes, nor by that of an unmount, which may have failed before.
func (c *Case) StopShown() bool {
	ended := kinds(model.ContainerDied, model.PodFinished)
	return len(c.PreStopFailures()) > 0 || slices.ContainsFunc(c.Released.Witness, ended)
}

// GracePeriod is how long an old pod may take to stop: its own, or that of its replacement, which has the same template. False where no
// copy of either is in the bundle.
func (c *Case) GracePeriod() (time.Duration, bool) {
	for _, pod := range c.World.held(slices.Concat(c.OldPods, c.NewPods)) {
		if s := pod.Value().Spec.TerminationGracePeriodSeconds; s != nil {
			return time.Duration(*s) * time.Second, true
		}
	}
	return 0, false
}
