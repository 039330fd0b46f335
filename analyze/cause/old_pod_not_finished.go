package cause

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

var oldPodNotFinished = Cause{
	ID: "old-pod-not-finished", Title: "The old pod is being deleted and does not finish",
	Label: "Old pod did not finish", Group: "A pod on %s does not finish",
	Needs: []Need{needHolder}, Check: checkOldPodNotFinished,
}

// overdue is how far past the grace period counts as not finishing.
const overdue = 10 * time.Second

func checkOldPodNotFinished(c *wait.Case) Result {
	if !c.DeletionRequested.Known() || c.Variant == model.ExclusivelyAttached {
		return Result{}
	}
	r := Result{Explains: []model.PhaseID{model.PhaseRelease}, For: witnesses(c.DeletionRequested)}
	if c.Before {
		r.Explains = []model.PhaseID{model.PhaseReplacement, model.PhaseScheduling} // the release is still to come
	}
	for _, ref := range c.OldPods {
		pod, ok := c.World.Pod(ref)
		if ok && pod.Value().DeletionTimestamp != nil && stuck(c, pod) {
			r.Verdict = model.Confirmed
			r.For = append(r.For, facts.Cite(pod, "metadata.deletionTimestamp"), running(pod))
			r.Summary = fmt.Sprintf("%s should have been gone by %s and its status still shows a running container.",
				ref, pod.Value().DeletionTimestamp.UTC().Format("15:04:05"))
			return r
		}
	}
	if d, _ := hasPhase(c, model.PhaseRelease); d > overdue && c.Released.Known() && lostBefore(c) {
		r.Verdict = model.Likely
		r.For = append(r.For, witnesses(c.Released)...)
		r.Summary = fmt.Sprintf("The old pod, whose deletion was requested at %s, counted as a user of the volume until %s: "+
			"its kubelet could not confirm its end.",
			clock(c.DeletionRequested), strings.TrimPrefix(atOrBetween(c.Released), "at "))
		return r
	}
	return Result{}
}

func stuck(c *wait.Case, pod model.Object[*corev1.Pod]) bool {
	at := c.World.Axis.CapturedAt
	return at != nil && at.At.After(pod.Value().DeletionTimestamp.Add(overdue)) && running(pod) != nil
}

func running(pod model.Object[*corev1.Pod]) *model.Observation {
	for i, s := range pod.Value().Status.ContainerStatuses {
		if s.State.Running != nil {
			return facts.Cite(pod, fmt.Sprintf("status.containerStatuses[%d].state.running.startedAt", i))
		}
	}
	return nil
}

// atOrBetween names an instant as an adverb.
func atOrBetween(i facts.Instant) string {
	if i.Latest.Sub(i.Earliest) <= overdue {
		return "at " + clock(i)
	}
	return fmt.Sprintf("some time between %s and %s", model.TimeOfDay(i.Earliest), model.TimeOfDay(i.Latest))
}
