package wait

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// What kubelets log at their default verbosity of an end in order: a container died (PLEG), UnmountVolume.TearDown succeeded,
// UnmountDevice succeeded. It is their own word, to the millisecond, and comes from nodes that work.

const (
	// relist is how long after a container's end the kubelet finds it (PLEG relists every second, and later when it has much to do).
	relist = 2 * time.Second
	// podStatus bounds how long after the unmount of a pod's mount the API server has the pod's last status on a node that works.
	podStatus = 2 * time.Second
	// nodeStatus bounds how long after the unmount of the device the controller has the Node's volumesInUse without it: the
	// kubelet sends its status every 10 s (1.13–1.36).
	nodeStatus = 11 * time.Second
	// reportLag is how much earlier than the report an unmount may be that the controller did not know of yet.
	reportLag = 15 * time.Second
)

// unmountedByKubelet is when the old node's kubelet unmounted the device for the last time, from shortly before the report until the
// wait ended. Unknown when it mounted the volume again since, as for a pod that was made again there.
func (c *Case) unmountedByKubelet() facts.Instant {
	w := facts.During(c.Began.Earliest.Add(-reportLag), c.Ended().Latest)
	o := facts.Last(c.said(), w, facts.And(facts.Kinds(model.UnmountSucceeded, model.MountSucceeded), onNode(c.From)))
	if c.From == "" || o == nil || !unmountedDevice(o) {
		return facts.Instant{}
	}
	return seen(o)
}

// releasedByKubelet narrows the release by what the old node's kubelet did: it begins to unmount a pod's volume when the pod's
// containers have ended, and reports their end at once. A release that others show well is kept, and so is one on a lost node, whose
// kubelet may have known long before the API server, or by force, of which the kubelet learns only later.
func (c *Case) releasedByKubelet(reported facts.Instant) facts.Instant {
	shownWell := reported.Known() && width(reported) <= podStatus
	if shownWell || c.NotReady.Known() || c.Remade {
		return reported
	}
	begun := c.unmountBegun(c.Ended().Latest)
	if begun == nil || c.forcedPod(begun.At.At) {
		return reported
	}
	m := begun.At.Widen(relist+podStatus, podStatus)
	m.Basis = model.Derived
	witness := []*model.Observation{begun}
	if died := facts.Last(c.about(c.OldPods), facts.During(begun.At.At.Add(-outlived), begun.At.At), facts.Kinds(model.ContainerDied)); died != nil {
		m.At, m.Earliest = died.At.At, died.At.Earliest.Add(-relist)
		witness = []*model.Observation{died, begun}
	}
	m.Earliest = model.Later(m.Earliest, reported.Earliest)
	m.Latest = notAfter(m.Latest, reported, c.DetachRequested)
	if m.Latest.Before(m.Earliest) {
		return reported
	}
	m.At = within(m.At, m)
	return derived(m, "the old node's kubelet began to unmount the volume, which it does when the pod's containers have ended", witness...)
}

// notAfter is the first of a time and the latest times of some instants, as far as they are known.
func notAfter(t time.Time, bounds ...facts.Instant) time.Time {
	for _, b := range bounds {
		if b.Known() {
			t = model.Earlier(t, b.Latest)
		}
	}
	return t
}

// unmountBegun is the first try of the old node's kubelet to unmount the volume for the only old pod; nil when it logs none, and when
// it mounted the volume again by then.
func (c *Case) unmountBegun(by time.Time) *model.Observation {
	list, w := c.said(), facts.During(c.Began.Earliest.Add(-reportLag), by)
	if c.From == "" || len(c.OldPods) != 1 || facts.First(list, w, facts.And(facts.Kinds(model.MountSucceeded), onNode(c.From))) != nil {
		return nil
	}
	return facts.First(list, w, func(o *model.Observation) bool {
		ours := c.OldPods[0].UID == "" || o.Pod.UID == c.OldPods[0].UID
		tried := unmounted(o) || o.Kind == model.UnmountFailed && strings.HasPrefix(o.Detail, "UnmountVolume.TearDown")
		return ours && tried && o.Node == c.From
	})
}

// RemovedMounted is the word of the working kubelet of the old node that the only old pod's object was gone while it had the volume mounted
// for it: a kubelet has the object deleted only when it has unmounted the pod's volumes, so that another deleted it without grace.
func (c *Case) RemovedMounted() *model.Observation {
	w := facts.During(c.Began.Earliest.Add(-reportLag), c.Ended().Latest)
	o := facts.First(c.about(c.OldPods), w, func(o *model.Observation) bool { return o.Kind == model.PodRemoved && o.Node == c.From })
	begun := c.unmountBegun(time.Time{})
	if o == nil || begun == nil || !begun.At.Earliest.After(o.At.Latest) {
		return nil
	}
	if c.NotReady.Known() || c.NodeGone.Known() || c.RemovedByGC() != nil {
		return nil
	}
	return o
}

// forcedPod reports that an old pod was deleted without grace by a time, or at all, and stopped counting with that.
func (c *Case) forcedPod(by time.Time) bool {
	byForce := facts.Kinds(model.PodForceDeleted, model.PodForceDeleting)
	return facts.First(c.about(c.OldPods), facts.Before(by), func(o *model.Observation) bool {
		return byForce(o) || o.Kind == model.PodDeletionRequested && o.Detail == graceless
	}) != nil
}

// unmountEnd ends the wait for the unmount: the request of the detach, else the kubelet's unmount, as of the node's next status.
func (c *Case) unmountEnd() facts.Instant {
	end := divides(c.DetachRequested)
	if end.Known() || !c.Unmounted.Known() || c.NotReady.Known() {
		return end
	}
	m := model.Between(c.Unmounted.Earliest, c.Unmounted.Latest.Add(nodeStatus))
	m.At, m.Latest = c.Unmounted.At, notAfter(m.Latest, c.DetachRequested, c.Attached)
	if m.Latest.Before(m.At) {
		return end
	}
	return derived(m, "the kubelet had unmounted the volume then, and the controller knows with the node's next status",
		c.Unmounted.Witness...)
}

// EndOfWriting is when the old node's kubelet had unmounted the device that was mounted before: no process there writes to it then.
func (c *Case) EndOfWriting(since facts.Instant) facts.Instant {
	return seen(facts.First(c.said(), facts.After(since.At), facts.And(unmountedDevice, onNode(c.From))))
}

// SameProcess cites the old node's kubelet's line that it had last looked at its containers before the loss: it had lived through.
func (c *Case) SameProcess() *model.Observation {
	if !c.NotReady.Known() {
		return nil
	}
	return facts.Find(c.ofNode(), func(o *model.Observation) bool {
		return o.Kind == model.KubeletPaused && o.At.Latest.Before(c.NotReady.Earliest) && o.Last.At.After(c.NotReady.Latest)
	})
}

// What the kubelet of the wanted node logs of a beginning in order, at its default verbosity: Controller attach succeeded,
// MountDevice succeeded, SetUp succeeded, and the first report of a pod that runs.

const (
	// lookLag is how late a kubelet finds an attach that it has awaited for longer than statusPeriod: 0.5 to 0.7 s on nodes of 1.34.3.
	lookLag = 2 * time.Second
	// statusPeriod is how often a kubelet sends its status. Before it lists the volume as in use the kubelet does not look.
	statusPeriod = 10 * time.Second
)

// attachedByKubelet narrows the attach by what the wanted node's kubelet did with the volume: it finds it before it mounts it.
func (c *Case) attachedByKubelet(reported facts.Instant, list []*model.Observation) facts.Instant {
	found := facts.First(list, facts.After(c.Began.At), facts.And(c.toWanted, facts.Kinds(model.AttachSeen, model.MountSucceeded)))
	if found == nil || reported.Known() && !found.At.Latest.Before(reported.Latest) {
		return reported
	}
	m := model.Between(c.Began.Earliest, found.At.Latest)
	if reported.Known() {
		m.Earliest = reported.Earliest
	}
	awaited := c.Scheduled.Known() && found.At.At.Sub(c.Scheduled.Latest) > statusPeriod+lookLag
	if awaited && found.Kind == model.AttachSeen {
		m.Earliest = model.Later(m.Earliest, found.At.Earliest.Add(-lookLag))
	}
	if m.Latest.Before(m.Earliest) {
		return reported
	}
	m.At = m.Latest
	if reported.Known() {
		m.At = within(reported.At, m)
	}
	return derived(m, "the wanted node's kubelet found the volume attached", append(slices.Clip(reported.Witness), found)...)
}

// readyByKubelet is when the new pod became Ready. The object has only the last change of its condition: of a pod without a readiness
// probe the kubelet's first report that all of its containers run is it.
func (c *Case) readyByKubelet(reported facts.Instant, fresh []*model.Observation) facts.Instant {
	o := facts.First(fresh, facts.After(c.Began.At), facts.Kinds(model.PodRunning))
	sooner := o != nil && (!reported.Known() || o.At.Latest.Add(time.Second).Before(reported.Earliest))
	if !sooner || !c.unprobed() {
		return reported
	}
	return derived(o.At, "the pod has no readiness probe, and the kubelet had reported that its containers run", o)
}

// unprobed reports that the new pods are in the bundle, and have nothing that makes them Ready later than their containers run.
func (c *Case) unprobed() bool {
	pods := c.World.Held(c.NewPods)
	probed := func(c corev1.Container) bool { return c.ReadinessProbe != nil || c.StartupProbe != nil }
	return len(pods) > 0 && len(pods) == len(c.NewPods) && !slices.ContainsFunc(pods, func(p model.Object[*corev1.Pod]) bool {
		spec := p.Value().Spec
		return len(spec.ReadinessGates) > 0 || slices.ContainsFunc(spec.InitContainers, probed) || slices.ContainsFunc(spec.Containers, probed)
	})
}
