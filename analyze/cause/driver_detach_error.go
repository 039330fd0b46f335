package cause

import (
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var driverDetachError = Cause{
	ID: model.CauseDriverDetachError, Title: "The driver fails to detach",
	Label: "CSI driver fails to detach", Group: "Failing detach from %s",
	Needs: []Need{needHolder}, Check: checkDriverDetachError,
}

func checkDriverDetachError(c *wait.Case) Result {
	if r := countedErrors(c); r.Verdict != "" {
		return r
	}
	faults := []upstream.Fault{upstream.FaultDriver}
	if stillReady(c) {
		faults = append(faults, upstream.FaultInstance) // the machine is there; a driver that does not find it is wrong
	}
	f := failures(c, faults...)
	if len(f.errors) == 0 {
		return refusedByBackEnd(c)
	}
	return detachFails(c, f, "")
}

// detachFails is the result of a failing detach; maker introduces the error, "" when the driver words it.
func detachFails(c *wait.Case, f failing, maker string) Result {
	r := Result{Verdict: f.verdict(), Since: f.since}
	if r.Verdict == "" {
		return Result{}
	}
	r.Explains = affected(c)
	r.For = append(witnesses(c.DetachRequested, c.Gone), sample(f.errors)...)
	r.Summary = fmt.Sprintf("The detach from %s was requested %s and failed: %s%s",
		c.From, atOrBetween(c.DetachRequested), maker, answerOf(f.errors))
	if !slices.ContainsFunc(f.errors, func(o *model.Observation) bool { return !upstream.HoldsBack(o.Detail) }) {
		r.Summary = fmt.Sprintf("The detach from %s was requested %s and took long: the driver answered further calls that it was at work on it",
			c.From, atOrBetween(c.DetachRequested))
	}
	if up := c.Interrupted(); up != nil {
		r.For = append(r.For, up)
		r.Summary += ". The external-attacher was started again at " + model.TimeOfDay(up.At.At)
	}
	r.Summary += words.If(c.Gone.Known(), fmt.Sprintf(". It succeeded %s", atOrBetween(c.Gone)))
	if secondAttachment(c) && upstream.SecondAttachmentAfterFailedDetach(c.World.Version) {
		r.For = append(r.For, c.NewAttachment.Witness...)
		r.Summary += fmt.Sprintf("; meanwhile, at %s, the controller created a second VolumeAttachment", clock(c.NewAttachment))
	}
	r.Summary += "."
	if r.Verdict == model.Likely {
		r.lacks(model.Likely, "what became of the detach after "+model.TimeOfDay(lastSeen(f.errors))+
			": the later part of the external-attacher's log")
	}
	return r
}

// refusedByBackEnd covers bundles without the detach's errors: an attach beside the old attachment follows a failed detach.
func refusedByBackEnd(c *wait.Case) Result {
	refused := c.AttachRefused()
	silent := slices.ContainsFunc(c.AttachErrors(), func(o *model.Observation) bool { return !isAnswer(o) })
	if silent || len(refused) == 0 || !upstream.SecondAttachmentAfterFailedDetach(c.World.Version) {
		return Result{}
	}
	if len(c.DetachErrors) > 0 || c.DetachBegun() || c.Gone.Known() {
		return Result{} // they tell the detach
	}
	if len(c.Failovers) > 0 {
		return Result{}
	}
	return Result{
		Verdict: model.Undecidable, Explains: []model.PhaseID{model.PhaseDetach, model.PhaseAttach}, For: sample(refused),
		Summary: fmt.Sprintf("The driver refused the attach to %s from %s on: %s. "+
			"Kubernetes %s tries it only after a detach from %s has failed or timed out; the bundle does not show which.",
			c.To, model.TimeOfDay(refused[0].At.At), words.Clip(refused[0].Detail, 160), c.World.Version, c.From),
		Missing: []string{"the errors of the detach itself: " +
			"the logs of the kube-controller-manager and the external-attacher, or the VolumeAttachment of that time"},
	}
}
