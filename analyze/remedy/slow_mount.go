package remedy

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var fsGroupOnRootMismatch = Remedy{
	ID: "fsgroup-on-root-mismatch", Title: "Change file owners only when the volume's root differs (fsGroupChangePolicy)", Preventive: true,
	References:  []string{"kubernetes.io: fsGroupChangePolicy, beta since 1.20, GA in 1.23", "kubernetes issue 69699"},
	SideEffects: always("files of another group below a root that is right stay as they are", rollsOut),

	Phases:     []model.PhaseID{model.PhaseMount},
	Kubernetes: "1.20 and later",
	Fit:        fitFSGroup,
	Change:     setting(func(s *replay.Settings) { s.QuickMount = true }),
	Steps:      steps(act("set fsGroupChangePolicy: OnRootMismatch in the securityContext of the pod template")),
}

// changesOwner are the reasons of the kubelet's Events about a change of ownership that takes long (1.33 and later).
const changesOwner = "VolumePermissionChangeInProgress"

func fitFSGroup(i *Incident) Fit {
	const notInBundle = "is not in the bundle: the kubelet's log of the new node."
	pod, known := i.newPodObject()
	if !known {
		return undecidable("No copy of the new pod is in the bundle, which would tell whether it sets fsGroup.")
	}
	security := pod.Spec.SecurityContext
	if security == nil || security.FSGroup == nil {
		return misfit("The pod sets no fsGroup.")
	}
	if security.FSGroupChangePolicy != nil && *security.FSGroupChangePolicy == corev1.FSGroupChangeOnRootMismatch {
		return noEffect("The pod has it already.")
	}
	if !i.Case.Attached.Known() {
		return noEffect("The volume was not attached yet; the change of ownership comes after that.")
	}
	for _, o := range i.Case.Story() {
		if o.Kind == model.KubernetesEvent && o.Detail == changesOwner {
			return fits("The kubelet says that the change of ownership took long; a mount without it is assumed to take up to half a minute.")
		}
	}
	if !i.Case.Ready.Known() {
		return undecidable("How long the change of ownership takes " + notInBundle)
	}
	took := i.Case.Ready.At.Sub(i.Case.Attached.At).Seconds()
	if took <= ordinaryStart {
		return noEffect(fmt.Sprintf("Ready came only %s after the attach.", words.Whole(took)))
	}
	return undecidable("Ready came " + words.Whole(took) + " after the attach; how much of it was the change of ownership " + notInBundle)
}

// ordinaryStart is the longest time, in seconds, from attach to Ready without a change of ownership: a status report and a mount.
const ordinaryStart = 15.0

// newPodObject is a copy of a pod that waited.
func (i *Incident) newPodObject() (*corev1.Pod, bool) {
	for _, ref := range i.Case.NewPods {
		if pod, ok := i.Case.World.Pod(ref); ok {
			return pod.Value(), true
		}
	}
	return nil, false
}

var recreateNewPod = Remedy{
	ID: "recreate-new-pod", Title: "Delete the waiting pod, so that the kubelet looks at once",
	References: []string{
		"pkg/volume/util/operationexecutor, GetAttachedVolumesFromNodeStatus: no operation is begun, so that nothing backs off, while the " +
			"volume is not attached (read in 1.23.17, 1.30.14, 1.34.3)",
		"recordings on real nodes: 1.8 to 4.3 s from the attach to Ready; 8.5 s for a pod younger than the kubelet's status report, every 10 s"},
	SideEffects: always("the new pod may be scheduled on another node, and waits for the volume again"),

	Phases: []model.PhaseID{},
	Fit: func(i *Incident) Fit {
		c := i.Case
		const belief = "The kubelet looks for the attachment several times a second: a new pod would not be faster"
		switch {
		case c.Before:
			return misfit("No pod waits on a node for the volume yet.")
		case !c.Attached.Known() && c.Resolved():
			return misfit("The wait ended without an attach.")
		case !c.Attached.Known():
			return noEffect("The volume is not attached on the new node, and another pod waits for it in the same way. " + belief + ".")
		case c.Ready.Known():
			return noEffect("Ready came " + words.Whole(max(c.Ready.At.Sub(c.Attached.At).Seconds(), 0)) + " after the attach. " + belief + ".")
		}
		return noEffect(belief + ".")
	},
	From:   func(i *Incident) float64 { return i.of(i.Case.Attached.At) },
	Change: func(_ *Incident, p replay.Plan, _ float64) replay.Plan { return p },
	Steps: func(i *Incident) []model.Step {
		return []model.Step{prove("see instead where the volume is attached, and what the new node's kubelet says of the mount",
			"kubectl", "get", "volumeattachment", "-o", within(`jsonpath={range .items[?(@.spec.source.persistentVolumeName=="`,
				i.Case.Volume.PersistentVolume, `")]}{.spec.nodeName} {.status.attached}{"\n"}{end}`))}
	},
}
