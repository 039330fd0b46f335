package decision

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// oldPodReleased: a pod object keeps the volume until it is gone, finished, or being deleted without a running container.
func oldPodReleased(c *wait.Case) answer {
	switch {
	case c.From == "":
		return says(model.Unknown, "Nothing in the bundle tells which node held the volume.")
	case len(c.Mirrors) > 0:
		return answer{value: model.False, since: c.Began, evidence: append(keeps(c), c.Mirrors...),
			text: podsOf(c) + " was never released: when the volume had moved on, " +
				"the controller reported that the pod on " + c.From + " waits for it."}
	case c.Released.Known() && !c.Released.At.After(c.Began.At):
		return answer{value: model.True, since: c.Released, evidence: c.Began.Witness,
			text: "No pod on " + c.From + " counted as a user any more when Multi-Attach was reported" + because(c.Released) + "."}
	case c.Released.Known():
		return answer{value: model.False, until: c.Released, evidence: append(keeps(c), c.Began.Witness...),
			text: podsOf(c) + " still counted as a user of the volume on " + c.From + " until " + untilWhen(c.Released) + because(c.Released) + "."}
	case c.GoneBy.Known() && c.Variant == model.UsedByPods:
		return answer{value: model.False, since: c.Began, until: c.GoneBy, evidence: c.Began.Witness,
			text: podsOf(c) + counted + ", and was gone by the collection" + because(c.GoneBy) + "."}
	case (c.Shown || c.Before) && countsNow(c):
		return answer{value: model.False, since: c.Began, evidence: keeps(c), text: stillThere(c)}
	case c.Variant == model.UsedByPods && goesOn(c):
		return answer{value: model.False, since: c.Began, evidence: keeps(c), text: stillThere(c)}
	case c.Variant == model.ExclusivelyAttached:
		return answer{value: model.True, since: c.Began,
			text: "The report says exclusively attached: no pod object on the old node used the volume any more."}
	}
	return says(model.Unknown, "Nothing in the bundle tells when the old pod stopped counting as a user.", c.Began.Witness...)
}

// goesOn reports that nothing shows that the wait for the old pod has ended.
func goesOn(c *wait.Case) bool {
	if c.DetachRequested.Known() {
		return false
	}
	return !c.Resolved() || c.OldPodRuns() && !c.Attached.Known()
}

const counted = " counted as a user of the volume when Multi-Attach was reported"

// untilWhen names a moment up to which something was so: the latest that it can have been, where its bounds are wide.
func untilWhen(i facts.Instant) string {
	if i.Vague() {
		return "some time before " + clock(i.Latest)
	}
	return i.Clock(clock)
}

func countsNow(c *wait.Case) bool {
	counts := c.CountsNow()
	return counts
}

func because(i facts.Instant) string { return words.If(i.Rule != "", " ("+i.Rule+")") }

func podsOf(c *wait.Case) string {
	if len(c.OldPods) == 0 {
		return "A pod"
	}
	return wait.PodNames(c.OldPods)
}

// stillThere is what keeps an old pod in the controller's desired state at the collection.
func stillThere(c *wait.Case) string {
	for _, ref := range c.OldPods {
		pod, ok := c.World.Pod(ref)
		if !ok {
			continue
		}
		running := runningContainers(pod.Value())
		if pod.Value().DeletionTimestamp != nil && len(running) > 0 {
			return fmt.Sprintf("%s is Terminating, but its status still shows %s running, so the controller keeps the volume on %s. "+
				"Only the kubelet of %s updates that status.",
				ref, strings.Join(running, ", "), c.From, c.From)
		}
		if pod.Value().DeletionTimestamp == nil && pod.Value().Status.Phase == corev1.PodRunning {
			return fmt.Sprintf("%s runs on %s and is not being deleted.", ref, c.From)
		}
	}
	if going := c.ListedGoing(); len(going) > 0 {
		return podsOf(c) + " is Terminating in what was printed: its object exists, and keeps the volume on " + c.From +
			" while its status shows a running container."
	}
	return podsOf(c) + counted + "; the bundle does not show whether it still does."
}

// keeps are the fields that keep an old pod in the desired state.
func keeps(c *wait.Case) []*model.Observation {
	out := c.ListedGoing()
	for _, ref := range c.OldPods {
		pod, ok := c.World.Pod(ref)
		if !ok {
			continue
		}
		out = append(out, facts.Cite(pod, "metadata.deletionTimestamp"), facts.Cite(pod, "status.phase"))
		for i, s := range pod.Value().Status.ContainerStatuses {
			if s.State.Running != nil {
				out = append(out, facts.Cite(pod, fmt.Sprintf("status.containerStatuses[%d].state.running.startedAt", i)))
			}
		}
	}
	return out
}

func runningContainers(p *corev1.Pod) []string {
	var out []string
	for _, s := range p.Status.ContainerStatuses {
		if s.State.Running != nil {
			out = append(out, "container "+s.Name)
		}
	}
	return out
}
