package remedy

import (
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

var removeAttachmentFinalizer = Remedy{
	ID: "remove-attachment-finalizer", Title: "Take the finalizer from the deleted VolumeAttachment",
	Doc: Doc{
		Does:       "The VolumeAttachment goes away without the driver's detach, and Kubernetes believes that the volume is free.",
		DoesNot:    "It detaches nothing. If the storage still has the volume on the old node, the attach to the new one fails there, or, worse, succeeds.",
		Risk:       "The storage and Kubernetes disagree afterwards. It is a last resort, for a machine that no longer exists.",
		References: []string{"external-attacher: finalizer external-attacher/<driver>"},
	},
	Forces:      true,
	SideEffects: always("Kubernetes forgets an attachment that the storage may still have"),

	Phases: []model.PhaseID{model.PhaseDetach, model.PhaseMount},
	After:  []string{"fence-node", "fix-backend-detach"},
	Fit: func(i *Incident) Fit {
		switch {
		case !i.Case.DetachRequested.Known():
			return misfit("The VolumeAttachment was not being deleted; its finalizer held nothing up.")
		case i.did(replay.RemoveFinalizer):
			return fits("")
		case i.Scenario.Fault == (replay.Fault{}):
			return misfit("The detach ended within its ordinary time.")
		}
		return fits("")
	},
	From:   func(i *Incident) float64 { return i.of(i.Case.DetachRequested.At) + failing },
	Change: acting(replay.RemoveFinalizer),
	Acts:   []replay.ActKind{replay.RemoveFinalizer},
	Needs: func(i *Incident, at float64) []Need {
		return []Need{stopped(i, at), {Text: "The storage itself shows the volume as detached from " + i.node() + ".", Met: model.Unknown}}
	},
	Steps: func(i *Incident) []model.Step {
		attachment := name(i.attachment())
		return []model.Step{
			lookBefore(i),
			prove("ask the storage itself whether the volume is attached to that machine, and detach it there; Kubernetes knows only this", "kubectl", "get", "volumeattachment", attachment, "-o", "yaml"),
			act("remove the finalizers of the VolumeAttachment", "kubectl", "patch", "volumeattachment", attachment, "--type=json", `-p=[{"op":"remove","path":"/metadata/finalizers"}]`),
		}
	},
}

// failing is how long, in seconds, a detach may take before it is seen to fail: the controller's own limit for one try.
const failing = 120.0
