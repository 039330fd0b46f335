package cause

import (
	"fmt"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// afterTimer is how much longer than the six minutes a wait takes that they end: the old pod's own end, the detach and the attach.
const afterTimer = 45 * time.Second

// byTheTimer covers bundles without a line of the controller, of versions that do not ask for the node's health: a wait that ends
// six minutes after the old pod ended, on a node that was Ready all the time, was ended by the timer, for which only a
// volume waits that is still mounted.
func byTheTimer(c *reconstruct.Case) Result {
	v := c.World.Version
	ready, field := c.ReadyCondition()
	from := c.Released
	switch {
	case from.Known() && from.Latest.Sub(from.Earliest) <= reconstruct.ToldApart:
	case c.Variant == model.ExclusivelyAttached:
		from = c.Began
	default:
		from = c.DeletionRequested
	}
	if !ready || !v.Known() || upstream.ForceDetachAsksHealth(v) || !from.Known() || !c.Attached.Known() || c.Forced.Known() || c.DetachRequested.Known() {
		return Result{}
	}
	took := c.Attached.At.Sub(from.At)
	if took < upstream.MaxWaitForUnmount || took > upstream.MaxWaitForUnmount+afterTimer {
		return Result{}
	}
	return Result{
		Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach},
		For: append(witnesses(from, c.Attached), field, c.World.VersionO),
		Summary: fmt.Sprintf("%s, which was Ready, did not report the unmount: the volume was attached elsewhere %s after the old pod had ended or been asked to, which is when Kubernetes %s forces a detach.",
			c.From, words.Duration(took), v),
		Reasons: []string{"that the six minutes ended the wait is inferred from its length"},
		Missing: []string{"the kube-controller-manager's line about the detach", "the kubelet's log of " + c.From + ", which would say what holds the mount"},
	}
}
