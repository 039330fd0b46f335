package statement

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// restarted is the annotation of the pod template by which kubectl rollout restart begins a rollout.
const restarted = "kubectl.kubernetes.io/restartedAt"

// changes says who last scaled a workload and changed its pod template, and when, by the managed fields. An entry has the time of its
// manager's last write of any field: only managers of nothing else date these (kubectl scale, set, rollout; not kubectl apply).
func changes[T any](a *about[T], entries []metav1.ManagedFieldsEntry, replicas *int32) []model.Observation {
	for i, e := range entries {
		if e.FieldsV1 == nil || e.Time == nil || e.Subresource == "status" {
			continue
		}
		raw := e.FieldsV1.GetRawBytes()
		template, scale := owns(raw, []string{"spec", "template"}), owns(raw, []string{"spec", "replicas"})
		if template == scale || owns(raw, []string{"spec", "selector"}) {
			continue
		}
		kind, text := model.WorkloadChanged, "pod template changed"
		switch {
		case scale && replicas == nil:
			continue
		case scale:
			kind, text = model.WorkloadScaled, fmt.Sprintf("scaled to %d replicas", *replicas)
		case owns(raw, []string{"spec", "template", "metadata", "annotations", restarted}):
			text = "restart"
		}
		a.say(kind, model.WholeSecond(e.Time.Time), managedTime(i), func(o *model.Observation) {
			o.Detail, o.Agent, o.Owner = text, e.Manager, o.Object
		})
	}
	return a.out
}
