package cause

import (
	"fmt"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var handover = Cause{
	ID: model.CauseHandover, Title: "An ordinary move of the volume",
	Label: "Ordinary hand-over", Group: "Move from %s",
	Check: checkHandover,
}

// slowMove is the longest ordinary move from release to attach: the unmount is reported every 10 s, slow drivers take a minute per call.
// longStop is the longest until the detach begins where no deletion of the old pod is seen, which would explain it: a pod has 30 s to end by
// default.
const (
	slowMove = 90 * time.Second
	longStop = time.Minute
)

// quickMove is how long a move takes whose old pod ends at once: the kubelet reports an unmount every 10 s. A taint on a lost node, or the
// deletion of its VolumeAttachment, takes hardly longer (12 s and 18 s in recordings).
const quickMove = 10 * time.Second

func checkHandover(c *wait.Case) Result {
	forced := c.Forced.Known() || c.OutOfService.Known()
	if !c.Attached.Known() || forced || lost(c) {
		return Result{}
	}
	wait := c.Attached.At.Sub(c.Began.At)
	if refused := c.RefusedElsewhere(facts.Instant{}); len(refused) > 0 && lasts(c, refused[0].At.At, refused) {
		return Result{}
	}
	if wait >= upstream.MaxWaitForUnmount || c.RemovedByGC() != nil {
		return Result{}
	}
	if unmountFailsForLong(c) || failsForLong(c) {
		return Result{}
	}
	r := Result{Verdict: model.Likely, For: witnesses(c.Began, c.DetachRequested, c.Attached)}
	when := words.Duration(wait) + " after"
	if most := c.Attached.Latest.Sub(c.Began.Earliest); wait < time.Second && most > quickMove { // two ages that are equal
		when = "within " + words.Duration(most) + " of"
	}
	r.Summary = fmt.Sprintf("An ordinary move: the volume was detached%s and attached to %s %s the report",
		words.If(c.From != "", " from "+c.From), toNode(c), when)
	safe := c.Seen(model.DetachVerifiedSafe, c.From)
	normal := len(c.Seen(model.DetachStarted, c.From)) > 0 && upstream.ForcedDetachHasOwnLine(c.World.Version)
	if c.From != "" && (normal || len(safe) > 0) {
		r.Verdict = model.Confirmed
		r.For = append(r.For, safe...)
		r.Summary += ", without force."
	} else {
		r.Summary += "; nothing shows that it was forced."
		r.Missing = append(r.Missing, "the kube-controller-manager's line that the volume was verified as safe to detach")
	}
	evicted := c.TaintEviction()
	switch {
	case (c.Thin() || c.Late()) && wait > transient, c.Replaced() && wait > quickMove && r.Verdict == model.Likely:
		r.lacks(model.Undecidable, "whether the old node was lost and somebody freed the volume, "+
			"which takes as long as a pod that ends slowly: the Node, and what was done")
	case evicted != nil && r.Verdict == model.Likely:
		r.Against = append(r.Against, evicted)
		r.lacks(model.Undecidable, "which taint evicted the old pod, of a lost node or one that frees its volumes: the taints of the Node then")
	}
	if slow := SlowCall(c.Phases); slow != "" {
		r.Summary += " " + words.Capital(slow) + "."
		if len(c.Tries()) == 0 {
			r.lacks(model.Undecidable, controllersWouldSay(c, "whether the driver was asked all that time"))
		}
	}
	if asked := c.DeletionRequested; asked.Known() && asked.Earliest.Sub(c.Began.Latest) >= releasePatience {
		r.lacks(model.Undecidable, "why the old pod was asked to go only "+words.Duration(asked.At.Sub(c.Began.At))+
			" after the report: the workload, with its strategy, and what was done to it")
	}
	if held, limit, whose := heldLong(c, r.Verdict); held > limit {
		r.lacks(model.Undecidable, whose("what held the volume for "+words.Duration(held)))
	}
	if len(c.DetachErrors) > 0 {
		r.For = append(r.For, sample(c.DetachErrors)...)
		r.Summary += " A failed try of the detach delayed it by less than a minute."
	}
	return r
}

// slowCall is how long a driver's detach or attach takes at most where nothing is wrong with it.
const slowCall = time.Minute

// SlowCall says which call of the driver took longer than any ordinary one, and how long; "" when none did.
func SlowCall(phases []model.Phase) string {
	for _, p := range phases {
		if took := p.To.At.Sub(p.From.At); (p.ID == model.PhaseDetach || p.ID == model.PhaseAttach) && took > slowCall {
			return fmt.Sprintf("its %s took %s, and ordinary drivers take a minute at most", p.ID, words.Duration(took))
		}
	}
	return ""
}

// heldLong is how long a move took without an explanation, how long an ordinary one takes, and the source that would say what held it.
func heldLong(c *wait.Case, v model.Verdict) (held, limit time.Duration, whose func(what string) string) {
	from := c.Began.At
	if c.Released.Known() {
		// Where only bounds are known, the old pod may have held it all the time.
		from = model.Earlier(c.Released.At, model.Later(from, c.Released.Earliest))
	}
	if c.DetachRequested.Known() && (v == model.Confirmed || c.DetachRequested.At.Sub(from) > slowMove) {
		limit = longStop
		if c.DeletionRequested.Known() {
			limit = slowMove
		}
		return c.DetachRequested.At.Sub(from), limit, func(what string) string { return kubeletWouldSay(c, what) }
	}
	return c.Attached.At.Sub(from), slowMove, func(what string) string { return controllersWouldSay(c, what) }
}

// unmountFailsForLong reports failed unmounts of the old kubelet, further apart than an ordinary one takes.
func unmountFailsForLong(c *wait.Case) bool {
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
func failsForLong(c *wait.Case) bool {
	if len(c.DetachErrors) == 0 {
		return false
	}
	f := failures(c, upstream.FaultDriver, upstream.FaultCloud, upstream.FaultNoPV)
	return len(f.errors) < len(c.DetachErrors) || f.now || f.most >= transient
}
