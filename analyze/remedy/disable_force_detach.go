package remedy

import (
	"fmt"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

var disableForceDetach = Remedy{
	ID: "disable-force-detach", Title: "Never detach by force on the timeout (" + upstream.DisableForceDetachFlag + ")", Preventive: true,
	Doc: Doc{
		Does: "The controller no longer takes a volume from a node that has not reported the unmount, so that the six minutes never lead to two writers. Only the out-of-service taint, or a node " +
			"that comes back, moves the volume.",
		DoesNot:    "It shortens nothing. Without somebody who taints lost nodes, the waits that ended after six minutes never end.",
		Risk:       "None for the data; the application is down until somebody acts.",
		References: []string{"kubernetes PR 120344 (1.30, off by default)", "recording: still attached nine minutes after the forced deletion of the pod"},
	},
	SideEffects: always("the volume of a lost node stays there, and its application is down, until somebody acts"),

	Phases:     []model.PhaseID{model.PhaseUnmountWait},
	Kubernetes: "1.30 and later",
	Fit: func(i *Incident) Fit {
		v := i.version()
		switch {
		case !i.Scenario.ForceDetach:
			return noEffect("It is set already.")
		case !v.Known():
			return undecidable("The version of Kubernetes is not known; the flag exists since 1.30.")
		case !upstream.HasDisableForceDetach(v):
			return misfit(fmt.Sprintf("Kubernetes %s does not have the flag.", v))
		case i.Asis.Given:
			return undecidable(i.Given() + " Whether the controller did it by force, nothing tells.")
		}
		return fits("")
	},
	Change: setting(func(s *replay.Settings) { s.NoForcedDetach = true }),
	Steps:  steps(act("give kube-controller-manager the argument " + upstream.DisableForceDetachFlag + "=true")),
}
