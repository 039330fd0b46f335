package remedy

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

var recreateStrategy = Remedy{
	ID: "recreate-strategy", Title: "End the old pod before the new one is created (strategy Recreate)", Preventive: true,
	References:  []string{"kubernetes.io: Deployments, Recreate"},
	SideEffects: always("the application is down in every rollout for the time of a restart"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		return first([]when{
			{i.UnknownRollout(), undecidable("Which Deployment it is, and its strategy, is not in the bundle.")},
			{i.owner().Kind != "Deployment", misfit("The workload is not known to be a Deployment.")},
			{i.SaidOff(), undecidable(onlySaidOff)},
			{!i.Rollout(), misfit("The old and the new pod do not come from a rollout that overlaps.")},
			{!i.HasCause(model.CauseRolloutSurge) && i.recreates(), noEffect("The strategy of " + i.owner().String() + " is Recreate already.")},
		})
	},
	Change: setting(func(s *replay.Settings) { s.Recreate = true }),
	Act:    acting(replay.StopOldPods),
	Steps: steps(act("let the rollout stop the old pod before it starts the new one", "kubectl patch deployment -n $space $workload --type=strategic",
		`-p={"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}`)),
}

// recreates reports that the Deployment's strategy is Recreate.
func (i *Incident) recreates() bool {
	d, ok := i.Case.World.Deployment(i.owner().Namespace, i.owner().Name)
	return ok && d.Value().Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType
}

var scaleToZero = Remedy{
	ID: "scale-to-zero", Title: "Scale the workload to zero, and back when the volume is free",
	References:  []string{"kubectl scale", "recordings on real nodes: both ended a rollout's deadlock that deleting the old pod had not"},
	SideEffects: func(i *Incident) []string { return []string{i.stops()} },

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		return first([]when{
			{i.Lost(), misfit("On a lost node the old pod does not end.")},
			{i.Case.Workload == nil, misfit("The workload is not known, so that nothing can be scaled.")},
			{!i.HasCause(model.CauseRolloutSurge, model.CauseSharedClaim), misfit("No pod of the workload keeps the volume from another one.")},
			{i.Case.OwnersDiffer() && i.HasCause(model.CauseSharedClaim),
				misfit("The pods belong to two workloads; only one of them can have the volume.")},
			{i.scales().Verdict != Fits, i.scales()},
			{true, i.ofReadyNode("")},
		})
	},
	From: func(i *Incident) float64 { return i.Scenario.Reported },
	Change: func(i *Incident, p replay.Plan, at float64) replay.Plan {
		free := at + i.Scenario.Terminate.Best + i.Scenario.Unmount.Best + i.Scenario.Detach.Best
		return p.With(replay.Act{Kind: replay.ScaleDown, At: at}, replay.Act{Kind: replay.ScaleUp, At: free})
	},
	Acts: []replay.ActKind{replay.ScaleDown, replay.ScaleUp},
	Steps: func(i *Incident) []model.Step {
		out := steps(act("scale the workload to zero", "kubectl scale -n $space $kind/$workload --replicas=0"),
			act("wait for the detach", "kubectl wait --for=delete volumeattachment/$attachment --timeout=10m"),
			act("scale it back", "kubectl scale -n $space $kind/$workload --replicas=1"))(i)
		undo := after("to take an unwanted version back, which also ends the wait", "kubectl rollout undo -n $space $kind/$workload")(i)
		if i.owner().Kind == "Deployment" && i.HasCause(model.CauseRolloutSurge) && undo.Command != "" {
			out = append(out, undo)
		}
		return out
	},
}

// Rollout reports that a rolling update of a Deployment started the waiting pod beside the one that has the volume.
func (i *Incident) Rollout() bool {
	if w := i.Case.Workload; w == nil || w.Kind != "Deployment" {
		return false
	}
	return i.HasCause(model.CauseRolloutSurge) || i.Case.Revisions() && i.Scenario.Placement == replay.Beside
}

// SaidOff reports that the volume was taken by the out-of-service taint, and nothing shows the machine to have run on.
func (i *Incident) SaidOff() bool { return i.Case.ForcedByTaint() && i.state == wait.NodeUnknown }

const onlySaidOff = "The out-of-service taint says that the machine of the old pod was off: then no rollout kept the volume. Nothing else shows it."

// UnknownRollout reports that a rolling update is the cause, by somebody's word or the pods' names, of a workload that is not in the bundle.
func (i *Incident) UnknownRollout() bool {
	return i.Case.Workload == nil && i.HasCause(model.CauseRolloutSurge)
}

var rolloutUndo = Remedy{
	ID: "rollout-undo", Title: "Take the rollout back (kubectl rollout undo)",
	References: []string{"kubernetes.io: Deployments, rolling back",
		"recordings on real nodes: over 1.2 s after the undo, without an outage"},
	SideEffects: always("the new version is not rolled out"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		return first([]when{
			{i.SaidOff(), undecidable(onlySaidOff)},
			{!i.Rollout(), misfit("The old and the new pod do not come from a rollout that overlaps.")},
			{i.Lost(), misfit("The old pod's node was lost; what the old version runs on is gone.")},
		})
	},
	From:   func(i *Incident) float64 { return i.Scenario.Reported },
	Change: acting(replay.EndDemand),
	Acts:   []replay.ActKind{replay.EndDemand},
	Used: func(i *Incident) (float64, bool) { // a replica less ends the demand, too
		undone := slices.ContainsFunc(i.Scenario.Actions, i.Case.TakenBack)
		return i.done(replay.EndDemand), undone && i.did(replay.EndDemand)
	},
	Steps: steps(act("take the rollout back; the pod that serves is not touched", "kubectl rollout undo -n $space deployment/$workload")),
}
