package phrase

import (
	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

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
