package decision

import (
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// forceDetachEnabled: since 1.30 a flag switches the forced detach by timeout off.
func forceDetachEnabled(c *wait.Case) answer {
	v := c.World.Version
	value, flag := c.World.Flag(facts.ControllerManager, upstream.DisableForceDetachFlag)
	set, enabled := upstream.DisableForceDetachFlag+"="+value, model.True
	if value == "true" {
		enabled = model.False
	}
	switch off := c.Seen(model.ForceDetachDisabled, c.From); {
	case flag != nil && !wait.Configured(flag):
		return says(enabled, "The controller runs with "+set+".", flag)
	case len(off) > 0:
		return says(model.False, "The controller says that the forced detach is disabled.", off...)
	case c.ForcedByTimeout():
		return says(model.True, "The controller says that it detaches by force after the timeout.", c.Forced.Witness...)
	case flag != nil:
		return says(enabled, "The controller is configured with "+set+"; that it runs so is derived.", flag)
	case v.Known() && !upstream.HasDisableForceDetach(v):
		return says(model.True, fmt.Sprintf("Kubernetes %s has no flag that disables it.", v), c.World.VersionO)
	}
	return says(model.Unknown, "The bundle does not show the controller's flags; the default is enabled (assumed).")
}

// detachSucceeded: the operation itself, once begun; without a VolumeAttachment the controller's record in the Node blocks.
func detachSucceeded(c *wait.Case) answer {
	a := detachOutcome(c)
	why, shown := c.World.Attachless(c.Volume)
	if why == "" || c.Attachment.Name != "" {
		return a
	}
	a.text += " There is no VolumeAttachment to look for: " + why
	a.evidence = append(slices.Clone(a.evidence), shown)
	if listed := c.AttachedByNode(); listed != nil && !c.Resolved() {
		a.text += "; what blocks is the controller's own record, which " + c.From + " shows in status.volumesAttached"
		a.evidence = append(a.evidence, listed)
	} else if c.From != "" {
		a.text += "; what blocks is the controller's own record, which a Node shows in status.volumesAttached"
	}
	a.text += "."
	return a
}

func detachOutcome(c *wait.Case) answer {
	switch {
	case c.Gone.Known() && c.DetachRequested.Known():
		return answer{value: model.False, until: c.Gone, evidence: firstOf(c.DetachErrors), text: detachText(c)}
	case c.DetachRequested.Known() && len(c.DetachErrors) > 0:
		return answer{value: model.False, since: c.DetachRequested, evidence: firstOf(c.DetachErrors),
			text: fmt.Sprintf("The detach was begun and failed %s.", times(c.DetachErrors))}
	case c.DetachRequested.Known() && c.Attachment.Object != nil && !c.AttachmentIsLater():
		return answer{value: model.False, since: c.DetachRequested,
			text: "The VolumeAttachment is marked for deletion and still there at the collection."}
	case c.DetachRequested.Known():
		return answer{value: model.Unknown, since: c.DetachRequested, text: "The detach was begun; nothing in the bundle shows its end."}
	case c.FoundDetached() != nil:
		o := c.FoundDetached()
		return answer{value: model.False, until: wait.At(o), evidence: []*model.Observation{o},
			text: "The controller began no detach: its sync found the volume detached, " +
				"because another than the controller had deleted the VolumeAttachment."}
	case len(c.DetachStuck()) > 0:
		return says(model.False, "The detach was begun and failed, as its error tells.", firstOf(c.DetachStuck())...)
	case neverDetached(c):
		attached := facts.Cite(*c.Attachment.Object, "status.attached")
		return says(model.False, "No detach was begun: the VolumeAttachment has no deletionTimestamp.", attached)
	}
	return says(model.Unknown, "Nothing in the bundle tells whether a detach was begun.")
}

// neverDetached: the object that blocked is in the bundle without a deletionTimestamp, which nothing takes away again.
func neverDetached(c *wait.Case) bool {
	a := c.Attachment.Object
	return a != nil && a.Value().DeletionTimestamp == nil && c.ObjectHeld()
}

func detachText(c *wait.Case) string {
	from, to := clock(c.DetachRequested.At), clock(c.Gone.At)
	if c.Erased() {
		failed := words.If(len(c.DetachErrors) > 0, ", which had failed "+times(c.DetachErrors))
		return fmt.Sprintf("No detach by the driver is recorded%s: the VolumeAttachment went away at %s past it.", failed, to)
	}
	if late := c.LateTry(c.DetachRequested.At, c.Gone.At); late != nil {
		return fmt.Sprintf("The detach was begun at %s, and the external-attacher tried it first at %s. It succeeded at %s.",
			from, clock(late.At.At), to)
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
