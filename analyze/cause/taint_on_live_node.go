package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var taintOnLiveNode = Cause{
	ID: model.CauseTaintOnLiveNode, Title: "The out-of-service taint was set on a node that worked",
	Label: "Out-of-service taint on a live node", Group: "Out-of-service taint on %s, which worked",
	Doc: Doc{
		Symptom: "Pods of a node that is Ready are evicted all at once, and their volumes are attached elsewhere while the old containers still stop.",
		Mechanism: `The taint node.kubernetes.io/out-of-service is a person's word that the machine is off. With the effect NoExecute it evicts every pod
that does not tolerate it at once, also from a node that is Ready. As soon as a pod no longer counts as a user, the attach/detach
controller detaches its volume without waiting for the kubelet's report of the unmount. A pod that is deleted by force stops to count
at that moment: its container still runs, and writes to a volume that another node can have.`,
		DecidedBy: `A detach that the controller says is because of the taint, while the node was Ready, or with a word of its kubelet after it. ` +
			`Without the controller's log: the taint came before the detach.`,
		RefutedBy: "The node was not Ready when the volume was detached; or its kubelet had unmounted the volume before.",
		WhatHelped: `Removing the taint, before the detach: the pods are gone, and their volumes then wait for the unmount again. After it: stop one of the
two writers, then check the file system and the application. To empty a node that works, drain it; the taint is for machines that are
proven off.`,
		References: []string{"pkg/controller/volume/attachdetach/reconciler (1.24–1.36)", "KEP-2268 non-graceful node shutdown",
			"pkg/controller/tainteviction (1.13–1.36)"},
	},
	Needs: []Need{needHolder},
	Check: checkTaintOnLiveNode,
}

func checkTaintOnLiveNode(c *reconstruct.Case) Result {
	forced := c.ForcedByTaint()
	at := c.Forced
	if !forced {
		at = c.DetachRequested
	}
	if c.ForcedByTimeout() || !at.Known() || !c.OutOfService.Known() || !c.OutOfService.Earliest.Before(at.Latest) {
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
	switch {
	case len(worked) == 0 && (state != reconstruct.NodeUnknown || c.NotReady.Known() || c.NodeGone.Known()):
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
func liveTaint(c *reconstruct.Case, at facts.Instant, evicted *model.Observation) string {
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
