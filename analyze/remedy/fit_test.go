package remedy_test

import (
	"testing"

	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestTaintGate: the out-of-service taint is offered from 1.26 on; in 1.24 and 1.25 it takes a gate, which only an act of the
// controller shows.
func TestTaintGate(t *testing.T) {
	for _, tt := range []struct {
		version   string
		acts      bool
		tolerates bool
		want      remedy.Verdict
		why       bool
	}{
		{"v1.23.9", false, false, remedy.Misfit, true}, {"v1.24.0", false, false, remedy.Undecidable, true},
		{"v1.25.9", false, false, remedy.Undecidable, true},
		{"v1.25.9", true, false, remedy.Fits, false}, {"v1.26.0", true, false, remedy.Fits, false}, {"v1.34.0", true, true, remedy.Fits, true},
		{"", false, false, remedy.Undecidable, true},
	} {
		c := cases.Made(tt.version)
		c.NotReady = cases.At(-10, model.Observation{Kind: model.NodeNotReady, Detail: "Unknown"})
		c.Span = model.Span{From: c.Began.Moment, To: cases.At(2000, model.Observation{}).Moment, Open: true}
		i := remedy.New(replay.NewModel(c.World, []*wait.Case{c}), c, nil, 0, remedy.Alarm{})
		i.Scenario.OutOfService, i.Scenario.Tolerates = tt.acts, tt.tolerates
		r, _ := remedy.Find("out-of-service-taint")
		if f := r.Fit(i); f.Verdict != tt.want || (f.Why != "") != tt.why {
			t.Errorf("%s, acts %v: %+v", tt.version, tt.acts, f)
		}
	}
}
