package remedy

import (
	"fmt"

	"github.com/volpost/volpost/model"
)

var topologySpread = Remedy{
	ID: "topology-spread", Title: "Spread the pods with volumes over nodes and zones", Preventive: true,
	Doc: Doc{
		Does:    "Fewer volumes are hit by the loss of one node, and an application with replicas keeps some of them.",
		DoesNot: "A volume that is hit waits as long as before.",
		Risk:    "Pods that share a single-node volume have to stay on one node: spread, they wait for each other for ever.",
		References: []string{
			"kubernetes.io: Pod topology spread constraints, stable since 1.19", "kubernetes.io: volumeBindingMode WaitForFirstConsumer, so that volumes follow their pods' zones",
		},
	},
	SideEffects: always(rollsOut),

	Phases: []model.PhaseID{},
	Fit: func(i *Incident) Fit {
		switch {
		case i.hasCause("shared-claim"):
			return misfit("The pods share a single-node volume; spread over nodes they wait for each other.")
		}
		if f := i.ofLostNode("No node was lost here."); f.Verdict != Fits {
			return f
		}
		return noEffect(fmt.Sprintf("It changes how many volumes the loss of %s hits, and nothing of how long this one waits.", i.node()))
	},
	Steps: steps(act("set in the pod template topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: ...}]")),
}
