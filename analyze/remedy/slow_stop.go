package remedy

import (
	"fmt"
	"math"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

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
		if i.Lost() {
			return misfit("On a lost node nothing stops a pod.")
		}
		if !known {
			return undecidable("How long the old pod took to stop is not in the bundle.")
		}
		if took < slowly {
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
