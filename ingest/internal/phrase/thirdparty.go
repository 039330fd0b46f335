package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// longhornRows: Longhorn deletes VolumeAttachments of pods on nodes that are down by itself, past the attach/detach
// controller (longhorn-manager kubernetes_pod_controller.go).
var longhornRows = []row{
	{text: "longhorn-kubernetes-pod-controller: deleted volume attachment ", kind: model.AttachmentDeletionRequested, read: readLonghornDeleted},
}

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

// driverRows: the controller part of a CSI driver was asked to unpublish a volume. Of the drivers' own wordings only the
// Azure disk driver's is here: it names both and is what people post.
var driverRows = []row{
	{text: "Trying to detach volume ", holds: " from node ", kind: model.AttacherDetaching, read: readDriverDetach},
}

// readDriverDetach reads `Trying to detach volume <handle> from node <node>`; a node that was made unreadable is none.
func readDriverDetach(r *logline.Record, o *model.Observation) bool {
	handle, node, ok := strings.Cut(strings.TrimPrefix(r.Message, "Trying to detach volume "), " from node ")
	if !ok || handle == "" || strings.Contains(handle, " ") {
		return false
	}
	o.Volume.Handle = handle
	if node = strings.TrimSpace(node); !strings.ContainsAny(node, "<> ") {
		o.Node = node
	}
	return true
}
