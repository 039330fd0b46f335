package reconstruct

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// What the kubelet of the wanted node tells of a beginning in order, at its default verbosity: Controller attach succeeded,
// MountDevice succeeded, SetUp succeeded, and the first report of a pod that runs.

const (
	// lookLag is how long after the attach a kubelet found it at most that had been waiting for longer than statusPeriod: 0.5 to
	// 0.7 s on real nodes of 1.34.3.
	lookLag = 2 * time.Second
	// statusPeriod is how often a kubelet sends its status. Before the status lists the volume as in use the kubelet does not
	// look, so that a pod as young as that has found its volume up to 4 s late on a real node.
	statusPeriod = 10 * time.Second
)

// attachedByKubelet narrows the attach by what the wanted node's kubelet did with the volume: it finds it before it mounts it.
func (c *Case) attachedByKubelet(told Instant, list []*model.Observation) Instant {
	found := first(list, after(c.Began.At), func(o *model.Observation) bool {
		ours := c.To != "" && o.Node == c.To || o.Node == "" && c.isNewPod(o.Pod)
		return ours && (o.Kind == model.AttachSeen || o.Kind == model.MountSucceeded)
	})
	if found == nil || told.Known() && !found.At.Latest.Before(told.Latest) {
		return told
	}
	m := model.Between(c.Began.Earliest, found.At.Latest)
	if told.Known() {
		m.Earliest = told.Earliest
	}
	if found.Kind == model.AttachSeen && c.Scheduled.Known() && found.At.At.Sub(c.Scheduled.Latest) > statusPeriod+lookLag {
		m.Earliest = model.Later(m.Earliest, found.At.Earliest.Add(-lookLag))
	}
	if m.Latest.Before(m.Earliest) {
		return told
	}
	m.At = m.Latest
	if told.Known() {
		m.At = within(told.At, m)
	}
	return derived(m, "the wanted node's kubelet found the volume attached", append(slices.Clip(told.Witness), found)...)
}

// readyByKubelet is when the new pod became Ready. The object has only the last change of its condition, which is later where the
// pod was not Ready in between: of a pod without a readiness probe the kubelet's first report that all of its containers run is it.
func (c *Case) readyByKubelet(told Instant, fresh []*model.Observation) Instant {
	o := first(fresh, after(c.Began.At), kinds(model.PodRunning))
	if o == nil || told.Known() && !o.At.Latest.Add(time.Second).Before(told.Earliest) || !c.unprobed() {
		return told
	}
	return derived(o.At, "the pod has no readiness probe, and the kubelet had reported that its containers run", o)
}

// unprobed reports that the new pods are in the bundle, and have nothing that makes them Ready later than their containers run.
func (c *Case) unprobed() bool {
	pods := c.World.held(c.NewPods)
	probed := func(c corev1.Container) bool { return c.ReadinessProbe != nil || c.StartupProbe != nil }
	return len(pods) > 0 && len(pods) == len(c.NewPods) && !slices.ContainsFunc(pods, func(p model.Object[*corev1.Pod]) bool {
		spec := p.Value().Spec
		return len(spec.ReadinessGates) > 0 || slices.ContainsFunc(spec.InitContainers, probed) || slices.ContainsFunc(spec.Containers, probed)
	})
}
