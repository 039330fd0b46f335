package remedy

import (
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

var forceDeletePod = Remedy{
	ID: "force-delete-pod", Title: "Delete the old pod by force",
	References: []string{"kubernetes.io: Force Delete StatefulSet Pods",
		"attach/detach controller, reconciler.go: maxWaitForUnmountDuration"},
	Forces:      true,
	SideEffects: func(i *Incident) []string { return []string{i.twice()} },

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseMount},
	After:  []string{"fence-node"},
	Fit: func(i *Incident) Fit {
		switch f := i.ofLostNode("The old pod's node is Ready, and ends pods and unmounts by itself: a forced deletion waits for neither."); {
		case f.Verdict != Fits:
			return f
		case i.podAbsent(i.stuck() + i.reaction):
			return misfit("The old pod's object was gone already.")
		case i.Scenario.Finished.Known() && i.Scenario.Finished.Best <= i.Scenario.Reported:
			return noEffect("The old pod had finished, so that the controller no longer counted it; the six minutes ran already.")
		case i.Case.Before && i.Scenario.ForceDetach:
			return fits("Multi-Attach comes of it: by itself the controller detaches only six minutes after the pod is gone.")
		}
		return fits("")
	},
	From:   (*Incident).stuck,
	Change: acting(replay.ForceDeletePod),
	Acts:   []replay.ActKind{replay.ForceDeletePod},
	Used:   doneWith(replay.ForceDeletePod, replay.DeleteAttachment, false),
	Needs:  nodeStopped,
	Steps:  func(i *Incident) []model.Step { return []model.Step{lookBefore(i), dropPod(i)} },
}

func dropPod(i *Incident) model.Step {
	namespace, pod := i.oldPod()
	return act("delete the old pod by force", "kubectl", "delete", "pod", "-n", name(namespace), name(pod), "--grace-period=0", "--force")
}

var deleteNode = Remedy{
	ID: "delete-node", Title: "Delete the Node object of the lost node",
	References: []string{"podgc/gc_controller.go", "attach/detach controller, reconciler.go"},
	Forces:     true,
	SideEffects: func(i *Incident) []string {
		return []string{"every pod of " + i.oldNode() + " is deleted", "a node that comes back registers again, without its labels and taints"}
	},

	Phases: []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling,
		model.PhaseUnmountWait, model.PhaseMount},
	After: []string{"fence-node"},
	Fit: func(i *Incident) Fit {
		if f := i.ofLostNode(i.node() + " was Ready."); f.Verdict != Fits {
			return f
		} else if i.absent(i.stuck() + i.reaction) {
			return misfit("The Node object was deleted already.")
		}
		return fits("")
	},
	From:   (*Incident).stuck,
	Change: acting(replay.DeleteNode),
	Acts:   []replay.ActKind{replay.DeleteNode},
	Needs:  nodeStopped,
	Steps: func(i *Incident) []model.Step {
		return []model.Step{lookBefore(i), act("delete the Node object of "+i.oldNode(), "kubectl", "delete", "node", name(i.node()))}
	},
}
