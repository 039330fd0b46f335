package analyze_test

import (
	"testing"

	"github.com/volpost/volpost/model"
)

// TestCleanIsClean: over every case, nothing that is called clean, or a hand-over, stands beside a finding that somebody has to look at.
func TestCleanIsClean(t *testing.T) {
	clean, found := 0, 0
	for _, c := range cases(t) {
		r := c.report(t)
		calm := r.Verdict.Status == model.StatusClean || r.Verdict.Status == model.StatusHandover
		for _, f := range r.Findings {
			switch {
			case f.Severity == string(model.Info):
			case calm:
				t.Errorf("%s: %s beside finding %s: %s", c.name, r.Verdict.Status, f.ID, f.Text)
			default:
				found++
			}
		}
		if calm {
			clean++
		}
	}
	if clean == 0 || found == 0 {
		t.Errorf("%d calm verdicts and %d findings: nothing was compared", clean, found)
	}
}
