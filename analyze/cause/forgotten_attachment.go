package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// forgotten judges an attachment that a new leader does not know: it tries the attach to the new node, the storage refuses,
// and nobody asks for the deletion of the old VolumeAttachment, which the collection found unmarked.
func forgotten(c *reconstruct.Case) Result {
	a := c.Attachment.Object
	if a == nil || c.DetachRequested.Known() || a.Value().DeletionTimestamp != nil || a.Value().CreationTimestamp.After(c.Began.Earliest) {
		return Result{}
	}
	for _, f := range c.Failovers {
		refused := c.RefusedElsewhere(f)
		if len(refused) == 0 || !lasts(c, refused[0].At.At, refused) || refusedBefore(c, f) {
			continue
		}
		r := Result{
			Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach}, Since: f.Earliest,
			For: append(append(witnesses(f), sample(refused)...), reconstruct.Cite(*a, "metadata.creationTimestamp"), reconstruct.Cite(*a, "status.attached")),
			Summary: fmt.Sprintf("A new leader of the kube-controller-manager took over at %s and did not count the volume as attached to %s: it tries the attach to %s, which the storage refuses (%s), and has not asked for the deletion of the old VolumeAttachment.",
				clock(f), c.From, orUnknownNode(c.To), answerOf(refused)),
		}
		if uncertain := c.UncertainSince(f); uncertain != nil {
			r.Verdict = model.Confirmed
			r.For = append(r.For, uncertain)
		} else {
			r.Missing = append(r.Missing, "the new leader's log from its start at verbosity 1, which would say that the attachment is uncertain to it")
		}
		return r
	}
	return Result{}
}

// refusedBefore reports that the attach was tried before the change of leader, so that this did not let it begin.
func refusedBefore(c *reconstruct.Case, f reconstruct.Instant) bool {
	return c.NewAttachment.Known() && c.NewAttachment.Before(f)
}
