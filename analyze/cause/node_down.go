package cause

import (
	"fmt"
	"time"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

func checkNodeDown(c *wait.Case) Result {
	r := Result{Explains: lossPhases()}
	if !c.NotReady.Known() {
		return lostWithoutCondition(c, r)
	}
	worked := len(c.KubeletNotReady()) > 0 && lastSign(c) != nil // its own kubelet declared it not Ready, and went on
	if !lostBefore(c) || worked {
		return Result{}
	}
	r.Verdict = model.Confirmed
	r.For = witnesses(c.Heartbeat, c.NotReady, c.DeletionRequested, c.OutOfService, c.NodeGone, c.Forced)
	if down := c.DeclaredShutdown(); down != nil {
		r.For = append(r.For, down)
	} else if !c.DeclaredUnknown() {
		r.lacks(model.Likely, "whether the node became unreachable: the Node's Ready condition or its Lease of that time")
	}
	r.Summary = fmt.Sprintf("%s was not Ready from %s", c.From, clock(c.NotReady))
	if c.Heartbeat.Known() && c.Heartbeat.At.Before(c.NotReady.At) {
		r.Summary = fmt.Sprintf("%s was last heard of at %s and was NotReady from %s", c.From, clock(c.Heartbeat), clock(c.NotReady))
	}
	if !c.LossLasted() {
		r.lacks(model.Likely, "whether "+c.From+" was Ready again before the wait began: the Node object, or the events of that time")
	}
	r.Since = lostSince(c)
	if d := late(c, r); d > 0 && c.Began.Basis != model.Assumed { // else nothing tells which came first
		r.Summary += fmt.Sprintf(", when the volume had waited for %s already", words.Duration(c.NotReady.At.Sub(c.Began.At)))
	}
	r.Summary += end(c)
	if off := c.ShutDown(); off != nil {
		r.For = append(r.For, off)
		return r // the cloud's word that the machine is off
	}
	if on := c.RanOn(); len(on) > 0 {
		r.For = append(r.For, on...)
		return r // it was not off
	}
	if c.MachineStopped() {
		return r
	}
	if c.BackReady.Known() {
		r.lacks(model.Likely, "whether the machine stopped while its node was lost: the Node, its events since, or the kubelet's log")
	} else {
		r.lacks(model.Likely, MachineOff)
	}
	return r
}

// lostBefore reports that the old node was not Ready before the wait for the detach was over.
func lostBefore(c *wait.Case) bool {
	if c.DetachRequested.Known() {
		return c.NotReady.Known() && c.NotReady.At.Before(c.DetachRequested.At)
	}
	return c.NotReady.Known() && (!c.Resolved() || c.NotReady.At.Before(c.Ended().At))
}

// lostSince is a time until which the node was surely alive: its last sign of life, else by the longest default grace period.
func lostSince(c *wait.Case) time.Time {
	if c.Heartbeat.Known() {
		return c.Heartbeat.At
	}
	return c.NotReady.Earliest.Add(-longestGrace - upstream.NodeMonitorPeriod)
}

// longestGrace is the longer of the two defaults of the node monitor grace period.
const longestGrace = 50 * time.Second

// silent is what shows that a node was silent before its Node was deleted: an eviction for a taint, a fence, or a table with NotReady.
func silent(c *wait.Case) []*model.Observation {
	out := witnesses(c.OutOfService)
	if o := c.ListedNotReady(); o != nil {
		out = append(out, o)
	}
	asked := c.DeletionRequested
	if !asked.Before(c.NodeGone) || c.Released.Known() && !c.NodeGone.Before(c.Released) {
		return out
	}
	if asked.Witness[0].Kind == model.PodEvictionDecided || c.NodeGone.At.Sub(asked.At) > releasePatience {
		out = append(out, asked.Witness...)
	}
	return out
}

// lostWithoutCondition covers a loss that its consequences show: the Node deleted after silence, or force by a version that asks.
func lostWithoutCondition(c *wait.Case, r Result) Result {
	forced := c.ForcedByTimeout() && tookMounted(c)
	taken := forced || c.OutOfService.Known()
	missed := c.NodeGone.Known() || len(c.LookedUpInVain()) > 0 // which the forced detach takes for not Ready
	switch {
	case c.NodeGone.Known() && taken && len(silent(c)) > 0:
		r.For = silent(c)
		r.Summary = fmt.Sprintf("%s did not answer before its Node was deleted at %s, and it never reported the unmount%s",
			c.From, clock(c.NodeGone), end(c))
		r.lacks(model.Likely, "the node's condition before it was deleted: Node events, or the controller's log from the time of the loss")
	case forced && !missed && upstream.ForceDetachAsksHealth(c.World.Version):
		r.Summary = fmt.Sprintf("%s was not Ready: Kubernetes %s forces a detach by time-out only then", c.From, c.World.Version) + end(c)
		r.For = append(r.For, c.World.VersionO)
		r.lacks(model.Likely, "the node's condition while the volume waited: the Node object, its events, or the controller's log at -v=2")
	case c.NodeSampledLost() != nil:
		r.For = []*model.Observation{c.NodeSampledLost()}
		r.Summary = c.From + " was not Ready when the metrics begin, and at every scrape while the volume waited" + end(c)
		r.lacks(model.Likely, "since when the node was not Ready: metrics of an earlier time, or the Node object")
	default:
		return Result{}
	}
	r.For = append(r.For, witnesses(c.NodeGone, c.OutOfService, c.Forced)...)
	return r
}

// end is how the wait went on.
func end(c *wait.Case) string {
	six := words.Duration(upstream.MaxWaitForUnmount)
	return pick([]row{
		{c.ForcedByTimeout() && c.Restarted(), fmt.Sprintf("; the controller detached the volume by force at %s, %s after a new leader had started "+
			"the timer again.", clock(c.Forced), six)},
		{c.ForcedByTimeout() && tookMounted(c), fmt.Sprintf("; %s after the release of its pod the controller detached the volume by force at %s.",
			six, clock(c.Forced))},
		{c.OutOfService.Known() && c.DetachRequested.Known(),
			fmt.Sprintf("; the out-of-service taint let the controller detach %s.", atOrBetween(c.DetachRequested))},
		{!c.Resolved() && !c.Released.Known(), stays(c)},
		{true, "."},
	})
}

// stays says what is known of the old pod of an open wait; only an object in the bundle proves that it exists.
func stays(c *wait.Case) string {
	counts := c.CountsNow()
	return pick([]row{
		{counts, "; its pod object still exists and counts as a user of the volume, so that no detach begins."},
		{c.GoneBy.Known(), "; its pod is gone at the collection, and the bundle does not show when it went."},
		{c.Variant == model.UsedByPods, "; a pod object on it counted as a user of the volume when Multi-Attach was reported, " +
			"and the bundle does not show whether it still does."},
		{true, "."},
	})
}

// lossPhases are what the loss of a node lengthens.
func lossPhases() []model.PhaseID {
	return []model.PhaseID{
		model.PhaseDetection, model.PhaseEviction, model.PhaseReplacement, model.PhaseScheduling, model.PhaseRelease, model.PhaseUnmountWait,
	}
}
