package cause

import (
	"fmt"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

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
