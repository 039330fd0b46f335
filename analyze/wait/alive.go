package wait

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// outlived is how long after NotReady a sign of life must come: what a dying node had queued arrives within seconds, and clocks differ.
const outlived = time.Minute

// KubeletNotReady are the records that the old node's own kubelet declared it not Ready: False, where a controller that hears nothing
// says Unknown. A node that is shutting down says False as well, and is left out.
func (c *Case) KubeletNotReady() []*model.Observation {
	if !c.NotReady.Known() || c.DeclaredShutdown() != nil {
		return nil
	}
	near := facts.During(c.NotReady.Earliest.Add(-declared), c.NotReady.Latest.Add(declared))
	list := facts.Where(facts.After(near.From).Of(c.ofNode()), facts.And(facts.Kinds(model.NodeNotReady), facts.IsNode))
	if slices.ContainsFunc(list, func(o *model.Observation) bool { return o.Detail == "Unknown" && !c.backBy(o.At.At) }) {
		return nil // then it fell silent
	}
	return unique(facts.Where(near.Of(list), func(o *model.Observation) bool { return o.Detail == "False" }))
}

// DeclaredShutdown cites the old node's kubelet saying that its node is shutting down; nil when nothing says so.
func (c *Case) DeclaredShutdown() *model.Observation {
	record := facts.Find(c.ofNode(), func(o *model.Observation) bool {
		return o.Kind == model.NodeNotReady && strings.Contains(o.Quote.Text, shuttingDown) && c.around(o)
	})
	if record != nil {
		return record
	}
	node, cond, field := c.World.ReadyOf(c.From)
	if cond.Status != corev1.ConditionFalse || !strings.Contains(cond.Message, shuttingDown) {
		return nil
	}
	return facts.Cite(node, field+"message")
}

// declared is how far the records of one change of Ready lie apart: the kubelet's own, and the controller's in its next pass.
const declared = upstream.NodeMonitorPeriod + 5*time.Second

// shuttingDown is the kubelet's message while it shuts its node down gracefully (nodeshutdown, 1.20–1.36).
const shuttingDown = "node is shutting down"

// backBy reports that the old node was Ready again at a time.
func (c *Case) backBy(t time.Time) bool { return c.BackReady.Known() && !c.BackReady.At.After(t) }

// KubeletAlive are signs of life of the old node's kubelet while the node was not Ready, by time; of repeated ones the last counts. A
// kubelet that found a new boot belongs to another life of the machine.
func (c *Case) KubeletAlive() []*model.Observation {
	if !c.NotReady.Known() || c.rebooted() {
		return nil
	}
	while := facts.During(c.NotReady.Latest.Add(outlived), c.BackReady.Earliest)
	out := facts.Where(c.ofNode(), func(o *model.Observation) bool {
		if o.At.IsZero() || !while.Holds(o.Last.Earliest) || c.silentSince(o) {
			return false
		}
		reaches := o.Kind != model.KubeletCutOff || c.cutOff()
		return byKubelet(o) && reaches && c.comparable(c.NotReady)(o)
	})
	slices.SortStableFunc(out, func(a, b *model.Observation) int { return a.Last.At.Compare(b.Last.At) })
	return out
}

// silentSince reports that a sign of life is the last heartbeat in a Node that has heard nothing since: by its own clock it came before.
func (c *Case) silentSince(o *model.Observation) bool {
	node, ready, _ := c.World.ReadyOf(c.From)
	return o.Detail == "condition" && o.Source.Path == node.Input && ready.Status == corev1.ConditionUnknown
}

// byKubelet tests for what only a working kubelet writes. What it writes about its Node while it starts is left out.
func byKubelet(o *model.Observation) bool {
	switch o.Kind {
	case model.NodeHeartbeat:
		return o.Detail == "lease" || o.Detail == "condition"
	case model.KubeletUnwell, model.KubeletCutOff:
		return true
	case model.PodKilling, model.PodKillFailed, model.MountFailed, model.UnmountFailed:
		return o.Component == "kubelet"
	}
	return false
}

// KubeletStart is the last word before the node was back that the lost node's kubelet was started again, by its log or its Event; likewise
// of one whose Node was deleted, which then registers it again. One that hung goes on by itself, and one that was cut off never stopped: of
// them there is no such word.
func (c *Case) KubeletStart() *model.Observation {
	w := facts.During(c.NotReady.Earliest, c.BackReady.Latest)
	if c.DeletedAlive() {
		w = facts.During(c.NodeRemoved().Latest, c.Ended().Latest)
	} else if !c.NotReady.Known() || !c.BackReady.Known() {
		return nil
	}
	return facts.Last(c.ofNode(), w, kubeletStarts)
}

// kubeletStarts tests for the word that a kubelet was started. kube-proxy writes the same Event about the Node.
func kubeletStarts(o *model.Observation) bool {
	if o.Kind == model.KubernetesEvent {
		return o.Detail == "Starting" && o.Component == facts.Kubelet
	}
	return o.Kind == model.KubeletStarted
}

// rebooted reports that the old node's kubelet found a new boot of its machine after NotReady.
func (c *Case) rebooted() bool { return c.rebootedIn(facts.After(c.NotReady.Earliest)) }

func (c *Case) rebootedIn(w facts.Window) bool {
	return facts.First(c.ofNode(), w, booted) != nil
}

// KilledOnReturn is the word of the old node's kubelet, when it was back, that it stops a container of an old pod whose deletion had been
// requested before: such a pod is not started again, so that its container had been running all the time. Nil without one.
func (c *Case) KilledOnReturn() *model.Observation {
	if !c.returned() || !c.DeletionRequested.Before(c.BackReady) {
		return nil
	}
	back := facts.During(c.NotReady.Latest, c.BackReady.Latest.Add(outlived))
	return facts.First(c.about(c.OldPods), back, func(o *model.Observation) bool {
		stops := o.Kind == model.PodKilling && o.Component == facts.Kubelet
		return stops && mayBeOn(c.From)(o) && !o.At.At.Before(c.DeletionRequested.At)
	})
}

// returned reports that the old node was lost and Ready again, and nothing shows a new boot of its machine.
func (c *Case) returned() bool { return c.NotReady.Known() && c.BackReady.Known() && !c.rebooted() }

// RanThrough cites a container that had been running on the old node since before NotReady when the node was Ready again: a machine that
// stops takes its containers with it. Nil when nothing shows one, or when the kubelet found a new boot.
func (c *Case) RanThrough() *model.Observation {
	if killed := c.KilledOnReturn(); killed != nil {
		return killed
	}
	at := c.World.Axis.CapturedAt
	if !c.returned() || at == nil || at.Earliest.Before(c.BackReady.Latest.Add(outlived)) {
		return nil
	}
	before := c.NotReady.Earliest.Add(-outlived)
	for _, pod := range facts.Picked(c.World.Pods, c.World.PodsOn[c.From]) {
		for i, s := range pod.Value().Status.ContainerStatuses {
			since := s.State.Running
			if pod.Value().DeletionTimestamp != nil || since == nil {
				continue
			}
			if !since.StartedAt.IsZero() && since.StartedAt.Time.Before(before) {
				if o := facts.Cite(pod, fmt.Sprintf("status.containerStatuses[%d].state.running.startedAt", i)); o != nil {
					return o
				}
			}
		}
	}
	return nil
}

// DeclaredUnknown reports a record that the node lifecycle controller, hearing nothing of the old node, declared it not Ready itself.
func (c *Case) DeclaredUnknown() bool {
	return slices.ContainsFunc(c.ofNode(), func(o *model.Observation) bool {
		ofThisLoss := !o.At.At.Before(c.NotReady.Earliest.Add(-declared)) && !c.backBy(o.At.At)
		return ofThisLoss && facts.IsNode(o) && heardNothing(o)
	})
}

// heardNothing tests for what the node lifecycle controller does when a node no longer reports.
func heardNothing(o *model.Observation) bool {
	switch o.Kind {
	case model.NodeHeartbeatMissed:
		return true
	case model.NodeNotReady:
		return o.Detail == "Unknown"
	case model.NodeTainted:
		return strings.HasPrefix(o.Detail, upstream.UnreachableTaint)
	}
	return false
}

// KubeletReasons quote why the old node's kubelet declared it not Ready: reason and message while the wait lasts, and its log lines.
func (c *Case) KubeletReasons() []*model.Observation {
	var out []*model.Observation
	if node, cond, field := c.World.ReadyOf(c.From); cond.Status == corev1.ConditionFalse {
		out = facts.CiteAll(node, field+"message", field+"reason")
	}
	return append(out, facts.Where(c.ofNode(), func(o *model.Observation) bool {
		return o.Kind == model.KubeletUnwell && !o.At.At.Before(c.NotReady.Earliest.Add(-outlived*5)) && !c.backBy(o.At.At)
	})...)
}

// cutOff reports that the old node's kubelet did not reach the API server already when the node was lost. One that starts on a
// machine without its network yet says the same, of another life.
func (c *Case) cutOff() bool {
	loss := facts.During(c.NotReady.Earliest.Add(-causalWindow), c.NotReady.Latest.Add(declared))
	return facts.First(c.ofNode(), loss, facts.Kinds(model.KubeletCutOff)) != nil
}

// ReadyThen are what shows that the old node was Ready at an instant. That no loss is known is no proof.
func (c *Case) ReadyThen(i facts.Instant) []*model.Observation {
	if c.From == "" || !i.Known() || c.lostAt(i) {
		return nil
	}
	ready, o := c.readyAt(i)
	return unique([]*model.Observation{only(o, ready), c.NodeSampledReady()})
}

// WorkedAt are what shows that the old node's machine ran at an instant: the node was Ready then, or its kubelet spoke later, without a
// loss, a start or a boot between.
func (c *Case) WorkedAt(i facts.Instant) []*model.Observation {
	if c.From == "" || !i.Known() || c.lostAt(i) {
		return nil
	}
	return unique(append(c.ReadyThen(i), c.kubeletAfter(i)))
}

// DeletedAlive reports that somebody deleted the Node of a machine that worked: nothing shows a loss, and its kubelet spoke later.
func (c *Case) DeletedAlive() bool {
	return c.NodeRemoved().Known() && !c.NotReady.Known() && c.kubeletAfter(c.NodeRemoved()) != nil
}

// kubeletAfter is the first sign of life of the old node's kubelet after an instant. What comes after a start of the kubelet or a boot
// of the machine, or after a loss of the node, is of another life.
func (c *Case) kubeletAfter(i facts.Instant) *model.Observation {
	w := facts.After(i.Latest)
	again := facts.First(c.ofNode(), w, func(o *model.Observation) bool {
		lost := o.Kind == model.NodeNotReady && facts.IsNode(o)
		return kubeletStarts(o) || lost || booted(o)
	})
	if again != nil {
		w.To = again.At.Earliest
	}
	work := facts.Kinds(model.UnmountSucceeded, model.UnmountFailed, model.ContainerDied, model.PodKilling)
	return facts.First(c.ofNode(), w, facts.And(c.comparable(i), func(o *model.Observation) bool {
		logged := fromLog(o) && o.Component == facts.Kubelet
		return byKubelet(o) || logged && work(o)
	}))
}

// comparable tests for what has a certain order with an instant.
func (c *Case) comparable(i facts.Instant) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return !c.World.Unordered(append(slices.Clip(i.Witness), o)) }
}

// mountedAfter is the word of the old node's kubelet that it unmounted the volume, or tried to, after an instant: it had it until then.
func (c *Case) mountedAfter(i facts.Instant) *model.Observation {
	o := facts.First(c.said(), facts.After(i.Latest), facts.And(facts.Kinds(model.UnmountSucceeded, model.UnmountFailed, model.MountSucceeded), onNode(c.From), c.comparable(i)))
	return only(o, o != nil && o.Kind != model.MountSucceeded)
}

// StillMounted is the word of the old node's kubelet that it unmounted the volume for a pod, later after it was free for others than clocks
// of two nodes explain; after failed tries, at all. It was taken from there mounted, whoever took it.
func (c *Case) StillMounted() *model.Observation {
	late, skew := c.mountedAfter(c.Gone), ordinarySkew
	if !c.Gone.Known() || !c.Attached.Known() || late == nil {
		return nil
	}
	if slices.ContainsFunc(c.UnmountTrouble(), func(o *model.Observation) bool { return o.At.Latest.Before(c.Gone.Earliest) }) {
		skew = setSkew
	}
	return only(late, late.Detail != model.OfDevice && late.At.Earliest.Sub(c.Gone.Latest) > skew)
}

// How far the clocks of two nodes lie apart without anybody's notice, and when what both record would show it (see package clock).
const (
	ordinarySkew = 10 * time.Second
	setSkew      = 2 * time.Second
)

// RanUntil is the kubelet's first word after an instant that an old pod's container had ended, or that it unmounted the pod's volume, which
// it does only then. Unknown where it has none: then nothing shows whether the container still ran.
func (c *Case) RanUntil(i facts.Instant) facts.Instant {
	died := facts.First(c.about(c.OldPods), facts.After(i.Latest), facts.Kinds(model.ContainerDied))
	freed := facts.First(c.said(), facts.After(i.Latest), facts.And(unmounted, onNode(c.From)))
	return seen(sooner(died, freed))
}
