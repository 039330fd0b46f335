package cause

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var attachFailing = Cause{
	ID: model.CauseAttachFailing, Title: "The attach to the new node is refused",
	Label: "Attach refused", Group: "Refused attach of what %s had let go",
	Doc: Doc{
		Symptom: "The old node has let the volume go, and the pod waits on: the attach to its node fails again and again.",
		Mechanism: `The driver or its storage answers ControllerPublishVolume with an error that is not about the old node: the machine has as many
volumes as it may have, a quota is used up, a permission is missing, the machine is in another zone. Attacher and controller
try again, with pauses that double up to five and to two minutes. It is a fault of its own, often found only when a lost node
makes volumes move.`,
		DecidedBy: "Answers of the driver to attaches on the new node, after the old attachment was gone, for more than a minute or still at the collection.",
		RefutedBy: "The answers say that another machine has the volume (storage-disagrees); the attacher was silent (attachment-not-finishing); " +
			"the old attachment is still there; or the attach succeeded within a minute.",
		WhatHelped: "Repairing what the error names; for a limit, another node: deleting the pod that waits lets the scheduler choose again.",
		References: []string{"CSI specification, ControllerPublishVolume", "kubernetes-csi/external-attacher pkg/controller (back-off 1 s to 5 min)"},
	},
	Needs: []Need{needHolder}, Check: checkAttachFailing,
}

func checkAttachFailing(c *reconstruct.Case) Result {
	errors := facts.Where(c.AttachErrors(), func(o *model.Observation) bool {
		return isAnswer(o) && !upstream.InUseElsewhere(o.Detail, c.To) && !upstream.BeingDeleted(o.Detail) && o.Last.At.After(c.Gone.At) &&
			(c.Gone.Known() || upstream.AttachLimit(o.Detail))
	})
	slices.SortStableFunc(errors, func(a, b *model.Observation) int { return a.At.At.Compare(b.At.At) })
	if len(errors) == 0 || len(c.RefusedElsewhere(facts.Instant{})) > 0 || !lasts(c, model.Later(errors[0].At.At, c.Gone.At), errors) {
		return Result{}
	}
	r := Result{Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseAttach}, Since: errors[0].At.At, For: append(witnesses(c.Gone), sample(errors)...)}
	r.Summary = fmt.Sprintf("The attach to %s was refused from %s %s: %s", toNode(c), model.TimeOfDay(errors[0].At.At),
		cmp.Or(words.If(c.Attached.Known(), "to "+clock(c.Attached)), "on"), answerOf(errors))
	if !c.Gone.Known() {
		r.Summary += "."
		r.lacks(model.Undecidable, "when "+cmp.Or(c.From, "the old node")+" had let the volume go: the logs of the kube-controller-manager and the external-attacher")
	} else {
		r.Summary += fmt.Sprintf("; %s had let the volume go at %s.", c.From, clock(c.Gone))
	}
	return r
}
