package remedy

import (
	"fmt"
	"math"
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var recreateStrategy = Remedy{
	ID: "recreate-strategy", Title: "End the old pod before the new one is created (strategy Recreate)", Preventive: true,
	References:  []string{"kubernetes.io: Deployments, Recreate"},
	SideEffects: always("the application is down in every rollout for the time of a restart"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		switch {
		case i.Case.Workload == nil || i.Case.Workload.Kind != "Deployment":
			return misfit("The workload is not known to be a Deployment.")
		case !i.Rollout():
			return misfit("The old and the new pod do not come from a rollout that overlaps.")
		case !i.HasCause(model.CauseRolloutSurge) && i.recreates():
			return noEffect("The strategy of " + i.Case.Workload.String() + " is Recreate already.")
		}
		return fits("")
	},
	Change: setting(func(s *replay.Settings) { s.Recreate = true }),
	Act:    acting(replay.StopOldPods),
	Steps: func(i *Incident) []model.Step {
		w := i.owner()
		return []model.Step{act("let the rollout stop the old pod before it starts the new one", "kubectl", "patch", "deployment",
			"-n", name(w.Namespace), name(w.Name), "--type=strategic", `-p={"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}`)}
	},
}

// recreates reports that the Deployment's strategy is Recreate.
func (i *Incident) recreates() bool {
	d, ok := i.Case.World.Deployment(i.Case.Workload.Namespace, i.Case.Workload.Name)
	return ok && d.Value().Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType
}

var scaleToZero = Remedy{
	ID: "scale-to-zero", Title: "Scale the workload to zero, and back when the volume is free",
	References:  []string{"kubectl scale", "recordings on real nodes: both ended a rollout's deadlock that deleting the old pod had not"},
	SideEffects: func(i *Incident) []string { return []string{i.stops()} },

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		switch {
		case i.Lost():
			return misfit("On a lost node the old pod does not end.")
		case i.Case.Workload == nil:
			return misfit("The workload is not known, so that nothing can be scaled.")
		case !i.HasCause(model.CauseRolloutSurge, model.CauseSharedClaim):
			return misfit("No pod of the workload keeps the volume from another one.")
		case i.Case.OwnersDiffer() && i.HasCause(model.CauseSharedClaim):
			return misfit("The pods belong to two workloads; only one of them can have the volume.")
		case i.scales().Verdict != Fits:
			return i.scales()
		}
		return i.ofReadyNode("")
	},
	From: func(i *Incident) float64 { return i.Scenario.Reported },
	Change: func(i *Incident, p replay.Plan, at float64) replay.Plan {
		free := at + i.Scenario.Terminate.Best + i.Scenario.Unmount.Best + i.Scenario.Detach.Best
		return p.With(replay.Act{Kind: replay.ScaleDown, At: at}, replay.Act{Kind: replay.ScaleUp, At: free})
	},
	Acts: []replay.ActKind{replay.ScaleDown, replay.ScaleUp},
	Steps: func(i *Incident) []model.Step {
		w := i.owner()
		what := scalable(w)
		steps := []model.Step{
			act("scale the workload to zero", "kubectl", "scale", "-n", name(w.Namespace), what, "--replicas=0"),
			act("wait for the detach", "kubectl", "wait", "--for=delete", within("volumeattachment/", i.attachment(), ""), "--timeout=10m"),
			act("scale it back", "kubectl", "scale", "-n", name(w.Namespace), what, "--replicas=1"),
		}
		undo := after("to take an unwanted version back, which also ends the wait", "kubectl", "rollout", "undo", "-n", name(w.Namespace), what)
		if w.Kind == "Deployment" && i.HasCause(model.CauseRolloutSurge) && undo.Command != "" {
			steps = append(steps, undo)
		}
		return steps
	},
}

var deleteOldPod = Remedy{
	ID: "delete-old-pod", Title: "Delete the old pod without force",
	References:  []string{"attach/detach controller, reconciler.go: a volume that is not in status.volumesInUse is detached at once"},
	SideEffects: (*Incident).deletesServing,

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		switch {
		case i.did(replay.DeletePod):
			return fits("")
		case i.Lost():
			return misfit("On a lost node no pod ends without force.")
		case i.podAbsent(i.Scenario.Reported + i.reaction):
			return misfit("The old pod's object was gone already.")
		case i.Scenario.Deleted.Known() && i.Scenario.Deleted.Best <= i.Scenario.Reported:
			return noEffect("The old pod was being deleted already.")
		case len(i.Case.ListedGoing()) > 0:
			return noEffect("The old pod is being deleted already.")
		case i.Case.Released.Known() && i.of(i.Case.Released.At) <= i.Scenario.Reported+i.reaction && !i.Scenario.Replaced:
			return noEffect("The old pod had ended by then; what is waited for is the unmount, or its report.")
		case i.HasCause(model.CauseSharedClaim) || i.serves():
			return i.sharedDeletion()
		case !i.HasCause(model.CauseRolloutSurge) && !i.Case.Released.Known() && !i.Case.PodsInBundle():
			return undecidable("Whether the pods share the claim, so that another would take the old one's place, is not in the bundle: the pods.")
		}
		if f := i.replacement(); f.Verdict != Fits || f.Why != "" {
			return f
		}
		return i.ofReadyNode("")
	},
	From:   func(i *Incident) float64 { return i.Scenario.Reported },
	Change: acting(replay.DeletePod),
	Acts:   []replay.ActKind{replay.DeletePod},
	Steps: func(i *Incident) []model.Step {
		namespace, pod := i.oldPod()
		return []model.Step{act("delete the old pod without force", "kubectl", "delete", "pod", "-n", name(namespace), name(pod))}
	},
}

var rolloutUndo = Remedy{
	ID: "rollout-undo", Title: "Take the rollout back (kubectl rollout undo)",
	References: []string{"kubernetes.io: Deployments, rolling back",
		"recordings on real nodes: over 1.2 s after the undo, without an outage"},
	SideEffects: always("the new version is not rolled out"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		switch {
		case !i.Rollout():
			return misfit("The old and the new pod do not come from a rollout that overlaps.")
		case i.Lost():
			return misfit("The old pod's node was lost; what the old version runs on is gone.")
		}
		return fits("")
	},
	From:   func(i *Incident) float64 { return i.Scenario.Reported },
	Change: acting(replay.EndDemand),
	Acts:   []replay.ActKind{replay.EndDemand},
	Used: func(i *Incident) (float64, bool) { // a replica less ends the demand, too
		undone := slices.ContainsFunc(i.Scenario.Actions, i.Case.TakenBack)
		return i.done(replay.EndDemand), undone && i.did(replay.EndDemand)
	},
	Steps: func(i *Incident) []model.Step {
		w := i.owner()
		return []model.Step{act("take the rollout back; the pod that serves is not touched",
			"kubectl", "rollout", "undo", "-n", name(w.Namespace), within("deployment/", w.Name, ""))}
	},
}

// Rollout reports that a rolling update of a Deployment started the waiting pod beside the one that has the volume.
func (i *Incident) Rollout() bool {
	w := i.Case.Workload
	return w != nil && w.Kind == "Deployment" && (i.HasCause(model.CauseRolloutSurge) || i.Case.Revisions() && i.Scenario.Placement == replay.Beside)
}

// slowly is how long, in seconds, a pod on a live node may take to end before that is called slow: the default grace period.
const slowly = 30.0

var fasterStop = Remedy{
	ID: "faster-stop", Title: "Let the old pod stop sooner (SIGTERM handler, preStop hook, grace period)", Preventive: true,
	References: []string{"kubernetes.io: Pod Lifecycle, termination of pods (terminationGracePeriodSeconds, 30 s by default)",
		"recordings: 2 min of a preStop hook, all of them in the wait"},
	SideEffects: always("an application that is cut short has to recover at its next start", rollsOut),

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		took, known := i.stopTook()
		switch {
		case i.Lost():
			return misfit("On a lost node nothing stops a pod.")
		case !known:
			return undecidable("How long the old pod took to stop is not in the bundle.")
		case took < slowly:
			return misfit("The old pod stopped within " + words.Whole(took) + ".")
		}
		return fits(fmt.Sprintf("%s took %s to stop%s.", i.Case.OldPods[0].Name, words.Whole(took), i.stoppedBy()))
	},
	Change: setting(func(s *replay.Settings) { s.QuickStop = true }),
	Steps: func(i *Incident) []model.Step {
		namespace, pod := i.oldPod()
		return []model.Step{
			prove("see the grace period and the preStop hook of the pods", "kubectl", "get", "pod", "-n", name(namespace), name(pod), "-o",
				`jsonpath={.spec.terminationGracePeriodSeconds}{"  "}{.spec.containers[*].lifecycle.preStop}{"\n"}`),
			act("let the application end at SIGTERM, and its preStop hook return, within seconds; then shorten terminationGracePeriodSeconds")}
	},
}

// stopTook is how long the old pod took from its deletion to its end, in seconds.
func (i *Incident) stopTook() (float64, bool) {
	c := i.Case
	if len(c.OldPods) == 0 || !c.DeletionRequested.Known() {
		return 0, false
	}
	if c.Released.Known() {
		return c.Released.At.Sub(c.DeletionRequested.At).Seconds(), true
	}
	if end, ended := i.End(); !ended && !math.IsInf(end, 1) {
		return end - i.of(c.DeletionRequested.At), true // it has not ended yet
	}
	return 0, false
}

// stoppedBy says what made the end slow, as far as the bundle shows: the hook that ran, or the grace period.
func (i *Incident) stoppedBy() string {
	for _, o := range i.Case.Story() {
		if o.Kind == model.KubernetesEvent && o.Detail == "FailedPreStopHook" {
			return "; its preStop hook did not return within the grace period"
		}
	}
	for _, ref := range i.Case.OldPods {
		pod, ok := i.Case.World.Pod(ref)
		if !ok {
			continue
		}
		for _, c := range pod.Value().Spec.Containers {
			if c.Lifecycle != nil && c.Lifecycle.PreStop != nil {
				return "; it has a preStop hook"
			}
		}
	}
	return ""
}

// unblocked replays a waiting pod without a blocking attachment.
var unblocked = setting(func(s *replay.Settings) { s.Shared = true })

// waitOfVolume are the phases in which a pod waits for a volume that another node has.
var waitOfVolume = []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach, model.PhaseMount}

var sharedAccessMode = Remedy{
	ID: "shared-access-mode", Title: "Use a volume that several nodes may mount (ReadWriteMany)", Preventive: true,
	References: []string{"pkg/volume/util IsMultiAttachAllowed: decided by PersistentVolume.spec.accessModes (1.13–1.36)",
		"lab recordings with ReadWriteMany: several attachments, no Multi-Attach"},
	SideEffects: always("the data has to be copied to another volume"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if exclusive, known := i.Case.Volume.Exclusive(); known && !exclusive {
			return misfit("The volume's access modes allow several nodes already.")
		}
		return fits("It is other storage, not a setting of this volume.")
	},
	Change: unblocked,
	Needs: func(*Incident, float64) []Need {
		return []Need{{Text: "The application tolerates two writers.", Met: model.Unknown}}
	},
	Steps: func(i *Incident) []model.Step {
		return []model.Step{
			prove("verify that the application tolerates two writers; no command tells"),
			prove("see what the storage classes offer", "kubectl", "get", "storageclass"),
			prove("see its access modes", "kubectl", "get", "pv", name(i.Case.Volume.PersistentVolume), "-o", `jsonpath={.spec.accessModes}{"\n"}`),
			act("copy the data to a volume that several nodes can have")}
	},
}

var singleWriterReplicas = Remedy{
	ID: "single-writer-replicas", Title: "Give each replica its own volume, or run one replica", Preventive: true,
	References: []string{"kubernetes.io: StatefulSets, volumeClaimTemplates",
		"kubernetes.io: ReadWriteOncePod, alpha 1.22, beta 1.27, GA 1.29"},
	SideEffects: (*Incident).onlyOne,

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if !i.HasCause(model.CauseSharedClaim) {
			return misfit("The pods that wanted the volume at once were not replicas that share it.")
		}
		if m := i.Case.LiveMigration(); m != nil {
			return misfit(fmt.Sprintf("Both pods are of one virtual machine (%s), which has two only while it is migrated.", m.VM))
		}
		return fits("")
	},
	Change: unblocked,
	Act:    acting(replay.EndDemand),
	Steps:  (*Incident).one,
}

var topologySpread = Remedy{
	ID: "topology-spread", Title: "Spread the pods with volumes over nodes and zones", Preventive: true,
	References: []string{"kubernetes.io: Pod topology spread constraints, stable since 1.19",
		"kubernetes.io: volumeBindingMode WaitForFirstConsumer, so that volumes follow their pods' zones"},
	SideEffects: always(rollsOut),

	Phases: []model.PhaseID{},
	Fit: func(i *Incident) Fit {
		if i.HasCause(model.CauseSharedClaim) {
			return misfit("The pods share a single-node volume; spread over nodes they wait for each other.")
		}
		if f := i.ofLostNode("No node was lost here."); f.Verdict != Fits {
			return f
		}
		return noEffect(fmt.Sprintf("It limits how many volumes the loss of %s hits, not how long this one waits.", i.node()))
	},
	Steps: steps(act("set in the pod template " +
		"topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: ...}]")),
}
