package analyze

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// vagueBegin is how wide a beginning may be before the headline says so.
const vagueBegin = 2 * time.Minute

// because says in plain words why the volume stayed where it was. What the cause's summary says beyond it is in the report.
func because(c *wait.Case, i model.Incident) string {
	cause := i.Causes[0]
	likely := words.If(cause.Verdict == model.Likely, "likely ")
	text := ""
	switch id := cause.ID; {
	case toldBy(c, i) != "": // its summary quotes the author
	case id == model.CauseNodeDown:
		text = joined("; ", silence(c), nodeGone(c), howItWent(c, i))
	case id == model.CauseKubeletDown:
		if c.NotReady.Known() {
			went, back := strings.CutPrefix(howItWent(c, i), "it came back")
			if back {
				went = "its kubelet came back" + went + words.If(c.KilledOnReturn() != nil, " and stopped the old pod, which had run on")
			}
			text = joined("; ", notReady(c)+", but its machine went on", went)
		}
	case id == model.CauseRolloutSurge:
		text = rollout(c, likely)
	case id == model.CauseSharedClaim:
		if c.LiveMigration() == nil {
			text = joined("; ", likely+"several pods share one claim, whose volume admits one node", endedBy(c))
		}
	case id == model.CauseUnmountStuck:
		if _, holds := c.HeldMount(); holds != "" && c.Released.Known() {
			unmounts := "has not unmounted the volume"
			if c.Unmounted.Known() {
				unmounts = "unmounted the volume only " + within(c.Unmounted.Moment)
			} else if c.Resolved() {
				unmounts = "was late to unmount the volume"
			}
			text = fmt.Sprintf("the old pod let go at %s, but %s %s: %s", model.TimeOfDay(c.Released.At), c.From, unmounts, holds)
		}
	}
	if text == "" {
		text = wrongAct(c, cause)
	}
	if text != "" && cause.ID != model.CauseNodeDown && lostToo(i) {
		text = joined(". ", words.Capital(silence(c)), words.Capital(text))
	}
	if cause.ID == model.CauseNodeDown || cause.ID == model.CauseKubeletDown {
		if both := joined("; ", text, secondFault(c, i)); wordCount(both) <= whyWords {
			text = both
		}
	}
	if text = words.Capital(text); text == "" {
		text = cause.Summary
	}
	if hand := byHand(i); hand == "" || cause.ID == model.CauseAttachmentLost {
		return text
	} else if wordCount(hand)+wordCount(text) <= whyWords {
		return hand + ". " + text
	} else {
		return hand
	}
}

// secondFault is what the volume waited for after the loss of its node was over; empty where nothing else held it.
func secondFault(c *wait.Case, i model.Incident) string {
	for _, k := range i.Causes[1:] {
		switch {
		case k.Verdict == model.Undecidable:
		case k.ID == model.CauseAttachmentNotFinishing:
			return "then the detach waited for the external-attacher"
		case k.ID == model.CauseDriverDetachError, k.ID == model.CauseCloudDetachFailing:
			return "then the detach failed"
		case k.ID == model.CauseAttachFailing, k.ID == model.CauseStorageDisagrees:
			return "then the attach to " + c.To + " was refused"
		}
	}
	return ""
}

// joined are the texts that are not empty.
func joined(between string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), between)
}

// silence is how the loss of the old node showed. Its last heartbeat is no end: the machine can have gone later.
func silence(c *wait.Case) string {
	if c.Heartbeat.Known() {
		return fmt.Sprintf("node %s was last heard of %s", c.From, within(c.Heartbeat.Moment))
	}
	if c.NotReady.Known() {
		return notReady(c)
	}
	return "node " + c.From + " was lost"
}

func notReady(c *wait.Case) string {
	return fmt.Sprintf("node %s was found not Ready %s", c.From, within(c.NotReady.Moment))
}

func nodeGone(c *wait.Case) string {
	if !c.NodeGone.Known() || c.Resolved() && !c.NodeGone.Before(c.Ended()) {
		return ""
	}
	return "its Node was deleted " + within(c.NodeGone.Moment) +
		words.If(slices.ContainsFunc(wait.Actions(c), wait.Action.CloudRemoved), ", as the cloud had no such machine any more")
}

// howItWent is what the volume waited for after the loss.
func howItWent(c *wait.Case, i model.Incident) string {
	switch {
	case c.ForcedByTimeout() && c.Restarted():
		return "a new leader of the controller started its six-minute timer again"
	case c.ForcedByTimeout() && c.TakenMounted().Mounted == model.True:
		return "the controller waited six minutes for an unmount, then forced the detach"
	case c.OutOfService.Known() && c.DetachRequested.Known():
		return "the out-of-service taint let the controller detach " + within(c.DetachRequested.Moment)
	case !c.Resolved() && c.OldPodUnseen():
		return "nothing shows the pod that used the volume there"
	case !c.Resolved() && !c.Released.Known():
		return "its pod object still exists, so the controller keeps the volume there"
	case c.BackReady.Known() && (!c.Resolved() || c.BackReady.Before(c.Ended())):
		return "it " + words.If(c.BootedAnew(), "rebooted and ") + "came back " + within(c.BackReady.Moment)
	case !c.Resolved() && slices.ContainsFunc(i.WhyNotDetached, func(o model.Operand) bool { return o.Operand == "force-detach-enabled" && o.Value == model.False }):
		return "nobody reports the unmount, and " + upstream.DisableForceDetachFlag + " keeps the controller from forcing the detach"
	case !c.Resolved():
		return "the controller waits for an unmount that nobody reports"
	}
	return ""
}

// within names a moment as an adverb, by its bounds where it is not known well.
func within(m model.Moment) string {
	if m.Latest.Sub(m.Earliest) <= wait.PhaseMargin {
		return "at " + model.TimeOfDay(m.At)
	}
	return "between " + model.TimeOfDay(m.Earliest) + " and " + model.TimeOfDay(m.Latest)
}

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
