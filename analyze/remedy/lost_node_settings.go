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

var repairNode = Remedy{
	ID: "repair-node", Title: "Bring the lost node back",
	References:  []string{"recordings on real nodes: the new pod became Ready 14 to 16 s after the node's kubelet had started"},
	SideEffects: always("pods that were not evicted yet start there again"),

	Phases: lossPhases,
	Fit: func(i *Incident) Fit {
		return first([]when{
			unfit(i.ofLostNode(i.node() + " was Ready.")),
			{i.absent(i.stuck() + i.reaction), misfit("The Node object was deleted.")},
			{math.IsInf(i.Scenario.Back, 1), undecidable("Whether the machine of " + i.node() + " can be started again is not in the bundle.")},
			{true, fits("A machine that is Ready again " + words.Whole(replay.MachineStart) + " after somebody turns to it is assumed.")},
		})
	},
	From:   (*Incident).LostAt,
	Change: acting(replay.RepairNode),
	Acts:   []replay.ActKind{replay.RepairNode},
	Steps: func(i *Incident) []model.Step {
		return append(i.switchMachine(powerOn, "start the machine of $old again"),
			after("see that the node is Ready", "kubectl get node $node")(i))
	},
}

var longerTolerations = Remedy{
	ID: "longer-tolerations", Title: "Let pods stay through outages that are shorter than their move (tolerationSeconds)", Preventive: true,
	References:  []string{"DefaultTolerationSeconds admission: 300 s for not-ready and unreachable"},
	SideEffects: always("pods of a node that is lost for good move later", rollsOut),

	Phases: []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait,
		model.PhaseDetach, model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		s := i.Scenario
		return first([]when{
			unfit(i.ofLostNode("No pod was evicted from a lost node here.")),
			{!s.Evicted, misfit("No pod was evicted from a lost node here.")},
			{math.IsInf(s.Back, 1), misfit(i.node() + " did not come back, so that a longer toleration delays the move.")},
			{true,
				fits(fmt.Sprintf("%s was Ready again %s after it was found lost; the pod tolerated %s.",
					i.node(), words.Whole(s.Back-s.NotReady.Best), words.Whole(max(s.Deleted.Best-s.NotReady.Best, 0))))},
		})
	},
	Change: setting(func(s *replay.Settings) { s.StaysPut = true }),
	Steps: func(i *Incident) []model.Step {
		away := 300.0
		if back := i.Scenario.Back - i.LostAt(); !math.IsInf(back, 0) && !math.IsNaN(back) && back > 240 {
			away = math.Ceil(back/60+1) * 60
		}
		return steps(act(fmt.Sprintf("set in the pod template tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, "+
			"effect: NoExecute, tolerationSeconds: %.0f}]", away)))(i)
	},
}

var drainBeforeShutdown = Remedy{
	ID: "drain-before-shutdown", Title: "Drain a node before it is shut down or rebooted", Preventive: true,
	References:  []string{"kubernetes.io: Safely Drain a Node", "recordings on real nodes: Ready 10 s after a drain began"},
	SideEffects: always("a pod that cannot be evicted holds the drain up"),

	Phases: []model.PhaseID{model.PhaseDetection, model.PhaseEviction, model.PhaseReplacement, model.PhaseScheduling, model.PhaseRelease,
		model.PhaseUnmountWait, model.PhaseDetach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		s := i.Scenario
		return first([]when{
			{i.Case.DeletedAlive(),
				undecidable("A drain before the Node was deleted would have moved the pod in order; the replay does not know how soon.")},
			unfit(i.ofLostNode("No node was lost here.")),
			{s.Deleted.Known() && !s.Evicted && s.Deleted.Best < i.LostAt(), noEffect("The old pod was asked to end before the node went away.")},
			{math.IsInf(s.Lost, 1),
				undecidable("The last sign of life of " + i.node() + " is not in the bundle: the Lease, or the controller's log.")},
			{i.Case.ShutDown() != nil || i.Case.DeclaredShutdown() != nil, fits("A drain that ends before the machine goes down is assumed.")},
			{true, undecidable("The bundle does not show whether " + i.node() + " went away on purpose, so that somebody could have drained it.")},
		})
	},
	Change: setting(func(s *replay.Settings) { s.Drained = true }),
	Steps: steps(act("drain the node", "kubectl drain $node --ignore-daemonsets --delete-emptydir-data"),
		act("wait until no VolumeAttachment of it is left, then shut it down", "kubectl get volumeattachment -o", attachmentsOfNode),
		after("let pods on it again", "kubectl uncordon $node")),
}

// What the replay of the preventive settings uses, in seconds: values that are in use, not the shortest possible.
const (
	shortToleration = 30.0
	shortGrace      = 20.0
)

var shortenTolerations = Remedy{
	ID: "shorten-tolerations", Title: "Let pods leave a lost node sooner (tolerationSeconds 30)", Preventive: true,
	References:  []string{"DefaultTolerationSeconds admission: 300 s for not-ready and unreachable"},
	SideEffects: always("evicts pods at short outages too (after 30 s instead of 5 min by default)", rollsOut),

	Phases: []model.PhaseID{model.PhaseEviction},
	Fit: func(i *Incident) Fit {
		s := i.Scenario
		return first([]when{
			unfit(i.ofLostNode("No pod was evicted from a lost node here.")),
			{!s.Evicted, misfit("No pod was evicted from a lost node here.")},
			{s.Toleration.Best <= shortToleration,
				noEffect(fmt.Sprintf("The pod tolerates an unreachable node for only %s already.", words.Whole(s.Toleration.Best)))},
			{!i.Asis.Ready.Known() && len(i.Done.Acts) == 0,
				noEffect("The wait begins sooner with it, and does not end by itself: the old pod object stays, and nobody ended it.")},
			{true, fits("Operator actions are assumed to shift with the Multi-Attach report.")},
		})
	},
	Change: setting(func(s *replay.Settings) { s.Toleration = new(shortToleration) }),
	Steps: steps(act("set in the pod template " +
		"tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 30}]")),
}

var fasterNodeDetection = Remedy{
	ID: "faster-node-detection", Title: "Declare nodes lost sooner (node-monitor-grace-period 20s)", Preventive: true,
	References:  []string{"kube-controller-manager: --node-monitor-grace-period, 40 s up to 1.31, 50 s since 1.32"},
	SideEffects: always("nodes whose status comes 20 s late are declared not Ready, and their pods leave the Services"),

	Phases: []model.PhaseID{model.PhaseDetection},
	Fit: func(i *Incident) Fit {
		s := i.Scenario
		return first([]when{
			unfit(i.ofLostNode(i.node() + " was Ready.")),
			{!i.Scenario.NotReady.Known(), misfit("The Node was deleted, and not declared lost before.")},
			{math.IsInf(s.Lost, 1),
				undecidable("The last sign of life of " + i.node() + " is not in the bundle: the Lease, or the controller's log.")},
			{s.Grace.Best <= shortGrace, noEffect("The grace period is that short already.")},
			{!i.Asis.Ready.Known() && len(i.Done.Acts) == 0,
				noEffect("The wait begins sooner with it, and does not end by itself: the old pod object stays, and nobody ended it.")},
			{true, fits("Operator actions are assumed to shift with the Multi-Attach report.")},
		})
	},
	Change: setting(func(s *replay.Settings) { s.Grace = new(shortGrace) }),
	Steps:  steps(act("give kube-controller-manager the argument --node-monitor-grace-period=20s")),
}

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
	Steps: steps(prove("see what the kubelet has", "kubectl get --raw /api/v1/nodes/$node/proxy/configz"),
		act("set in the KubeletConfiguration, for example, shutdownGracePeriod: 60s and shutdownGracePeriodCriticalPods: 15s")),
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
	return first([]when{
		{notice == "" && asked, noEffect("The old pod was asked to end before the shutdown, which is what a graceful shutdown would have done.")},
		{notice == "" && c.ShutDown() != nil,
			undecidable("The cloud found the machine shut down; whether its kubelet had notice to end the pods is not in the bundle.")},
		{notice == "",
			undecidable("The bundle does not show whether " + i.node() + " was shut down or failed without notice (then nothing ends its pods).")},
		{math.IsInf(s.Lost, 1),
			undecidable("The last sign of life of " + i.node() + " is not in the bundle: the Lease, or the controller's log.")},
		{true, fits("The loss came with notice (" + notice + "). The node is assumed off before the unmount was reported, as in the recordings.")},
	})
}

// drained reports that the pod was asked to end on a live node, which went away before it reported the unmount.
func (i *Incident) drained() Fit {
	s := i.Scenario
	return first([]when{
		unfit(i.ofLostNode(i.node() + " was Ready while it held the volume.")),
		{!s.Deleted.Known() || s.Evicted || s.Deleted.Best > i.LostAt(),
			misfit("Nobody asked the old pod to end before its node was lost, so that there was no drain that could have waited.")},
	})
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
	Steps: steps(prove("see whether the driver's node pods have the hook", "kubectl get daemonset -n kube-system ebs-csi-node -o",
		`jsonpath={.spec.template.spec.containers[*].lifecycle}{"\n"}`),
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
	Steps: steps(act("let the autoscaler end a machine only when its node has no VolumeAttachment left, listed here",
		"kubectl get volumeattachment -o", attachmentsOfNode)),
}

// vendor is a driver whose own controller can take pods and VolumeAttachments from a lost node.
type vendor struct {
	drivers []string
	actor   string // its controller, as upstream.ActorOf calls it; empty when it does not know it
	name    string
	setting string // what switches it on
	proof   string // what it knows of the old node when it acts
}

// vendors are those with documented behaviour: Longhorn, HPE CSI Pod Monitor, Dell csm-resiliency, piraeus-ha-controller.
var vendors = []vendor{
	{[]string{"driver.longhorn.io"}, "Longhorn", "Longhorn",
		"setting node-down-pod-deletion-policy: delete-both-statefulset-and-deployment-pod",
		"Longhorn goes by the Node's condition and does not look at the machine"},
	{[]string{"csi.hpe.com"}, "", "the HPE CSI Pod Monitor", "label monitored-by: hpe-csi on the pods",
		"its documentation leaves the proof to the operator"},
	{[]string{"csi-vxflexos.dellemc.com", "csi-isilon.dellemc.com", "csi-unity.dellemc.com", "csi-powerstore.dellemc.com"},
		"podmon (CSM resiliency)", "Dell CSM resiliency (podmon)", "label podmon.dellemc.com/driver on the pods",
		"podmon asks the array whether the host is connected, unless SkipArrayConnectionValidation is set"},
	{[]string{"linstor.csi.linbit.com"}, "the Piraeus HA controller", "the Piraeus HA controller",
		"piraeus-ha-controller installed, resources with quorum", "DRBD suspends the old node's writes when it has lost quorum"},
}

func vendorOf(driver string) (vendor, bool) {
	if n := slices.IndexFunc(vendors, func(v vendor) bool { return slices.Contains(v.drivers, driver) }); n >= 0 {
		return vendors[n], true
	}
	return vendor{}, false
}

// vendorDelay is the time, in seconds, from the old pod's deletion to its forced end: 20 to 38 s in published runs of Longhorn.
const vendorDelay = 30.0

var vendorNodeDownPolicy = Remedy{
	ID: "vendor-node-down-policy", Title: "Let the storage's own controller move volumes from lost nodes", Preventive: true,
	References: []string{"Longhorn: Node Down Pod Deletion Policy (do-nothing by default), PR 1395, PR 3673",
		"dell/csm-resiliency", "HPE CSI Pod Monitor", "piraeus-ha-controller"},
	SideEffects: always("pods with the driver's volumes on every lost node are ended by force, not only this one"),

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseDetach,
		model.PhaseMount},
	Fit: func(i *Incident) Fit {
		driver := i.Case.Volume.Driver
		v, known := vendorOf(driver)
		return first([]when{
			{driver != "" && !known, misfit(fmt.Sprintf("%s is not known to have such a controller.", driver))},
			unfit(i.ofLostNode(i.node() + " was Ready.")),
			{driver == "", undecidable("The volume's driver is not known.")},
			{i.vendorActed(v), noEffect(words.Capital(v.name) + " did it here already.")},
			{!i.Scenario.Deleted.Known(), undecidable("When the old pod was deleted is not known.")},
			{true,
				fits(fmt.Sprintf("%s is assumed to end the old pod %s after its deletion, and to delete the VolumeAttachment then.",
					words.Capital(v.name), words.Whole(vendorDelay)))},
		})
	},
	Change: func(i *Incident, p replay.Plan, _ float64) replay.Plan {
		at := i.Scenario.Deleted.Best + vendorDelay
		return p.Until(at).With(replay.Act{Kind: replay.ForceDeletePod, At: at}, replay.Act{Kind: replay.DeleteAttachment, At: at})
	},
	Needs: func(i *Incident, at float64) []Need {
		v, _ := vendorOf(i.Case.Volume.Driver)
		if v.proof == "" {
			return []Need{stopped(i, at)}
		}
		return []Need{{Text: i.node() + " no longer writes to the volume when its controller acts; " + v.proof + ".", Met: model.Unknown}}
	},
	Steps: func(i *Incident) []model.Step {
		v, _ := vendorOf(i.Case.Volume.Driver)
		return steps(prove("make sure that a lost node no longer writes when the controller of "+v.name+" acts; no command tells"),
			act(words.Capital(v.name)+": "+v.setting))(i)
	},
}

// vendorActed reports that the vendor's controller did something to the objects of the incident.
func (i *Incident) vendorActed(v vendor) bool {
	return v.actor != "" && slices.ContainsFunc(i.Scenario.Actions, func(a wait.Action) bool { return a.By == v.actor })
}
