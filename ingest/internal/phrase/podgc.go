package phrase

import (
	"github.com/volpost/volpost/model"
)

// podGCRows are the pod garbage collector's deletions (pkg/controller/podgc). "PodGC is force deleting" is the same line for an orphan and
// for a pod of an out-of-service node.
var podGCRows = newTable(controllerManager, []row{
	{text: "PodGC is force deleting Pod: <pod>", since: "1.13–1.22", kind: model.PodForceDeleting},
	{text: "PodGC is force deleting Pod", since: "1.23–1.36", kind: model.PodForceDeleting, keys: "pod"},
	{text: "Garbage collecting pod that is terminating", since: "1.28–1.36", kind: model.PodForceDeleting, detail: "out-of-service",
		keys: "pod"},
	{text: "garbage collecting pod <pod> that is terminating. Phase", since: "1.24–1.27",
		kind: model.PodForceDeleting, detail: "out-of-service"},
	{text: "Forced deletion of orphaned Pod succeeded", since: "1.23–1.36", kind: model.PodForceDeleted, detail: "orphaned", keys: "pod"},
	{text: "Forced deletion of orphaned Pod <pod> succeeded", since: "1.13–1.22", kind: model.PodForceDeleted, detail: "orphaned"},
	{text: "Forced deletion of unscheduled terminating Pod succeeded", since: "1.23–1.36",
		kind: model.PodForceDeleted, detail: "unscheduled", keys: "pod"},
	{text: "Found orphaned Pod assigned to the Node, deleting", since: "1.23–1.36", kind: model.PodOrphaned, keys: "node? pod"},
	{text: "Found orphaned Pod <pod> assigned to the Node <node>", since: "1.13–1.22", kind: model.PodOrphaned},
})
