package cause

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

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
	if log := cmp.Or(c.KubeletLog(), c.KubeletLogAt(c.NotReady)); log != "" {
		return "the machine's own log, since the kubelet's, " + path.Base(log) + ", does not say"
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
