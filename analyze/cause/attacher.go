package cause

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

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

func checkAttachmentLost(c *wait.Case) Result {
	if !c.Gone.Known() || slices.ContainsFunc(c.DetachCalls(), func(o *model.Observation) bool { return o.Kind == model.AttacherDetached }) {
		return Result{}
	}
	r := Result{Explains: []model.PhaseID{model.PhaseAttach}, Since: c.Gone.Earliest, For: witnesses(c.DetachRequested, c.Gone)}
	refused := c.RefusedElsewhere(c.Gone)
	removal := c.Removal()
	if removal != nil && c.World.IsAttacher(removal) {
		return Result{}
	}
	if removal != nil {
		return removedBy(c, r, removal, refused)
	}
	if silent := c.AttacherSilent(); silent != nil && len(refused) > 0 {
		r.For = append(append(r.For, silent), sample(refused)...)
		r.Reasons = []string{"the external-attacher's log covers the time from the request to the end of the VolumeAttachment and has no " +
			"detach call for it"}
		r.Summary = fmt.Sprintf("The VolumeAttachment of %s went away %s without a detach call in the external-attacher's log, "+
			"and the storage refuses the attach to %s: %s.",
			c.From, atOrBetween(c.Gone), c.To, answerOf(refused))
		r.lacks(model.Likely, "an audit log with the requests on VolumeAttachments, which would say who removed it")
		if slices.ContainsFunc(c.Gone.Witness, facts.Kinds(model.AttacherLookedAtVolume)) && slices.ContainsFunc(refused, c.FirstHand) {
			r.Verdict = model.Confirmed
		}
		return r
	}
	if failed := c.DetachCalls(); len(failed) > 0 && c.Erased() {
		return erasedAfterFailures(c, r, failed, refused)
	}
	return deletedByOther(c, r, refused)
}

// erasedAfterFailures judges the end of an attachment of which every detach call had failed.
func erasedAfterFailures(c *wait.Case, r Result, failed, refused []*model.Observation) Result {
	r.For = append(append(r.For, sample(failed)...), sample(refused)...)
	r.Summary = fmt.Sprintf("The VolumeAttachment of %s went away %s although no detach had succeeded (%s)",
		c.From, atOrBetween(c.Gone), answerOf(failed))
	if len(refused) > 0 {
		r.Summary += fmt.Sprintf("; the storage refuses the attach to %s: %s", toNode(c), answerOf(refused))
	}
	r.Aside = len(refused) == 0 && c.Attached.Known() // it ended the wait, and risked the data
	r.Summary += "."
	r.lacks(model.Likely, "an audit log with the requests on VolumeAttachments, which would say who removed it")
	return r
}

// removedBy judges a removal that an audit log records, by another than the attacher.
func removedBy(c *wait.Case, r Result, removal *model.Observation, refused []*model.Observation) Result {
	r.For = append(append(r.For, removal), sample(refused)...)
	how := "removed the finalizer of"
	if strings.Contains(removal.Quote.Text, `"verb":"delete"`) {
		how = "deleted, without a finalizer on it,"
	}
	r.Summary = fmt.Sprintf("At %s %s %s the VolumeAttachment of %s, so that nobody asked the storage to detach",
		clock(wait.At(removal)), sender(removal), how, c.From)
	if d, open := afterGone(c); len(refused) > 0 {
		r.Verdict = model.Confirmed
		r.Summary += fmt.Sprintf("; it refuses the attach to %s: %s.", c.To, answerOf(refused))
	} else if open || d >= transient {
		r.Summary += fmt.Sprintf("; the attach to %s did not come to an end after that.", toNode(c))
		r.lacks(model.Likely, "why the attach did not end: the external-attacher's log, or the attachError of the new VolumeAttachment")
	} else {
		return Result{}
	}
	return r
}

// deletedByOther covers a deletion by another than the controller, without a record of its end.
func deletedByOther(c *wait.Case, r Result, refused []*model.Observation) Result {
	d, open := afterGone(c)
	short := !open && d < transient
	if short || len(refused) > 0 || len(c.DetachCalls()) > 0 {
		return Result{}
	}
	requests := c.DeletionRequests()
	i := slices.IndexFunc(requests, func(o *model.Observation) bool { return !isController(o) })
	if i < 0 {
		return Result{}
	}
	r.For = append(r.For, requests[i])
	r.Summary = fmt.Sprintf("At %s %s deleted the VolumeAttachment of %s; "+
		"the bundle does not show whether the storage was asked to detach before the object went away.",
		clock(wait.At(requests[i])), sender(requests[i]), c.From)
	r.lacks(model.Undecidable, "the external-attacher's log from the deletion on, "+
		"or an audit log at level Request that has the removal of the finalizer")
	return r
}

// isController reports that the attach/detach controller itself sent the request.
func isController(o *model.Observation) bool {
	return strings.HasSuffix(o.Actor, ":attachdetach-controller") || strings.HasPrefix(o.Agent, "kube-controller-manager/")
}

// sender names the user or program that sent a request, with the user as the source has it.
func sender(o *model.Observation) string {
	who := upstream.ActorOf(o.Actor, o.Agent).Name
	if o.Actor == "" {
		return cmp.Or(o.Component, "somebody")
	}
	if who == "" {
		return o.Actor
	}
	if strings.Contains(who, o.Actor) {
		return who
	}
	return who + " (" + o.Actor + ")"
}

// afterGone is how long the wait went on after the old attachment was gone, and whether it still did at the collection.
func afterGone(c *wait.Case) (time.Duration, bool) {
	if !c.Resolved() {
		return 0, true
	}
	return c.Ended().Earliest.Sub(c.Gone.Latest), false
}
