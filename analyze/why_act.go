package analyze

import (
	"fmt"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// wrongAct says what an act did that made the wait, or put the data at risk; empty for causes that are none, and where it is not known.
func wrongAct(c *wait.Case, k model.Cause) string {
	likely := words.If(k.Verdict == model.Likely, "likely ")
	away, scaled := c.AttacherAway()
	switch {
	case k.Verdict == model.Undecidable:
	case k.ID == model.CauseAttachmentNotFinishing && scaled:
		until := "from " + model.TimeOfDay(away.From.At) + " on"
		if away.To.Known() {
			until = "from " + model.TimeOfDay(away.From.At) + " to " + model.TimeOfDay(away.To.At)
		}
		return fmt.Sprintf("Deployment %s, with the external-attacher, was scaled to 0 %s; the detach waited for it", away.Workload.Name, until)
	case k.ID == model.CauseTaintOnLiveNode && len(c.ReadyThen(c.Forced)) > 0:
		return fmt.Sprintf("%sthe out-of-service taint was set on %s, which was Ready: its volume was detached by force %s, "+
			"and both nodes could write to it", likely, c.From, within(c.Forced.Moment))
	case k.ID == model.CauseAttachmentLost && c.Erased() && len(c.RefusedElsewhere(c.Gone)) > 0:
		has, refuses := "has", "refuses"
		if c.Resolved() {
			has, refuses = "had", "refused"
		}
		return fmt.Sprintf("%sthe VolumeAttachment was removed %s without a detach; the storage still %s the volume on %s and %s the attach",
			likely, within(c.Gone.Moment), has, c.From, refuses)
	}
	return ""
}

// rollout is why a rolling update waited for itself, and the act that ended that.
func rollout(c *wait.Case, likely string) string {
	holds, can := "which holds the volume", "neither can give way"
	ended := endedBy(c)
	if ended != "" {
		holds, can = "which held the volume", ended
	}
	return fmt.Sprintf("%sa rolling update started the new pod%s before it stopped the old one, %s; %s", likely, on(c.To), holds, can)
}

// endedBy says which act on the workload ended a wait; empty while it goes on.
func endedBy(c *wait.Case) string {
	if text := cause.EndedBy(c); text != "" {
		return text + ", which ended it"
	}
	return ""
}
