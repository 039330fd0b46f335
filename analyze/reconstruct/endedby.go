package reconstruct

import (
	"slices"
	"time"
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
		onWorkload := slices.Contains([]Deed{Scaled, ChangedTemplate, ChangedStrategy, Restarted}, a.What) && a.Object.Name == c.Workload.Name
		return onWorkload && a.At.Latest.After(c.Began.Latest) && !a.At.Earliest.After(end.Latest) &&
			end.Earliest.Sub(a.At.Latest) < actLag
	}
	for _, a := range slices.Backward(Actions(c)) {
		if ours(a) {
			return a, true
		}
	}
	return Action{}, false
}

// EndedWait reports that an act is the one that ended the wait.
func (c *Case) EndedWait(a Action) bool {
	by, ended := c.EndedBy()
	return ended && by.What == a.What && by.At.At.Equal(a.At.At)
}

// madeAgain bounds how long after the demand ended a pod may be Ready of a workload that was scaled to zero and back, to end the wait.
const madeAgain = 5 * time.Minute

// Again is when a pod was Ready that somebody let go and made again to end the wait: the demand had ended, the old node let the volume
// go, and soon a pod used it again. Without the detach another serves on, and what is Ready later is no matter of this wait.
func (c *Case) Again() Instant {
	if !c.DemandEnded.Known() || c.Taken || !c.Gone.Known() || c.Gone.Before(c.DemandEnded) {
		return Instant{}
	}
	if again := c.ReadyAfter(c.Gone.At); again.Known() && again.At.Sub(c.DemandEnded.At) < madeAgain {
		return again
	}
	return Instant{}
}
