package remedy

import (
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// drained reports that the pod was asked to end on a live node, which went away before it reported the unmount.
func (i *Incident) drained() Fit {
	s := i.Scenario
	switch f := i.ofLostNode(i.node() + " was Ready while it held the volume."); {
	case f.Verdict != Fits:
		return f
	case !s.Deleted.Known() || s.Evicted || s.Deleted.Best > i.lostAt():
		return misfit("Nobody asked the old pod to end before its node was lost, so that there was no drain that could have waited.")
	}
	return fits("")
}

// awaitDetach replays a node that stays until the volume is unmounted.
var awaitDetach = setting(func(s *replay.Settings) { s.AwaitsDetach = true })

// afterDrain are the phases of a drain that is cut short.
var afterDrain = []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseMount}

// hooked are the drivers whose node plugin has a hook that waits for the volumes of a drained node.
var hooked = []string{"ebs.csi.aws.com"}

var driverPrestopDetach = Remedy{
	ID: "driver-prestop-detach", Title: "Let the driver's node plugin wait for the volumes of a drained node", Preventive: true,
	Doc: Doc{
		Does: "The hook runs when the driver's pod on a drained node is to end, and holds it until the node's VolumeAttachments are gone, so that the kubelet can still unmount and the " +
			"controller detaches at once.",
		DoesNot: "It does not help when the machine fails, or is taken away without a drain. It waits only on nodes that are being drained.",
		Risk:    "A volume that does not come off holds the drain up until the plugin's grace period ends.",
		References: []string{
			"aws-ebs-csi-driver, FAQ: preStop hook of the node plugin, on by default; the DaemonSet must not tolerate every taint (node.tolerateAllTaints=false)",
			"kubernetes 125070: the kubelet waits for unmounts at a shutdown",
		},
	},
	SideEffects: always("a volume that does not come off holds a drain up until the plugin's grace period ends"),

	Phases: afterDrain,
	Fit: func(i *Incident) Fit {
		f := i.drained()
		switch driver := i.Case.Volume.Driver; {
		case f.Verdict != Fits:
			return f
		case driver == "":
			return undecidable("The volume's driver is not known.")
		case !slices.Contains(hooked, driver):
			return undecidable(fmt.Sprintf("Whether %s has such a hook is not known to volpost.", driver))
		}
		return fits("")
	},
	Change: awaitDetach,
	Steps: steps(
		prove("see whether the driver's node pods have the hook", "kubectl", "get", "daemonset", "-n", "kube-system", "ebs-csi-node", "-o", `jsonpath={.spec.template.spec.containers[*].lifecycle}{"\n"}`),
		act("give the driver's node pods the preStop hook that its chart offers"),
	),
}

var autoscalerWaitsForDetach = Remedy{
	ID: "autoscaler-waits-for-detach", Title: "Let the autoscaler wait for the volumes before it ends the machine", Preventive: true,
	Doc: Doc{
		Does:    "The autoscaler drains the node and ends the machine only when the VolumeAttachments of the drained pods are gone, so that the kubelet can unmount and the controller detaches at once.",
		DoesNot: "It does not help when the machine fails, or when the cloud takes it away by itself at its own time.",
		Risk:    "A pod that cannot be drained, or a volume that does not come off, keeps the machine until the autoscaler's own limit.",
		References: []string{
			"Karpenter PR 1294 (waits for the VolumeAttachments of drainable pods); karpenter 2237 shows what is left", "Gardener machine-controller-manager PR 839",
		},
	},
	SideEffects: always("a pod or a volume that does not come off keeps the machine until the autoscaler's own limit"),

	Phases: afterDrain,
	Fit: func(i *Incident) Fit {
		if f := i.drained(); f.Verdict != Fits {
			return f
		}
		for _, r := range i.Case.Removals() {
			switch r.Who {
			case upstream.Karpenter, upstream.ClusterAutoscaler:
				return fits(fmt.Sprintf("%s took the node away (%s).", words.Capital(string(r.Who)), r.What))
			}
		}
		return misfit("No autoscaler is seen to have taken the node away.")
	},
	Change: awaitDetach,
	Steps: func(i *Incident) []model.Step {
		return []model.Step{
			act("let the autoscaler end a machine only when its node has no VolumeAttachment left, which this lists",
				"kubectl", "get", "volumeattachment", "-o", within(`jsonpath={range .items[?(@.spec.nodeName=="`, i.node(), `")]}{.metadata.name}{"\n"}{end}`)),
		}
	},
}
