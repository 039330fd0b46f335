package remedy

import (
	"fmt"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

var deleteVolumeAttachment = Remedy{
	ID: "delete-volume-attachment", Title: "Delete only the VolumeAttachment",
	References: []string{"attach/detach controller, operation_generator.go: VerifyVolumesAreAttached"},
	Forces:     true,
	SideEffects: func(i *Incident) []string {
		if i.Case.Released.Known() && i.of(i.Case.Released.Latest) <= i.dropped() {
			return []string{i.losesVolume()}
		}
		return []string{"the old pod stays, and " + i.oldNode() + " may get the volume again", i.losesVolume()}
	},

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseMount},
	After:  []string{"fence-node"},
	Fit:    fitAttachment,
	From:   (*Incident).unraced,
	Change: acting(replay.DeleteAttachment),
	Acts:   []replay.ActKind{replay.DeleteAttachment},
	Used:   doneWith(replay.DeleteAttachment, replay.ForceDeletePod, false),
	Needs:  nodeStopped,
	Steps:  func(i *Incident) []model.Step { return []model.Step{lookBefore(i), dropAttachment(i)} },
}

// dropped is when the attachment was deleted by hand, or would have been.
func (i *Incident) dropped() float64 {
	if i.did(replay.DeleteAttachment) {
		return i.done(replay.DeleteAttachment)
	}
	return i.unraced() + i.reaction
}

// unraced is when the deletion of the attachment alone is no race: the old pod no longer counts as a user, where that is known.
func (i *Incident) unraced() float64 {
	if at := i.Case.Released; at.Known() {
		return max(i.stuck(), i.of(at.At))
	}
	return i.stuck()
}

func dropAttachment(i *Incident) model.Step {
	return act("delete the VolumeAttachment of "+i.oldNode(), "kubectl", "delete", "volumeattachment", name(i.attachment()), "--wait=false")
}

// fitAttachment: there is a VolumeAttachment that is not deleted.
func fitAttachment(i *Incident) Fit {
	c, v := i.Case, i.Case.Volume
	inTree := v.UniqueName != "" && v.Handle == "" && v.Driver == ""
	switch {
	case inTree && c.Attachment.Name == "" && c.Attachment.Basis == model.NameNone:
		return misfit("The volume has no VolumeAttachment: its driver is part of Kubernetes itself.")
	case c.Attachment.Name == "":
		return undecidable("The name of the blocking VolumeAttachment is not known.")
	case i.attachmentAbsent(i.stuck() + i.reaction):
		return misfit("The VolumeAttachment was gone already.")
	case c.DetachRequested.Known() && !i.did(replay.DeleteAttachment) && i.of(c.DetachRequested.At) <= i.stuck()+i.reaction:
		return noEffect("The controller had asked for its deletion already; what is waited for is the detach.")
	case i.Case.OldPodRuns():
		return i.ofLostNode("The old pod runs on a node that is Ready and uses the volume.")
	}
	return i.ofLostNode(fmt.Sprintf("%s is Ready and has the volume mounted; what has to end is the unmount.", i.node()))
}

var forceDeletePodAndVolumeAttachment = Remedy{
	ID: "force-delete-pod-and-volume-attachment", Title: "Delete the old pod by force, then the VolumeAttachment",
	References:  []string{"attach/detach controller, operation_generator.go: VerifyVolumesAreAttached"},
	Forces:      true,
	SideEffects: func(i *Incident) []string { return []string{i.twice(), i.losesVolume()} },

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseMount},
	After:  []string{"fence-node"},
	Fit: func(i *Incident) Fit {
		if f := fitAttachment(i); f.Verdict == Misfit || !i.podAbsent(i.stuck()+i.reaction) {
			return f
		}
		return misfit("The old pod's object was gone already; what is left of it is delete-volume-attachment.")
	},
	From: (*Incident).stuck,
	Change: func(_ *Incident, p replay.Plan, at float64) replay.Plan {
		return p.With(replay.Act{Kind: replay.ForceDeletePod, At: at}, replay.Act{Kind: replay.DeleteAttachment, At: at})
	},
	Acts:  []replay.ActKind{replay.ForceDeletePod, replay.DeleteAttachment},
	Used:  doneWith(replay.DeleteAttachment, replay.ForceDeletePod, true),
	Needs: nodeStopped,
	Steps: func(i *Incident) []model.Step { return []model.Step{lookBefore(i), dropPod(i), dropAttachment(i)} },
}

var removeAttachmentFinalizer = Remedy{
	ID: "remove-attachment-finalizer", Title: "Take the finalizer from the deleted VolumeAttachment",
	References:  []string{"external-attacher: finalizer external-attacher/<driver>"},
	Forces:      true,
	SideEffects: always("Kubernetes forgets an attachment that the storage may still have"),

	Phases: []model.PhaseID{model.PhaseDetach, model.PhaseMount},
	After:  []string{"fence-node", "fix-backend-detach"},
	Fit: func(i *Incident) Fit {
		if !i.Case.DetachRequested.Known() {
			return misfit("The VolumeAttachment was not being deleted; its finalizer held nothing up.")
		}
		if !i.did(replay.RemoveFinalizer) && i.Scenario.Fault == (replay.Fault{}) {
			return misfit("The detach ended within its usual time.")
		}
		return fits("")
	},
	From:   failingSince,
	Change: acting(replay.RemoveFinalizer),
	Acts:   []replay.ActKind{replay.RemoveFinalizer},
	Needs: func(i *Incident, at float64) []Need {
		return []Need{stopped(i, at), {Text: "The storage itself shows the volume as detached from " + i.node() + ".", Met: model.Unknown}}
	},
	Steps: func(i *Incident) []model.Step {
		attachment := name(i.attachment())
		return []model.Step{lookBefore(i),
			prove("ask the storage itself whether the volume is attached to that machine, and detach it there; Kubernetes knows only this",
				"kubectl", "get", "volumeattachment", attachment, "-o", "yaml"),
			act("remove the finalizers of the VolumeAttachment", "kubectl", "patch", "volumeattachment", attachment, "--type=json",
				`-p=[{"op":"remove","path":"/metadata/finalizers"}]`)}
	},
}

// failing is how long, in seconds, a detach may take before it is seen to fail: the controller's own limit for one try.
const failing = 120.0
