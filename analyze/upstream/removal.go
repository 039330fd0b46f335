package upstream

import (
	"slices"
	"strings"
)

// Remover is a program that takes a machine away on purpose.
type Remover string

// The programs whose signs are known.
const (
	ClusterAutoscaler  Remover = "the cluster autoscaler"
	Karpenter          Remover = "Karpenter"
	TerminationHandler Remover = "the AWS node termination handler"
	Cloud              Remover = "the cloud"
)

// removalTaints are put on a Node whose machine is about to be removed, without taints of mere candidates. Sources: cluster-autoscaler
// utils/taints; Karpenter v1 and v1beta1; aws-node-termination-handler pkg/node; GKE graceful node termination.
var removalTaints = map[string]Remover{
	"ToBeDeletedByClusterAutoscaler": ClusterAutoscaler,
	"karpenter.sh/disrupted":         Karpenter, "karpenter.sh/disruption": Karpenter,
	"aws-node-termination-handler/spot-itn":                  TerminationHandler,
	"aws-node-termination-handler/asg-lifecycle-termination": TerminationHandler,
	"cloud.google.com/impending-node-termination":            Cloud,
}

// RemovalTaint names the program that puts a taint on a Node whose machine is about to be removed.
func RemovalTaint(key string) (who Remover, ok bool) {
	who, ok = removalTaints[key]
	return who, ok
}

// removalEvents announce that a Node's machine is removed, without advice (SpotRebalanceRecommendation) and refusals (DisruptionBlocked).
// Sources: Karpenter events; cluster-autoscaler core/scaledown; aws-node-termination-handler; node-problem-detector on AKS.
var removalEvents = map[string]Remover{
	"SpotInterrupted": Karpenter, "TerminatingOnInterruption": Karpenter, "DisruptionTerminating": Karpenter,
	"InstanceTerminating": Karpenter, "InstanceStopping": Karpenter, "Disrupted": Karpenter, "ScaleDown": ClusterAutoscaler,
	"SpotInterruption": TerminationHandler, "ASGLifecycle": TerminationHandler, "PreemptScheduled": Cloud, "TerminateScheduled": Cloud,
}

// RemovalEvent names the program whose Event announces that a Node's machine is removed. Others than Karpenter write Disrupted, too.
func RemovalEvent(reason, component string) (who Remover, ok bool) {
	who, ok = removalEvents[reason]
	return who, ok && (reason != "Disrupted" || component == "karpenter")
}

// RemovalActor is the one of the programs that sent a request, by ActorOf.
func RemovalActor(user, agent string) (Remover, bool) {
	switch who := Remover(ActorOf(user, agent).Name); who {
	case Karpenter, ClusterAutoscaler:
		return who, true
	}
	return "", false
}

// ShutdownTaint says that the cloud shows a Node's machine as shut down, not why (cloud node lifecycle controller, 1.16–1.36).
const ShutdownTaint = "node.cloudprovider.kubernetes.io/shutdown"

// cloudRemoval are texts of a Node's deletion because the cloud lacks its machine: up to 1.15, and cloud controllers since 1.14.
var cloudRemoval = []string{
	"because it does not exist in the cloud provider", "not present according to cloud provider", "no longer present in cloud provider",
}

// NotInCloud reports that the text of a Node's deletion says that the cloud does not know the machine.
func NotInCloud(text string) bool {
	return slices.ContainsFunc(cloudRemoval, func(w string) bool { return strings.Contains(text, w) })
}

// FencedEvent: a fence agent has reset the machine (medik8s fence-agents-remediation); self node remediation only assumes it.
func FencedEvent(reason string) bool {
	return reason == "NodeRemediationCompleted" || reason == "AddOutOfServiceTaint"
}
