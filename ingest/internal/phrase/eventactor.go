package phrase

import (
	"strings"

	"github.com/volpost/volpost/model"
)

// actorEvent is an event by which a program outside of Kubernetes says what it did to a pod, a node or a VolumeAttachment.
// Only such are here as follow the successful request, or precede it directly; an announcement that may be refused, such as
// the cluster autoscaler's "deleting pod for node scale down", remains an announcement.
type actorEvent struct {
	agent          string // the program, as its accounts and user agents name it
	component      string // who reports it; "" where the message is no other's
	reason         string // "" where the program has many
	object         string // kind of the object that it is about
	prefix, suffix string // of the message
	kind           model.Kind
	detail         string
}

const (
	// forcefully is a grace period of zero.
	forcefully = "grace 0s"
	// evicted is a deletion through the eviction API.
	evicted = "eviction"
	// outOfService is the taint as the medik8s operators set it (OutOfServiceTaint of both).
	outOfService = "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
)

// actorEvents are of the programs' sources, each read in the version that is named.
var actorEvents = []actorEvent{
	// piraeus-ha-controller pkg/agent/reconcile_failover.go and pkg/metadata (2.x, 2026-06): after the request. Whether the
	// pod was evicted or, on a node that is not ready, deleted with no grace, the event does not say.
	{"piraeus-ha-controller", "", "VolumeWithoutQuorum", "VolumeAttachment", "Volume attachment was force-detached",
		"because node lost quorum", model.AttachmentDeletionRequested, ""},
	{"piraeus-ha-controller", "", "VolumeWithoutQuorum", "Pod", "Pod was evicted because attached volume lost quorum", "",
		model.PodDeletionRequested, ""},
	// dell/karavi-resiliency internal/monitor/controller.go (2025-11): directly before the request; the reason is the cause of the clean-up.
	{"podmon", "", "", "Pod", "podmon cleaning pod ", " with force delete", model.PodDeletionRequested, forcefully},
	// medik8s self-node-remediation internal/controller (2026-07), with the prefix of medik8s/common pkg/events: after the patch of the node.
	{"self-node-remediation", "", "AddOutOfService", "Node", "[remediation] Remediation process - add out-of-service taint", "",
		model.NodeTainted, outOfService},
	{"self-node-remediation", "", "RemoveOutOfService", "Node", "[remediation] Remediation process - remove out-of-service taint", "",
		model.NodeUntainted, outOfService},
	// medik8s fence-agents-remediation pkg/utils/events.go and controllers: after the patch of the node.
	{"fence-agents-remediation", "", "AddOutOfServiceTaint", "Node", "[remediation] The out-of-service taint was added", "",
		model.NodeTainted, outOfService},
	{"fence-agents-remediation", "", "RemoveOutOfServiceTaint", "Node", "[remediation] The out-of-service taint was removed", "",
		model.NodeUntainted, outOfService},
	// kubernetes-sigs/karpenter pkg/controllers/node/termination/terminator (2026-08; "Evicted pod" alone before 1.x): after
	// the eviction was granted. A kubelet's events of this reason are about its own pods' resources.
	{"karpenter", "karpenter", "Evicted", "Pod", "Evicted pod", "", model.PodDeletionRequested, evicted},
}

// readActor reads an event of the table; false when it is none.
func readActor(e *EventRecord, o *model.Observation) bool {
	for i := range actorEvents {
		a := &actorEvents[i]
		if a.reason != "" && a.reason != e.Reason || a.object != e.Object.Kind || a.component != "" && a.component != e.Component ||
			!strings.HasPrefix(e.Message, a.prefix) || !strings.HasSuffix(e.Message, a.suffix) {
			continue
		}
		o.Kind, o.Detail, o.Agent = a.kind, a.detail, a.agent
		return true
	}
	return false
}
