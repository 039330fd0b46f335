package remedy

import (
	"fmt"
	"math"
	"slices"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var gracefulNodeShutdown = Remedy{
	ID: "graceful-node-shutdown", Title: "Let kubelets end their pods when the machine shuts down", Preventive: true,
	References: []string{"kubernetes.io: Graceful node shutdown, beta and on since 1.21; shutdownGracePeriod is 0 by default",
		"kubernetes 115148, 125070, 139660: the shutdown and the unmount"},
	SideEffects: always("every shutdown of a machine takes up to the grace period longer"),

	Phases: []model.PhaseID{model.PhaseDetection, model.PhaseEviction, model.PhaseReplacement, model.PhaseScheduling, model.PhaseRelease,
		model.PhaseUnmountWait, model.PhaseMount},
	Kubernetes: "1.21 and later",
	Fit:        fitGracefulShutdown,
	Change:     setting(func(s *replay.Settings) { s.GracefulShutdown = true }),
	Steps: func(i *Incident) []model.Step {
		return []model.Step{prove("see what the kubelet has", "kubectl", "get", "--raw", within("/api/v1/nodes/", i.node(), "/proxy/configz")),
			act("set in the KubeletConfiguration, for example, shutdownGracePeriod: 60s and shutdownGracePeriodCriticalPods: 15s")}
	},
}

func fitGracefulShutdown(i *Incident) Fit {
	c, s := i.Case, i.Scenario
	switch f := i.ofLostNode("No node was lost here."); {
	case f.Verdict != Fits:
		return f
	case s.Finished.Known() && s.Finished.Best <= s.Reported+1:
		return noEffect("The node had ended the old pod before, as a graceful shutdown does. What remained was the unreported unmount.")
	case c.DeclaredShutdown() != nil:
		return noEffect(i.node() + " was shutting down gracefully: its kubelet said so.")
	case len(c.KubeletNotReady()) > 0 || len(c.KubeletAlive()) > 0:
		return misfit(fmt.Sprintf("%s was not shut down: its kubelet went on working while the node was not Ready.", i.node()))
	}
	asked := s.Deleted.Known() && !s.Evicted && s.Deleted.Best < i.LostAt() // on a live node
	notice, removals := "", c.Removals()
	if n := slices.IndexFunc(removals, func(r wait.Removal) bool { return r.At.Known() && i.of(r.At.At) < i.LostAt() }); n >= 0 {
		notice = removals[n].What
	}
	switch {
	case notice == "" && asked:
		return noEffect("The old pod was asked to end before the shutdown, which is what a graceful shutdown would have done.")
	case notice == "" && c.ShutDown() != nil:
		return undecidable("The cloud found the machine shut down; whether its kubelet had notice to end the pods is not in the bundle.")
	case notice == "":
		return undecidable("The bundle does not show whether " + i.node() + " was shut down or failed without notice (then nothing ends its pods).")
	case math.IsInf(s.Lost, 1):
		return undecidable("The last sign of life of " + i.node() + " is not in the bundle: the Lease, or the controller's log.")
	}
	return fits("The loss came with notice (" + notice + "). The node is assumed off before the unmount was reported, as in the recordings.")
}

// drained reports that the pod was asked to end on a live node, which went away before it reported the unmount.
func (i *Incident) drained() Fit {
	s := i.Scenario
	if f := i.ofLostNode(i.node() + " was Ready while it held the volume."); f.Verdict != Fits {
		return f
	} else if !s.Deleted.Known() || s.Evicted || s.Deleted.Best > i.LostAt() {
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
	References: []string{
		"aws-ebs-csi-driver, FAQ: preStop hook of the node plugin, on by default; the DaemonSet needs node.tolerateAllTaints=false",
		"kubernetes 125070: the kubelet waits for unmounts at a shutdown"},
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
	Steps: steps(prove("see whether the driver's node pods have the hook", "kubectl", "get", "daemonset", "-n", "kube-system", "ebs-csi-node",
		"-o", `jsonpath={.spec.template.spec.containers[*].lifecycle}{"\n"}`),
		act("give the driver's node pods the preStop hook that its chart offers")),
}

var autoscalerWaitsForDetach = Remedy{
	ID: "autoscaler-waits-for-detach", Title: "Let the autoscaler wait for the volumes before it ends the machine", Preventive: true,
	References: []string{"Karpenter PR 1294 (waits for the VolumeAttachments of drainable pods); karpenter 2237 shows what is left",
		"Gardener machine-controller-manager PR 839"},
	SideEffects: always("a pod or a volume that does not come off keeps the machine until the autoscaler's own limit"),

	Phases: afterDrain,
	Fit: func(i *Incident) Fit {
		if f := i.drained(); f.Verdict != Fits {
			return f
		}
		for _, r := range i.Case.Removals() {
			if r.Who == upstream.Karpenter || r.Who == upstream.ClusterAutoscaler {
				return fits(fmt.Sprintf("%s took the node away (%s).", words.Capital(string(r.Who)), r.What))
			}
		}
		return misfit("No autoscaler is seen to have taken the node away.")
	},
	Change: awaitDetach,
	Steps: func(i *Incident) []model.Step {
		return []model.Step{act("let the autoscaler end a machine only when its node has no VolumeAttachment left, listed here", "kubectl", "get",
			"volumeattachment", "-o", within(`jsonpath={range .items[?(@.spec.nodeName=="`, i.node(), `")]}{.metadata.name}{"\n"}{end}`))}
	},
}
