package remedy

import (
	"fmt"
	"math"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// What the replay of the preventive settings uses, in seconds: values that are in use, not the shortest possible.
const (
	shortToleration = 30.0
	shortGrace      = 20.0
)

var shortenTolerations = Remedy{
	ID: "shorten-tolerations", Title: "Let pods leave a lost node sooner (tolerationSeconds 30)", Preventive: true,
	References:  []string{"DefaultTolerationSeconds admission: 300 s for not-ready and unreachable"},
	SideEffects: always("evicts pods at short outages too (after 30 s instead of 5 min by default)", rollsOut),

	Phases: []model.PhaseID{model.PhaseEviction},
	Fit: func(i *Incident) Fit {
		s := i.Scenario
		switch f := i.ofLostNode("No pod was evicted from a lost node here."); {
		case f.Verdict != Fits:
			return f
		case !s.Evicted:
			return misfit("No pod was evicted from a lost node here.")
		case s.Toleration.Best <= shortToleration:
			return noEffect(fmt.Sprintf("The pod tolerates an unreachable node for only %s already.", words.Whole(s.Toleration.Best)))
		case !i.Asis.Ready.Known() && len(i.Done.Acts) == 0:
			return noEffect("The wait begins sooner with it, and does not end by itself: the old pod object stays, and nobody ended it.")
		}
		return fits("Operator actions are assumed to shift with the Multi-Attach report.")
	},
	Change: setting(func(s *replay.Settings) { s.Toleration = new(shortToleration) }),
	Steps: steps(act("set in the pod template " +
		"tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 30}]")),
}

var fasterNodeDetection = Remedy{
	ID: "faster-node-detection", Title: "Declare nodes lost sooner (node-monitor-grace-period 20s)", Preventive: true,
	References:  []string{"kube-controller-manager: --node-monitor-grace-period, 40 s up to 1.31, 50 s since 1.32"},
	SideEffects: always("nodes whose status comes 20 s late are declared not Ready, and their pods leave the Services"),

	Phases: []model.PhaseID{model.PhaseDetection},
	Fit: func(i *Incident) Fit {
		s := i.Scenario
		switch f := i.ofLostNode(i.node() + " was Ready."); {
		case f.Verdict != Fits:
			return f
		case !i.Scenario.NotReady.Known():
			return misfit("The Node was deleted, and not declared lost before.")
		case math.IsInf(s.Lost, 1):
			return undecidable("The last sign of life of " + i.node() + " is not in the bundle: the Lease, or the controller's log.")
		case s.Grace.Best <= shortGrace:
			return noEffect("The grace period is that short already.")
		case !i.Asis.Ready.Known() && len(i.Done.Acts) == 0:
			return noEffect("The wait begins sooner with it, and does not end by itself: the old pod object stays, and nobody ended it.")
		}
		return fits("Operator actions are assumed to shift with the Multi-Attach report.")
	},
	Change: setting(func(s *replay.Settings) { s.Grace = new(shortGrace) }),
	Steps:  steps(act("give kube-controller-manager the argument --node-monitor-grace-period=20s")),
}
