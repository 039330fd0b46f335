package reconstruct

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// NodeState is what the evidence proves of the Ready condition of the old node while the volume waited.
type NodeState int

// NodeUnknown: nothing tells. NodeLost: it was not Ready, or its Node object was deleted. NodeReady: it was Ready.
const (
	NodeUnknown NodeState = iota
	NodeLost
	NodeReady
)

// OldNode is the state of the old node, with the proof of a NodeReady, or of a loss that nothing dates. That nothing shows
// a loss is no proof.
func (c *Case) OldNode() (NodeState, []*model.Observation) {
	switch {
	case c.NotReady.Known() && (!c.Ended().Known() || c.NotReady.Before(c.Ended())), c.NodeRemoved().Known():
		return NodeLost, nil
	case c.From == "":
		return NodeUnknown, nil
	}
	if o := c.listedAs(model.NodeNotReady); o != nil {
		return NodeLost, []*model.Observation{o}
	}
	if o := c.NodeSampledLost(); o != nil {
		return NodeLost, []*model.Observation{o}
	}
	if proof := c.readyProof(); len(proof) > 0 {
		return NodeReady, proof
	}
	return NodeUnknown, nil
}

// readyProof is evidence that the old node was Ready during the wait: its condition, which has not changed since before;
// metrics that show it Ready from beginning to end; a pasted list that shows it Ready while the pod still waited; or the
// controller's detach without force, which needs the kubelet's own report of the unmount. A record that it became Ready
// meanwhile is none.
func (c *Case) readyProof() []*model.Observation {
	if ready, cite := c.ReadyCondition(); ready {
		return []*model.Observation{cite}
	}
	if o := c.NodeSampledReady(); o != nil {
		return []*model.Observation{o}
	}
	if o := c.listedAs(model.NodeReady); o != nil {
		return []*model.Observation{o}
	}
	if o := c.oldPodReady(); o != nil {
		return []*model.Observation{o}
	}
	if ready := c.OldPodsSampledReady(); ready != nil {
		return ready
	}
	if c.Forced.Known() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.DetachRequested.Witness), func(o *model.Observation) bool {
		return o.Kind != model.DetachStarted
	})
}

// listedAs is the row of a pasted list that shows the old node Ready, or not, at the collection, while the pod still waited.
func (c *Case) listedAs(kind model.Kind) *model.Observation {
	if c.Resolved() {
		return nil
	}
	for _, o := range c.World.byNode[c.From] {
		if o.Kind == kind && isNode(o) && o.At.IsZero() {
			return o
		}
	}
	return nil
}

// OldPodsAbsent reports that the bundle lists the pods of their namespace, and none of the old ones is among them. It is the
// state at the collection.
func (c *Case) OldPodsAbsent() bool {
	for _, p := range c.OldPods {
		if _, ok := c.World.Pod(p); ok || !c.World.Listed("Pod", p.Namespace) {
			return false
		}
	}
	return len(c.OldPods) > 0
}

// oldPodReady quotes an old pod that is Ready at the collection while the other still waits: the node lifecycle controller
// takes that condition from the pods of a node that is not Ready (MarkPodsNotReady, 1.13–1.36).
func (c *Case) oldPodReady() *model.Observation {
	if c.Resolved() {
		return nil
	}
	for _, p := range c.OldPods {
		obj, ok := c.World.Pod(p)
		if !ok {
			continue
		}
		for n, cond := range obj.Value().Status.Conditions {
			if cond.Type == corev1.PodReady && cond.Status == corev1.ConditionTrue {
				return Cite(obj, fmt.Sprintf("status.conditions[%d].status", n))
			}
		}
	}
	return nil
}
