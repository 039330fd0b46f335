package phrase

import (
	"github.com/volpost/volpost/model"
)

// schedulerRows: where a pod went, or that it went nowhere.
var schedulerRows = newTable(scheduler, []row{
	{text: "Successfully bound pod to node", since: "1.19–1.36", kind: model.PodScheduled, keys: "node pod"},
	{text: "pod <pod> is bound successfully on node <node>", since: "1.13–1.18", kind: model.PodScheduled},
	{text: "Unable to schedule pod; no fit; waiting", since: "1.19–1.36", kind: model.PodSchedulingFailed, keys: "detail=err? pod"},
	{text: "Unable to schedule <pod>: no fit: <detail>; waiting", since: "1.13–1.18", kind: model.PodSchedulingFailed},
})
