package report

import "testing"

// TestOneIncidentOnTop: box, Markdown and text begin with the incident that the headline is about, whatever its place in time.
func TestOneIncidentOnTop(t *testing.T) {
	r := many(3)
	if len(r.Incidents) < 2 {
		t.Fatal("the fixture has one incident")
	}
	last := r.Incidents[len(r.Incidents)-1]
	r.Verdict.Incident = last.ID
	if in := newView(r).primary(); in == nil || in.ID != last.ID {
		t.Errorf("the first incident is %v", in)
	}
	r.Verdict.Incident = ""
	if in := newView(r).primary(); in == nil || in.Causes[0].ID == "handover" {
		t.Error("a report of an earlier version begins with no incident")
	}
}
