package reconstruct

import (
	"github.com/volpost/volpost/model"
)

// caseStep fills fields of a case, or narrows what an earlier one filled. It reads what the steps before it left, and nothing that is filled
// only later; TestCaseSteps holds that.
type caseStep struct {
	name string
	fill func(*Case)
}

func caseSteps() []caseStep {
	return []caseStep{
		{"old pods", func(c *Case) { c.OldPods = oldPods(c) }},
		{"workload", func(c *Case) { c.Workload, c.WorkloadBasis = workload(c) }},
		{"attachments", attachments},
		{"old node", fillNode},
		{"new pods", fillNewPods},
		{"deletion of the old pods", fillDeletion},
		{"attach", fillAttach},
		{"demand without an attach", fillDemandEnded},
		{"readiness", func(c *Case) { c.Ready = ready(c) }},
		{"detach", fillDetach},
		{"detach without a wait", endTaken},
		{"successors of the old pods", addSuccessors},
		{"loss of the node in another story", forgetLoss},
		{"unmount", func(c *Case) { c.Unmounted = c.unmountedByKubelet() }},
		{"release", fillReleased},
		{"end of the old pods", func(c *Case) { c.OldPodFinished = finishedBefore(c) }},
		{"taint", func(c *Case) { c.OutOfService = tightenTaint(c) }},
	}
}

// newCase is the case of a demand, all but its phases.
func newCase(w *World, d *demand) *Case {
	c := demanded(w, d)
	for _, s := range caseSteps() {
		s.fill(c)
	}
	return c
}

// demanded is what the demand says by itself, with the node that held the volume.
func demanded(w *World, d *demand) *Case {
	c := &Case{World: w, Volume: d.volume, To: d.node, Reports: d.reports, Variant: d.variant(), NewPods: d.pods.list, fresh: d.pods, Refused: d.refused, Stuck: d.stuck,
		Taken: d.taken, Before: d.held != nil}
	if d.began.Known() {
		c.Began, c.From, c.Sampled, c.Shown = d.began, d.from, !d.shown && d.held == nil, d.shown
		return c
	}
	c.Began = corroborate(0, seen(d.reports[0]))
	c.Began.Witness = firstReport(d.reports)
	c.From, c.Inferred = holder(c)
	c.Began.Witness = append(c.Began.Witness, d.sampled...)
	return c
}

// firstReport are the observations of the first report: its log line, its event, or both.
func firstReport(reports []*model.Observation) []*model.Observation {
	return where(reports, func(o *model.Observation) bool { return sameReport(reports[0], o) })
}
