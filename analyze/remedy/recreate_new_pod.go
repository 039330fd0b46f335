package remedy

import (
	"math"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

var recreateNewPod = Remedy{
	ID: "recreate-new-pod", Title: "Delete the waiting pod once the volume is attached",
	Doc: Doc{
		Does: "The kubelet looks for the volume with pauses that double up to 2m2s. A new pod of the workload begins with half a second, so that it finds a volume that is attached already at once.",
		DoesNot: "Before the volume is attached it changes nothing: the new pod waits like the old one, and may be placed on a third node. It gains at most one pause, which is often over before " +
			"somebody looks.",
		Risk:       "The replacement may be scheduled to another node, and waits for the volume again.",
		References: []string{"goroutinemap/exponentialbackoff: 500 ms, doubling to 2m2s (1.13–1.36)", "longhorn-manager PR 1395: 2m16s from the end of the old attachment to Running"},
	},
	SideEffects: always("the new pod may be placed on another node, and waits for the volume again"),

	Phases: []model.PhaseID{model.PhaseMount},
	Fit: func(i *Incident) Fit {
		switch {
		case i.Case.Workload == nil:
			return undecidable("Which workload would make the pod anew is not known.")
		case !i.Case.Attached.Known() && i.Case.Resolved():
			return misfit("The wait ended without an attach.")
		case !i.Case.Attached.Known():
			return misfit("The volume is not attached on the new node yet, and before that it changes nothing.")
		}
		return fits("The replacement is taken to come back to the same node.")
	},
	From: func(i *Incident) float64 { return i.of(i.Case.Attached.At) },
	Change: func(_ *Incident, p replay.Plan, at float64) replay.Plan {
		return p.With(replay.Act{Kind: replay.RecreateNewPod, At: at})
	},
	Acts: []replay.ActKind{replay.RecreateNewPod},
	Used: func(i *Incident) (float64, bool) {
		at, yes := i.acted(replay.RecreateNewPod)
		return at, yes && !math.IsInf(i.Scenario.End, 1)
	},
	Commands: func(i *Incident) []string {
		namespace, pod := i.newPod()
		return []string{
			comment("Before: the VolumeAttachment of the new node has to be attached."),
			command("kubectl", "get", "volumeattachment", "-o", `jsonpath={range .items[?(@.spec.source.persistentVolumeName=="`+or(i.Case.Volume.PersistentVolume, "PV")+`")]}{.spec.nodeName} {.status.attached}{"\n"}{end}`),
			command("kubectl", "delete", "pod", "-n", namespace, pod),
		}
	},
}
