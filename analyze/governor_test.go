package analyze

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
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
	c := &wait.Case{Volume: &facts.Volume{}}
	c.Volume.Driver = "ebs"
	for _, c := range []struct {
		of       *wait.Case
		failures []*model.Observation
		parts    [2]string // of the parameter and of its value
	}{
		{c, []*model.Observation{failure(time.Second), failure(3 * time.Second)}, [2]string{"back-off", "2 failures"}},
		{c, []*model.Observation{failure(-time.Minute)}, [2]string{"Publish of ebs", "as observed"}},
		{&wait.Case{Volume: &facts.Volume{}}, nil, [2]string{"Publish of the driver", "as observed"}},
	} {
		g := callGovernor(c.of, p, "Publish", c.failures)
		if !strings.Contains(g.Parameter, c.parts[0]) || !strings.Contains(g.Value, c.parts[1]) {
			t.Errorf("%d failures: %+v", len(c.failures), g)
		}
	}
}
