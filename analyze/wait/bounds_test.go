package wait_test

import (
	"testing"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestUsedUntil: the old pod was a user until between the last report that names one and the detach, or the first report that names none.
func TestUsedUntil(t *testing.T) {
	until := func(c *wait.Case) any {
		start, end := wait.UsedUntil(c)
		return span(start) + " to " + span(end)
	}
	reported := func(at float64, v model.Variant) *model.Observation {
		o := of(model.MultiAttach, at, "node-b", newPod, volume, variant(v))
		o.Holders = []string{"node-a"}
		return o
	}
	used, exclusively := reported(20, model.UsedByPods), reported(30, model.ExclusivelyAttached)
	request := of(model.AttachmentDeletionRequested, 50, onA, model.SourceAudit, actor(controller))
	begun := func(kind model.Kind, at float64, node string) *model.Observation { return of(kind, at, node, volume) }
	askRows(t, []row{
		{"a report only", things{report()}, until, "0 to unknown"},
		{"the last report", things{report(), used}, until, "20 to unknown"},
		{"the request of the detach", things{report(), used, request}, until, "20 to 50"},
		{"the controller begins before it", things{report(), request, begun(model.DetachStarted, 45, "node-a")}, until, "0 to 45"},
		{"it finds the volume unused", things{report(), request, begun(model.DetachVerifiedSafe, 45, "node-a")}, until, "0 to 45"},
		{"it begins after it", things{report(), request, begun(model.DetachStarted, 55, "node-a")}, until, "0 to 50"},
		{"on another node", things{report(), request, begun(model.DetachStarted, 45, "node-c")}, until, "0 to 50"},
		{"another step", things{report(), request, begun(model.DetachRefusedInUse, 45, "node-a")}, until, "0 to 50"},
		{"no request", things{report(), begun(model.DetachStarted, 45, "node-a")}, until, "0 to 45"},
		{"before it was attached", things{report(), request, begun(model.DetachStarted, -600, "node-a"),
			begun(model.AttachSucceeded, -500, "node-a")}, until, "0 to 50"},
		{"a report without a user", things{report(), used, exclusively, request}, until, "20 to 30"},
		{"the detach begins before that report", things{report(), exclusively, request, begun(model.DetachStarted, 25, "node-a")}, until,
			"0 to 25"},
		{"a user named after that report", things{report(), exclusively, reported(40, model.UsedByPods), request}, until, "0 to 30"},
		{"a report that says neither", things{report(), reported(20, model.UnknownVariant), request}, until, "0 to 50"},
	})
}
