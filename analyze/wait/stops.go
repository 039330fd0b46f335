package wait

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Stop is a proof that the old node's processes had ended: its machine was off, gone or started anew. That the node was silent is none.
type Stop struct {
	Why string        // a clause, such as the cloud's controller found the machine shut down
	By  facts.Instant // when it had stopped at the latest
	// Cloud: the cloud says so, and nothing later of it shows the machine started.
	Cloud bool
}

// Stops are the proofs that the lost node had stopped, the earliest first, from sources that looked at the machine: the cloud's
// controllers, a fencing agent, and the next boot itself.
func (c *Case) Stops() []Stop {
	if c.From == "" {
		return nil
	}
	out := []Stop{{Why: "the cloud's controller found the machine shut down", By: c.cited(c.ShutDown())}}
	if s, ok := c.cloudStop(); ok {
		out = append(out, s)
	}
	for _, o := range c.NotInCloud() {
		out = append(out, Stop{Why: "the cloud no longer knew the machine, and its controller deleted the Node for that", By: seen(o)})
	}
	for _, o := range facts.Where(c.ofNode(), facts.And(facts.IsNode, facts.Kinds(model.KubernetesEvent), c.sinceLoss)) {
		if booted(o) {
			out = append(out, Stop{Why: "its kubelet found a new boot of the machine", By: seen(o)})
		}
		if upstream.FencedEvent(o.Detail) {
			out = append(out, Stop{Why: "a fencing agent had reset the machine", By: seen(o)})
		}
	}
	if lost, back, differ := c.newBoot(); differ {
		by := c.cited(facts.Cite(back, bootID))
		by.Witness = unique(append(by.Witness, facts.Cite(lost, bootID)))
		out = append(out, Stop{Why: "two copies of the Node have different boot IDs", By: by})
	}
	out = facts.Where(out, func(s Stop) bool { return s.By.Known() && len(s.By.Witness) > 0 })
	slices.SortStableFunc(out, func(a, b Stop) int { return cmp.Or(a.By.At.Compare(b.By.At), cmp.Compare(a.Why, b.Why)) })
	return out
}

// newBoot are two copies of the old Node of which the later, when it was Ready again, has another boot ID.
func (c *Case) newBoot() (lost, back model.Object[*corev1.Node], differ bool) {
	lost, back, ok := c.boots()
	return lost, back, ok && lost.Value().Status.NodeInfo.BootID != back.Value().Status.NodeInfo.BootID
}

// BootedAnew reports that the old node's machine booted after the loss: by its kubelet's Event, or by the boot IDs of its Node.
func (c *Case) BootedAnew() bool {
	_, _, differ := c.newBoot()
	return differ || c.rebooted()
}

// MachineStopped reports that the lost node's machine is proven to have stopped, or that its kubelet shut it down.
func (c *Case) MachineStopped() bool { return len(c.Stops()) > 0 || c.DeclaredShutdown() != nil }

// Stopped reports that the old pods are proven to have stopped while the volume waited: with their machine; or by the word of a kubelet; or
// with their objects, which go away on a node that works when the containers have ended, but for a deletion by force.
func (c *Case) Stopped() bool {
	switch old := facts.After(c.DeletionRequested.Earliest).Of(c.about(c.OldPods)); {
	case c.MachineStopped():
		return true
	case c.NotReady.Known():
		return false
	case c.Unmounted.Known(), facts.Find(old, facts.Kinds(model.ContainerDied, model.PodFinished, model.PodContainersStopped)) != nil:
		return true
	default:
		return (c.Released.Known() || c.GoneBy.Known()) && !c.forcedPod(time.Time{})
	}
}

// RanOn is what shows that the machine of the lost node ran through: it came back with its boot ID, with a container that had been
// running since before, or with the kubelet's process.
func (c *Case) RanOn() []*model.Observation {
	if lost, back, ok := c.boots(); ok && lost.Value().Status.NodeInfo.BootID == back.Value().Status.NodeInfo.BootID {
		return unique([]*model.Observation{facts.Cite(lost, bootID), facts.Cite(back, bootID)})
	}
	return unique([]*model.Observation{cmp.Or(c.RanThrough(), c.SameProcess())})
}

// rebooted is the kubelet's Event of another boot ID than its Node has (kubelet_node_status.go, 1.13–1.36); bootID is its place there.
const (
	rebooted = "Rebooted"
	bootID   = "status.nodeInfo.bootID"
)

// boots are two copies of the old Node: one from while it was lost, and a later one from when it was Ready again.
func (c *Case) boots() (lost, back model.Object[*corev1.Node], ok bool) {
	all := c.World.Snapshot.Nodes
	lostThen := func(cond corev1.NodeCondition) bool {
		at := cond.LastTransitionTime.Time
		return cond.Status == corev1.ConditionUnknown && !at.Before(c.NotReady.Earliest.Add(-declared)) && !c.backBy(at)
	}
	n, _ := slices.BinarySearchFunc(all, c.From, func(o model.Object[*corev1.Node], name string) int { return cmp.Compare(o.Ref.Name, name) })
	found := false
	for ; c.NotReady.Known() && n < len(all) && all[n].Ref.Name == c.From; n++ {
		cond, _ := facts.ReadyCondition(all[n])
		changed := cond.LastTransitionTime.Time
		switch {
		case all[n].Value().Status.NodeInfo.BootID == "" || changed.IsZero():
		case !found && lostThen(cond):
			lost, found = all[n], true
		case found && all[n].Ref.UID == lost.Ref.UID && cond.Status == corev1.ConditionTrue:
			if changed.After(c.NotReady.Latest) {
				back, ok = all[n], true
			}
		}
	}
	return lost, back, ok
}

// sinceLoss reports that an observation was made after the old node was lost, and before another story begins.
func (c *Case) sinceLoss(o *model.Observation) bool {
	from := either(c.NotReady, c.Began).Earliest
	return !o.At.IsZero() && !o.At.At.Before(from) && o.At.At.Before(from.Add(causalWindow))
}

// cited is when a statement was made: its own time, or, for the state of an object, the collection that holds it.
func (c *Case) cited(o *model.Observation) facts.Instant {
	if o == nil || !o.At.IsZero() {
		return seen(o)
	}
	at := c.World.Axis.CapturedAt
	if in := c.World.Collected.Of(o.Input); in != nil && !in.CapturedAt.IsZero() {
		at = &in.CapturedAt
	}
	if at == nil {
		return facts.Instant{}
	}
	return derived(*at, "the state at the collection", o)
}

// BackWithoutBoot reports that the old node was Ready again, and that the bundle lists the Events of Nodes since, and none is of a boot.
func (c *Case) BackWithoutBoot() bool {
	at := c.World.Axis.CapturedAt
	kept := at != nil && at.At.Sub(c.BackReady.Earliest) < facts.EventLife && c.World.Listed("Event", "default")
	return kept && !c.rebooted() && slices.ContainsFunc(c.ofNode(), func(o *model.Observation) bool {
		ofNode := o.Source.Kind == model.SourceEvent && o.Object.Kind == "Node"
		return ofNode && facts.IsNode(o) && !o.At.At.Before(c.NotReady.Earliest)
	})
}

// RanOnText says what RanOn shows, as a clause.
func (c *Case) RanOnText(ranOn []*model.Observation) string {
	if len(ranOn) > 1 {
		return fmt.Sprintf("the machine never stopped: %s was Ready again with the boot ID that it had had", c.From)
	}
	if o := ranOn[0]; o.Kind == model.KubeletPaused {
		return fmt.Sprintf("the machine never stopped: the kubelet of %s went on at %s as the process that it had been before, "+
			"after %s without a look at its containers", c.From, model.TimeOfDay(o.Last.At), words.Duration(o.Last.At.Sub(o.At.At)))
	}
	return fmt.Sprintf("the machine never stopped: a container on %s had been running since before", c.From)
}

// PreStopFailures are the kubelet's events that a preStop hook of an old pod failed, or was cut off by the end of the grace period
// (FailedPreStopHook, pkg/kubelet/events, 1.13–1.36).
func (c *Case) PreStopFailures() []*model.Observation {
	return facts.Where(c.about(c.OldPods), func(o *model.Observation) bool {
		return o.Kind == model.KubernetesEvent && o.Detail == "FailedPreStopHook"
	})
}
