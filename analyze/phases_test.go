package analyze_test

import (
	"fmt"
	"testing"

	small "github.com/volpost/volpost/analyze/internal/cases"
)

// TestGovernors: what sets the length of each phase of every case, a golden for each phase.
func TestGovernors(t *testing.T) {
	goldens := small.Open(t, "governors")
	for _, c := range cases(t) {
		if c.check != "" || c.remedy != "" {
			continue
		}
		for n, i := range c.report(t).Incidents {
			for place, p := range i.Phases {
				if g := p.GovernedBy; g != nil {
					goldens.Add(string(p.ID), small.Case{Name: c.name}, n+1, fmt.Sprintf("%d. %.1f s by %s = %s, %s", place+1, p.Seconds.Best, g.Parameter,
						g.Value, g.Basis))
				}
			}
		}
	}
	goldens.Close()
}
