package analyze

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// The pauses between tries set the length of a phase in which a call failed; a failure before the phase does not.
func TestRetryGovernor(t *testing.T) {
	from := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	p := model.Phase{ID: model.PhaseAttach, From: model.Exactly(from), To: model.Exactly(from.Add(120 * time.Second)),
		Seconds: model.Range{Best: 120}}
	failure := func(after time.Duration) *model.Observation {
		at := model.Exactly(from.Add(after))
		return &model.Observation{Kind: model.AttachFailed, At: at, Last: at, Count: 1}
	}
	g := retryGovernor(p, []*model.Observation{failure(time.Second), failure(3 * time.Second)})
	if g == nil || !strings.Contains(g.Parameter, "back-off") || !strings.Contains(g.Value, "2 failures") {
		t.Errorf("two failures: %+v", g)
	}
	if g := retryGovernor(p, []*model.Observation{failure(-time.Minute)}); g != nil {
		t.Errorf("a failure before: %+v", g)
	}
	if g := retryGovernor(p, nil); g != nil {
		t.Errorf("no failure: %+v", g)
	}
}
