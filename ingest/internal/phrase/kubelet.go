package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// kubeletRows: the kubelet gave up one wait of about two minutes for a pod's volumes.
var kubeletRows = []row{
	{text: "Unable to attach or mount volumes for pod", since: "1.20–1.36", kind: model.MountFailed, read: readMountWait},
	{text: "Error syncing pod, skipping", since: "1.20–1.36", kind: model.MountFailed, read: readMountWait},
}

func readMountWait(r *logline.Record, o *model.Observation) bool {
	o.Detail = r.Get("err")
	return strings.Contains(o.Detail, "unmounted volumes=") && readPod(r, o)
}
