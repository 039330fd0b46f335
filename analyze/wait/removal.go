package wait

import (
	"fmt"
	"iter"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// NodeRemoved is the deletion of the Node that held the volume, while it held it. A Node of that name that was there again before the
// wait began, or to which the volume was attached later, is another story.
func (c *Case) NodeRemoved() facts.Instant {
	if !c.NodeGone.Known() {
		return facts.Instant{}
	}
	list := c.ofNode()
	held := facts.During(model.Later(c.lastHeld(), c.AttachmentCreated().At), c.horizon())
	if back := facts.Last(list, facts.During(held.From, c.Began.At), facts.And(facts.Kinds(model.NodeRegistered, model.NodeReady), facts.IsNode)); back != nil {
		held.From = back.At.At
	}
	gone := c.nodeGone(list, held)
	if node, ok := c.World.Node(c.From); ok && gone.Known() {
		if made := node.Value().CreationTimestamp.Time; made.After(gone.Latest) && made.Before(c.Began.At) {
			return facts.Instant{}
		}
	}
	return gone
}

// NodeAbsent reports that the bundle lists the Nodes at the collection and the old node is not among them.
func (c *Case) NodeAbsent() bool {
	_, ok := c.World.Node(c.From)
	all := len(c.World.Nodes) > 0 && c.World.Listed("Node", "")
	return !ok && c.From != "" && all
}

// LookedUpInVain are the controller's own words, while the old node held the volume, that the API has no such Node.
func (c *Case) LookedUpInVain() []*model.Observation {
	byController := func(o *model.Observation) bool {
		return o.Component == facts.ControllerManager && !o.At.At.Before(c.Began.At)
	}
	return unique(append(c.Seen(model.DetachSafetySkipped, c.From),
		those(c.ofNode(), c.held, facts.Kinds(model.NodeHealthUnknown), says("not found"), byController)...))
}

// MachineUnknown are the errors of the detach from the old node that say that its machine, or its Node, does not exist.
func (c *Case) MachineUnknown() []*model.Observation {
	return facts.Where(c.DetachErrors, func(o *model.Observation) bool { return upstream.DetachFault(o.Detail) == upstream.FaultInstance })
}

// NotInCloud are the deletions of the old Node for the reason that the cloud does not know its machine.
func (c *Case) NotInCloud() []*model.Observation {
	return facts.Where(c.ofNode(), func(o *model.Observation) bool {
		return o.Kind == model.NodeDeleted && upstream.NotInCloud(o.Quote.Text) && c.around(o)
	})
}

// Removal is a sign that a machine was being taken away on purpose.
type Removal struct {
	Who  upstream.Remover
	What string // what the sign is, such as "event SpotInterrupted"
	At   facts.Instant
	O    *model.Observation
}

// Removals are the signs that the old node's machine was being taken away, by time; first those of the state at the collection.
func (c *Case) Removals() []Removal {
	var out []Removal
	for key, o := range c.taints() {
		if who, ok := upstream.RemovalTaint(key); ok {
			out = append(out, Removal{Who: who, What: "taint " + key, O: o})
		}
	}
	for _, o := range c.ofNode() {
		if who, what, ok := removalOf(o); ok && (c.around(o) || o.At.IsZero()) {
			out = append(out, Removal{who, what, seen(o), o})
		}
	}
	return out
}

// around reports that an observation may belong to the loss of the old node: hours before the wait, or in it.
func (c *Case) around(o *model.Observation) bool {
	return facts.IsNode(o) && facts.During(c.Began.At.Add(-causalWindow), c.horizon()).Holds(o.At.At)
}

func removalOf(o *model.Observation) (upstream.Remover, string, bool) {
	if !facts.IsNode(o) {
		return "", "", false
	}
	switch o.Kind {
	case model.KubernetesEvent:
		who, ok := upstream.RemovalEvent(o.Detail, o.Component)
		return who, "event " + o.Detail, ok && o.Object.Kind == "Node"
	case model.NodeTainted:
		for t := range strings.SplitSeq(o.Detail, ",") {
			key, _, _ := strings.Cut(t, "=")
			key, _, _ = strings.Cut(key, ":")
			if who, ok := upstream.RemovalTaint(key); ok {
				return who, "taint " + key, true
			}
		}
	case model.NodeDeleted:
		who, ok := upstream.RemovalActor(o.Actor, o.Agent)
		return who, "deletion of the Node", ok
	}
	return "", "", false
}

// taints are the keys of the old Node's own taints at the collection, each with its quote.
func (c *Case) taints() iter.Seq2[string, *model.Observation] {
	return func(yield func(string, *model.Observation) bool) {
		if node, ok := c.World.Node(c.From); ok {
			for i, t := range node.Value().Spec.Taints {
				if o := facts.Cite(node, fmt.Sprintf("spec.taints[%d].key", i)); o != nil && !yield(t.Key, o) {
					return
				}
			}
		}
	}
}

// ShutDown cites the taint by which the cloud says that the old node's machine is shut down; nil without it.
func (c *Case) ShutDown() *model.Observation {
	for key, o := range c.taints() {
		if key == upstream.ShutdownTaint && !c.Resolved() {
			return o
		}
	}
	return facts.First(c.ofNode(), facts.During(c.Began.At.Add(-causalWindow), c.horizon()), tainted(upstream.ShutdownTaint))
}

// ListedLost reports a row of a pasted table that shows a node as not Ready.
func (c *Case) ListedLost(node string) bool {
	return rowOf(c.World, node, model.NodeNotReady) != nil
}

// ListedNotReady is a row of a pasted table that shows the old node as not Ready, without a time; nil when there is none.
func (c *Case) ListedNotReady() *model.Observation {
	return rowOf(c.World, c.From, model.NodeNotReady)
}

// RemovedByGC is pod GC's removal of an old pod before the volume was attached again: of a deleted or tainted node. Nil without a record.
func (c *Case) RemovedByGC() *model.Observation {
	w := facts.During(c.lastHeld(), c.Attached.At)
	return facts.First(c.about(c.OldPods), w, facts.Kinds(model.PodForceDeleting, model.PodForceDeleted, model.PodOrphaned))
}
