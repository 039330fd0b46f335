package upstream

import (
	"slices"
	"strings"
)

// Remover is who takes a machine away on purpose.
type Remover string

// The programs whose signs are known.
const (
	ClusterAutoscaler  Remover = "the cluster autoscaler"
	Karpenter          Remover = "Karpenter"
	TerminationHandler Remover = "the AWS node termination handler"
	Cloud              Remover = "the cloud"
)

// RemovalTaint says who taints a Node whose machine is about to be removed, without taints of mere candidates. Sources: cluster-autoscaler
// utils/taints; Karpenter v1 and v1beta1; aws-node-termination-handler pkg/node; GKE graceful node termination.
func RemovalTaint(key string) (Remover, bool) {
	switch key {
	case "ToBeDeletedByClusterAutoscaler":
		return ClusterAutoscaler, true
	case "karpenter.sh/disrupted", "karpenter.sh/disruption":
		return Karpenter, true
	case "aws-node-termination-handler/spot-itn", "aws-node-termination-handler/asg-lifecycle-termination":
		return TerminationHandler, true
	case "cloud.google.com/impending-node-termination":
		return Cloud, true
	}
	return "", false
}

// RemovalEvent says whose Event announces that a Node's machine is removed, without advice (SpotRebalanceRecommendation) and refusals
// (DisruptionBlocked). Sources: Karpenter events; cluster-autoscaler core/scaledown; aws-node-termination-handler.
func RemovalEvent(reason, component string) (Remover, bool) {
	switch reason {
	case "SpotInterrupted", "TerminatingOnInterruption", "DisruptionTerminating", "InstanceTerminating", "InstanceStopping":
		return Karpenter, true
	case "Disrupted":
		return Karpenter, component == "karpenter"
	case "ScaleDown":
		return ClusterAutoscaler, true
	case "SpotInterruption", "ASGLifecycle":
		return TerminationHandler, true
	case "PreemptScheduled", "TerminateScheduled": // node-problem-detector on AKS
		return Cloud, true
	}
	return "", false
}

// RemovalActor says which of the programs sent a request, as ActorOf tells it.
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
var cloudRemoval = []string{"because it does not exist in the cloud provider", "not present according to cloud provider", "no longer present in cloud provider"}

// NotInCloud reports that the text of a Node's deletion says that the cloud does not know the machine.
func NotInCloud(text string) bool {
	return slices.ContainsFunc(cloudRemoval, func(w string) bool { return strings.Contains(text, w) })
}

// FencedEvent: a fence agent has reset the machine (medik8s fence-agents-remediation, after FenceAgentSucceeded). Self node remediation is
// left out: it assumes a reboot after a time.
func FencedEvent(reason string) bool {
	return reason == "NodeRemediationCompleted" || reason == "AddOutOfServiceTaint"
}
