package reconstruct

import (
	"github.com/volpost/volpost/model"
)

// ReadyThen are what shows that the old node was Ready at an instant. That no loss is known is no proof.
func (c *Case) ReadyThen(i Instant) []*model.Observation {
	if c.From == "" || !i.Known() || c.lostAt(i) {
		return nil
	}
	var out []*model.Observation
	if ready, o := c.readyAt(i); ready {
		out = append(out, o)
	}
	return unique(append(out, c.NodeSampledReady()))
}

// WorkedAt are what shows that the old node's machine ran at an instant: the node was Ready then, or its kubelet spoke later, without a
// loss, a start or a boot between.
func (c *Case) WorkedAt(i Instant) []*model.Observation {
	if c.From == "" || !i.Known() || c.lostAt(i) {
		return nil
	}
	return unique(append(c.ReadyThen(i), c.kubeletAfter(i)))
}

// kubeletAfter is the first sign of life of the old node's kubelet after an instant. What comes after a start of the kubelet or a boot
// of the machine, or after a loss of the node, is of another life.
func (c *Case) kubeletAfter(i Instant) *model.Observation {
	w := after(i.Latest)
	again := first(c.World.byNode[c.From], w, func(o *model.Observation) bool {
		return kubeletStarts(o) || o.Kind == model.NodeNotReady && isNode(o) || o.Kind == model.KubernetesEvent && o.Detail == rebooted
	})
	if again != nil {
		w.to = again.At.Earliest
	}
	return first(c.World.byNode[c.From], w, func(o *model.Observation) bool {
		return byKubelet(o) || fromLog(o) && o.Component == Kubelet &&
			(o.Kind == model.UnmountSucceeded || o.Kind == model.UnmountFailed || o.Kind == model.ContainerDied || o.Kind == model.PodKilling)
	})
}

// mountedAfter is the word of the old node's kubelet that it unmounted the volume, or tried to, after an instant: it had it until then.
func (c *Case) mountedAfter(i Instant) *model.Observation {
	o := first(c.World.byVolume[c.Volume], after(i.Latest), and(kinds(model.UnmountSucceeded, model.UnmountFailed, model.MountSucceeded), onNode(c.From)))
	if o == nil || o.Kind == model.MountSucceeded {
		return nil
	}
	return o
}

// RanUntil is the kubelet's first word after an instant that an old pod's container had ended, or that it unmounted the pod's volume, which
// it does only then. Unknown where it has none: then nothing shows whether the container still ran.
func (c *Case) RanUntil(i Instant) Instant {
	died := first(c.about(c.OldPods), after(i.Latest), kinds(model.ContainerDied))
	unmounted := first(c.World.byVolume[c.Volume], after(i.Latest), func(o *model.Observation) bool {
		return o.Kind == model.UnmountSucceeded && o.Node == c.From && o.Detail != model.OfDevice
	})
	if died == nil || unmounted != nil && unmounted.At.At.Before(died.At.At) {
		return seen(unmounted)
	}
	return seen(died)
}
