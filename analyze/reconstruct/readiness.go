package reconstruct

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

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
