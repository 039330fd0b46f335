package remedy

import (
	"fmt"
	"math"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

var gracefulNodeShutdown = Remedy{
	ID: "graceful-node-shutdown", Title: "Let kubelets end their pods when the machine shuts down", Preventive: true,
	Doc: Doc{
		Does: "With shutdownGracePeriod the kubelet holds the shutdown up and ends its pods, whose phase becomes Failed: the controller no longer counts them as users, and replacements are made " +
			"at once, without NotReady and the toleration before it.",
		DoesNot: "It does not help when a machine fails without notice. The unmount may not be reported in time, so that the six minutes remain: in the recordings such a node's volumes moved " +
			"385 s after the shutdown, without anybody's help.",
		Risk: "None for the data. Both shutdownGracePeriod and shutdownGracePeriodCriticalPods have to be set, and systemd's InhibitDelayMaxSec must allow them.",
		References: []string{
			"kubernetes.io: Graceful node shutdown, beta and on since 1.21; shutdownGracePeriod is 0 by default", "kubernetes 115148, 125070, 139660: the shutdown and the unmount",
		},
	},
	SideEffects: always("every shutdown of a machine takes up to the grace period longer"),

	Phases:     []model.PhaseID{model.PhaseDetection, model.PhaseEviction, model.PhaseReplacement, model.PhaseScheduling, model.PhaseRelease, model.PhaseUnmountWait, model.PhaseMount},
	Kubernetes: "1.21 and later",
	Fit:        fitGracefulShutdown,
	Change:     setting(func(s *replay.Settings) { s.GracefulShutdown = true }),
	Steps: func(i *Incident) []model.Step {
		return []model.Step{
			prove("see what the kubelet has now", "kubectl", "get", "--raw", within("/api/v1/nodes/", i.node(), "/proxy/configz")),
			act("set in the KubeletConfiguration, for example, shutdownGracePeriod: 60s and shutdownGracePeriodCriticalPods: 15s"),
		}
	},
}

func fitGracefulShutdown(i *Incident) Fit {
	c, s := i.Case, i.Scenario
	switch f := i.ofLostNode("No node was lost here."); {
	case f.Verdict != Fits:
		return f
	case s.Finished.Known() && s.Finished.Best <= s.Reported+1:
		return noEffect("The old pod had finished before: its node ended it, as a graceful shutdown does. What remained was the unmount, which was not reported.")
	case c.SaidShuttingDown() != nil:
		return noEffect(i.node() + " was shutting down gracefully: its kubelet said so.")
	case len(c.SaidByKubelet()) > 0 || len(c.KubeletAlive()) > 0:
		return misfit(fmt.Sprintf("%s was not shut down: its kubelet went on working while the node was not Ready.", i.node()))
	}
	notice := ""
	for _, r := range c.Removals() {
		if r.At.Known() && i.of(r.At.At) < i.lostAt() {
			notice = r.What
			break
		}
	}
	switch {
	case notice == "" && s.Deleted.Known() && !s.Evicted && s.Deleted.Best < i.lostAt():
		return noEffect("The old pod was asked to end before the shutdown, which is what a graceful shutdown would have done.")
	case notice == "" && c.ShutDown() != nil:
		return undecidable("The cloud found the machine shut down; whether its system was told, so that the kubelet could have ended its pods, the bundle does not show.")
	case notice == "":
		return undecidable(fmt.Sprintf("Nothing tells whether %s was shut down or failed without notice, in which case there is nobody to end its pods.", i.node()))
	case math.IsInf(s.Lost, 1):
		return undecidable("The last sign of life of " + i.node() + " is not in the bundle: the Lease, or the controller's log.")
	}
	return fits(fmt.Sprintf("The loss came with notice (%s). It is assumed that the unmount was not reported before the machine was off, as in the recordings.", notice))
}
