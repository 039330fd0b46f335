package cause

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

var attachmentLost = Cause{
	ID: "attachment-lost", Title: "The attachment was removed past the driver",
	Label: "VolumeAttachment lost", Group: "VolumeAttachment lost, volume on %s",
	Needs: []Need{needHolder}, Check: checkAttachmentLost,
}

func checkAttachmentLost(c *wait.Case) Result {
	if !c.Gone.Known() || slices.ContainsFunc(c.DetachCalls(), func(o *model.Observation) bool { return o.Kind == model.AttacherDetached }) {
		return Result{}
	}
	r := Result{Explains: []model.PhaseID{model.PhaseAttach}, Since: c.Gone.Earliest, For: witnesses(c.DetachRequested, c.Gone)}
	refused := c.RefusedElsewhere(c.Gone)
	removal := c.Removal()
	switch final := takenForFinal(c); {
	case removal != nil && c.World.IsAttacher(removal):
		if final == nil {
			return Result{}
		}
		return gaveUp(c, r, final, refused)
	case removal != nil:
		return removedBy(c, r, removal, refused)
	case final != nil:
		return gaveUp(c, r, final, refused)
	}
	if silent := c.AttacherSilent(); silent != nil && len(refused) > 0 {
		r.For = append(append(r.For, silent), sample(refused)...)
		r.Reasons = []string{"the external-attacher's log covers the time from the request to the end of the VolumeAttachment and has no " +
			"detach call for it"}
		r.Summary = fmt.Sprintf("The VolumeAttachment of %s went away %s without a detach call in the external-attacher's log, "+
			"and the storage refuses the attach to %s: %s.",
			c.From, atOrBetween(c.Gone), c.To, answerOf(refused))
		r.lacks(model.Likely, "an audit log with the requests on VolumeAttachments, which would say who removed it")
		if erasedAt(c) && slices.ContainsFunc(refused, c.FirstHand) {
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

// erasedAt reports that the attacher itself noticed the end of the attachment, without having begun a detach.
func erasedAt(c *wait.Case) bool {
	return slices.ContainsFunc(c.Gone.Witness, func(o *model.Observation) bool { return o.Kind == model.AttacherLookedAtVolume })
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

// gaveUp judges an attacher of the 1.x line, which took an error of the driver for the end of the detach.
func gaveUp(c *wait.Case, r Result, final *model.Observation, refused []*model.Observation) Result {
	if len(refused) == 0 {
		return Result{}
	}
	r.Verdict = model.Confirmed
	r.For = append(append(r.For, final), sample(refused)...)
	r.Summary = fmt.Sprintf("At %s the external-attacher took an error for the end of the detach from %s and let the VolumeAttachment go: "+
		"%s. The storage refuses the attach to %s: %s.",
		clock(wait.At(final)), c.From, answerOf([]*model.Observation{final}), c.To, answerOf(refused))
	return r
}

// takenForFinal is the line of an attacher before 2.0 that calls the volume detached in spite of an error.
func takenForFinal(c *wait.Case) *model.Observation {
	for _, o := range c.DetachCalls() {
		if o.Kind == model.AttacherFailed && strings.Contains(o.Quote.Text, "] Detached ") && strings.Contains(o.Quote.Text, " with error") {
			return o
		}
	}
	return nil
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
