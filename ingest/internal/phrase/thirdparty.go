package phrase

import (
	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// longhornRows: Longhorn deletes VolumeAttachments of pods on nodes that are down by itself, past the attach/detach controller
// (longhorn-manager kubernetes_pod_controller.go).
var longhornRows = newTable(longhornManager, []row{
	{text: "longhorn-kubernetes-pod-controller: deleted volume attachment <attachment> for pod <pod> on downed node <node>",
		kind: model.AttachmentDeletionRequested, read: readLonghornDeleted},
})

func readLonghornDeleted(_ *logline.Record, o *model.Observation) bool {
	o.Agent = longhornManager
	return true
}
