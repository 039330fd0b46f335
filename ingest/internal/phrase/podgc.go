package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// podGCRows are the pod garbage collector's deletions (pkg/controller/podgc). "PodGC is force deleting" is the same line
// for an orphan and for a pod of an out-of-service node.
var podGCRows = table{controllerManager, []row{
	{text: "PodGC is force deleting Pod: ", since: "1.13–1.22", kind: model.PodForceDeleting, read: readGCText},
	{text: "PodGC is force deleting Pod", since: "1.23–1.36", kind: model.PodForceDeleting, read: readPod},
	{text: "Garbage collecting pod that is terminating", since: "1.28–1.36", kind: model.PodForceDeleting, detail: "out-of-service", read: readPod},
	{text: "garbage collecting pod ", holds: " that is terminating. Phase", since: "1.24–1.27", kind: model.PodForceDeleting, detail: "out-of-service", read: readOutOfServiceText},
	{text: "Forced deletion of orphaned Pod succeeded", since: "1.23–1.36", kind: model.PodForceDeleted, detail: "orphaned", read: readPod},
	{text: "Forced deletion of orphaned Pod ", since: "1.13–1.22", kind: model.PodForceDeleted, detail: "orphaned", read: readOrphanDeletedText},
	{text: "Forced deletion of unscheduled terminating Pod succeeded", since: "1.23–1.36", kind: model.PodForceDeleted, detail: "unscheduled", read: readPod},
	{text: "Found orphaned Pod assigned to the Node, deleting", since: "1.23–1.36", kind: model.PodOrphaned, read: readOrphan},
	{text: "Found orphaned Pod ", holds: " assigned to the Node ", since: "1.13–1.22", kind: model.PodOrphaned, read: readOrphanText},
}}

func readGCText(r *logline.Record, o *model.Observation) bool {
	o.Pod = pod(strings.TrimSpace(strings.TrimPrefix(r.Message, "PodGC is force deleting Pod: ")))
	return o.Pod.Name != ""
}

// readOutOfServiceText: the line has the pod's name only.
func readOutOfServiceText(r *logline.Record, o *model.Observation) bool {
	o.Pod = pod(wordAfter(r.Message, "garbage collecting pod "))
	return o.Pod.Name != ""
}

func readOrphanDeletedText(r *logline.Record, o *model.Observation) bool {
	o.Pod = pod(wordAfter(r.Message, "Forced deletion of orphaned Pod "))
	return o.Pod.Name != "" && strings.HasSuffix(strings.TrimSpace(r.Message), "succeeded")
}

func readOrphan(r *logline.Record, o *model.Observation) bool {
	o.Node = name(r.Get("node"))
	return readPod(r, o)
}

// readOrphanText reads `Found orphaned Pod ns/name assigned to the Node n. Deleting.`
func readOrphanText(r *logline.Record, o *model.Observation) bool {
	o.Pod = pod(wordAfter(r.Message, "Found orphaned Pod "))
	o.Node, _ = between(r.Message, "assigned to the Node ", ". Deleting")
	return o.Pod.Name != ""
}
