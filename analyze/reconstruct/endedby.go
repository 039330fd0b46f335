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
