package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// kubeletRows: the kubelet gave up one wait of about two minutes for a pod's volumes, or still has volumes of a pod that
// ended. The latter is written in every round of cleaning up, also during an ordinary end.
var kubeletRows = newTable(kubelet, []row{
	{text: `Unable to attach or mount volumes for pod <full>: <detail>`, holds: ": unmounted volumes=", since: "1.16–1.19",
		kind: model.MountFailed, read: readMountWait},
	{text: `Unable to mount volumes for pod <full>: <detail>`, holds: ": timeout expired", since: "1.13–1.15", kind: model.MountFailed,
		read: readMountWait},
	{text: "Unable to attach or mount volumes for pod", since: "1.20–1.27, later of other errors than the deadline",
		kind: model.MountFailed, keys: "detail=err pod", read: readMountWait},
	{text: "Error syncing pod, skipping", since: "1.20–1.36", kind: model.MountFailed, keys: "detail=err pod", read: readMountWait},
	{text: "Pod is terminated, but some volumes have not been cleaned up", since: "1.20–1.36",
		kind: model.UnmountFailed, detail: notCleaned, keys: "pod uid=podUID?"},
	{text: "Skipping pod synchronization", since: "1.20–1.36", kind: model.KubeletUnwell, read: readSkipping, also: readPaused},
	{text: "SyncLoop (PLEG): event for pod", since: "1.20–1.36", kind: model.ContainerDied, keys: "pod", read: readDied},
	{text: "SyncLoop REMOVE", since: "1.20–1.36", kind: model.PodRemoved, read: readRemoved},
	{text: "skipping pod synchronization - ", since: "1.13–1.19", kind: model.KubeletUnwell, read: readSkipping, also: readPaused},
	{text: `Pod <full> is terminated, but some volumes have not been cleaned up`, since: "1.13–1.19", kind: model.UnmountFailed,
		detail: notCleaned},
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

func readMountWait(_ *logline.Record, o *model.Observation) bool {
	o.Detail = strings.TrimSuffix(o.Detail, "; skipping pod")
	return strings.Contains(o.Detail, "unmounted volumes=")
}
