package audit

import (
	"encoding/json"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// restarted is the annotation of the pod template by which kubectl rollout restart begins a rollout.
const restarted = "kubectl.kubernetes.io/restartedAt"

// workloadPatch is what is used of a patch of a workload, or of the body of its scale.
type workloadPatch struct {
	body
	Spec struct {
		Replicas natural `json:"replicas"`
		Paused   *bool   `json:"paused"`
		Strategy struct {
			Type string `json:"type"`
		} `json:"strategy"`
		Template *struct {
			Metadata struct {
				Annotations map[string]json.RawMessage `json:"annotations"`
			} `json:"metadata"`
		} `json:"template"`
	} `json:"spec"`
}

// workload says when a workload was scaled, or its strategy or pod template changed, or its rollout was paused. A whole object, as an update sends it, does not say what changed.
func (f *facts) workload(r *request) {
	var asked workloadPatch
	scales, patches := r.subresource == "scale" && (r.verb == "patch" || r.verb == "update"), r.subresource == "" && r.verb == "patch"
	if !scales && !patches || !decodeBody(r.request, &asked) || patches && asked.Kind != "" {
		return
	}
	o := f.of(r, r.kind, metadata{}, metadata{})
	if o.Object.Name == "" {
		return
	}
	if scales {
		o.Object.UID = "" // that of the request is the Scale's
	}
	o.Owner = o.Object
	if asked.Spec.Replicas.set {
		f.say(o, model.WorkloadScaled, "scaled to "+words.Count(int(asked.Spec.Replicas.n), "replica"))
	}
	if way := asked.Spec.Strategy.Type; way == "Recreate" || way == "RollingUpdate" {
		f.say(o, model.StrategyChanged, "strategy changed to "+way)
	}
	if paused := asked.Spec.Paused; paused != nil {
		f.say(o, model.WorkloadChanged, map[bool]string{true: "rollout paused", false: "rollout resumed"}[*paused])
	}
	if t := asked.Spec.Template; t != nil {
		how := "pod template changed"
		if _, ok := t.Metadata.Annotations[restarted]; ok {
			how = "restart"
		}
		f.say(o, model.WorkloadChanged, how)
	}
}
