package cause

import (
	"fmt"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var attachmentNotFinishing = Cause{
	ID: model.CauseAttachmentNotFinishing, Title: "Nobody carries out the detach",
	Label: "VolumeAttachment deletion does not finish", Group: "Detach from %s not carried out",
	Needs: []Need{needHolder}, Check: checkAttachmentNotFinishing,
}

// attacherPatience is how long an attacher may take to see the deletion; it watches, and resyncs every minute.
const attacherPatience = time.Minute

func checkAttachmentNotFinishing(c *wait.Case) Result {
	if r := countedSilence(c); r.Verdict != "" {
		return r
	}
	if answered(c) {
		return Result{}
	}
	if !c.DetachRequested.Known() {
		return attachTimedOut(c)
	}
	asked := c.DetachRequested
	if start := c.AttacherStart(asked.Latest); start != nil && asked.Latest.Sub(asked.Earliest) > attacherPatience {
		return justStarted(c, start)
	}
	d, ok := mayPhase(c, model.PhaseDetach)
	away, gone := c.AttacherAway()
	patience := attacherPatience
	if gone = gone && scaledAway(c, away); gone {
		patience = overdue
	}
	if !ok || d < patience {
		return Result{}
	}
	if gone {
		return attacherScaled(c, away)
	}
	r := Result{Explains: []model.PhaseID{model.PhaseDetach}, For: witnesses(c.DetachRequested, c.Gone)}
	tries := c.Tries()
	waits := slices.DeleteFunc(slices.Clone(c.DetachErrors), isAnswer)
	switch {
	case len(tries) > 0 && tries[0].At.At.Sub(c.DetachRequested.At) > attacherPatience:
		return triedLate(c, r, tries[0], waits)
	case len(tries) > 0:
		return Result{}
	case len(waits) > 0:
		r.For = append(r.For, waits...)
		r.Summary = fmt.Sprintf("The detach was requested at %s, and the controller timed out waiting for the external-attacher.", clock(c.DetachRequested))
		r.lacks(model.Likely, "the external-attacher's log of that time")
	default:
		r.Summary = fmt.Sprintf("The detach was requested at %s and took %s; nothing shows a try or an error.",
			clock(c.DetachRequested), words.Duration(d))
		r.lacks(model.Undecidable, "the external-attacher's log of that time")
	}
	return r
}

// justStarted is a detach whose request has no time: the attacher carried it out as soon as it had started.
func justStarted(c *wait.Case, start *model.Observation) Result {
	return Result{
		Verdict: model.Undecidable, Since: c.DetachRequested.Earliest, For: append(witnesses(c.DetachRequested), start),
		Explains: []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach},
		Summary: fmt.Sprintf("The external-attacher started at %s and carried the detach out at once; "+
			"the bundle does not show for how long it had been asked for by then.",
			clock(wait.At(start))),
		Missing: []string{"when the deletion of the VolumeAttachment was asked for: the kube-controller-manager's log, or an audit log"},
	}
}

// attachTimedOut covers bundles without a line about the detach: an attach beside the old attachment follows a failed one, and timed out.
func attachTimedOut(c *wait.Case) Result {
	if v := c.World.Version; !v.Known() || !upstream.SecondAttachmentAfterFailedDetach(v) {
		return Result{}
	}
	if len(c.Failovers) > 0 || c.Gone.Known() {
		return Result{}
	}
	silent := slices.DeleteFunc(c.AttachErrors(), isAnswer)
	if _, ok := mayPhase(c, model.PhaseDetach); !ok || len(silent) == 0 {
		return Result{}
	}
	return Result{
		Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseDetach, model.PhaseAttach}, For: sample(silent),
		Summary: fmt.Sprintf("The attach to %s timed out waiting for the external-attacher at %s; "+
			"the detach from %s, which the same one carries out, waited for it as well.",
			c.To, clock(wait.At(silent[0])), c.From),
		Reasons: []string{"that the detach waited for the same external-attacher is inferred from the attach"},
		Missing: []string{"the external-attacher's log of that time"},
	}
}

// scaledAway reports that the detach was requested, or waited, while the attacher's workload had no pods.
func scaledAway(c *wait.Case, away wait.Away) bool {
	return !away.To.Known() || c.DetachRequested.Earliest.Before(away.To.Latest)
}

// attacherScaled judges a detach that waited because the workload of the attacher had been scaled to zero.
func attacherScaled(c *wait.Case, away wait.Away) Result {
	r := Result{Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseDetach},
		For: append(witnesses(c.DetachRequested, away.From, away.To, c.Gone), c.Tries()...)}
	r.Summary = fmt.Sprintf("Deployment %s, and the external-attacher with it, was scaled to 0 at %s; the detach was requested at %s",
		away.Workload, clock(away.From), clock(c.DetachRequested))
	if away.To.Known() {
		r.Summary += fmt.Sprintf(" and waited until it was scaled up again at %s.", clock(away.To))
	} else if c.Resolved() {
		r.Summary += " and waited for an external-attacher."
		r.Missing = append(r.Missing, "when an external-attacher worked again: its log, or the Deployment's events")
	} else {
		r.Summary += " and waits: nothing shows that it was scaled up again."
	}
	return r
}

// answered reports that the attacher, driver or cloud answered the detach with an error.
func answered(c *wait.Case) bool { return slices.ContainsFunc(c.DetachErrors, isAnswer) }

// isAnswer reports an error that is more than the end of the controller's patience with the attacher.
func isAnswer(o *model.Observation) bool { return !upstream.IsAttacherTimeout(o.Detail) }

// triedLate judges a late first try; none came before where the log reaches back to the request or the attacher's start.
func triedLate(c *wait.Case, r Result, try *model.Observation, waits []*model.Observation) Result {
	r.For = append(append(r.For, try), waits...)
	asked, tried := clock(c.DetachRequested), model.TimeOfDay(try.At.At)
	r.Summary = fmt.Sprintf("The detach was requested at %s; the external-attacher tried first at %s.", asked, tried)
	start := c.AttacherStart(try.At.At)
	began := start != nil && start.Input == try.Input
	if began {
		r.For = append(r.For, start)
	}
	if began || c.World.LogReaches(try, c.DetachRequested.At) {
		r.Verdict = model.Confirmed
		return r
	}
	if len(waits) > 0 {
		r.Verdict = model.Likely
	} else {
		r.Verdict = model.Undecidable
	}
	r.Summary = fmt.Sprintf("The detach was requested at %s; "+
		"the first try in the external-attacher's log, which does not reach back so far, is of %s.",
		asked, tried)
	r.Missing = append(r.Missing, "the earlier part of the external-attacher's log")
	return r
}
