package reconstruct

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

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
// while the pod still waited; or the controller's detach without force, which needs the kubelet's own report of the unmount. A record
// that it became Ready meanwhile is none.
func (c *Case) readyProof() []*model.Observation {
	if ready, cite := c.ReadyCondition(); ready {
		return []*model.Observation{cite}
	}
	o := cmp.Or(c.NodeSampledReady(), c.listedAs(model.NodeReady))
	if o == nil {
		o = c.oldPodReady()
	}
	if o != nil {
		return []*model.Observation{o}
	}
	if ready := c.OldPodsSampledReady(); ready != nil || c.Forced.Known() {
		return ready
	}
	return where(c.DetachRequested.Witness, kinds(model.DetachStarted, model.DetachVerifiedSafe))
}

// listedAs is the row of a pasted list that shows the old node Ready, or not, at the collection, while the pod still waited.
func (c *Case) listedAs(kind model.Kind) *model.Observation {
	if c.Resolved() {
		return nil
	}
	return find(c.World.byNode[c.From], row(kind))
}

// OldPodsAbsent reports that the bundle lists the pods of their namespace, and none of the old ones is among them.
func (c *Case) OldPodsAbsent() bool {
	return len(c.OldPods) > 0 && len(c.World.held(c.OldPods)) == 0 &&
		!slices.ContainsFunc(c.OldPods, func(p model.Ref) bool { return !c.World.Listed("Pod", p.Namespace) })
}

// oldPodReady quotes an old pod that is Ready while the other still waits: the node lifecycle controller takes that condition from the
// pods of a node that is not Ready (MarkPodsNotReady, 1.13–1.36).
func (c *Case) oldPodReady() *model.Observation {
	if c.Resolved() {
		return nil
	}
	for _, p := range c.World.held(c.OldPods) {
		if cond, field := podReady(p); cond.Status == corev1.ConditionTrue {
			return Cite(p, field+"status")
		}
	}
	return nil
}

// Readiness is the Ready condition of a Node as it was collected.
type Readiness struct {
	Known  bool // the bundle holds the Node, and the Node has the condition
	Ready  bool // True; the attach/detach controller takes False and Unknown alike as unhealthy
	Status corev1.ConditionStatus
	Reason string
	Since  metav1.Time // last change of the status; zero when the Node does not say
	Shown  []*model.Observation
}

// readyOf is the Ready condition of a Node that the bundle holds, with the path of its fields; zero when there is none.
func (w *World) readyOf(name string) (node model.Object[*corev1.Node], cond corev1.NodeCondition, field string) {
	if node, ok := w.Node(name); ok {
		cond, field = readyCondition(node)
		return node, cond, field
	}
	return node, cond, field
}

func readyCondition(node model.Object[*corev1.Node]) (cond corev1.NodeCondition, field string) {
	for i, cond := range node.Value().Status.Conditions {
		if cond.Type == corev1.NodeReady {
			return cond, fmt.Sprintf("status.conditions[%d].", i)
		}
	}
	return cond, field
}

// Readiness reads the Ready condition of a node.
func (w *World) Readiness(node string) Readiness {
	obj, cond, field := w.readyOf(node)
	ready := cond.Status == corev1.ConditionTrue
	r := Readiness{Known: field != "", Ready: ready, Status: cond.Status, Reason: cond.Reason, Since: cond.LastTransitionTime}
	if r.Known && !r.Ready {
		r.Shown = CiteAll(obj, field+"status", field+"lastTransitionTime")
	}
	return r
}
