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

// causalWindow bounds how long before the wait a node's loss still begins it: eviction takes five minutes, by some tolerations an hour.
const causalWindow = 6 * time.Hour

// fillNode finds when the old node was last seen alive, was NotReady, came back, went away and was fenced.
func fillNode(c *Case) {
	if c.From == "" {
		return
	}
	list := c.ofNode()
	until := c.horizon()
	lost := facts.LastTransition(list, facts.Before(until))
	if lost != nil && facts.First(list, facts.During(lost.At.At, c.Began.At), facts.And(facts.Kinds(model.NodeReady), facts.IsNode)) != nil {
		lost = nil // it was Ready again before the wait began: another story
	}
	c.NotReady = notReady(list, lost)
	if c.NotReady.Known() {
		c.Heartbeat = heartbeat(c, list)
		c.BackReady = seen(facts.First(list, facts.After(c.NotReady.Latest.Add(time.Second)), facts.And(facts.Kinds(model.NodeReady), facts.IsNode)))
	}
	c.NodeGone = c.nodeGone(list, facts.After(c.Began.At.Add(-causalWindow)))
	c.OutOfService = outOfService(c, list)
	c.Failovers = c.failovers(c.Began.At, until)
}

// nodeGone is when the Node object was deleted. The audit log has the request; the attach/detach controller complains at that moment
// that pods still use volumes; the node lifecycle controller notices in its next pass, and the cloud's says what it is about to do.
func (c *Case) nodeGone(list []*model.Observation, w facts.Window) facts.Instant {
	if request := facts.First(list, w, facts.And(facts.Kinds(model.NodeDeleted), facts.FromAudit)); request != nil {
		return seen(request)
	}
	var gone facts.Instant
	if noticed := facts.First(list, w, facts.Kinds(model.NodeDeleted)); noticed != nil {
		period := upstream.NodeMonitorPeriod
		if d, _ := c.World.FlagDuration(facts.ControllerManager, "--node-monitor-period"); d > 0 {
			period = d
		}
		from, to, rule := noticed.At.Earliest.Add(-period), noticed.At.Latest, "the controller notices a deletion in its next pass over the nodes"
		if upstream.AnnouncesNodeDeletion(noticed.Component) {
			from, to, rule = noticed.At.Earliest, to.Add(period), "the controller says so before it deletes the node"
		}
		gone = derived(model.Between(from, to), rule, noticed)
	}
	refused := facts.First(list, w, facts.Kinds(model.NodeRemovalRefused))
	if refused != nil && (!gone.Known() || !refused.At.At.After(gone.Latest)) {
		return derived(refused.At, "the controller still listed the deleted node", append([]*model.Observation{refused}, gone.Witness...)...)
	}
	return gone
}

// failovers joins, for each change of leader within a window, log line, event and Lease; each run of records once: there may be thousands.
// A record whose clock contradicts the others' has no place in it.
func (c *Case) failovers(from, to time.Time) []facts.Instant {
	var out, run []facts.Instant
	for _, o := range c.World.ByKind[model.LeaderAcquired] {
		within := o.At.At.After(from) && o.At.At.Before(to)
		if !within || o.Component != facts.ControllerManager || c.World.Unordered(append(slices.Clip(c.Began.Witness), o)) {
			continue
		}
		if len(run) > 0 && o.At.At.Sub(run[0].At) >= 5*time.Second {
			out, run = append(out, corroborate(2*time.Second, run...)), nil
		}
		run = append(run, seen(o))
	}
	if len(run) > 0 {
		out = append(out, corroborate(2*time.Second, run...))
	}
	return out
}

// horizon is where the story of the wait ends: a little after the attach, or the collection.
func (c *Case) horizon() time.Time {
	if o := facts.First(c.said(), facts.After(c.Began.At), facts.And(facts.Kinds(model.AttachSucceeded), mayBeOn(c.To))); o != nil {
		return o.At.At
	}
	if at := c.World.Axis.CapturedAt; at != nil {
		return at.Latest
	}
	return c.Began.At.Add(causalWindow)
}

// notReady joins the witnesses of one transition: condition, event and log line lie within two seconds.
func notReady(list []*model.Observation, lost *model.Observation) facts.Instant {
	if lost == nil {
		return facts.Instant{}
	}
	near := facts.During(lost.At.At.Add(-2*time.Second), lost.At.At.Add(2*time.Second))
	return corroborate(time.Second, all(list, near, facts.And(facts.Kinds(model.NodeNotReady), facts.IsNode))...)
}

// heartbeat is the last sign of life before NotReady: the Lease, or what the controller says of it; else the grace period before, when a
// flag in the bundle sets it: NotReady comes 0 to 5 s after it.
func heartbeat(c *Case, list []*model.Observation) facts.Instant {
	alive := facts.Last(list, facts.During(c.NotReady.At.Add(-10*time.Minute), c.NotReady.At), func(o *model.Observation) bool {
		return o.Kind == model.NodeHeartbeat && o.Detail != "condition"
	})
	grace, flag := c.World.FlagDuration(facts.ControllerManager, upstream.GraceFlag)
	if alive != nil || flag == nil || !c.unknownReady(list, facts.Window{}) {
		return seen(alive)
	}
	m := model.Between(c.NotReady.Earliest.Add(-grace-upstream.NodeMonitorPeriod), c.NotReady.Latest.Add(-grace))
	from, to := words.Duration(grace), words.Duration(grace+upstream.NodeMonitorPeriod)
	return derived(m, fmt.Sprintf("NotReady comes %s to %s after the last heartbeat", from, to), append(c.NotReady.Witness, flag)...)
}

// unknownReady reports that the controller, not the kubelet, declared the node not ready: a kubelet that comes back says so itself first.
func (c *Case) unknownReady(list []*model.Observation, w facts.Window) bool {
	return facts.First(list, w, func(o *model.Observation) bool { return o.Kind == model.NodeNotReady && o.Detail == "False" }) == nil
}

// lossMemory is how long after the last sign of a loss a wait still follows from it without another sign: detection and the
// default tolerations take six minutes, a rate-limited eviction of a large zone several more.
const lossMemory = 15 * time.Minute

// forgetLoss takes back a loss of long before the wait, of which there is no sign since, when the node reported the unmount after it.
func forgetLoss(c *Case) {
	if c.NotReady.Known() && !c.LossLasted() && len(c.Seen(model.DetachVerifiedSafe, c.From)) > 0 {
		c.Heartbeat, c.NotReady, c.BackReady = facts.Instant{}, facts.Instant{}, facts.Instant{}
	}
}

// LossLasted reports that the old node's last known loss reached into the wait: it was recent, something showed it again, what followed
// needs a lost node, or its object still shows that very loss.
func (c *Case) LossLasted() bool {
	if !c.NotReady.Known() {
		return false
	}
	w := facts.During(c.Began.Earliest.Add(-lossMemory), c.horizon())
	again := facts.Kinds(model.NodeNotReady, model.NodeHeartbeatMissed, model.NodeTainted, model.PodEvictionDecided)
	left := facts.Kinds(model.PodEvictionDecided, model.PodNotReady)
	needsLoss := c.Forced.Known() || c.OutOfService.Known() || c.NodeGone.Known()
	if needsLoss || c.NotReady.Latest.After(w.From) {
		return true
	}
	if facts.First(c.ofNode(), w, again) != nil || facts.First(c.about(c.OldPods), w, left) != nil {
		return true
	}
	_, cond, field := c.World.ReadyOf(c.From)
	return field != "" && cond.Status != corev1.ConditionTrue && !cond.LastTransitionTime.After(c.Began.Latest)
}

// NodeState is what the evidence proves of the Ready condition of the old node while the volume waited.
type NodeState int

// NodeUnknown: nothing shows it. NodeLost: it was not Ready, or its Node object was deleted. NodeReady: it was Ready.
const (
	NodeUnknown NodeState = iota
	NodeLost
	NodeReady
)

// OldNode is the state of the old node, with the proof of a NodeReady, or of an undated loss. That nothing shows a loss is no proof.
func (c *Case) OldNode() (NodeState, []*model.Observation) {
	switch {
	case c.NotReady.Known() && (!c.Ended().Known() || c.NotReady.Before(c.Ended())), c.NodeRemoved().Known():
		return NodeLost, nil
	case c.From == "":
		return NodeUnknown, nil
	}
	if o := cmp.Or(c.listedAs(model.NodeNotReady), c.NodeSampledLost()); o != nil {
		return NodeLost, []*model.Observation{o}
	}
	if proof := c.readyProof(); len(proof) > 0 {
		return NodeReady, proof
	}
	return NodeUnknown, nil
}

// readyProof is evidence that the old node was Ready during the wait: its condition, unchanged since before; metrics; a pasted list from
// while the pod still waited; an Event of its kubelet about the pod that it cannot stop; or the controller's detach without force, which needs the kubelet's own report of the unmount. A record
// that it became Ready meanwhile is none.
func (c *Case) readyProof() []*model.Observation {
	if ready, cite := c.ReadyCondition(); ready {
		return []*model.Observation{cite}
	}
	if o := cmp.Or(c.NodeSampledReady(), c.listedAs(model.NodeReady), c.oldPodReady()); o != nil {
		return []*model.Observation{o}
	}
	if o := c.KillFails(); o != nil && o.Last.At.After(c.Began.At) {
		return []*model.Observation{o}
	}
	if ready := c.OldPodsSampledReady(); ready != nil || c.Forced.Known() {
		return ready
	}
	return facts.Where(c.DetachRequested.Witness, facts.Kinds(model.DetachStarted, model.DetachVerifiedSafe))
}

// listedAs is the row of a pasted list that shows the old node Ready, or not, at the collection, while the pod still waited.
func (c *Case) listedAs(kind model.Kind) *model.Observation {
	return only(rowOf(c.World, c.From, kind), !c.Resolved())
}

// OldPodsAbsent reports that the bundle lists the pods of their namespace, and none of the old ones is among them.
func (c *Case) OldPodsAbsent() bool {
	return len(c.OldPods) > 0 && len(c.World.Held(c.OldPods)) == 0 &&
		!slices.ContainsFunc(c.OldPods, func(p model.Ref) bool { return !c.World.Listed("Pod", p.Namespace) })
}

// oldPodReady quotes an old pod that is Ready while the other still waits: the node lifecycle controller takes that condition from the
// pods of a node that is not Ready (MarkPodsNotReady, 1.13–1.36).
func (c *Case) oldPodReady() *model.Observation {
	for _, p := range c.World.Held(c.OldPods) {
		if cond, field := facts.PodCondition(p.Value(), corev1.PodReady); cond.Status == corev1.ConditionTrue && !c.Resolved() {
			return facts.Cite(p, field+"status")
		}
	}
	return nil
}
