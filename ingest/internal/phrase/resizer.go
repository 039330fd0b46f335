package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// resizerRows are the external-resizer's words of an expansion whose first half is done (external-resizer pkg/controller),
// all at verbosity 4: printf lines in older versions, structured in newer ones.
var resizerRows = newTable(externalResizer, []row{
	{text: "Mark PVC as file system resize required", kind: model.ResizePending, read: readResizePending},
	{text: `Mark PVC "`, holds: `" as file system resize required`, kind: model.ResizePending, read: readResizePending},
	{text: "Resize volume succeeded", holds: "start to update PV's capacity", kind: model.ResizePending, read: readResized},
})

// readResizePending reads PVC="<namespace>/<name>", or the same in the text of older versions.
func readResizePending(r *logline.Record, o *model.Observation) bool {
	claim := pod(r.Get("PVC")) // references to all namespaced objects are written alike
	if rest, ok := strings.CutPrefix(r.Message, `Mark PVC "`); ok {
		key, end, _ := strings.Cut(rest, `"`)
		if end != " as file system resize required" {
			return false // failed
		}
		claim = pod(key)
	}
	o.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name}
	o.Detail = "Mark PVC as file system resize required"
	return claim.Namespace != "" && claim.Name != ""
}

// readResized reads PV="<name>", or `for volume "<name>"` of older versions. Whether the file system has to follow, the line does not say.
func readResized(r *logline.Record, o *model.Observation) bool {
	o.Volume.PersistentVolume = name(r.Get("PV"))
	if old, ok := between(r.Message, `for volume "`, `"`); ok {
		o.Volume.PersistentVolume = old
	}
	o.Detail = "Resize volume succeeded"
	return o.Volume.PersistentVolume != "" && !strings.ContainsAny(o.Volume.PersistentVolume, " /")
}
