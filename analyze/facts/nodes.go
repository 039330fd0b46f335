package facts

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// IsNode keeps observations about the node itself, not about its pods.
func IsNode(o *model.Observation) bool { return o.Pod.Name == "" }

// LastTransition is the first record of the newest time that the node was not Ready. The records of one outage follow
// each other (the kubelet's False, the controller's Unknown, the taint queue five seconds later); a Ready ends it.
func LastTransition(list []*model.Observation, w Window) *model.Observation {
	var start, before *model.Observation
	for _, o := range Where(w.Of(list), And(IsNode, Kinds(model.NodeReady, model.NodeNotReady))) {
		if o.Kind == model.NodeNotReady && (before == nil || before.Kind == model.NodeReady) {
			start = o
		}
		before = o
	}
	return start
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

// ReadyOf is the Ready condition of a Node that the bundle holds, with the path of its fields; zero when there is none.
func (w *World) ReadyOf(name string) (node model.Object[*corev1.Node], cond corev1.NodeCondition, field string) {
	if node, ok := w.Node(name); ok {
		cond, field = ReadyCondition(node)
		return node, cond, field
	}
	return node, cond, field
}

// ReadyCondition is the Ready condition of a Node, and its field.
func ReadyCondition(node model.Object[*corev1.Node]) (cond corev1.NodeCondition, field string) {
	for i, cond := range node.Value().Status.Conditions {
		if cond.Type == corev1.NodeReady {
			return cond, fmt.Sprintf("status.conditions[%d].", i)
		}
	}
	return cond, field
}

// Readiness reads the Ready condition of a node.
func (w *World) Readiness(node string) Readiness {
	obj, cond, field := w.ReadyOf(node)
	ready := cond.Status == corev1.ConditionTrue
	r := Readiness{Known: field != "", Ready: ready, Status: cond.Status, Reason: cond.Reason, Since: cond.LastTransitionTime}
	if r.Known && !r.Ready {
		r.Shown = CiteAll(obj, field+"status", field+"lastTransitionTime")
	}
	return r
}

// NodeNow is what a node was at the end, Ready, NotReady or deleted, with what says so: by its object; else by a row, which is of the collection;
// else by what was said of it last. "" where nothing tells, and where rows say both.
func (w *World) NodeNow(name string) (model.StateWord, []*model.Observation) {
	if r := w.Readiness(name); r.Known {
		return map[bool]model.StateWord{true: model.StateReady, false: model.StateNotReady}[r.Ready], r.Shown
	}
	var last *model.Observation
	for _, o := range w.ByNode[name] { // rows come first
		word := nodeWords[o.Kind]
		switch {
		case word == "" || !IsNode(o):
		case last == nil || !last.At.IsZero() && !o.Last.At.Before(last.Last.At):
			last = o
		case o.At.IsZero() && word != nodeWords[last.Kind]:
			return "", nil
		}
	}
	if last == nil {
		return "", nil
	}
	return nodeWords[last.Kind], []*model.Observation{last}
}

// nodeWords are what statements say of a node.
var nodeWords = map[model.Kind]model.StateWord{ // for lookup only
	model.NodeReady: model.StateReady, model.NodeSampledReady: model.StateReady, model.NodeNotReady: model.StateNotReady,
	model.NodeSampledNotReady: model.StateNotReady, model.NodeDeleted: model.StateDeleted,
}

// ListWithout cites a pasted list of all nodes that lacks a node, or kubectl's word that there is none, in a file, or in any for ""; nil
// without one, and where anything says that the node is there.
func (w *World) ListWithout(node, file string) *model.Observation {
	if slices.ContainsFunc(w.ByNode[node], Kinds(model.NodeReady, model.NodeNotReady, model.NodeCordoned, model.ProcessVersion)) {
		return nil
	}
	return Find(w.ByKind[model.ObjectShown], func(o *model.Observation) bool {
		lacks := o.Object.Name == "" || o.Object.Name == node && o.Detail == model.NotFound
		return lacks && o.Object.Kind == "Node" && (file == "" || o.Input == file)
	})
}
