package cause

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// A failing detach by metrics alone: the controller counts failed detaches of the driver, and has made a second attachment, which it does
// only when it no longer waits for the unmount. A detach that the attacher answers with an error is tried again within seconds; one
// without an answer fails after two minutes (csi_attacher.go, since 1.14.9).
const (
	answeredWithin  = time.Minute
	answeredAtLeast = 3
	unanswered      = 100 * time.Second
)

// countedFailure is the counted failure of the wait; nil when other sources than metrics show the wait, or without a second attachment.
func countedFailure(c *wait.Case) *model.Observation {
	list := c.CountedFailures()
	if !c.Sampled || c.DetachRequested.Known() {
		return nil
	}
	if !c.SecondAttachment() || len(list) == 0 {
		return nil
	}
	return slices.MaxFunc(list, func(a, b *model.Observation) int { return cmp.Compare(a.Count, b.Count) })
}

// countedErrors is the result of a detach that fails again and again, by metrics alone.
func countedErrors(c *wait.Case) Result {
	o := countedFailure(c)
	if o == nil || o.Count < answeredAtLeast || wait.Spacing(o) > answeredWithin {
		return Result{}
	}
	return counted(c, o, max(wait.Spacing(o), time.Second),
		" on average, and created the second attachment at "+clock(c.NewAttachment)+" while the first still existed",
		"what the driver answered: the external-attacher's log, or status.detachError of the VolumeAttachment")
}

// countedSilence is the result of a detach that is not carried out, by metrics alone.
func countedSilence(c *wait.Case) Result {
	o := countedFailure(c)
	if o == nil || o.Count < 2 || wait.Spacing(o) < unanswered {
		return Result{}
	}
	return counted(c, o, wait.Spacing(o), ": it gives up waiting for the external-attacher after two minutes each time",
		"the external-attacher's log of that time")
}

func counted(c *wait.Case, o *model.Observation, spacing time.Duration, how, missing string) Result {
	return Result{
		Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseDetach, model.PhaseAttach}, Since: o.At.Earliest,
		Summary: fmt.Sprintf("The controller counted %d failed detaches of driver %s, %s apart%s.",
			o.Count, o.Attacher, words.Duration(spacing), how),
		For:     append([]*model.Observation{o}, witnesses(c.NewAttachment, c.Gone)...),
		Reasons: []string{"the counter names no volume: another one of the driver may be meant"}, Missing: []string{missing},
	}
}

// sampledUnmount is a missing unmount by metrics alone: pod gone, node Ready at every scrape, no failed detach counted.
func sampledUnmount(c *wait.Case, waited time.Duration) Result {
	node := c.NodeSampledReady()
	if !c.Sampled || node == nil || waited < sampledPatience {
		return Result{}
	}
	if len(c.CountedFailures()) > 0 || c.SecondAttachment() && !c.Gone.Known() {
		return Result{} // the detach failed
	}
	r := Result{
		Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseUnmountWait}, For: append(witnesses(c.Released), node),
		Summary: fmt.Sprintf("The old pod was gone at %s, and %s, which was Ready at every scrape, kept the volume for %s; ",
			clock(c.Released), c.From, words.Duration(waited)),
		Missing: []string{"status.volumesInUse of " + c.From + ", or its kubelet's log, which would say what holds the mount"},
	}
	if c.OperationsAreCounted() {
		r.Summary += "no failed detach of the driver was counted"
	} else { // the counters of a controller that took over begin anew
		r.Summary += "metrics do not show whether the unmount or the detach failed"
		r.lacks(model.Undecidable, "the kube-controller-manager's counters of storage operations")
	}
	if f := c.CountedForce(); f != nil {
		r.For = append(r.For, f)
		r.Summary += "; a forced detach was counted at its end"
	}
	r.Summary += "."
	return r
}

// sampledPatience is how long a detach without an answer takes to be counted as failed, with a minute for the scrapes and the unmount.
const sampledPatience = 3 * time.Minute
