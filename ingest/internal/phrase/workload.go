package phrase

import (
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// replicaSetRows: the ReplicaSet controller watches its pods. At verbosity 4 it writes one line with the same text when
// a deletion timestamp appears and when the object goes; delete_by names the informer's handler and distinguishes them.
var replicaSetRows = newTable(controllerManager, []row{
	{text: "Pod deleted", since: "1.28–1.36", keys: "pod", read: readPodDeleted},
	{text: "Pod <pod> deleted through ", since: "1.13–1.27", read: readPodDeletedText},
})

func readPodDeleted(r *logline.Record, o *model.Observation) bool {
	return setDeletion(r.Get("delete_by"), r.Get("deletion_timestamp"), o)
}

// readPodDeletedText reads `Pod ns/name deleted through <function>, timestamp <t>: &v1.Pod{…}.`
func readPodDeletedText(r *logline.Record, o *model.Observation) bool {
	by, _ := between(r.Message, " deleted through ", ", timestamp ")
	stamp, _ := between(r.Message, ", timestamp ", ": ")
	return setDeletion(by, stamp, o)
}

// setDeletion decides by the handler. A pod that was terminating when the controller started comes through addPod, which does not show when
// its deletion was requested.
func setDeletion(handler, stamp string, o *model.Observation) bool {
	if handler == "" || strings.HasSuffix(handler, ".addPod") || strings.HasSuffix(handler, ".addPod-fm") {
		return false
	}
	if strings.HasSuffix(handler, ".updatePod") || strings.HasSuffix(handler, ".updatePod-fm") {
		if stamp == "" || stamp == "<nil>" || stamp == "null" {
			return false // relabelled, not deleted
		}
		o.Kind, o.Detail = model.PodDeletionRequested, "deletionTimestamp "+stamp
		if graceless(stamp, o) {
			o.Detail = "grace 0s"
		}
	} else {
		o.Kind = model.PodGone
	}
	return true
}

// graceless reports that a deletion has no grace period left when its line is written: deletionTimestamp is the time of the request
// plus the grace period, in whole seconds, and the line comes within a second of the request. Somebody forced the deletion, or the
// kubelet ended a pod in order, which it does with such a deletion of its own.
func graceless(stamp string, o *model.Observation) bool {
	t, ok := goTime(stamp)
	late := o.At.At.Sub(t)
	if o.At.IsZero() || o.Floating {
		return false
	}
	return ok && late >= 0 && late < 2*time.Second
}

// readReplica reads {controller, pod}: the owner's name, whose kind the logger shows (≥ 1.30).
func readReplica(r *logline.Record, o *model.Observation) bool {
	controller := r.Get("controller")
	if controller == "" || controller == "taint-eviction-controller" {
		return false
	}
	o.Owner = model.Ref{Kind: ownerKind(r.Get("logger")), Namespace: o.Pod.Namespace, Name: controller}
	return true
}

func ownerKind(logger string) string {
	switch logger {
	case "replicaset-controller":
		return "ReplicaSet"
	case "statefulset-controller":
		return "StatefulSet"
	case "daemonset-controller":
		return "DaemonSet"
	case "job-controller":
		return "Job"
	}
	return ""
}

// readReplicaDeleted takes the line that has the pod's namespace. That of a created pod has none.
func readReplicaDeleted(_ *logline.Record, o *model.Observation) bool { return o.Pod.Namespace != "" }
