package remedy

import (
	"fmt"
	"math"
	"slices"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var outOfServiceTaint = Remedy{
	ID: "out-of-service-taint", Title: "Taint the lost node as out of service",
	References: []string{"KEP-2268 (non-graceful node shutdown): alpha in 1.24, on by default since 1.26, GA in 1.28"},
	Forces:     true,
	SideEffects: func(i *Incident) []string {
		return []string{"every pod on " + i.oldNode() + " that does not tolerate the taint is deleted", "the taint keeps pods away until removed"}
	},

	Phases: []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling,
		model.PhaseUnmountWait, model.PhaseMount},
	After:      []string{"fence-node"},
	Kubernetes: "1.26 and later; 1.24 and 1.25 with the gate NodeOutOfServiceVolumeDetach",
	Fit:        fitOutOfService,
	From:       (*Incident).LostAt, // it evicts by itself: no toleration is waited for
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
	case i.CloudDeleted():
		return misfit("The cloud had no machine for " + i.node() + " any more, and its controller deleted the Node at once; there was nothing to taint.")
	case !v.Known():
		return undecidable("The version of Kubernetes is not known; the taint works since 1.26.")
	case upstream.OutOfServiceDetach(v) == upstream.Absent:
		return misfit(fmt.Sprintf("Kubernetes %s does not know the taint.", v))
	case upstream.OutOfServiceDetach(v) == upstream.ByGate && !i.Scenario.OutOfService:
		return undecidable(fmt.Sprintf("Kubernetes %s needs the gate NodeOutOfServiceVolumeDetach for it, which the bundle does not show.", v))
	case i.Scenario.Tolerates:
		return fits("The old pod tolerates the taint, so that only the detach is hastened.")
	}
	return fits("")
}

// CloudDeleted reports that the cloud's controller deleted the Node as soon as it was not Ready, before anybody could act on it.
func (i *Incident) CloudDeleted() bool {
	return i.Scenario.NodeGone-i.Scenario.NotReady.Best < healthCheckSoon && slices.ContainsFunc(i.Scenario.Actions, func(a wait.Action) bool {
		return a.CloudRemoved() && a.Object.Name == i.Case.From
	})
}

func taintSteps(i *Incident) []model.Step {
	taint := upstream.OutOfServiceTaint + "=nodeshutdown:NoExecute"
	return []model.Step{lookBefore(i),
		act("taint "+i.oldNode()+" out-of-service", "kubectl", "taint", "node", name(i.node()), taint),
		after("remove the taint when the pods have moved, and before the node comes back", "kubectl", "taint", "node", name(i.node()), taint+"-")}
}

// healthCheckAfter is how long, in seconds, a node health check waits before it fences: the default of medik8s' NodeHealthCheck.
const healthCheckAfter = 300.0

// healthCheckSoon is the shorter time of a health check that is set to act before people do.
const healthCheckSoon = 60.0

// healthCheck is how long a health check is assumed to wait: its default, unless all was over by then.
func (i *Incident) healthCheck() (after float64, why string) {
	if end, ended := i.End(); ended && end < i.Scenario.NotReady.Best+healthCheckAfter {
		return healthCheckSoon, fmt.Sprintf(" (by its default of %s all was over)", words.Whole(healthCheckAfter))
	}
	return healthCheckAfter, ""
}

var automateOutOfService = Remedy{
	ID: "automate-out-of-service", Title: "Have a fencing agent power lost nodes off and taint them", Preventive: true,
	References: []string{
		"medik8s NodeHealthCheck (unhealthyConditions, 300 s by default) with SelfNodeRemediation or FenceAgentsRemediation, " +
			"strategy OutOfServiceTaint (Kubernetes 1.26 and later)",
		"cloud-provider-azure 4522, NetApp Trident TridentNodeRemediation"},
	SideEffects: always("machines are powered off without a person, many at once after a network failure unless minHealthy limits it"),

	Phases: []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling,
		model.PhaseUnmountWait, model.PhaseDetach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		s := i.Scenario
		after, why := i.healthCheck()
		acts, deleted := s.NotReady.Best+after, i.done(replay.DeleteNode)
		if math.IsInf(deleted, 1) && s.NodeGone <= acts && s.NotReady.Known() {
			return noEffect("The Node object was deleted before a health check would have acted.")
		}
		if f := i.ofLostNode("The taint is for a node that is off; " + i.node() + " was Ready."); f.Verdict != Fits && !i.did(replay.TaintOutOfService) {
			return f
		}
		if f := i.asOf(min(acts, deleted-instantBefore), i.agentMoves().Fit); f.Verdict != Fits {
			return f
		}
		if by := i.taintedBy(); by != "" {
			return noEffect(fmt.Sprintf("%s did it here already.", by))
		}
		if s.Back < s.NotReady.Best+healthCheckAfter {
			return noEffect(fmt.Sprintf("%s was Ready again before a health check of %s would have acted.", i.node(), words.Whole(healthCheckAfter)))
		}
		text := fmt.Sprintf("A health check that acts %s after NotReady is assumed%s", words.Whole(after), why)
		if deleted <= acts {
			text += ", and that nobody deletes the Node before that"
		}
		if i.untaintable() {
			text += fmt.Sprintf("; in Kubernetes %s it deletes the pod and the VolumeAttachment itself (ResourceDeletion)", i.version())
		}
		return fits(text + ".")
	},
	Change: func(i *Incident, p replay.Plan, _ float64) replay.Plan {
		after, _ := i.healthCheck()
		at := i.Scenario.NotReady.Best + after
		if p.First(replay.DeleteNode) <= at {
			p = p.Without(replay.DeleteNode)
		}
		return i.agentMoves().Change(i, p.Until(at), at)
	},
	Needs: func(*Incident, float64) []Need {
		return []Need{{Text: "The agent proves the machine off before the taint: by BMC, cloud, or a watchdog that has timed out.", Met: model.Unknown}}
	},
	Steps: func(i *Incident) []model.Step {
		then := "sets " + upstream.OutOfServiceTaint
		if i.untaintable() {
			then = "deletes the node's pods and VolumeAttachments (strategy ResourceDeletion)"
		}
		return []model.Step{prove("make sure that the agent knows the machine to be off before it acts; see which remediations are there",
			"kubectl", "get", "nodehealthcheck,selfnoderemediationtemplate,fenceagentsremediationtemplate", "-A"),
			act("set up a NodeHealthCheck whose remediation " + then + " after it has fenced the node")}
	},
}

// untaintable reports that the version is known and does not act on the out-of-service taint.
func (i *Incident) untaintable() bool { return i.version().Known() && !i.Scenario.OutOfService }

// agentMoves is how a fencing agent takes the volumes from a machine that it has powered off.
func (i *Incident) agentMoves() Remedy {
	if i.untaintable() {
		return forceDeletePodAndVolumeAttachment
	}
	return outOfServiceTaint
}

// taintedBy is the program that put the out-of-service taint on the old node; empty when none did, or it is not known.
func (i *Incident) taintedBy() string {
	for _, a := range i.Scenario.Actions {
		own := a.What == wait.TaintedOutOfService && a.Object.Name == i.Case.From
		if own && a.ByPerson == model.False && a.By != "" {
			return words.Capital(a.By)
		}
	}
	return ""
}

var fenceNode = Remedy{
	ID: "fence-node", Title: "Power the node off, or cut it off from the storage",
	References: []string{"KEP-2268", "csi-addons NetworkFence"},
	SideEffects: func(i *Incident) []string {
		out := []string{"every pod that still runs on " + i.oldNode() + " ends", "what it held in memory only is gone, as at any power failure"}
		if i.mayBeFenced() {
			out = append(out, outOfServiceTaint.SideEffects(i)...)
		}
		return out
	},

	Phases: outOfServiceTaint.Phases,
	Fit: func(i *Incident) Fit {
		if f := i.ofLostNode(i.node() + " was Ready."); f.Verdict != Fits {
			return f
		}
		if i.mayBeFenced() {
			return fits("The cloud says that the machine runs. Once it is off, the taint moves its volumes at once.")
		}
		return noEffect("Kubernetes does not see a machine that is off: the wait goes on. Once proven off, taking its volume risks no data.")
	},
	From:   (*Incident).stuck,
	Change: acting(replay.TaintOutOfService),
	Steps: func(i *Incident) []model.Step {
		steps := i.switchMachine(powerOff, "power the machine of "+i.oldNode()+" off")
		if i.mayBeFenced() { // the proof comes after the act
			off := machineState(i)
			off.Part = model.StepAct
			steps = append(append(steps, off), taintSteps(i)[1:]...)
		}
		return steps
	},
}

// mayBeFenced reports that the machine is known to run, and that the taint would free its volumes once it is off.
func (i *Incident) mayBeFenced() bool {
	return i.known().cloud != nil && fitOutOfService(i).Verdict == Fits
}
