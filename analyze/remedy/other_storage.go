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
	References: []string{"pkg/volume/util IsMultiAttachAllowed: decided by PersistentVolume.spec.accessModes (1.13–1.36)",
		"lab recordings with ReadWriteMany: several attachments, no Multi-Attach"},
	SideEffects: always("the data has to be copied to another volume"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if exclusive, known := i.Case.Volume.Exclusive(); known && !exclusive {
			return misfit("The volume's access modes allow several nodes already.")
		}
		return fits("It needs other storage: it is not a setting of this volume.")
	},
	Change: unblocked,
	Needs: func(*Incident, float64) []Need {
		return []Need{{Text: "The application tolerates two writers.", Met: model.Unknown}}
	},
	Steps: func(i *Incident) []model.Step {
		return []model.Step{
			prove("verify that the application tolerates two writers; no command tells"),
			prove("see what the storage classes offer", "kubectl", "get", "storageclass"),
			prove("see its access modes", "kubectl", "get", "pv", name(i.Case.Volume.PersistentVolume), "-o", `jsonpath={.spec.accessModes}{"\n"}`),
			act("copy the data to a volume that several nodes can have")}
	},
}

var singleWriterReplicas = Remedy{
	ID: "single-writer-replicas", Title: "Give each replica its own volume, or run one replica", Preventive: true,
	References: []string{"kubernetes.io: StatefulSets, volumeClaimTemplates",
		"kubernetes.io: ReadWriteOncePod, alpha 1.22, beta 1.27, GA 1.29"},
	SideEffects: (*Incident).onlyOne,

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if !i.HasCause(model.CauseSharedClaim) {
			return misfit("The pods that wanted the volume at once were not replicas that share it.")
		}
		if m := i.Case.LiveMigration(); m != nil {
			return misfit(fmt.Sprintf("Both pods are of one virtual machine (%s), which has two only while it is migrated.", m.VM))
		}
		return fits("")
	},
	Change: unblocked,
	Act:    acting(replay.EndDemand),
	Steps:  (*Incident).one,
}

var topologySpread = Remedy{
	ID: "topology-spread", Title: "Spread the pods with volumes over nodes and zones", Preventive: true,
	References: []string{"kubernetes.io: Pod topology spread constraints, stable since 1.19",
		"kubernetes.io: volumeBindingMode WaitForFirstConsumer, so that volumes follow their pods' zones"},
	SideEffects: always(rollsOut),

	Phases: []model.PhaseID{},
	Fit: func(i *Incident) Fit {
		if i.HasCause(model.CauseSharedClaim) {
			return misfit("The pods share a single-node volume; spread over nodes they wait for each other.")
		}
		if f := i.ofLostNode("No node was lost here."); f.Verdict != Fits {
			return f
		}
		return noEffect(fmt.Sprintf("It limits how many volumes the loss of %s hits, not how long this one waits.", i.node()))
	},
	Steps: steps(act("set in the pod template " +
		"topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: ...}]")),
}
