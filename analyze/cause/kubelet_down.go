package cause

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var kubeletDown = Cause{
	ID: model.CauseKubeletDown, Title: "The node is not Ready although its machine works",
	Label: "Kubelet stopped", Group: "Kubelet of %s stopped",
	Needs: []Need{needHolder}, Check: checkKubeletDown,
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
