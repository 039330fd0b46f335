package analyze_test

import (
	"testing"

	"github.com/volpost/volpost/analyze/advice/advicetest"
)

// TestAdvice: over every case the advice keeps what holds of any; the tests of cmd/volpost hold the same over recordings and their views.
func TestAdvice(t *testing.T) {
	advised := 0
	for _, c := range cases(t) {
		for _, i := range c.report(t).Incidents {
			if i.Advice != nil {
				advised++
			}
			for _, fault := range advicetest.Faults(i) {
				t.Errorf("%s: %s: %s", c.name, i.ID, fault)
			}
		}
	}
	if advised < 300 {
		t.Errorf("only %d incidents have advice", advised)
	}
}
