package analyze_test

import (
	"testing"

	"github.com/volpost/volpost/model"
)

// TestFailoverExplains: a takeover that is undecidable is never the answer.
func TestFailoverExplains(t *testing.T) {
	for _, c := range cases(t) {
		for _, i := range c.report(t).Incidents {
			if first := i.Causes[0]; first.ID == "controller-failover" && first.Verdict == model.Undecidable {
				t.Errorf("%s: the answer is a cause that explains nothing: %s", c.name, first.Summary)
			}
		}
	}
}
