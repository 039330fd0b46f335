package report

import (
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// Nothing was wrong with what held the volume of a hand-over; and of a stretch that nothing divides no part has a length to compare.
func TestNothingHeldAndNothingCompared(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i1"
	if view.New(r).Answer().Held == nil {
		t.Fatal("nothing held the volume of an incident")
	}
	r.Verdict.Status = model.StatusHandover
	if h := view.New(r).Answer().Held; h != nil {
		t.Errorf("%+v held the volume of a hand-over", h)
	}
	in := model.Incident{Phases: []model.Phase{{ID: model.PhaseUndivided, Undivided: []model.PhaseID{model.PhaseRelease}}}}
	m := model.Remediation{Phases: []string{"release"},
		PredictedPhases: []model.Phase{{ID: model.PhaseRelease, Seconds: model.Range{Best: 83}}}}
	if text := view.PhaseChanges(in, m); text != "" {
		t.Errorf("compared with a part of unknown length: %s", text)
	}
}
