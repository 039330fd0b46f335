package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// schedulerRows: where a pod went, or that it went nowhere.
var schedulerRows = table{scheduler, []row{
	{text: "Successfully bound pod to node", since: "1.19–1.36", kind: model.PodScheduled, read: readBound},
	{text: "pod ", holds: " is bound successfully on node ", since: "1.13–1.18", kind: model.PodScheduled, read: readBoundText},
	{text: "Unable to schedule pod; no fit; waiting", since: "1.19–1.36", kind: model.PodSchedulingFailed, read: readNoFit},
	{text: "Unable to schedule ", holds: ": no fit: ", since: "1.13–1.18", kind: model.PodSchedulingFailed, read: readNoFitText},
}}

func readBound(r *logline.Record, o *model.Observation) bool {
	o.Node = name(r.Get("node"))
	return readPod(r, o) && o.Node != ""
}

// readBoundText reads `pod ns/name is bound successfully on node "n", 6 nodes evaluated, …`.
func readBoundText(r *logline.Record, o *model.Observation) bool {
	o.Pod = pod(wordAfter(r.Message, "pod "))
	_, rest, _ := strings.Cut(r.Message, " on node ")
	if node, _, quoted := cutQuoted(rest); quoted {
		o.Node = node
	} else {
		o.Node = strings.TrimSuffix(rest[:indexAny(rest, ", ")], ",")
	}
	return o.Pod.Name != "" && o.Node != ""
}

func readNoFit(r *logline.Record, o *model.Observation) bool {
	o.Detail = r.Get("err")
	return readPod(r, o)
}

// readNoFitText reads `Unable to schedule ns/name: no fit: <err>; waiting`.
func readNoFitText(r *logline.Record, o *model.Observation) bool {
	ref, err, ok := strings.Cut(strings.TrimPrefix(r.Message, "Unable to schedule "), ": no fit: ")
	o.Pod, o.Detail = pod(ref), strings.TrimSuffix(err, "; waiting")
	return ok && o.Pod.Name != ""
}
