package phrase

import (
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
	for i := range eventRows {
		if eventRows[i].reason == e.Reason && eventRows[i].read(&e, &o) {
			break
		}
	}
	if o.Kind == model.KubernetesEvent {
		readActor(&e, &o)
	}
	o.Volume = o.Volume.Complete()
	return o
}

// eventRow is a reason and how its message reads. The reasons and messages are those of 1.13–1.36 where nothing else is
// said. A read that returns false leaves the observation untouched.
type eventRow struct {
	reason string
	read   func(e *EventRecord, o *model.Observation) bool
}

// FailedAttachVolume is the reason of many different errors; the first row decides whether it is the controller's Multi-Attach report.
var eventRows = []eventRow{
	{"FailedAttachVolume", eventMultiAttach},
	{"FailedAttachVolume", eventAttachFailed},
	{"SuccessfulAttachVolume", eventOn(model.AttachSucceeded, false)},
	{"FailedMount", eventOldAttach},
	{"FailedMount", eventMountFailed},
	{"FailedMapVolume", eventMountFailed},                     // of block volumes
	{"FailedDetachVolume", eventOn(model.DetachFailed, true)}, // by in-tree clouds up to 1.14 and by vendors
	{"NodeNotReady", eventNodeNotReady},
	{"NodeReady", eventOf("Node", model.NodeReady)},
	{"RegisteredNode", eventOf("Node", model.NodeRegistered)},
	{"RemovingNode", eventOf("Node", model.NodeDeleted)},
	{"DeletingNode", eventOf("Node", model.NodeDeleted)},
	{"TaintManagerEviction", eventTaintManager},
	{"NodeControllerEviction", eventOf("Pod", model.PodEvictionDecided)},
	{"Killing", eventOf("Pod", model.PodKilling)},
	{"Scheduled", eventScheduled},
	{"FailedScheduling", eventError("Pod", model.PodSchedulingFailed)},
	{"SuccessfulCreate", eventReplica},
	{"SuccessfulDelete", eventReplica},
	{"ScalingReplicaSet", eventScaled},
	{"LeaderElection", eventLeader},
	{"ProvisioningFailed", eventError("PersistentVolumeClaim", model.ProvisionFailed)}, // also by external-provisioner
	{"ExternalProvisioning", eventError("PersistentVolumeClaim", model.ProvisionWaits)},
	{"VolumeResizeFailed", eventError("PersistentVolumeClaim", model.ResizeFailed)}, // by external-resizer, or by the in-tree controller
	{"FileSystemResizeFailed", eventError("PersistentVolumeClaim", model.ResizeFailed)},
	{"FileSystemResizeFailed", eventError("Pod", model.ResizeFailed)},
	{"VolumeResizeFailed", eventError("Pod", model.ResizeFailed)},
	{"VolumeFailedDelete", eventError("PersistentVolume", model.ReclaimFailed)},
}

// eventOf is a reason that says everything itself, provided that it is about the right kind of object.
func eventOf(objectKind string, kind model.Kind) func(*EventRecord, *model.Observation) bool {
	return func(e *EventRecord, o *model.Observation) bool {
		if e.Object.Kind != objectKind {
			return false
		}
		o.Kind, o.Detail = kind, ""
		return true
	}
}

// eventError is a reason whose message is the error, provided that it is about the right kind of object.
func eventError(objectKind string, kind model.Kind) func(*EventRecord, *model.Observation) bool {
	return func(e *EventRecord, o *model.Observation) bool {
		ok := eventOf(objectKind, kind)(e, o)
		if ok {
			o.Detail = e.Message
		}
		return ok
	}
}

// eventOn is a reason of a volume that the message names, `AttachVolume.Attach succeeded for volume "pv" `.
func eventOn(kind model.Kind, withMessage bool) func(*EventRecord, *model.Observation) bool {
	return func(e *EventRecord, o *model.Observation) bool {
		eventVolume(e, o)
		if o.Kind, o.Detail = kind, ""; withMessage {
			o.Detail = e.Message
		}
		return true
	}
}

// eventNodeNotReady: of a Node the controller or the kubelet changed the condition; of a Pod the controller set Ready False for its node.
func eventNodeNotReady(e *EventRecord, o *model.Observation) bool {
	switch e.Object.Kind {
	case "Node":
		o.Kind, o.Detail = model.NodeNotReady, ""
		switch e.Component {
		case "node-controller":
			o.Detail = "Unknown"
		case kubelet:
			o.Detail = "False"
		}
	case "Pod":
		o.Kind, o.Detail = model.PodNotReady, "node not ready"
	default:
		return false
	}
	return true
}

// eventTaintManager: written when the deletion happens, after the toleration has run out, not when it is planned.
func eventTaintManager(e *EventRecord, o *model.Observation) bool {
	kind := model.PodEvictionDecided
	ref, ok := strings.CutPrefix(e.Message, "Marking for deletion Pod ")
	if !ok {
		if ref, ok = strings.CutPrefix(e.Message, "Cancelling deletion of Pod "); !ok {
			return false
		}
		kind = model.PodEvictionCancelled
	}
	o.Kind, o.Detail = kind, ""
	if p := pod(ref); o.Pod.Name == "" && p.Name != "" {
		o.Pod = p
	}
	return true
}

// eventScheduled reads "Successfully assigned ns/pod to node", up to 1.13 without the namespace.
func eventScheduled(e *EventRecord, o *model.Observation) bool {
	rest, assigned := strings.CutPrefix(e.Message, "Successfully assigned ")
	_, node, ok := strings.Cut(rest, " to ")
	if !ok || !assigned || e.Object.Kind != "Pod" {
		return false
	}
	o.Kind, o.Detail, o.Node = model.PodScheduled, "", strings.TrimSpace(node)
	return true
}

// eventReplica reads which pod a workload controller created or deleted: "Created pod: p", "Deleted pod: p", and of
// StatefulSets "create Pod p in StatefulSet s successful" (capital from 1.35 on). Claims are no replicas.
func eventReplica(e *EventRecord, o *model.Observation) bool {
	kind := model.ReplicaCreated
	if e.Reason == "SuccessfulDelete" {
		kind = model.ReplicaDeleted
	}
	verb, rest, _ := strings.Cut(strings.ToLower(e.Message), " ")
	podName, ok := strings.CutPrefix(rest, "pod: ")
	if rest, of := strings.CutPrefix(rest, "pod "); of {
		podName, _, ok = strings.Cut(rest, " in statefulset ")
	}
	if !ok || !(strings.HasPrefix(verb, "create") || strings.HasPrefix(verb, "delete")) {
		return false
	}
	o.Kind, o.Detail, o.Owner = kind, "", e.Object
	o.Pod = model.PodRef(e.Object.Namespace, strings.TrimSpace(podName), "")
	return true
}

func eventScaled(e *EventRecord, o *model.Observation) bool {
	o.Kind, o.Detail, o.Owner = model.WorkloadScaled, e.Message, e.Object
	return true
}

// eventLeader reads "<identity> became leader" and "<identity> stopped leading"; Detail is the lock, as in the log.
func eventLeader(e *EventRecord, o *model.Observation) bool {
	if strings.HasSuffix(e.Message, "became leader") {
		o.Kind = model.LeaderAcquired
	} else if strings.HasSuffix(e.Message, "stopped leading") {
		o.Kind = model.LeaderLost
	} else {
		return false
	}
	o.Detail = e.Object.String()
	if c := lockComponent(o.Detail); c != "" {
		o.Component = c
	}
	return true
}
