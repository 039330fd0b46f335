package analyze_test

import (
	"slices"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestOneFaultIsToldOnce: an Event's text and the objects tell of the same pod; what knows the reason stays.
func TestOneFaultIsToldOnce(t *testing.T) {
	all := cases(t)
	i := slices.IndexFunc(all, func(c oneCase) bool { return c.name == "check/pod-volume-conflict/yes-also-in-events" })
	if i < 0 {
		t.Fatal("the case is gone")
	}
	var ids []string
	r := all[i].report(t)
	for _, f := range r.Findings {
		ids = append(ids, f.ID)
	}
	if !slices.Contains(ids, "pod-volume-conflict") || slices.Contains(ids, "not-multi-attach-node-affinity") {
		t.Errorf("findings %v", ids)
	}
	if !slices.ContainsFunc(r.Timeline, func(i model.TimelineItem) bool { return i.Kind == model.PodSchedulingFailed }) {
		t.Error("the Event is not in the bundle")
	}
}
