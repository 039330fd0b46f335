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

// Readiness reads the Ready condition of a node.
func (w *World) Readiness(node string) Readiness {
	obj, ok := w.Node(node)
	if !ok {
		return Readiness{}
	}
	for i, cond := range obj.Value().Status.Conditions {
		if cond.Type != corev1.NodeReady {
			continue
		}
		r := Readiness{Known: true, Ready: cond.Status == corev1.ConditionTrue, Status: cond.Status, Reason: cond.Reason, Since: cond.LastTransitionTime}
		if !r.Ready {
			field := fmt.Sprintf("status.conditions[%d].", i)
			r.Shown = CiteAll(obj, field+"status", field+"lastTransitionTime")
		}
		return r
	}
	return Readiness{}
}
