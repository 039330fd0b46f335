package remedy

import (
	"fmt"
	"math"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var repairNode = Remedy{
	ID: "repair-node", Title: "Bring the lost node back",
	References:  []string{"recordings on real nodes: the new pod became Ready 14 to 16 s after the node's kubelet had started"},
	SideEffects: always("pods that were not evicted yet start there again"),

	Phases: []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait,
		model.PhaseMount},
	Fit: func(i *Incident) Fit {
		switch f := i.ofLostNode(i.node() + " was Ready."); {
		case f.Verdict != Fits:
			return f
		case i.absent(i.stuck() + i.reaction):
			return misfit("The Node object was deleted.")
		case math.IsInf(i.Scenario.Back, 1):
			return undecidable("Whether the machine of " + i.node() + " can be started again is not in the bundle.")
		}
		return fits("A machine that is Ready again " + words.Whole(replay.MachineStart) + " after somebody turns to it is assumed.")
	},
	From:   (*Incident).LostAt,
	Change: acting(replay.RepairNode),
	Acts:   []replay.ActKind{replay.RepairNode},
	Steps: func(i *Incident) []model.Step {
		return append(i.switchMachine(powerOn, "start the machine of "+i.oldNode()+" again"),
			after("see that the node is Ready", "kubectl", "get", "node", name(i.node())))
	},
}

var longerTolerations = Remedy{
	ID: "longer-tolerations", Title: "Let pods stay through outages that are shorter than their move (tolerationSeconds)", Preventive: true,
	References:  []string{"DefaultTolerationSeconds admission: 300 s for not-ready and unreachable"},
	SideEffects: always("pods of a node that is lost for good move later", rollsOut),

	Phases: []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait,
		model.PhaseDetach, model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		s := i.Scenario
		switch f := i.ofLostNode("No pod was evicted from a lost node here."); {
		case f.Verdict != Fits:
			return f
		case !s.Evicted:
			return misfit("No pod was evicted from a lost node here.")
		case math.IsInf(s.Back, 1):
			return misfit(i.node() + " did not come back, so that a longer toleration delays the move.")
		}
		return fits(fmt.Sprintf("%s was Ready again %s after it was found lost; the pod tolerated %s.",
			i.node(), words.Whole(s.Back-s.NotReady.Best), words.Whole(max(s.Deleted.Best-s.NotReady.Best, 0))))
	},
	Change: setting(func(s *replay.Settings) { s.StaysPut = true }),
	Steps: func(i *Incident) []model.Step {
		away := 300.0
		if back := i.Scenario.Back - i.LostAt(); !math.IsInf(back, 0) && !math.IsNaN(back) && back > 240 {
			away = math.Ceil(back/60+1) * 60
		}
		return []model.Step{act(fmt.Sprintf("set in the pod template tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, "+
			"effect: NoExecute, tolerationSeconds: %.0f}]", away))}
	},
}

var drainBeforeShutdown = Remedy{
	ID: "drain-before-shutdown", Title: "Drain a node before it is shut down or rebooted", Preventive: true,
	References:  []string{"kubernetes.io: Safely Drain a Node", "recordings on real nodes: Ready 10 s after a drain began"},
	SideEffects: always("a pod that cannot be evicted holds the drain up"),

	Phases: []model.PhaseID{model.PhaseDetection, model.PhaseEviction, model.PhaseReplacement, model.PhaseScheduling, model.PhaseRelease,
		model.PhaseUnmountWait, model.PhaseDetach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		s := i.Scenario
		switch f := i.ofLostNode("No node was lost here."); {
		case i.Case.DeletedAlive():
			return undecidable("A drain before the Node was deleted would have moved the pod in order; the replay does not know how soon.")
		case f.Verdict != Fits:
			return f
		case s.Deleted.Known() && !s.Evicted && s.Deleted.Best < i.LostAt():
			return noEffect("The old pod was asked to end before the node went away.")
		case math.IsInf(s.Lost, 1):
			return undecidable("The last sign of life of " + i.node() + " is not in the bundle: the Lease, or the controller's log.")
		case i.Case.ShutDown() != nil, i.Case.DeclaredShutdown() != nil:
			return fits("A drain that ends before the machine goes down is assumed.")
		}
		return undecidable("The bundle does not show whether " + i.node() + " went away on purpose, so that somebody could have drained it.")
	},
	Change: setting(func(s *replay.Settings) { s.Drained = true }),
	Steps: func(i *Incident) []model.Step {
		node := name(i.node())
		return []model.Step{
			act("drain the node", "kubectl", "drain", node, "--ignore-daemonsets", "--delete-emptydir-data"),
			act("wait until no VolumeAttachment of it is left, then shut it down", "kubectl", "get", "volumeattachment", "-o",
				within(`jsonpath={range .items[?(@.spec.nodeName=="`, i.node(), `")]}{.metadata.name}{"\n"}{end}`)),
			after("let pods on it again", "kubectl", "uncordon", node)}
	},
}
