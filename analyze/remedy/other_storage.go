package remedy

import (
	"fmt"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

// unblocked replays a waiting pod without a blocking attachment.
var unblocked = setting(func(s *replay.Settings) { s.Shared = true })

// waitOfVolume are the phases in which a pod waits for a volume that another node has.
var waitOfVolume = []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach, model.PhaseMount}

var sharedAccessMode = Remedy{
	ID: "shared-access-mode", Title: "Use a volume that several nodes may mount (ReadWriteMany)", Preventive: true,
	Doc: Doc{
		Does:    "The attach/detach controller blocks only volumes whose PersistentVolume allows a single node. With ReadWriteMany or ReadOnlyMany the new node gets its own attachment at once.",
		DoesNot: "It does not bring a StatefulSet's replacement sooner, which waits for the end of the old pod. It cannot be set on a driver of block devices: it is other storage.",
		Risk:    "Nothing keeps an old pod on a node that was only cut off from writing. The application, or the file system's locks, must bear two writers.",
		References: []string{
			"pkg/volume/util IsMultiAttachAllowed: decided by PersistentVolume.spec.accessModes (1.13–1.36)", "lab recordings with ReadWriteMany: several attachments, no Multi-Attach",
		},
	},
	SideEffects: always("the data has to be copied to another volume"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if exclusive, known := i.Case.Volume.Exclusive(); known && !exclusive {
			return misfit("The volume's access modes allow several nodes already.")
		}
		return fits("It is other storage, not a setting of this volume.")
	},
	Change: unblocked,
	Needs: func(*Incident, float64) []Need {
		return []Need{{Text: "The application bears an old pod that still writes, by locks or by its own protocol.", Met: model.Unknown}}
	},
	Steps: func(i *Incident) []model.Step {
		return []model.Step{
			prove("make sure that the application bears an old pod that still writes, by locks or by its own protocol; no command tells"),
			prove("see what the storage classes offer", "kubectl", "get", "storageclass"),
			prove("see what this volume allows", "kubectl", "get", "pv", name(i.Case.Volume.PersistentVolume), "-o", `jsonpath={.spec.accessModes}{"\n"}`),
			act("copy the data to a volume that several nodes can have"),
		}
	},
}

var singleWriterReplicas = Remedy{
	ID: "single-writer-replicas", Title: "Give each replica its own volume, or run one replica", Preventive: true,
	Doc: Doc{
		Does:    "Pods on several nodes cannot share a single-node volume. A StatefulSet with volumeClaimTemplates gives each replica its own; with one replica there is nobody to wait.",
		DoesNot: "It does not help when a node is lost: then the one pod that owns the volume waits for it.",
		Risk:    "The replicas no longer see each other's data; the application has to replicate it. ReadWriteOncePod makes the scheduler refuse a second pod, which is clearer and not faster.",
		References: []string{
			"kubernetes.io: StatefulSets, volumeClaimTemplates", "kubernetes.io: ReadWriteOncePod, alpha 1.22, beta 1.27, GA 1.29",
		},
	},
	SideEffects: (*Incident).onlyOne,

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if !i.hasCause("shared-claim") {
			return misfit("The pods that wanted the volume at once were not replicas that share it.")
		}
		if m := i.Case.LiveMigration(); m != nil {
			return misfit(fmt.Sprintf("Both pods are of one virtual machine (%s), which has two only while it is migrated.", m.VM))
		}
		return fits("")
	},
	Change: unblocked,
	Steps:  (*Incident).one,
}
