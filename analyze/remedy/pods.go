package remedy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

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
		case len(i.Case.ListedGoing()) > 0 || i.Case.KillFails() != nil:
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
	Steps:  steps(act("delete the old pod without force", "kubectl delete pod -n $namespace $pod")),
}

// slowly is how long, in seconds, a pod on a live node may take to end before that is called slow: the default grace period.
const slowly = 30.0

var fasterStop = Remedy{
	ID: "faster-stop", Title: "Find what the old pod does while it stops, and let it stop sooner (SIGTERM handler, preStop hook, grace period)", Preventive: true,
	References: []string{"kubernetes.io: Pod Lifecycle, termination of pods (terminationGracePeriodSeconds, 30 s by default)",
		"recordings: 2 min of a preStop hook, all of them in the wait"},
	SideEffects: always("an application that is cut short has to recover at its next start", rollsOut),

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		took, known := i.stopTook()
		_, pod := i.oldPod()
		return first([]when{
			{i.Lost(), misfit("On a lost node nothing stops a pod.")},
			{!known, undecidable("How long the old pod took to stop is not in the bundle.")},
			{took < slowly, misfit("The old pod stopped within " + words.Whole(took) + ".")},
			{true, fits(fmt.Sprintf("%s took %s to stop%s.", pod, words.Whole(took), i.stoppedBy()))},
		})
	},
	Change: setting(func(s *replay.Settings) { s.QuickStop = true }),
	Steps: func(i *Incident) []model.Step {
		of, path := "pod -n $namespace $pod", ".spec"
		if i.value("workload") != "" { // which outlives its pods
			of, path = "$kind -n $space $workload", ".spec.template.spec"
		}
		return steps(
			prove("see in the log of the old pod what it did while it stopped"+words.If(i.Case.Resolved(), ": the pod is gone, so in what keeps logs"),
				words.If(!i.Case.Resolved(), "kubectl logs -n $namespace $pod --all-containers --timestamps --tail=50")),
			prove("see the grace period and the preStop hook", "kubectl get "+of+" -o",
				fmt.Sprintf(`jsonpath={%s.terminationGracePeriodSeconds}{"  "}{%[1]s.containers[*].lifecycle.preStop}{"\n"}`, path)),
			act("let the application end at SIGTERM, and its preStop hook return, within seconds; then shorten terminationGracePeriodSeconds"))(i)
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

// scaled are the kinds that have a number of replicas which kubectl scale sets.
var scaled = []string{"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "DeploymentConfig", "Rollout"}

// unscaled are kinds of Kubernetes, and of KubeVirt, that have none.
var unscaled = []string{"DaemonSet", "Job", "CronJob", "Node", "VirtualMachineInstance"}

// owner is the workload, for a command; without a name where it is not known, so that no command is given.
func (i *Incident) owner() *model.Ref { return cmp.Or(i.Case.Workload, &model.Ref{}) }

// scales says whether the workload can be scaled.
func (i *Incident) scales() Fit {
	w := i.owner()
	return first([]when{
		{slices.Contains(scaled, w.Kind), fits("")},
		{slices.Contains(unscaled, w.Kind), misfit(fmt.Sprintf("%s %s has no replicas that could be scaled.", w.Kind, w.Name))},
		{true, undecidable(fmt.Sprintf("Whether %s %s can be scaled, and how, is for its operator to say.", w.Kind, w.Name))},
	})
}

// serves reports that a pod runs on the old node with the volume, and that nothing but its deletion would end it.
func (i *Incident) serves() bool { return i.Case.OldPodRuns() && !i.HasCause(model.CauseRolloutSurge) }

// servingPod is the pod that runs with the volume, or else the first that had it.
func (i *Incident) servingPod() string {
	if list := i.Case.Serving(); len(list) > 0 {
		return list[0].Ref.String()
	}
	if len(i.Case.OldPods) > 0 {
		return i.Case.OldPods[0].String()
	}
	return "the old pod"
}

// deletesServing are the side effects of the deletion of a pod that runs.
func (i *Incident) deletesServing() []string {
	if m := i.Case.LiveMigration(); m != nil {
		return []string{"virtual machine " + m.VM.String() + " stops"}
	}
	switch owner, known := i.Case.OldOwner(); {
	case owner == nil && known:
		return []string{i.servingPod() + " is gone, and what it serves with it: nothing creates it again"}
	case i.HasCause(model.CauseRolloutSurge):
		return []string{i.stops() + ": the old version is gone before the new one runs"}
	case i.Case.OldPodRuns():
		return []string{i.servingPod() + ", which runs, is stopped, and what it serves with it"}
	}
	return []string{i.stops()}
}
