package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

var unknown = Cause{
	ID: "unknown", Title: "The bundle does not tell the cause",
	Label: "Cause unknown", Group: "Volume held by %s, cause unknown",
	Check: checkUnknown,
}

func checkUnknown(c *wait.Case) Result {
	r := Result{Verdict: model.Undecidable, For: witnesses(c.Began)}
	r.Summary = "Multi-Attach was reported at " + clock(c.Began) + "; the bundle does not tell what kept the volume for most of the wait."
	if c.Sampled {
		r.Summary = fmt.Sprintf("Metrics show a pod on %s that waits from %s on for a volume attached on %s; "+
			"they do not tell what kept it there for most of the wait.",
			c.To, clock(c.Began), c.From)
	}
	switch {
	case c.Late():
		r.Summary = fmt.Sprintf("%s was scheduled at %s, and its VolumeAttachment was created at %s; the bundle does not tell what kept the "+
			"volume until then.", wait.PodNames(c.NewPods), clock(c.Began), clock(c.NewAttachment))
	case c.Shown:
		r.Summary = "Pod " + shownBy(c) + "; the bundle does not tell what kept it there for most of the wait."
	case c.Listed && len(c.NewPods) == 0:
		r.Summary = fmt.Sprintf("The VolumeAttachment for %s is not attached while that for %s is; what was collected does not tell why.",
			c.To, c.From)
	case c.Listed:
		r.Summary = fmt.Sprintf("%s waits for its containers on %s; what was printed does not tell what keeps its volume.",
			wait.PodNames(c.NewPods), c.To)
	}
	switch {
	case c.Refused:
		r.Summary = "The storage refused the " + c.RefusedAt() + " from " + clock(c.Began) + " on; the bundle does not tell why for most of the wait."
	case c.Taken:
		r.Summary = "The volume was taken from its node by force; the bundle does not tell why nobody had reported its unmount."
	case c.Stuck:
		r.Summary = "The detach of the volume fails; the bundle does not tell why, nor whether a pod waits for it."
	}
	if fails := c.AttachFails(); len(fails) > 0 {
		r.For = append(r.For, fails[len(fails)-1])
		r.Summary += " An attach failed with: " + answerOf(fails[len(fails)-1:]) + "."
	}
	for _, o := range c.LostNodes() {
		r.For = append(r.For, o)
		r.Reasons = append(r.Reasons, fmt.Sprintf("%s was not Ready, but nothing ties it to the volume", o.Node))
	}
	if c.From == "" {
		or := ", or the kube-controller-manager's log"
		if c.World.LogAt(facts.ControllerManager, c.Began) {
			or = ""
		}
		r.Missing = append(r.Missing, "which node held the volume: a VolumeAttachment list"+or)
	}
	if !c.PodsInBundle() {
		r.Missing = append(r.Missing, "the pods that use the claim, with their status")
	}
	if _, ok := c.World.Node(c.From); !ok {
		r.Missing = append(r.Missing, "the Node object of the node that held the volume")
	}
	if !c.World.HasLog("kube-controller-manager") {
		r.Missing = append(r.Missing, "the kube-controller-manager's log of the time")
	}
	if len(r.Missing) == 0 {
		r.Missing = append(r.Missing, "the kubelet's log of the node that held the volume")
	}
	return r
}

// shownBy says which objects show a wait of which there is no report.
func shownBy(c *wait.Case) string {
	return fmt.Sprintf("%s is bound to %s and waits for its containers, and its volume is attached to %s", wait.PodNames(c.NewPods), c.To, c.From)
}
