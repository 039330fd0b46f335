package report

import (
	"testing"

	"github.com/volpost/volpost/report/internal/view"
)

// TestOneIncidentOnTop: box, Markdown and text begin with the incident that the headline is about, whatever its place in time.
func TestOneIncidentOnTop(t *testing.T) {
	r := many(3)
	if len(r.Incidents) < 2 {
		t.Fatal("the fixture has one incident")
	}
	last := r.Incidents[len(r.Incidents)-1]
	r.Verdict.Incident = last.ID
	if in := view.New(r).Main(); in == nil || in.ID != last.ID {
		t.Errorf("the first incident is %v", in)
	}
	r.Verdict.Incident = ""
	if in := view.New(r).Main(); in == nil || in.Causes[0].ID == "handover" {
		t.Error("a report of an earlier version begins with no incident")
	}
}
