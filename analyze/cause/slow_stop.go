package cause

import (
	"fmt"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var slowStop = Cause{
	ID: model.CauseSlowStop, Title: "The old pod took long to stop on a node that worked",
	Label: "Old pod stopped slowly", Group: "A pod on %s stopped slowly",
	Needs: []Need{needHolder}, Check: checkSlowStop,
}

// slowly is how long a pod may take to stop without that being the cause: the default grace period, and 15 s of the kubelet's work.
const slowly = 45 * time.Second

func checkSlowStop(c *wait.Case) Result {
	if r := ranOnForced(c); r.Verdict != "" {
		return r
	}
	asked, released := c.DeletionRequested, c.Released
	if !asked.Known() || c.Variant == model.ExclusivelyAttached || slices.ContainsFunc(wait.Actions(c), byForce) {
		return Result{}
	}
	if lostBefore(c) || c.NodeGone.Known() || c.RemovedByGC() != nil {
		return Result{}
	}
	r := Result{Explains: []model.PhaseID{model.PhaseRelease}, For: append(witnesses(asked, released), c.PreStopFailures()...)}
	if !released.Known() || released.Earliest.Sub(asked.Latest) <= slowly || !stopShown(c) {
		return Result{}
	}
	r.Summary = fmt.Sprintf("The old pod, whose deletion was requested at %s, took %s to stop%s.",
		clock(asked), words.Duration(released.At.Sub(asked.At)), whySlow(c))
	r.Verdict = model.Confirmed
	if state, proof := c.OldNode(); state == wait.NodeReady {
		r.For = append(r.For, proof...)
	} else {
		r.lacks(model.Undecidable, "whether "+c.From+" was Ready meanwhile: the Node")
	}
	return r
}

// ranOnForced is a pod that was deleted by force on a node that works: that hastens nothing, as its volume stays mounted until it has ended.
func ranOnForced(c *wait.Case) Result {
	gone := c.RemovedMounted()
	if gone == nil || c.Forced.Known() {
		return Result{}
	}
	until := c.RanUntil(wait.At(gone))
	if !until.Known() || until.Earliest.Sub(gone.At.Latest) <= slowly {
		return Result{}
	}
	return Result{
		Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseUnmountWait}, For: append(witnesses(until), gone),
		Summary: fmt.Sprintf("The old pod was deleted by force at %s, and %s worked: its container took until %s to end, and the volume stayed mounted for it.",
			model.TimeOfDay(gone.At.At), c.From, clock(until)),
	}
}

// byForce reports that a pod was deleted by force: then nothing shows how long it took to stop.
func byForce(a wait.Action) bool { return a.What == wait.ForceDeletedPod }

// whySlow says what made the end slow, as far as the bundle shows it.
func whySlow(c *wait.Case) string {
	if len(c.PreStopFailures()) > 0 {
		return ": its preStop hook did not return within the grace period"
	}
	if grace, ok := gracePeriod(c); ok {
		return " (its grace period is " + words.Duration(grace) + ")"
	}
	return ""
}

// stopShown reports that the release is known by the end of the old pod's containers, and not by that of its object, which the kubelet
// keeps until it has unmounted the volumes, nor by that of an unmount, which may have failed before.
func stopShown(c *wait.Case) bool {
	ended := facts.Kinds(model.ContainerDied, model.PodFinished)
	return len(c.PreStopFailures()) > 0 || slices.ContainsFunc(c.Released.Witness, ended)
}

// gracePeriod is how long an old pod may take to stop: its own, or that of its replacement, which has the same template. False where no
// copy of either is in the bundle.
func gracePeriod(c *wait.Case) (time.Duration, bool) {
	for _, pod := range c.World.Held(slices.Concat(c.OldPods, c.NewPods)) {
		if s := pod.Value().Spec.TerminationGracePeriodSeconds; s != nil {
			return time.Duration(*s) * time.Second, true
		}
	}
	return 0, false
}
