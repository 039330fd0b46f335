package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// kubeletRows: the kubelet gave up one wait of about two minutes for a pod's volumes, or still has volumes of a pod that
// ended. The latter is written in every round of cleaning up, also during an ordinary end.
var kubeletRows = newTable(kubelet, []row{
	{text: `Unable to attach or mount volumes for pod "`, holds: ": unmounted volumes=", since: "1.16–1.19", kind: model.MountFailed,
		read: readMountWaitText},
	{text: `Unable to mount volumes for pod "`, holds: ": timeout expired", since: "1.13–1.15", kind: model.MountFailed,
		read: readMountWaitText},
	{text: "Unable to attach or mount volumes for pod", since: "1.20–1.27, later of other errors than the deadline",
		kind: model.MountFailed, keys: "detail=err pod", read: readMountWait},
	{text: "Error syncing pod, skipping", since: "1.20–1.36", kind: model.MountFailed, keys: "detail=err pod", read: readMountWait},
	{text: "Pod is terminated, but some volumes have not been cleaned up", since: "1.20–1.36",
		kind: model.UnmountFailed, detail: notCleaned, keys: "pod uid=podUID?"},
	{text: "Skipping pod synchronization", since: "1.20–1.36", kind: model.KubeletUnwell, read: readSkipping, also: readPaused},
	{text: "SyncLoop (PLEG): event for pod", since: "1.20–1.36", kind: model.ContainerDied, keys: "pod", read: readDied},
	{text: "SyncLoop REMOVE", since: "1.20–1.36", kind: model.PodRemoved, read: readRemoved},
	{text: "skipping pod synchronization - ", since: "1.13–1.19", kind: model.KubeletUnwell, read: readSkipping, also: readPaused},
	{text: `Pod "`, holds: `" is terminated, but some volumes have not been cleaned up`, since: "1.13–1.19", kind: model.UnmountFailed,
		detail: notCleaned, read: readNotCleanedText},
})

// setterRows: the kubelet itself declares its node not Ready (pkg/kubelet/nodestatus).
var setterRows = newTable(kubelet, []row{
	{text: "Node became not ready", since: "1.20–1.36", kind: model.NodeNotReady, keys: "node", read: readBecameNotReady},
})

// unwell are the kubelet's reasons to leave its pods alone that point at the runtime; not having looked yet, after its start, is no fault.
var unwell = []string{"container runtime is down", "PLEG is not healthy: pleg was last seen active"}

// readSkipping keeps what the reason says of the runtime; the rest of it counts the seconds.
func readSkipping(r *logline.Record, o *model.Observation) bool {
	text := r.Message + " " + r.Get("err")
	for _, reason := range unwell {
		if strings.Contains(text, reason) {
			o.Detail, _, _ = strings.Cut(reason, ":")
			return true
		}
	}
	return false
}

func readBecameNotReady(r *logline.Record, o *model.Observation) bool {
	at := o.At
	ok := setReadiness(r.Get("condition"), o) && o.Kind == model.NodeNotReady
	o.At, o.Last = at, at // the kubelet writes it as it happens
	return ok
}

const notCleaned = "volumes of the terminated pod have not been cleaned up"

// readNotCleanedText reads `Pod "name_namespace(uid)" is terminated, but …`.
func readNotCleanedText(r *logline.Record, o *model.Observation) bool {
	word, _, ok := cutQuoted(strings.TrimPrefix(r.Message, "Pod "))
	return ok && fullName(word, o)
}

// fullName takes a pod from name_namespace(uid).
func fullName(word string, o *model.Observation) bool {
	podName, rest, _ := strings.Cut(word, "_")
	namespace, uid, ok := strings.Cut(rest, "(")
	o.Pod = model.PodRef(namespace, podName, strings.TrimSuffix(uid, ")"))
	return ok && podName != ""
}

// readMountWaitText reads `Unable to attach or mount volumes for pod "name_namespace(uid)": unmounted volumes=…; skipping pod`.
func readMountWaitText(r *logline.Record, o *model.Observation) bool {
	_, rest, _ := strings.Cut(r.Message, " for pod ")
	word, rest, ok := cutQuoted(rest)
	o.Detail = strings.TrimSuffix(strings.TrimPrefix(rest, ": "), "; skipping pod")
	return ok && fullName(word, o)
}

func readMountWait(_ *logline.Record, o *model.Observation) bool {
	return strings.Contains(o.Detail, "unmounted volumes=")
}
