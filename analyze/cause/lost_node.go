package cause

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
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
	if !lostBefore(c) || keptWorking(c) {
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
	if d := late(c, r); d > 0 {
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
	_, counts := c.CountsNow()
	return pick([]row{
		{counts, "; its pod object still exists and counts as a user of the volume, so that no detach begins."},
		{c.GoneBy.Known(), "; its pod is gone at the collection, and the bundle does not show when it went."},
		{c.Variant == model.UsedByPods, "; a pod object on it counted as a user of the volume when Multi-Attach was reported, " +
			"and the bundle does not show whether it still does."},
		{true, "."},
	})
}

func checkNodeGone(c *wait.Case) Result {
	if c.From == "" {
		return Result{}
	}
	gone, vain := c.NodeRemoved(), c.LookedUpInVain()
	_, there := c.World.Node(c.From)
	r := Result{Explains: []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait}}
	switch {
	case gone.Known() && surelyBefore(c, gone):
		r.Verdict, r.Since = model.Confirmed, gone.At
		r.For = witnesses(gone, c.Forced)
		r.Summary = fmt.Sprintf("The Node %s was deleted at %s%s while it held the volume", c.From, clock(gone), by(gone)) + end(c)
	case len(vain) > 0 && !there: // else the look-up was of an earlier time
		r.For = witnesses(c.Forced)
		r.Summary = fmt.Sprintf("The controller looked for the Node %s at %s and found none", c.From, model.TimeOfDay(vain[0].At.At)) + end(c)
		r.lacks(model.Likely, "when the Node was deleted, and by whom: the events of the Node, or an audit log")
	case c.NodeAbsent() && !c.Resolved():
		r.For = heldBy(c)
		r.Reasons = append(r.Reasons, "the bundle lists the Nodes, and "+c.From+" is not among them")
		r.Summary = fmt.Sprintf("The volume is held on %s, and no Node of that name exists at the collection", c.From) + end(c)
		r.lacks(model.Likely, "when the Node was deleted, and by whom: the events of the Node, or an audit log")
	case failures(c, upstream.FaultInstance).verdict() != "" && !stillReady(c):
		r.Explains = affected(c)
		r.Summary = fmt.Sprintf("The detach from %s fails because its machine is not found", c.From)
		r.Verdict = model.Likely
		if lacks := c.RowsLack(); lacks != nil {
			r.For = append(r.For, lacks)
		} else {
			r.lacks(model.Likely, "whether the Node still exists: a list of the Nodes")
		}
	default:
		return Result{}
	}
	r.For = append(r.For, vain...)
	return machineUnknown(c, r)
}

// surelyBefore reports a loss before the end of the wait for the detach by all bounds: Nodes are deleted seconds after orderly detaches.
func surelyBefore(c *wait.Case, lost facts.Instant) bool {
	if c.DetachRequested.Known() {
		return lost.Latest.Before(c.DetachRequested.Earliest)
	}
	return !c.Resolved() || lost.Latest.Before(c.Ended().Earliest)
}

// machineUnknown adds what driver and cloud say of the machine: a Node can be deleted while its machine goes on writing.
func machineUnknown(c *wait.Case, r Result) Result {
	unknown, cloud, stop := c.MachineUnknown(), c.NotInCloud(), "."
	if len(unknown) > 0 {
		r.Explains = append(r.Explains, affected(c)...)
		r.For = append(r.For, sample(unknown)...)
		stop = fmt.Sprintf("; the driver answers: %s.", answerOf(unknown))
	}
	r.Summary = strings.TrimSuffix(r.Summary, ".") + stop
	if len(cloud) > 0 {
		r.For = append(r.For, cloud...)
		r.Missing = append(r.Missing, "why the machine went: the cloud's record")
	} else if c.DeletedAlive() {
		r.Summary = strings.TrimSuffix(r.Summary, ".") + "; its kubelet worked on."
	} else {
		r.Missing = append(r.Missing, "proof that the machine was off: a deleted Node object does not stop it")
	}
	return r
}

// by names the user or program that deleted the Node, if a record does.
func by(gone facts.Instant) string {
	for _, o := range gone.Witness {
		if o.Actor != "" {
			return " by " + cmp.Or(upstream.ActorOf(o.Actor, o.Agent).Name, o.Actor)
		}
	}
	return ""
}

// heldBy quotes what ties the volume to a node that is not there.
func heldBy(c *wait.Case) []*model.Observation {
	if a := c.Attachment.Object; a != nil {
		return []*model.Observation{facts.Cite(*a, "spec.nodeName"), facts.Cite(*a, "status.attached")}
	}
	return witnesses(c.Began)
}

// stillReady reports that the bundle shows the old node as Ready since before the wait.
func stillReady(c *wait.Case) bool {
	ready, _ := c.ReadyCondition()
	return ready
}

// announced is how much later than the loss its announcement may be recorded: the programs write Events in passes of some seconds.
const announced = 30 * time.Second

func checkNodeReclaimed(c *wait.Case) Result {
	gone, lost := c.NodeRemoved(), c.NotReady
	if gone.Known() && !surelyBefore(c, gone) {
		return Result{}
	}
	if !lostBefore(c) {
		lost = facts.Instant{}
	}
	absent := c.NodeAbsent() && !c.Resolved()
	if !gone.Known() && !lost.Known() && !absent {
		return Result{}
	}
	signs := announcing(c, gone, lost)
	if len(signs) == 0 {
		return Result{}
	}
	r := Result{Verdict: model.Confirmed, Since: lossBegan(c, gone, lost), Explains: lossPhases()}
	for _, s := range signs {
		r.For = append(r.For, s.O)
	}
	r.For = append(r.For, witnesses(lost, gone, c.Forced)...)
	r.Summary = fmt.Sprintf("The machine of %s was being taken away by %s (%s%s)", c.From, signs[0].Who, signs[0].What, when(signs[0].At))
	if gone.Known() {
		r.Summary += fmt.Sprintf("; its Node was deleted at %s while it held the volume", clock(gone))
	} else if absent {
		r.Summary += "; no Node of that name exists at the collection"
		r.Reasons = append(r.Reasons, "the bundle lists the Nodes, and "+c.From+" is not among them")
		r.lacks(model.Likely, "when the Node was deleted: the events of the Node, or an audit log")
	} else {
		r.Summary += fmt.Sprintf("; it was not Ready from %s", clock(lost))
		r.lacks(model.Likely, "whether the machine has ended: the cloud's record")
	}
	r.Summary += end(c)
	if unknown := c.MachineUnknown(); len(unknown) > 0 {
		r.Explains = append(r.Explains, model.PhaseDetach, model.PhaseAttach)
		r.For = append(r.For, sample(unknown)...)
	}
	return r
}

// announcing are the signs before the loss. One without a time is of the collection, and counts only while the wait is open.
func announcing(c *wait.Case, gone, lost facts.Instant) []wait.Removal {
	var out []wait.Removal
	for _, s := range c.Removals() {
		before := func(i facts.Instant) bool { return i.Known() && s.At.At.Before(i.Latest.Add(announced)) }
		early := before(gone) || before(lost)
		if !gone.Known() && !lost.Known() {
			early = !s.At.At.After(c.Began.At)
		}
		if !s.At.Known() {
			early = !c.Resolved()
		}
		if early {
			out = append(out, s)
		}
	}
	return out
}

// lossBegan is when the node was surely still there.
func lossBegan(c *wait.Case, gone, lost facts.Instant) time.Time {
	if lost.Known() && (!gone.Known() || lost.At.Before(gone.At)) {
		return lostSince(c)
	}
	if gone.Known() {
		return gone.At
	}
	return time.Time{}
}

func when(i facts.Instant) string {
	if !i.Known() {
		return ", at the collection"
	}
	return ", " + clock(i)
}

func checkKubeletDown(c *wait.Case) Result {
	if !lostBefore(c) {
		return Result{}
	}
	r := Result{Since: lostSince(c), Explains: lossPhases()}
	declared, last := c.KubeletNotReady(), lastSign(c)
	switch {
	case len(declared) > 0 && last != nil:
		r.Verdict = model.Confirmed
		r.Since = c.NotReady.At
		r.Summary = fmt.Sprintf("%s was not Ready from %s by its own kubelet's word, which went on reporting until %s at least",
			c.From, clock(c.NotReady), model.TimeOfDay(last.Last.At))
		reasons := c.KubeletReasons()
		r.For = slices.Concat(declared, []*model.Observation{last}, reasons[:min(len(reasons), 2)])
	case last != nil && !c.BackReady.Known(): // a kubelet that comes back may do so on a machine that was started again
		r.Summary = fmt.Sprintf("%s was not Ready from %s, and its kubelet still worked at %s",
			c.From, clock(c.NotReady), model.TimeOfDay(last.Last.At))
		r.For = append(witnesses(c.NotReady), last)
		where := otherRecord(c, "the kubelet's log, or that of the network between it and the API server")
		r.lacks(model.Likely, where+", which would say why the kubelet could not report")
	case c.RanThrough() != nil:
		r.Summary = fmt.Sprintf("%s was not Ready from %s to %s and came back with containers that had been running since before",
			c.From, clock(c.NotReady), clock(c.BackReady))
		r.For = append(witnesses(c.NotReady, c.BackReady), c.RanThrough())
		r.lacks(model.Likely, otherRecord(c, "the kubelet's log")+", which would say why the kubelet did not report meanwhile")
	default:
		return Result{}
	}
	r.For = append(r.For, witnesses(c.DeletionRequested, c.Forced)...)
	r.Summary += ": the machine did not stop, and its containers may have gone on writing" + end(c)
	return r
}

// otherRecord names the record that would show why a kubelet did not report: its log is not missing where it is in the bundle.
func otherRecord(c *wait.Case, missing string) string {
	if o := c.SameProcess(); o != nil {
		return fmt.Sprintf("the machine's own log, or its hypervisor's, from %s to %s, while the kubelet stood still",
			model.TimeOfDay(o.At.At), model.TimeOfDay(o.Last.At))
	}
	if cut := cutOff(c.KubeletAlive()); cut != "" {
		return "a record of the network between the kubelet and the API server, which it did not reach (" + cut + ")"
	}
	if path := cmp.Or(c.KubeletLog(), c.KubeletLogAt(c.NotReady)); path != "" {
		return "the machine's own log, since the kubelet's, " + path + ", does not say"
	}
	return missing
}

// cutOff is the newest error of a working kubelet that did not reach the API server; empty without one.
func cutOff(alive []*model.Observation) string {
	for _, o := range slices.Backward(alive) {
		if o.Kind == model.KubeletCutOff {
			return words.Clip(o.Detail, 120)
		}
	}
	return ""
}

// lastSign is the last sign of life of the old node's kubelet while the node was not Ready; nil when there is none.
func lastSign(c *wait.Case) *model.Observation {
	alive := c.KubeletAlive()
	if len(alive) == 0 {
		return nil
	}
	return alive[len(alive)-1]
}

// keptWorking reports that the old node's own kubelet declared it not Ready and went on: then it was not lost.
func keptWorking(c *wait.Case) bool { return len(c.KubeletNotReady()) > 0 && lastSign(c) != nil }

// lossPhases are what the loss of a node lengthens.
func lossPhases() []model.PhaseID {
	return []model.PhaseID{
		model.PhaseDetection, model.PhaseEviction, model.PhaseReplacement, model.PhaseScheduling, model.PhaseRelease, model.PhaseUnmountWait,
	}
}

func checkTaintOnLiveNode(c *wait.Case) Result {
	forced := c.ForcedByTaint()
	at := c.Forced
	if !forced {
		at = c.DetachRequested
	}
	tainted := c.OutOfService.Known() && c.OutOfService.Earliest.Before(at.Latest)
	if c.ForcedByTimeout() || !at.Known() || !tainted {
		return Result{}
	}
	if c.TakenMounted().Mounted == model.False {
		return Result{}
	}
	worked := c.WorkedAt(at)
	r := Result{Verdict: model.Confirmed, For: append(witnesses(c.OutOfService, at), worked...)}
	evicted := c.EvictedByTaint()
	if evicted != nil {
		r.For = append(r.For, evicted)
	} else {
		r.Explains = []model.PhaseID{model.PhaseUnmountWait, model.PhaseDetach}
	}
	state, _ := c.OldNode()
	known := state != wait.NodeUnknown || c.NotReady.Known() || c.NodeGone.Known()
	switch {
	case len(worked) == 0 && known:
		return Result{}
	case len(c.ReadyThen(at)) == 0 && len(worked) > 0:
		r.lacks(model.Likely, "whether "+c.From+" was Ready when it was tainted: the Node")
	case len(worked) == 0:
		r.lacks(model.Undecidable, "whether "+c.From+" worked when it was tainted: the Node, or its kubelet's log")
	case c.TakenMounted().Mounted != model.True:
		r.lacks(model.Likely, "whether its kubelet had unmounted the volume before: the kubelet's log of "+c.From)
	case !forced:
		r.lacks(model.Likely, "the kube-controller-manager's line that it detached because of the taint")
	}
	r.Summary = liveTaint(c, at, evicted)
	return r
}

// liveTaint tells what the taint did, and until when the old container is known to have run.
func liveTaint(c *wait.Case, at facts.Instant, evicted *model.Observation) string {
	text := fmt.Sprintf("The out-of-service taint was set on %s, which was Ready", c.From)
	if len(c.ReadyThen(at)) == 0 {
		text = fmt.Sprintf("The out-of-service taint was set on %s, of which nothing shows a loss", c.From)
	}
	if evicted != nil {
		text += fmt.Sprintf(": it evicted the pod at %s, and", model.TimeOfDay(evicted.At.At))
	} else {
		text += ":"
	}
	text += fmt.Sprintf(" the controller detached the volume at %s without waiting for the unmount", clock(at))
	if until := c.RanUntil(at); until.Known() {
		text += fmt.Sprintf("; its kubelet unmounted it for the pod only at %s", clock(until))
	}
	return text + "."
}
