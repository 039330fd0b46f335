package cause

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var attachFailing = Cause{
	ID: model.CauseAttachFailing, Title: "The attach to the new node is refused",
	Label: "Attach refused", Group: "Refused attach of what %s had let go",
	Needs: []Need{needHolder}, Check: checkAttachFailing,
}

func checkAttachFailing(c *wait.Case) Result {
	errors := facts.Where(c.AttachErrors(), func(o *model.Observation) bool {
		if !isAnswer(o) || upstream.InUseElsewhere(o.Detail, c.To) || upstream.BeingDeleted(o.Detail) {
			return false
		}
		free := c.Gone.Known() || upstream.AttachLimit(o.Detail) // the volume; of a full machine it does not matter
		return free && o.Last.At.After(c.Gone.At)
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
