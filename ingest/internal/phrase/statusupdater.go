package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// statusUpdaterRows: the attach/detach controller reported to the node which volumes are attached to it (node_status_updater.go,
// at verbosity 2 in the first versions). A list of one volume names it; longer ones are not taken apart.
var statusUpdaterRows = newTable(controllerManager, []row{
	{text: `Updating status for node "`, holds: `" succeeded. patchBytes: `, since: "1.4–1.8",
		kind: model.NodeVolumesAttached, read: readStatusUpdate},
})

// readStatusUpdate reads `Updating status for node "n" succeeded. patchBytes: "…" VolumesAttached: [{u /dev/x}]`.
func readStatusUpdate(r *logline.Record, o *model.Observation) bool {
	var ok bool
	o.Node, _, ok = cutQuoted(strings.TrimPrefix(r.Message, "Updating status for node "))
	i := strings.LastIndex(r.Message, "VolumesAttached: [{")
	if !ok || i < 0 {
		return false
	}
	list := strings.TrimSpace(r.Message[i+len("VolumesAttached: [{"):])
	one, ok := strings.CutSuffix(list, "}]")
	if !ok || strings.Contains(one, "} {") {
		return false
	}
	// The name may hold blanks, the device path has none.
	end := strings.LastIndexByte(one, ' ')
	if end <= 0 {
		return false
	}
	o.Volume.UniqueName = one[:end]
	return true
}
