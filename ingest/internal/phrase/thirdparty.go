package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// longhornRows: Longhorn deletes VolumeAttachments of pods on nodes that are down by itself, past the attach/detach
// controller (longhorn-manager kubernetes_pod_controller.go).
var longhornRows = table{longhornManager, []row{
	{text: "longhorn-kubernetes-pod-controller: deleted volume attachment ", kind: model.AttachmentDeletionRequested, read: readLonghornDeleted},
}}

// readLonghornDeleted reads `… deleted volume attachment <name> for pod <pod> on downed node <node>`.
func readLonghornDeleted(r *logline.Record, o *model.Observation) bool {
	rest, ok := strings.CutPrefix(r.Message, "longhorn-kubernetes-pod-controller: deleted volume attachment ")
	words := strings.Fields(rest)
	if !ok || len(words) < 4 || words[1] != "for" || words[2] != "pod" {
		return false
	}
	o.Attachment, o.Pod, o.Agent = words[0], model.PodRef("", words[3], ""), longhornManager
	if _, node, ok := strings.Cut(rest, " on downed node "); ok {
		o.Node = strings.TrimSpace(node)
	}
	return true
}
