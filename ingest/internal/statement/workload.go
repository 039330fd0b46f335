package statement

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// restarted is the annotation of the pod template by which kubectl rollout restart begins a rollout.
const restarted = "kubectl.kubernetes.io/restartedAt"

// changes says who last scaled a workload, changed its pod template or its strategy, and when, by the managed fields. An entry has the
// time of its manager's last write of any field: only managers of nothing else date these (kubectl scale, set, rollout, patch; not apply).
func changes[T any](a *about[T], entries []metav1.ManagedFieldsEntry, replicas *int32, strategy string) []model.Observation {
	for i, e := range entries {
		if e.FieldsV1 == nil || e.Time == nil || e.Subresource == "status" {
			continue
		}
		if kind, text := changed(e.FieldsV1.GetRawBytes(), replicas, strategy); kind != "" {
			a.say(kind, model.WholeSecond(e.Time.Time), managedTime(i), func(o *model.Observation) {
				o.Detail, o.Agent, o.Owner = text, e.Manager, o.Object
			})
		}
	}
	return a.out
}

// changed is the one change that a manager of some fields of a workload has made, with its words; empty for none, and for several.
func changed(fields []byte, replicas *int32, strategy string) (kind model.Kind, text string) {
	template, scale := owns(fields, []string{"spec", "template"}), owns(fields, []string{"spec", "replicas"})
	switch way := owns(fields, []string{"spec", "strategy"}); {
	case owns(fields, []string{"spec", "selector"}), template && scale:
		return "", ""
	case scale && replicas != nil:
		return model.WorkloadScaled, "scaled to " + words.Count(int(*replicas), "replica")
	case template && owns(fields, []string{"spec", "template", "metadata", "annotations", restarted}):
		return model.WorkloadChanged, "restart"
	case template:
		return model.WorkloadChanged, "pod template changed"
	case !scale && !way && owns(fields, []string{"spec", "paused"}):
		return model.WorkloadChanged, "rollout paused"
	case way && !scale && strategy != "":
		return model.StrategyChanged, "strategy changed to " + strategy
	}
	return "", ""
}
