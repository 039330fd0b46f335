package remedy

import (
	"fmt"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

var outOfServiceTaint = Remedy{
	ID: "out-of-service-taint", Title: "Taint the lost node as out of service",
	Doc: Doc{
		Does: "The taint is a person's word that the machine is off. Pod GC then ends the node's terminating pods in its next loop of 20 s, and the attach/detach controller " +
			"detaches at once, without asking for the unmount and without the six minutes.",
		DoesNot:    "It does nothing on a node that is Ready to pods that were not deleted.",
		Risk:       "A node that still writes, because it was only cut off, corrupts the file system when the volume is mounted elsewhere. The taint stays until somebody takes it away.",
		References: []string{"KEP-2268 (non-graceful node shutdown): alpha in 1.24, on by default since 1.26, GA in 1.28"},
	},
	Forces: true,
	SideEffects: func(i *Incident) []string {
		return []string{"every pod on " + i.oldNode() + " that does not tolerate the taint is deleted", "the taint keeps pods away until somebody removes it"}
	},

	Phases:     []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseMount},
	After:      []string{"fence-node"},
	Kubernetes: "1.26 and later; 1.24 and 1.25 with the gate NodeOutOfServiceVolumeDetach",
	Fit:        fitOutOfService,
	From:       (*Incident).stuck,
	Change:     acting(replay.TaintOutOfService),
	Acts:       []replay.ActKind{replay.TaintOutOfService},
	Needs:      nodeStopped,
	Steps:      taintSteps,
}

func fitOutOfService(i *Incident) Fit {
	v := i.version()
	switch f := i.ofLostNode("The taint is for a node that is off; " + i.node() + " was Ready."); {
	case i.did(replay.TaintOutOfService):
		return fits("")
	case f.Verdict != Fits:
		return f
	case i.absent(i.stuck() + i.reaction):
		return misfit("The Node object of " + i.node() + " was deleted; there is nothing to taint.")
	case !v.Known():
		return undecidable("The version of Kubernetes is not known; the taint works since 1.26.")
	case upstream.OutOfServiceDetach(v) == upstream.Absent:
		return misfit(fmt.Sprintf("Kubernetes %s does not know the taint.", v))
	case upstream.OutOfServiceDetach(v) == upstream.ByGate && !i.Scenario.OutOfService:
		return undecidable(fmt.Sprintf("In Kubernetes %s the taint works only with the gate NodeOutOfServiceVolumeDetach, whose state the bundle does not show.", v))
	case i.Scenario.Tolerates:
		return fits("The old pod tolerates the taint, so that only the detach is hastened.")
	}
	return fits("")
}

func taintSteps(i *Incident) []model.Step {
	taint := upstream.OutOfServiceTaint + "=nodeshutdown:NoExecute"
	return []model.Step{
		lookBefore(i),
		act("taint "+i.oldNode()+" out-of-service", "kubectl", "taint", "node", name(i.node()), taint),
		after("remove the taint when the pods have moved, and before the node comes back", "kubectl", "taint", "node", name(i.node()), taint+"-"),
	}
}
