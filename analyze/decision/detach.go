package decision

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// forceDetachEnabled: since 1.30 a flag switches the forced detach by timeout off.
func forceDetachEnabled(c *reconstruct.Case) answer {
	v := c.World.Version
	value, flag := c.World.Flag(reconstruct.ControllerManager, upstream.DisableForceDetachFlag)
	if flag != nil && !reconstruct.Configured(flag) {
		return answer{value: unless(value == "true"), evidence: []*model.Observation{flag}, text: "The controller runs with " + upstream.DisableForceDetachFlag + "=" + value + "."}
	}
	if off := c.Seen(model.ForceDetachDisabled, c.From); len(off) > 0 {
		return answer{value: model.False, evidence: off, text: "The controller says that the forced detach is disabled."}
	}
	if c.ForcedByTimeout() {
		return answer{value: model.True, evidence: c.Forced.Witness, text: "The controller says that it detaches by force after the timeout."}
	}
	if flag != nil {
		return answer{value: unless(value == "true"), evidence: []*model.Observation{flag}, text: "The controller is configured with " + upstream.DisableForceDetachFlag + "=" + value + "; that it runs so is derived."}
	}
	if v.Known() && !upstream.HasDisableForceDetach(v) {
		return answer{value: model.True, evidence: []*model.Observation{c.World.VersionO}, text: fmt.Sprintf("Kubernetes %s has no flag that disables it.", v)}
	}
	return answer{value: model.Unknown, text: "The bundle does not show the controller's flags; the default is enabled (assumed)."}
}

// unless is False when a switch is on that turns something off.
func unless(off bool) model.Truth {
	if off {
		return model.False
	}
	return model.True
}

// detachSucceeded: the operation itself, once begun; without a VolumeAttachment the controller's record in the Node blocks.
func detachSucceeded(c *reconstruct.Case) answer {
	a := detachOutcome(c)
	why, shown := c.World.Attachless(c.Volume)
	if why == "" || c.Attachment.Name != "" {
		return a
	}
	a.text += " There is no VolumeAttachment to look for: " + why
	a.evidence = append(a.evidence[:len(a.evidence):len(a.evidence)], shown)
	if listed := c.AttachedByNode(); listed != nil && !c.Resolved() {
		a.text += "; what blocks is the controller's own record, which " + c.From + " shows in status.volumesAttached"
		a.evidence = append(a.evidence, listed)
	} else if c.From != "" {
		a.text += "; what blocks is the controller's own record, which a Node shows in status.volumesAttached"
	}
	a.text += "."
	return a
}

func detachOutcome(c *reconstruct.Case) answer {
	switch {
	case c.Gone.Known() && c.DetachRequested.Known():
		return answer{value: model.False, until: c.Gone, evidence: firstOf(c.DetachErrors), text: detachText(c)}
	case c.DetachRequested.Known() && len(c.DetachErrors) > 0:
		return answer{value: model.False, since: c.DetachRequested, evidence: firstOf(c.DetachErrors), text: fmt.Sprintf("The detach was begun and failed %s.", times(c.DetachErrors))}
	case c.DetachRequested.Known() && c.Attachment.Object != nil && !c.AttachmentIsLater():
		return answer{value: model.False, since: c.DetachRequested, text: "The VolumeAttachment is marked for deletion and still there at the collection."}
	case c.DetachRequested.Known():
		return answer{value: model.Unknown, since: c.DetachRequested, text: "The detach was begun; nothing in the bundle shows its end."}
	case c.FoundDetached() != nil:
		o := c.FoundDetached()
		return answer{value: model.False, until: reconstruct.At(o), evidence: []*model.Observation{o},
			text: "The controller began no detach: its sync found the volume detached, because another than the controller had deleted the VolumeAttachment."}
	case len(c.DetachStuck()) > 0:
		return answer{value: model.False, evidence: firstOf(c.DetachStuck()), text: "The detach was begun and failed, as its error tells."}
	case neverDetached(c):
		a := *c.Attachment.Object
		return answer{value: model.False, evidence: []*model.Observation{reconstruct.Cite(a, "status.attached")}, text: "No detach was begun: the VolumeAttachment has no deletionTimestamp."}
	}
	return answer{value: model.Unknown, text: "Nothing in the bundle tells whether a detach was begun."}
}

// neverDetached: the object that blocked is in the bundle without a deletionTimestamp, which nothing takes away again.
func neverDetached(c *reconstruct.Case) bool {
	a := c.Attachment.Object
	return a != nil && a.Value().DeletionTimestamp == nil && c.ObjectHeld()
}

func detachText(c *reconstruct.Case) string {
	from, to := clock(c.DetachRequested.At), clock(c.Gone.At)
	if late := c.LateTry(c.DetachRequested.At, c.Gone.At); late != nil {
		return fmt.Sprintf("The detach was begun at %s, and the external-attacher tried it first at %s. It succeeded at %s.", from, clock(late.At.At), to)
	}
	if len(c.DetachErrors) > 0 {
		return fmt.Sprintf("The detach was begun at %s, failed %s, and succeeded at %s.", from, times(c.DetachErrors), to)
	}
	return fmt.Sprintf("The detach took from %s to %s; it succeeded at the first try.", from, to)
}

func times(list []*model.Observation) string {
	n := 0
	for _, o := range list {
		n += max(o.Count, 1)
	}
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("at least %d times in the records", n)
}

func firstOf(list []*model.Observation) []*model.Observation { return list[:min(len(list), 3)] }
