package phrase

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// nodeLifecycleRows are the node lifecycle controller's findings (pkg/controller/nodelifecycle).
var nodeLifecycleRows = newTable(controllerManager, []row{
	{text: "Node hasn't been updated", since: "1.27–1.36", kind: model.NodeHeartbeatMissed,
		keys: "node detail=duration", before: ` duration="`, behind: `"`},
	{text: "node <node> hasn't been updated for <detail>. Last ", since: "1.13–1.26", kind: model.NodeHeartbeatMissed,
		before: " hasn't been updated for ", behind: ". Last "},
	{text: "Node is unresponsive. Adding it to the Taint queue", since: "1.27–1.36",
		kind: model.NodeNotReady, detail: "Unknown", late: true, keys: "node"},
	{text: "Node is NotReady. Adding it to the Taint queue", since: "1.27–1.36", kind: model.NodeNotReady, detail: "False", late: true,
		keys: "node"},
	{text: "Node <node> is unresponsive as of ", since: "1.13–1.26", kind: model.NodeNotReady, detail: "Unknown", late: true},
	{text: "Node <node> is NotReady as of ", since: "1.13–1.26", kind: model.NodeNotReady, detail: "False", late: true},
	{text: "Node is healthy again", since: "1.27–1.36", kind: model.NodeReady, late: true, keys: "node"},
	{text: "Node <node> is healthy again, removing all taints", since: "1.13–1.26", kind: model.NodeReady, late: true},
	{text: "ReadyCondition for Node transitioned", since: "1.27–1.36", keys: "node", read: readTransition},
	{text: "ReadyCondition for Node <node> transitioned from ", since: "1.13–1.26", read: readTransition},
	{text: "Controller detected that zone is now in new state", since: "1.27–1.36", kind: model.ZoneState, keys: "detail=newState"},
	{text: "Controller detected that zone <> is now in state <state>", since: "1.13–1.26", kind: model.ZoneState},
	{text: "Controller detected that all Nodes are not-Ready", since: "1.13–1.36", kind: model.ZoneState, detail: "master disruption"},
	{text: "Controller detected that some Nodes are Ready", since: "1.13–1.36", kind: model.ZoneState, detail: "master disruption ended"},
	{text: "Controller observed a new Node: <node>", since: "1.13–1.26", kind: model.NodeRegistered, read: readPlainNode},
	{text: "Controller observed a new Node", since: "1.27–1.36", kind: model.NodeRegistered, keys: "node"},
	{text: "Controller observed a Node deletion: <node>", since: "1.13–1.26", kind: model.NodeDeleted, read: readPlainNode},
	{text: "Controller observed a Node deletion", since: "1.27–1.36", kind: model.NodeDeleted, keys: "node"},
})

// controllerUtilsRows come from two files of that name: the node controllers' and the workload controllers'.
var controllerUtilsRows = newTable(controllerManager, []row{
	// Of the pass that itself sets the condition, which so became Unknown; the line before the NodeNotReady event.
	{text: "Recording status change NodeNotReady event message for node <node>", since: "1.13–1.26", kind: model.NodeNotReady, detail: "Unknown"},
	{text: "Recording status change", since: "1.27–1.36", kind: model.NodeNotReady, detail: "Unknown", keys: "node", read: readStatusChange},
	{text: "Added taint to node", since: "1.23–1.36", kind: model.NodeTainted, keys: "node", read: readTaint},
	{text: "Updating ready status of pod to false", since: "1.23–1.36", kind: model.PodNotReady, keys: "pod"},
	{text: "Updating ready status of pod <pod> to false", since: "1.13–1.22",
		kind: model.PodNotReady}, // the node stands in a line before it,
	{text: "Controller created pod", since: "1.28–1.36", kind: model.ReplicaCreated, keys: "pod", read: readReplica},
	{text: "Controller <owner> created pod <pod>", since: "1.13–1.27", kind: model.ReplicaCreated},
	{text: "Deleting pod", since: "1.19–1.36", kind: model.ReplicaDeleted, keys: "pod", read: readReplica},
	{text: "Controller <owner> deleting pod <pod>", since: "1.13–1.18", kind: model.ReplicaDeleted, read: readReplicaDeleted},
})

// monitorPeriod is --node-monitor-period, the controller's delay to a change: up to 1.26 the queue fills one pass after the condition.
const monitorPeriod = 5 * time.Second

// late is a moment up to one monitor period before the line, and a little for the pass itself.
func late(m model.Moment) model.Moment {
	return m.Widen(monitorPeriod+time.Second, 0).As(model.Derived)
}

// readTransition: the controller sees a Ready condition that the kubelet posted.
func readTransition(r *logline.Record, o *model.Observation) bool {
	_, to, _ := strings.Cut(r.Message, " to &NodeCondition{")
	return setReadiness(cmp.Or(r.Get("currentReadyCondition"), to), o)
}

// setReadiness reads a printed NodeCondition.
func setReadiness(condition string, o *model.Observation) bool {
	_, rest, ok := strings.Cut(condition, "Status:")
	if !ok {
		_, rest, ok = strings.Cut(condition, `"status":"`)
	}
	if !ok {
		return false
	}
	o.At = late(o.At)
	o.Last = o.At
	switch status := rest[:indexAny(rest, `,}" `)]; status {
	case "True":
		o.Kind = model.NodeReady
	case "False", "Unknown":
		o.Kind, o.Detail = model.NodeNotReady, status
	default:
		return false
	}
	return true
}

// readPlainNode leaves out a node that is printed as a struct.
func readPlainNode(_ *logline.Record, o *model.Observation) bool {
	return !strings.Contains(o.Node, "{")
}

func readStatusChange(r *logline.Record, _ *model.Observation) bool {
	return r.Get("status") == "NodeNotReady"
}

// readTaint reads the taints that the controller added, as JSON (≥ 1.28); earlier versions print their addresses.
func readTaint(r *logline.Record, o *model.Observation) bool {
	var taints []struct{ Key, Value, Effect string }
	if json.Unmarshal([]byte(r.Get("taint")), &taints) != nil || len(taints) == 0 {
		return false
	}
	var words []string
	for _, t := range taints {
		words = append(words, t.Key+"="+t.Value+":"+t.Effect)
	}
	o.Detail = strings.Join(words, ",")
	return true
}

// taintRows are the taint manager's, since 1.29 the taint-eviction-controller's, deletions. The workload controllers log "Deleting pod" as
// well, from another file.
var taintRows = newTable(controllerManager, []row{
	{text: "NoExecuteTaintManager is deleting Pod: <pod>", since: "1.13–1.20", kind: model.PodEvictionDecided},
	{text: "NoExecuteTaintManager is deleting pod", since: "1.21–1.28", kind: model.PodEvictionDecided, keys: "pod"},
	{text: "Deleting pod", since: "1.29–1.36", kind: model.PodEvictionDecided, keys: "pod", read: readEviction},
	{text: "Noticed pod deletion", since: "1.21–1.36", kind: model.PodGone, keys: "pod"},
})

func readEviction(r *logline.Record, _ *model.Observation) bool {
	return r.Get("controller") == "taint-eviction-controller"
}

// podGCRows are the pod garbage collector's deletions (pkg/controller/podgc). "PodGC is force deleting" is the same line for an orphan and
// for a pod of an out-of-service node.
var podGCRows = newTable(controllerManager, []row{
	{text: "PodGC is force deleting Pod: <pod>", since: "1.13–1.22", kind: model.PodForceDeleting},
	{text: "PodGC is force deleting Pod", since: "1.23–1.36", kind: model.PodForceDeleting, keys: "pod"},
	{text: "Garbage collecting pod that is terminating", since: "1.28–1.36", kind: model.PodForceDeleting, detail: "out-of-service",
		keys: "pod"},
	{text: "garbage collecting pod <pod> that is terminating. Phase", since: "1.24–1.27",
		kind: model.PodForceDeleting, detail: "out-of-service"},
	{text: "Forced deletion of orphaned Pod succeeded", since: "1.23–1.36", kind: model.PodForceDeleted, detail: "orphaned", keys: "pod"},
	{text: "Forced deletion of orphaned Pod <pod> succeeded", since: "1.13–1.22", kind: model.PodForceDeleted, detail: "orphaned"},
	{text: "Forced deletion of unscheduled terminating Pod succeeded", since: "1.23–1.36",
		kind: model.PodForceDeleted, detail: "unscheduled", keys: "pod"},
	{text: "Found orphaned Pod assigned to the Node, deleting", since: "1.23–1.36", kind: model.PodOrphaned, keys: "node? pod"},
	{text: "Found orphaned Pod <pod> assigned to the Node <node>", since: "1.13–1.22", kind: model.PodOrphaned},
})
