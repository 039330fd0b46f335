package report

import (
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// Nothing was wrong with what held the volume of a hand-over.
func TestNothingHeldOfAHandover(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i1"
	if view.New(r).Answer().Held == nil {
		t.Fatal("nothing held the volume of an incident")
	}
	r.Verdict.Status = model.StatusHandover
	if h := view.New(r).Answer().Held; h != nil {
		t.Errorf("%+v held the volume of a hand-over", h)
	}
}
