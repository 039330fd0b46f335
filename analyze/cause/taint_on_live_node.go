package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

var taintOnLiveNode = Cause{
	ID: model.CauseTaintOnLiveNode, Title: "The out-of-service taint was set on a node that worked",
	Label: "Out-of-service taint on a live node", Group: "Out-of-service taint on %s, which worked",
	Needs: []Need{needHolder},
	Check: checkTaintOnLiveNode,
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
