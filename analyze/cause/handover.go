package cause

import (
	"fmt"
	"time"

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
		DecidedBy:  "The volume was attached on the new node in less than six minutes, without a forced detach, the loss of the node, or a detach that failed for longer than a minute.",
		RefutedBy:  "A forced detach, a failing detach, a storage that refuses the attach, a NotReady node, an old pod that pod GC had to remove, or no success.",
		WhatHelped: "Nothing is needed.",
		References: []string{"pkg/controller/volume/attachdetach/reconciler reportMultiAttachError"},
	},
	Check: checkHandover,
}

// slowMove is how long the way from the release to the attach takes at most in an ordinary move: the node's report of the unmount is
// due every 10 s, and the calls of the slowest drivers take a minute. What takes longer without a log may have waited for anything.
const slowMove = 90 * time.Second

func checkHandover(c *reconstruct.Case) Result {
	if !c.Attached.Known() || c.Forced.Known() || c.OutOfService.Known() || failsForLong(c) {
		return Result{}
	}
	if c.NotReady.Known() && blocksBefore(c, c.NotReady) && c.LossLasted() || c.NodeGone.Known() && surelyBefore(c, c.NodeGone) {
		return Result{}
	}
	if c.NodeSampledLost() != nil {
		return Result{}
	}
	wait := c.Attached.At.Sub(c.Began.At)
	if refused := c.RefusedElsewhere(reconstruct.Instant{}); len(refused) > 0 && lasts(c, refused[0].At.At, refused) {
		return Result{}
	}
	if wait >= upstream.MaxWaitForUnmount || c.RemovedByGC() != nil || unmountFailsForLong(c) {
		return Result{}
	}
	r := Result{Verdict: model.Likely, For: witnesses(c.Began, c.DetachRequested, c.Attached)}
	r.Summary = fmt.Sprintf("An ordinary move: the volume was detached from %s and attached to %s %s after the report", orUnknownNode(c.From), orUnknownNode(c.To), lasting(wait))
	safe := c.Seen(model.DetachVerifiedSafe, c.From)
	normal := len(c.Seen(model.DetachStarted, c.From)) > 0 && upstream.ForcedDetachHasOwnLine(c.World.Version)
	switch {
	case c.From != "" && (normal || len(safe) > 0):
		r.Verdict = model.Confirmed
		r.For = append(r.For, safe...)
		r.Summary += ", without force."
	default:
		r.Summary += "; nothing shows that it was forced."
		r.Missing = append(r.Missing, "the kube-controller-manager's line that the volume was verified as safe to detach")
	}
	if c.Thin() && wait > transient {
		r.Verdict = model.Undecidable
		r.Missing = append(r.Missing, "whether the old node was lost and somebody freed the volume, which takes as long as a pod that ends slowly: the Node, and what was done")
	}
	switch moved := c.Attached.At.Sub(c.Released.At); {
	case r.Verdict == model.Likely && c.Released.Known() && moved > slowMove:
		r.Verdict = model.Undecidable
		r.Missing = append(r.Missing, "what held the volume for "+lasting(moved)+" after the old pod had released it: the logs of the kube-controller-manager and the external-attacher")
	case r.Verdict == model.Confirmed && unmounting(c) > slowMove:
		r.Verdict = model.Likely
		r.Missing = append(r.Missing, "what held the volume for "+lasting(unmounting(c))+" before its detach began: the kubelet's log of "+c.From)
	}
	if len(c.DetachErrors) > 0 {
		r.For = append(r.For, sample(c.DetachErrors)...)
		r.Summary += " A failed try of the detach delayed it by less than a minute."
	}
	return r
}

// unmounting is how long the volume stayed on the old node for reasons that only its kubelet knows: from the release, or from the
// report where nothing tells of that, to the request of the detach.
func unmounting(c *reconstruct.Case) time.Duration {
	from, to := c.Began.At, c.Attached.At
	if c.Released.Known() {
		from = c.Released.At
	}
	if c.DetachRequested.Known() {
		to = c.DetachRequested.At
	}
	return to.Sub(from)
}

// unmountFailsForLong reports that the old kubelet told of unmounts that failed, at times as far apart as no ordinary one takes.
func unmountFailsForLong(c *reconstruct.Case) bool {
	trouble := c.UnmountTrouble()
	if len(trouble) == 0 {
		return false
	}
	first, last := trouble[0].At.At, trouble[0].Last.At
	for _, o := range trouble {
		first, last = model.Earlier(first, o.At.At), model.Later(last, o.Last.At)
	}
	return last.Sub(first) >= unmountPatience
}

// failsForLong reports that failed detaches held the volume up for longer than the first retries take.
func failsForLong(c *reconstruct.Case) bool {
	if len(c.DetachErrors) == 0 {
		return false
	}
	f := failures(c, upstream.FaultDriver, upstream.FaultCloud, upstream.FaultNoPV)
	return len(f.errors) < len(c.DetachErrors) || f.now || f.most >= transient
}

func orUnknownNode(n string) string {
	if n == "" {
		return "an unknown node"
	}
	return n
}
