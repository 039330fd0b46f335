package main

import (
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// TestRemediesOfRecordings: every incident of every recording has every remedy once, and none saves more than the
// incident lasted.
func TestRemediesOfRecordings(t *testing.T) {
	t.Parallel()
	for _, s := range recordings.Sweep(samples.List()) {
		_, r := ofSample(t, s.Name)
		hasRemedies(t, s.Name, r)
	}
	for _, rec := range recorded(t) {
		_, r := rec.explained(t)
		hasRemedies(t, rec.name, r)
	}
}

func hasRemedies(t *testing.T, name string, r *model.Report) {
	t.Helper()
	for _, i := range r.Incidents {
		count := map[string]int{}
		for _, m := range i.Remediations {
			count[m.ID]++
			if m.SavedSeconds != nil && m.SavedSeconds.Max > i.Span.Seconds.Max+0.1 {
				t.Errorf("%s: %s saves up to %.1f s of %.1f s", name, m.ID, m.SavedSeconds.Max, i.Span.Seconds.Max)
			}
		}
		for _, known := range analyze.Remedies() {
			if count[known.ID] != 1 {
				t.Errorf("%s: %s has %s %d times", name, i.ID, known.ID, count[known.ID])
			}
		}
	}
}
