package audit

import (
	"fmt"

	"github.com/volpost/volpost/model"
)

// workloadKinds are the kinds whose number of replicas a person changes, by their resource.
var workloadKinds = map[string]string{"deployments": "Deployment", "statefulsets": "StatefulSet", "replicasets": "ReplicaSet"}

// workload says when a workload was scaled through its scale subresource, as kubectl scale and autoscalers do. Scaling to
// zero and back is how people end a rollout that waits for itself.
func (f *facts) workload(r *request) {
	if r.subresource != "scale" || r.verb != "patch" && r.verb != "update" {
		return
	}
	var asked struct {
		body
		Spec struct {
			Replicas natural `json:"replicas"`
		} `json:"spec"`
	}
	if !decodeBody(r.request, &asked) || !asked.Spec.Replicas.set {
		return
	}
	o := f.of(r, workloadKinds[r.resource], metadata{}, metadata{})
	if o.Object.Name == "" {
		return
	}
	o.Object.UID = "" // that of the request is the Scale's
	o.Owner = o.Object
	f.say(o, model.WorkloadScaled, fmt.Sprintf("scaled to %d replicas", asked.Spec.Replicas.n))
}
