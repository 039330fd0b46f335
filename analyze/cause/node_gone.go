package cause

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

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
		if lacks := c.World.ListWithout(c.From, ""); lacks != nil {
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
