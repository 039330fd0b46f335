package remedy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var outOfServiceTaint = Remedy{
	ID: "out-of-service-taint", Title: "Taint the lost node as out of service",
	References:  []string{"KEP-2268 (non-graceful node shutdown): alpha in 1.24, on by default since 1.26, GA in 1.28"},
	Forces:      true,
	SideEffects: always("every pod on $old that does not tolerate the taint is deleted", "the taint keeps pods away until removed"),

	Phases:     lossPhases,
	After:      []string{"fence-node"},
	Kubernetes: "1.26 and later; 1.24 and 1.25 with the gate NodeOutOfServiceVolumeDetach",
	Fit:        fitOutOfService,
	From:       (*Incident).LostAt, // it evicts by itself: no toleration is waited for
	Change:     acting(replay.TaintOutOfService),
	Acts:       []replay.ActKind{replay.TaintOutOfService},
	Needs:      nodeStopped,
	Steps:      steps(machineState, setTaint, dropTaint),
}

func fitOutOfService(i *Incident) Fit {
	v := i.version()
	return first([]when{
		{i.did(replay.TaintOutOfService), fits("")},
		unfit(i.ofLostNode("The taint is for a node that is off; " + i.node() + " was Ready.")),
		{i.absent(i.stuck() + i.reaction), misfit("The Node object of " + i.node() + " was deleted; there is nothing to taint.")},
		{i.CloudDeleted(),
			misfit("The cloud had no machine for " + i.node() + " any more, and its controller deleted the Node at once; there was nothing to taint.")},
		{!v.Known(), undecidable("The version of Kubernetes is not known; the taint works since 1.26.")},
		{upstream.OutOfServiceDetach(v) == upstream.Absent, misfit(fmt.Sprintf("Kubernetes %s does not know the taint.", v))},
		{upstream.OutOfServiceDetach(v) == upstream.ByGate && !i.Scenario.OutOfService,
			undecidable(fmt.Sprintf("Kubernetes %s needs the gate NodeOutOfServiceVolumeDetach for it, which the bundle does not show.", v))},
		{i.Scenario.Tolerates, fits("The old pod tolerates the taint, so that only the detach is hastened.")},
	})
}

// CloudDeleted reports that the cloud's controller deleted the Node as soon as it was not Ready, before anybody could act on it.
func (i *Incident) CloudDeleted() bool {
	return i.Scenario.NodeGone-i.Scenario.NotReady.Best < healthCheckSoon && slices.ContainsFunc(i.Scenario.Actions, func(a wait.Action) bool {
		return a.CloudRemoved() && a.Object.Name == i.Case.From
	})
}

const taintNode = "kubectl taint node $node " + upstream.OutOfServiceTaint + "=nodeshutdown:NoExecute"

var (
	setTaint  = act("taint $old out-of-service", taintNode)
	dropTaint = after("remove the taint when the pods have moved, and before the node comes back", taintNode+"-")
)

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
		return steps(prove("make sure that the agent knows the machine to be off before it acts; see which remediations are there",
			"kubectl get nodehealthcheck,selfnoderemediationtemplate,fenceagentsremediationtemplate -A"),
			act("set up a NodeHealthCheck whose remediation "+then+" after it has fenced the node"))(i)
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
		out := always("every pod that still runs on $old ends", "what it held in memory only is gone, as at any power failure")(i)
		if i.mayBeFenced() {
			out = append(out, outOfServiceTaint.SideEffects(i)...)
		}
		return out
	},

	Phases: outOfServiceTaint.Phases,
	Fit: func(i *Incident) Fit {
		return first([]when{
			unfit(i.ofLostNode(i.node() + " was Ready.")),
			{i.mayBeFenced(), fits("The cloud says that the machine runs. Once it is off, the taint moves its volumes at once.")},
			{true, noEffect("Kubernetes does not see a machine that is off: the wait goes on. Once proven off, taking its volume risks no data.")},
		})
	},
	From:   (*Incident).stuck,
	Change: acting(replay.TaintOutOfService),
	Steps: func(i *Incident) []model.Step {
		out := i.switchMachine(powerOff, "power the machine of $old off")
		if i.mayBeFenced() { // the proof comes after the act
			off := machineState(i)
			off.Part = model.StepAct
			out = append(out, off, setTaint(i), dropTaint(i))
		}
		return out
	},
}

// mayBeFenced reports that the machine is known to run, and that the taint would free its volumes once it is off.
func (i *Incident) mayBeFenced() bool {
	return i.known().cloud != nil && fitOutOfService(i).Verdict == Fits
}

var forceDeletePod = Remedy{
	ID: "force-delete-pod", Title: "Delete the old pod by force",
	References: []string{"kubernetes.io: Force Delete StatefulSet Pods",
		"attach/detach controller, reconciler.go: maxWaitForUnmountDuration"},
	Forces:      true,
	SideEffects: always("$twice"),

	Phases: releasePhases,
	After:  []string{"fence-node"},
	Fit: func(i *Incident) Fit {
		return first([]when{
			unfit(i.ofLostNode("The old pod's node is Ready, and ends pods and unmounts by itself: a forced deletion waits for neither.")),
			{i.podAbsent(i.stuck() + i.reaction), misfit("The old pod's object was gone already.")},
			{i.Scenario.Finished.Known() && i.Scenario.Finished.Best <= i.Scenario.Reported,
				noEffect("The old pod had finished, so that the controller no longer counted it; the six minutes ran already.")},
			{i.Case.Before && i.Scenario.ForceDetach,
				fits("Multi-Attach comes of it: by itself the controller detaches only six minutes after the pod is gone.")},
		})
	},
	From:   (*Incident).stuck,
	Change: acting(replay.ForceDeletePod),
	Acts:   []replay.ActKind{replay.ForceDeletePod},
	Used:   doneWith(replay.ForceDeletePod, replay.DeleteAttachment, false),
	Needs:  nodeStopped,
	Steps:  steps(machineState, dropPod),
}

var dropPod = act("delete the old pod by force", "kubectl delete pod -n $namespace $pod --grace-period=0 --force")

var deleteNode = Remedy{
	ID: "delete-node", Title: "Delete the Node object of the lost node",
	References:  []string{"podgc/gc_controller.go", "attach/detach controller, reconciler.go"},
	Forces:      true,
	SideEffects: always("every pod of $old is deleted", "a node that comes back registers again, without its labels and taints"),

	Phases: lossPhases,
	After:  []string{"fence-node"},
	Fit: func(i *Incident) Fit {
		return first([]when{
			unfit(i.ofLostNode(i.node() + " was Ready.")),
			{i.absent(i.stuck() + i.reaction), misfit("The Node object was deleted already.")},
		})
	},
	From:   (*Incident).stuck,
	Change: acting(replay.DeleteNode),
	Acts:   []replay.ActKind{replay.DeleteNode},
	Needs:  nodeStopped,
	Steps:  steps(machineState, act("delete the Node object of $old", "kubectl delete node $node")),
}

var deleteVolumeAttachment = Remedy{
	ID: "delete-volume-attachment", Title: "Delete only the VolumeAttachment",
	References: []string{"attach/detach controller, operation_generator.go: VerifyVolumesAreAttached"},
	Forces:     true,
	SideEffects: func(i *Incident) []string {
		if i.PodGone() || i.Case.Released.Known() && i.of(i.Case.Released.Latest) <= i.dropped() {
			return always(losesVolume)(i)
		}
		return always("the old pod stays, and $old may get the volume again", losesVolume)(i)
	},

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseMount},
	After:  []string{"fence-node"},
	Fit:    fitAttachment,
	From:   (*Incident).unraced,
	Change: acting(replay.DeleteAttachment),
	Acts:   []replay.ActKind{replay.DeleteAttachment},
	Used:   doneWith(replay.DeleteAttachment, replay.ForceDeletePod, false),
	Needs:  nodeStopped,
	Steps: func(i *Incident) []model.Step {
		if i.PodGone() {
			return steps(machineState, detachBegun, dropAttachment)(i)
		}
		return steps(machineState, dropAttachment)(i)
	},
}

// detachBegun looks whether there is anything to shorten: the controller asks for the detach by itself once its timer has run.
var detachBegun = prove("see whether the detach goes on: with a Deletion Timestamp the driver is at it; without, the controller asks for it six minutes "+
	"after it no longer saw the pod", "kubectl describe volumeattachment $attachment")

// dropped is when the attachment was deleted by hand, or would have been.
func (i *Incident) dropped() float64 {
	if i.did(replay.DeleteAttachment) {
		return i.done(replay.DeleteAttachment)
	}
	return i.unraced() + i.reaction
}

// unraced is when the deletion of the attachment alone is no race: the old pod no longer counts as a user, where that is known.
func (i *Incident) unraced() float64 {
	if at := i.Case.Released; at.Known() {
		return max(i.stuck(), i.of(at.At))
	}
	return i.stuck()
}

var dropAttachment = act("delete the VolumeAttachment of $old", "kubectl delete volumeattachment $attachment --wait=false")

// fitAttachment: there is a VolumeAttachment that is not deleted.
func fitAttachment(i *Incident) Fit {
	c, v := i.Case, i.Case.Volume
	inTree := v.UniqueName != "" && v.Handle == "" && v.Driver == ""
	return first([]when{
		{inTree && c.Attachment.Name == "" && c.Attachment.Basis == model.NameNone,
			misfit("The volume has no VolumeAttachment: its driver is part of Kubernetes itself.")},
		{c.Attachment.Name == "", undecidable("The name of the blocking VolumeAttachment is not known.")},
		{i.past(i.Case.Gone, i.stuck()+i.reaction), misfit("The VolumeAttachment was gone already.")},
		{c.DetachRequested.Known() && !i.did(replay.DeleteAttachment) && i.of(c.DetachRequested.At) <= i.stuck()+i.reaction,
			noEffect("The controller had asked for its deletion already; what is waited for is the detach.")},
		{i.Case.OldPodRuns(), i.ofLostNode("The old pod runs on a node that is Ready and uses the volume.")},
		{true, i.ofLostNode(fmt.Sprintf("%s is Ready and has the volume mounted; what has to end is the unmount.", i.node()))},
	})
}

var forceDeletePodAndVolumeAttachment = Remedy{
	ID: "force-delete-pod-and-volume-attachment", Title: "Delete the old pod by force, then the VolumeAttachment",
	References:  []string{"attach/detach controller, operation_generator.go: VerifyVolumesAreAttached"},
	Forces:      true,
	SideEffects: always("$twice", losesVolume),

	Phases: releasePhases,
	After:  []string{"fence-node"},
	Fit: func(i *Incident) Fit {
		if f := fitAttachment(i); f.Verdict == Misfit || !i.podAbsent(i.stuck()+i.reaction) && !i.PodGone() {
			return f
		}
		return misfit("The old pod's object was gone already; what is left of it is delete-volume-attachment.")
	},
	From: (*Incident).stuck,
	Change: func(_ *Incident, p replay.Plan, at float64) replay.Plan {
		return p.With(replay.Act{Kind: replay.ForceDeletePod, At: at}, replay.Act{Kind: replay.DeleteAttachment, At: at})
	},
	Acts:  []replay.ActKind{replay.ForceDeletePod, replay.DeleteAttachment},
	Used:  doneWith(replay.DeleteAttachment, replay.ForceDeletePod, true),
	Needs: nodeStopped,
	Steps: steps(machineState, dropPod, dropAttachment),
}

var removeAttachmentFinalizer = Remedy{
	ID: "remove-attachment-finalizer", Title: "Take the finalizer from the deleted VolumeAttachment",
	References:  []string{"external-attacher: finalizer external-attacher/<driver>"},
	Forces:      true,
	SideEffects: always("Kubernetes forgets an attachment that the storage may still have"),

	Phases: []model.PhaseID{model.PhaseDetach, model.PhaseMount},
	After:  []string{"fence-node", "fix-backend-detach"},
	Fit: func(i *Incident) Fit {
		return first([]when{
			{!i.Case.DetachRequested.Known(), misfit("The VolumeAttachment was not being deleted; its finalizer held nothing up.")},
			{!i.did(replay.RemoveFinalizer) && i.Scenario.Fault == (replay.Fault{}), misfit("The detach ended within its usual time.")},
		})
	},
	From:   failingSince,
	Change: acting(replay.RemoveFinalizer),
	Acts:   []replay.ActKind{replay.RemoveFinalizer},
	Needs: func(i *Incident, at float64) []Need {
		return []Need{stopped(i, at), {Text: "The storage itself shows the volume as detached from " + i.node() + ".", Met: model.Unknown}}
	},
	Steps: steps(machineState, storageState,
		act("remove the finalizers of the VolumeAttachment",
			`kubectl patch volumeattachment $attachment --type=json -p=[{"op":"remove","path":"/metadata/finalizers"}]`)),
}

// storageState asks the storage itself, with its own command where the driver or its errors give what it takes, which machine has the volume.
func storageState(i *Incident) model.Step {
	v, text := i.Case.Volume, "ask the storage itself whether the volume is attached to that machine, and detach it there"
	said := facts.Each(i.Case.DetachErrors, func(o *model.Observation) string { return o.Detail })
	if ask := upstream.AskStorage(v.Driver, cmp.Or(v.Handle, v.PersistentVolume), said...); ask != "" {
		return model.Step{Part: model.StepProve, Text: text, Command: ask}
	}
	return prove(text+", by the name that its PersistentVolume gives", "kubectl get pv $pv -o", `jsonpath={.spec.csi.driver}{"  "}{.spec.csi.volumeHandle}{"\n"}`)(i)
}

// failing is how long, in seconds, a detach may take before it is seen to fail: the controller's own limit for one try.
const failing = 120.0
