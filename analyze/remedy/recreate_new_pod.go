package remedy

import (
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var recreateNewPod = Remedy{
	ID: "recreate-new-pod", Title: "Delete the waiting pod, so that the kubelet looks at once",
	Doc: Doc{
		Does: "Nothing for the volume: the workload makes another pod, which waits for the same attachment. It is often advised, because the kubelet is believed to pause up to 2 min 2 s between two looks for an " +
			"attachment. It does not: it looks several times a second into the Node's status, and pods on real nodes were Ready 1.8 to 4.3 s after the attach, also after eight minutes of waiting.",
		DoesNot: "It neither frees the volume nor attaches it sooner. A pod that is slow after the attach mounts, changes the owner of files or starts its application, and a new pod begins with all of that anew.",
		Risk:    "The replacement may be scheduled to another node, and waits for the volume again.",
		References: []string{
			"pkg/volume/util/operationexecutor, GetAttachedVolumesFromNodeStatus: no operation is begun, so that nothing backs off, while the volume is not attached (read in 1.23.17, 1.30.14, 1.34.3)",
			"recordings on real nodes: 1.8 to 4.3 s from the attach to Ready; 8.5 s for a pod younger than the kubelet's status report, every 10 s",
		},
	},
	SideEffects: always("the new pod may be placed on another node, and waits for the volume again"),

	Phases: []model.PhaseID{},
	Fit: func(i *Incident) Fit {
		c := i.Case
		const belief = "The kubelet does not pause between two looks for an attachment, so that a new pod has nothing to skip"
		switch {
		case c.Before:
			return misfit("No pod waits on a node for the volume yet.")
		case !c.Attached.Known() && c.Resolved():
			return misfit("The wait ended without an attach.")
		case !c.Attached.Known():
			return noEffect("The volume is not attached on the new node, and another pod waits for it in the same way. " + belief + ".")
		case c.Ready.Known():
			return noEffect("From the attach to Ready passed " + words.Whole(max(c.Ready.At.Sub(c.Attached.At).Seconds(), 0)) + ". " + belief + ".")
		}
		return noEffect(belief + ".")
	},
	From:   func(i *Incident) float64 { return i.of(i.Case.Attached.At) },
	Change: func(_ *Incident, p replay.Plan, _ float64) replay.Plan { return p },
	Steps: func(i *Incident) []model.Step {
		return []model.Step{
			prove("see instead where the volume is attached, and what the new node's kubelet says of the mount", "kubectl", "get", "volumeattachment", "-o",
				within(`jsonpath={range .items[?(@.spec.source.persistentVolumeName=="`, i.Case.Volume.PersistentVolume, `")]}{.spec.nodeName} {.status.attached}{"\n"}{end}`)),
		}
	},
}
