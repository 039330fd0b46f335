package phrase

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

// EventRecord is a Kubernetes Event without its shape: from core/v1, from events.k8s.io/v1, or from the line that the
// recorder writes into the log of its process. Fields that the source does not give are empty.
type EventRecord struct {
	Reason, Message string
	Component       string       // who reported it
	Object          model.Ref    // about what
	First, Last     model.Moment // Last is zero when the source gives one instant
	Count           int          // below 1 counts as 1
	Floating        bool         // as in model.Observation
	Node            string       // source.host
}

// aggregated is what the recorder puts before the latest of ten different messages that it merges (client-go tools/record/events_cache.go).
const aggregated = "(combined from similar events): "

// multiAttach begins the controller's report.
const multiAttach = "Multi-Attach error for volume "

// Event reads an Event; an unknown reason is a model.KubernetesEvent's Detail. The caller fills in Source, Quote and Input.
func Event(e EventRecord) model.Observation {
	o := model.Observation{
		Kind: model.KubernetesEvent, At: e.First, Last: e.Last, Count: max(e.Count, 1), Floating: e.Floating,
		Component: e.Component, Object: e.Object, Detail: e.Reason,
	}
	if o.Last.IsZero() {
		o.Last = o.At
	}
	switch e.Object.Kind {
	case "Pod":
		o.Pod, o.Node = e.Object, e.Node
	case "Node":
		o.Node = e.Object.Name
	case "VolumeAttachment":
		o.Attachment = e.Object.Name
	case "PersistentVolumeClaim":
		o.Claim = e.Object
	case "PersistentVolume":
		o.Volume.PersistentVolume = e.Object.Name
	}
	e.Message = strings.TrimPrefix(e.Message, aggregated)
	if before, report, ok := strings.Cut(e.Message, multiAttach); ok && e.Reason == "FailedAttachVolume" && !strings.Contains(before, ":") {
		e.Message = multiAttach + report // columns of a page stand before it: an error that quotes it has a colon
	}
	for i := range eventRows {
		if eventRows[i].says(&e, &o) {
			break
		}
	}
	o.Volume = o.Volume.Complete()
	return o
}

// eventRow is what an Event says. What is empty may be any. The reasons and messages are those of 1.13–1.36 where nothing else is said.
type eventRow struct {
	reason, object string // object is the kind of what it is about
	component      string // who reports it; "" where the message is no other's
	prefix, suffix string // of the message
	kind           model.Kind
	detail         string
	message        bool                                            // the message is the Detail: an error
	agent          string                                          // a program outside of Kubernetes, as its accounts and user agents name it
	read           func(e *EventRecord, o *model.Observation) bool // what is left to read
}

// says reports whether a row fits; else the observation stays as it is.
func (r *eventRow) says(e *EventRecord, o *model.Observation) bool {
	for _, pair := range [...][2]string{{r.reason, e.Reason}, {r.object, e.Object.Kind}, {r.component, e.Component}} {
		if pair[0] != "" && pair[0] != pair[1] {
			return false
		}
	}
	if !strings.HasPrefix(e.Message, r.prefix) || !strings.HasSuffix(e.Message, r.suffix) {
		return false
	}
	before := *o
	o.Kind, o.Detail, o.Agent = r.kind, r.detail, r.agent
	if r.message {
		o.Detail = e.Message
	}
	if r.read != nil && !r.read(e, o) {
		*o = before
		return false
	}
	return true
}

const (
	// forcefully is a grace period of zero.
	forcefully = "grace 0s"
	// outOfService is the taint as the medik8s operators set it (OutOfServiceTaint of both).
	outOfService = "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
	remediation  = "[remediation] " // the prefix of medik8s/common pkg/events
)

// FailedAttachVolume is the reason of many different errors; the first rows decide whether it is the controller's Multi-Attach report.
var eventRows = []eventRow{
	{reason: "FailedAttachVolume", prefix: multiAttach, kind: model.MultiAttach, read: eventMultiAttach},
	{reason: "FailedAttachVolume", prefix: "Waiting for detach for volume ", kind: model.MultiAttach, read: eventMultiAttach},
	{reason: "FailedAttachVolume", kind: model.AttachFailed, message: true, read: eventAttachFailed},
	{reason: "SuccessfulAttachVolume", kind: model.AttachSucceeded, read: eventVolume},
	{reason: "FailedMount", prefix: "AttachVolume.", kind: model.AttachFailed, message: true, read: eventAttachFailed}, // by the controller, up to 1.9
	{reason: "FailedMount", prefix: oldAttach, kind: model.AttachFailed, message: true, read: eventAttachFailed},
	{reason: "FailedMount", kind: model.MountFailed, message: true, read: eventMountFailed},
	{reason: "FailedMapVolume", kind: model.MountFailed, message: true, read: eventMountFailed}, // of block volumes
	{reason: "FailedDetachVolume", kind: model.DetachFailed, message: true, read: eventVolume},  // by in-tree clouds up to 1.14 and by vendors
	// Of a Node the controller or the kubelet changed the condition; of a Pod the controller set Ready False for its node.
	{reason: "NodeNotReady", object: "Node", component: "node-controller", kind: model.NodeNotReady, detail: "Unknown"},
	{reason: "NodeNotReady", object: "Node", component: kubelet, kind: model.NodeNotReady, detail: "False"},
	{reason: "NodeNotReady", object: "Node", kind: model.NodeNotReady},
	{reason: "NodeNotReady", object: "Pod", kind: model.PodNotReady, detail: "node not ready"},
	{reason: "NodeReady", object: "Node", kind: model.NodeReady},
	{reason: "RegisteredNode", object: "Node", kind: model.NodeRegistered},
	{reason: "RemovingNode", object: "Node", kind: model.NodeDeleted},
	{reason: "DeletingNode", object: "Node", kind: model.NodeDeleted},
	// Written when the deletion happens, after the toleration has run out, not when it is planned.
	{reason: "TaintManagerEviction", prefix: "Marking for deletion Pod ", kind: model.PodEvictionDecided, read: eventPod},
	{reason: "TaintManagerEviction", prefix: "Cancelling deletion of Pod ", kind: model.PodEvictionCancelled, read: eventPod},
	{reason: "NodeControllerEviction", object: "Pod", kind: model.PodEvictionDecided},
	{reason: "Killing", object: "Pod", kind: model.PodKilling},
	{reason: "FailedKillPod", object: "Pod", kind: model.PodKillFailed, message: true},
	{reason: "Scheduled", object: "Pod", prefix: "Successfully assigned ", kind: model.PodScheduled, read: eventScheduled},
	{reason: "FailedScheduling", object: "Pod", kind: model.PodSchedulingFailed, message: true},
	{reason: "SuccessfulCreate", kind: model.ReplicaCreated, read: eventReplica},
	{reason: "SuccessfulDelete", kind: model.ReplicaDeleted, read: eventReplica},
	{reason: "ScalingReplicaSet", kind: model.WorkloadScaled, message: true, read: eventScaled},
	{reason: "LeaderElection", suffix: "became leader", kind: model.LeaderAcquired, read: eventLeader},
	{reason: "LeaderElection", suffix: "stopped leading", kind: model.LeaderLost, read: eventLeader},
	{reason: "ProvisioningFailed", object: "PersistentVolumeClaim", kind: model.ProvisionFailed, message: true}, // also by external-provisioner
	{reason: "ExternalProvisioning", object: "PersistentVolumeClaim", kind: model.ProvisionWaits, message: true},
	{reason: "VolumeResizeFailed", object: "PersistentVolumeClaim", kind: model.ResizeFailed, message: true}, // by external-resizer, or in-tree
	{reason: "FileSystemResizeFailed", object: "PersistentVolumeClaim", kind: model.ResizeFailed, message: true},
	{reason: "FileSystemResizeFailed", object: "Pod", kind: model.ResizeFailed, message: true},
	{reason: "VolumeResizeFailed", object: "Pod", kind: model.ResizeFailed, message: true},
	{reason: "VolumeFailedDelete", object: "PersistentVolume", kind: model.ReclaimFailed, message: true},

	// Programs outside of Kubernetes, by their sources, each read in the version that is named. Only such events are here as follow the
	// successful request, or precede it directly; an announcement that may be refused, such as the cluster autoscaler's "deleting pod for node
	// scale down", remains an announcement.

	// piraeus-ha-controller pkg/agent/reconcile_failover.go and pkg/metadata (2.x, 2026-06): after the request. Whether the
	// pod was evicted or, on a node that is not ready, deleted with no grace, the event does not say.
	{agent: "piraeus-ha-controller", reason: "VolumeWithoutQuorum", object: "VolumeAttachment", prefix: "Volume attachment was force-detached",
		suffix: "because node lost quorum", kind: model.AttachmentDeletionRequested},
	{agent: "piraeus-ha-controller", reason: "VolumeWithoutQuorum", object: "Pod",
		prefix: "Pod was evicted because attached volume lost quorum", kind: model.PodDeletionRequested},
	// dell/karavi-resiliency internal/monitor/controller.go (2025-11): directly before the request; the reason is the cause of the clean-up.
	{agent: "podmon", object: "Pod", prefix: "podmon cleaning pod ", suffix: " with force delete", kind: model.PodDeletionRequested,
		detail: forcefully},
	// medik8s self-node-remediation internal/controller (2026-07): after the patch of the node.
	{agent: "self-node-remediation", reason: "AddOutOfService", object: "Node",
		prefix: remediation + "Remediation process - add out-of-service taint", kind: model.NodeTainted, detail: outOfService},
	{agent: "self-node-remediation", reason: "RemoveOutOfService", object: "Node",
		prefix: remediation + "Remediation process - remove out-of-service taint", kind: model.NodeUntainted, detail: outOfService},
	// medik8s fence-agents-remediation pkg/utils/events.go and controllers: after the patch of the node.
	{agent: "fence-agents-remediation", reason: "AddOutOfServiceTaint", object: "Node",
		prefix: remediation + "The out-of-service taint was added", kind: model.NodeTainted, detail: outOfService},
	{agent: "fence-agents-remediation", reason: "RemoveOutOfServiceTaint", object: "Node",
		prefix: remediation + "The out-of-service taint was removed", kind: model.NodeUntainted, detail: outOfService},
	// kubernetes-sigs/karpenter pkg/controllers/node/termination/terminator (2026-08; "Evicted pod" alone before 1.x): after
	// the eviction was granted. A kubelet's events of this reason are about its own pods' resources.
	{agent: "karpenter", component: "karpenter", reason: "Evicted", object: "Pod", prefix: "Evicted pod", kind: model.PodDeletionRequested,
		detail: "eviction"}, // a deletion through the eviction API
}

// eventPod reads "Marking for deletion Pod ns/name".
func eventPod(e *EventRecord, o *model.Observation) bool {
	_, ref, _ := strings.Cut(e.Message, " Pod ")
	if o.Pod.Name == "" {
		o.Pod = pod(ref)
	}
	return true
}

// eventScheduled reads "Successfully assigned ns/pod to node", up to 1.13 without the namespace.
func eventScheduled(e *EventRecord, o *model.Observation) bool {
	_, node, ok := strings.Cut(e.Message, " to ")
	o.Node = strings.TrimSpace(node)
	return ok
}

// eventReplica reads which pod a workload controller created or deleted: "Created pod: p", "Deleted pod: p", and of
// StatefulSets "create Pod p in StatefulSet s successful" (capital from 1.35 on). Claims are no replicas.
func eventReplica(e *EventRecord, o *model.Observation) bool {
	m := replica.FindStringSubmatch(strings.ToLower(e.Message))
	if m == nil {
		return false
	}
	o.Owner, o.Pod = e.Object, model.PodRef(e.Object.Namespace, strings.TrimSpace(m[1]+m[2]), "")
	return true
}

var replica = regexp.MustCompile(`^(?:create|delete)\S* pod(?:: (.*)| (.*?) in statefulset .*)`)

func eventScaled(e *EventRecord, o *model.Observation) bool {
	o.Owner = e.Object
	return true
}

// eventLeader reads "<identity> became leader" and "<identity> stopped leading"; Detail is the lock, as in the log.
func eventLeader(e *EventRecord, o *model.Observation) bool {
	o.Detail = e.Object.String()
	o.Component = cmp.Or(lockComponent(o.Detail), o.Component)
	return true
}
