package remedy

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

var recreateStrategy = Remedy{
	ID: "recreate-strategy", Title: "End the old pod before the new one is created (strategy Recreate)", Preventive: true,
	References:  []string{"kubernetes.io: Deployments, Recreate"},
	SideEffects: always("the application is down in every rollout for the time of a restart"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if i.Case.Workload == nil || i.Case.Workload.Kind != "Deployment" {
			return misfit("The workload is not known to be a Deployment.")
		}
		if !i.Rollout() {
			return misfit("The old and the new pod do not come from a rollout that overlaps.")
		}
		if !i.HasCause(model.CauseRolloutSurge) && i.recreates() {
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

// Rollout reports that a rolling update of a Deployment started the waiting pod beside the one that has the volume.
func (i *Incident) Rollout() bool {
	if w := i.Case.Workload; w == nil || w.Kind != "Deployment" {
		return false
	}
	return i.HasCause(model.CauseRolloutSurge) || i.Case.Revisions() && i.Scenario.Placement == replay.Beside
}
