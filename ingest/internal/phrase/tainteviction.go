package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// taintRows are the taint manager's, since 1.29 the taint-eviction-controller's, deletions. The workload controllers log
// "Deleting pod" as well, from another file.
var taintRows = table{controllerManager, []row{
	{text: "NoExecuteTaintManager is deleting Pod: ", since: "1.13–1.20", kind: model.PodEvictionDecided, read: readEvictionText},
	{text: "NoExecuteTaintManager is deleting pod", since: "1.21–1.28", kind: model.PodEvictionDecided, read: readPod},
	{text: "Deleting pod", since: "1.29–1.36", kind: model.PodEvictionDecided, read: readEviction},
	{text: "Noticed pod deletion", since: "1.21–1.36", kind: model.PodGone, read: readPod},
}}

func readPod(r *logline.Record, o *model.Observation) bool {
	o.Pod = pod(r.Get("pod"))
	return o.Pod.Name != ""
}

func readEvictionText(r *logline.Record, o *model.Observation) bool {
	o.Pod = pod(strings.TrimSpace(strings.TrimPrefix(r.Message, "NoExecuteTaintManager is deleting Pod: ")))
	return o.Pod.Name != ""
}

func readEviction(r *logline.Record, o *model.Observation) bool {
	return r.Get("controller") == "taint-eviction-controller" && readPod(r, o)
}
