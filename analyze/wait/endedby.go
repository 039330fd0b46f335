package wait

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// actLag bounds how long after an act on a workload its controllers delete a pod.
const actLag = 5 * time.Second

// EndedBy is the last act on the workload before what ended the wait: the deletion of the old pod, or that of the waiting one. False where
// no act is recorded, and where the deletion came first.
func (c *Case) EndedBy() (Action, bool) {
	end := c.DemandEnded
	if c.DeletionRequested.Known() && (!end.Known() || c.Attached.Known()) {
		end = c.DeletionRequested
	}
	if !end.Known() || c.Workload == nil || end.Latest.Before(c.Began.Earliest) {
		return Action{}, false
	}
	ours := func(a Action) bool {
		onWorkload := slices.Contains([]ActionKind{Scaled, ChangedTemplate, ChangedStrategy, Restarted}, a.What) && a.Object.Name == c.Workload.Name
		soonBefore := !a.At.Earliest.After(end.Latest) && end.Earliest.Sub(a.At.Latest) < actLag
		return onWorkload && soonBefore && a.At.Latest.After(c.Began.Latest)
	}
	if acts := facts.Where(Actions(c), ours); len(acts) > 0 {
		return acts[len(acts)-1], true
	}
	return Action{}, false
}

// EndedWait reports that an act is the one that ended the wait.
func (c *Case) EndedWait(a Action) bool {
	by, _ := c.EndedBy()
	return by.What == a.What && by.At.At.Equal(a.At.At)
}

// madeAgain bounds how long after the demand ended a pod may be Ready of a workload that was scaled to zero and back, to end the wait.
const madeAgain = 5 * time.Minute

// Again is when a pod was Ready that somebody let go and made again to end the wait: the demand had ended, the old node let the volume
// go, and soon a pod used it again. Without the detach another serves on, and what is Ready later is no matter of this wait.
func (c *Case) Again() facts.Instant {
	if over := c.DemandEnded.Known() && !c.Taken; !over || !c.Gone.Known() || c.Gone.Before(c.DemandEnded) {
		return facts.Instant{}
	}
	if again := c.ReadyAfter(c.Gone.At); again.Known() && again.At.Sub(c.DemandEnded.At) < madeAgain {
		return again
	}
	return facts.Instant{}
}

// TakenBy is another pod that got the volume on a third node while this one waited, with the attach there, and runs with it: the controller
// reports a wait once, and not again for the next holder. False where the pod is not in the bundle, or the wait has ended.
func (c *Case) TakenBy() (pod model.Object[*corev1.Pod], attached *model.Observation, ok bool) {
	if c.Resolved() || c.From == "" || c.To == "" {
		return pod, nil, false
	}
	third := func(o *model.Observation) bool { return o.Node != "" && o.Node != c.From && o.Node != c.To }
	attached = facts.Last(c.said(), facts.After(c.Began.Latest), facts.And(facts.Kinds(model.AttachSucceeded, model.AttachmentAttached), third))
	if attached == nil {
		return pod, nil, false
	}
	left := facts.And(facts.Kinds(model.DetachStarted, model.DetachSucceeded, model.DetachForcedTimeout, model.DetachForcedTaint), onNode(attached.Node))
	if facts.First(c.said(), facts.After(attached.At.At), left) != nil {
		return pod, nil, false
	}
	users := c.World.UsersAt(c.Volume, attached.Node)
	n := slices.IndexFunc(users, func(p model.Object[*corev1.Pod]) bool {
		return p.Value().Status.Phase == corev1.PodRunning && p.Value().DeletionTimestamp == nil && !c.isNewPod(p.Ref)
	})
	if n < 0 {
		return pod, nil, false
	}
	return users[n], attached, true
}

// TakenBack reports that an action on the workload took its rollout back: the template was changed again while the new pod waited, the wait
// ended without an attach, and the old pod was never asked to go.
func (c *Case) TakenBack(a Action) bool {
	again := a.What == ChangedTemplate || a.What == Scaled
	meanwhile := a.At.Latest.After(c.Began.Latest) && a.At.Earliest.Before(c.DemandEnded.Latest)
	return again && meanwhile && c.UndoneRollout()
}

// UndoneRollout reports that the pod that waited went away without the volume, while the one of the other revision kept it.
func (c *Case) UndoneRollout() bool {
	kept := !c.Attached.Known() && !c.DeletionRequested.Known()
	return kept && c.DemandEnded.Known() && c.Revisions()
}
