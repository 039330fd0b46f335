package remedy

import "github.com/volpost/volpost/model"

var fenceNode = Remedy{
	ID: "fence-node", Title: "Power the lost node off, or cut it off from the storage",
	Doc: Doc{
		Does:       "It makes sure that the old node no longer writes. By itself it moves nothing: Kubernetes does not see it, unless the cloud's controller taints or deletes the node for it.",
		DoesNot:    "It does not shorten the wait. It is what keeps the other remedies from risking the data.",
		Risk:       "What the node had not yet written is lost, as at any power failure.",
		References: []string{"KEP-2268", "csi-addons NetworkFence"},
	},
	SideEffects: func(i *Incident) []string {
		return []string{"every pod that still runs on " + i.oldNode() + " ends", "what it had not yet written is lost, as at any power failure"}
	},

	Phases: []model.PhaseID{},
	Fit: func(i *Incident) Fit {
		if f := i.ofLostNode(i.node() + " was Ready."); f.Verdict != Fits {
			return f
		}
		return noEffect("Kubernetes does not see that a machine is off, so that the wait goes on; but with the proof that it is off, the remedies that take the volume from it do not risk the data.")
	},
	From: (*Incident).stuck,
	Steps: func(i *Incident) []model.Step {
		return []model.Step{
			prove("see which machine it is", "kubectl", "get", "node", name(i.node()), "-o", `jsonpath={.spec.providerID}{"\n"}`),
			act("power the machine of " + i.oldNode() + " off in the cloud's console or by its BMC"),
		}
	},
}
