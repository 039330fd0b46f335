package analyze

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// wrongAct says what an act did that put the data at risk, with the risk; empty for causes that are none, and where it is not known.
func wrongAct(c *reconstruct.Case, cause model.Cause) string {
	likely := words.If(cause.Verdict == model.Likely, "likely ")
	switch {
	case cause.Verdict == model.Undecidable:
	case cause.ID == model.CauseTaintOnLiveNode && c.Forced.Known():
		return fmt.Sprintf("%sthe out-of-service taint was set on %s, which was Ready: its volume was detached by force %s, "+
			"and both nodes could write to it", likely, c.From, within(c.Forced.Moment))
	case cause.ID == model.CauseAttachmentLost && c.Erased() && len(c.RefusedElsewhere(c.Gone)) > 0:
		has, refuses := "has", "refuses"
		if c.Resolved() {
			has, refuses = "had", "refused"
		}
		return fmt.Sprintf("%sthe VolumeAttachment was removed %s without a detach; the storage still %s the volume on %s and %s the attach",
			likely, within(c.Gone.Moment), has, c.From, refuses)
	}
	return ""
}
