package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

var handover = Cause{
	ID:    "handover",
	Title: "An ordinary move of the volume",
	Doc: Doc{
		Symptom: "One Multi-Attach event, and the pod starts within seconds or a minute or two.",
		Mechanism: `The new pod was scheduled before the volume was detached from the old node. The controller reports that at once and does
not repeat it; the unmount, the report of it every 10 s, the detach and the attach follow by themselves.`,
		DecidedBy:  "The volume was attached on the new node in less than six minutes, without a forced detach, an error or the loss of the node.",
		RefutedBy:  "A forced detach, a failing detach, a NotReady node, or no success.",
		WhatHelped: "Nothing is needed.",
		References: []string{"pkg/controller/volume/attachdetach/reconciler reportMultiAttachError"},
	},
	Check: checkHandover,
}

func checkHandover(c *reconstruct.Case) Result {
	if !c.Attached.Known() || c.Forced.Known() || c.OutOfService.Known() || len(c.DetachErrors) > 0 {
		return Result{}
	}
	if c.NotReady.Known() && blocksBefore(c, c.NotReady) || c.NodeGone.Known() && c.NodeGone.At.Before(c.Attached.At) {
		return Result{}
	}
	wait := c.Attached.At.Sub(c.Began.At)
	if wait >= upstream.MaxWaitForUnmount {
		return Result{}
	}
	r := Result{Verdict: model.Likely, For: witnesses(c.Began, c.DetachRequested, c.Attached)}
	r.Summary = fmt.Sprintf("An ordinary move: the volume was detached from %s and attached to %s %s after the report, without force.", orUnknownNode(c.From), orUnknownNode(c.To), lasting(wait))
	normal := c.Seen(model.DetachStarted, c.From)
	if len(normal) > 0 && c.From != "" {
		r.Verdict = model.Confirmed
		r.For = append(r.For, c.Seen(model.DetachVerifiedSafe, c.From)...)
	} else {
		r.Missing = append(r.Missing, "the kube-controller-manager's log, which would show that the detach was not forced")
	}
	return r
}

func orUnknownNode(n string) string {
	if n == "" {
		return "an unknown node"
	}
	return n
}
