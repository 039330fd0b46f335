package report

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// The remedy above the fold has no risk for the data, or says that none is without one; what else it does stands beside it.
func TestBestRemedy(t *testing.T) {
	helps := func(id, safety string, used bool) model.Remediation {
		return model.Remediation{ID: id, Title: "Do " + id, Effect: "shortens", SavedSeconds: &model.Range{Best: 300, Min: 290, Max: 310}, WasUsed: used, Safety: model.Safety{State: safety}, SideEffects: []string{"x stops"}}
	}
	for _, c := range []struct {
		name     string
		remedies []model.Remediation
		want     string
	}{
		{"safe before better", []model.Remediation{helps("a", "not-proven", false), helps("b", "safe", false)}, "Do b: shortens by 5 min (4 min 50 s–5 min 10 s). Data risk: none; side effect: x stops"},
		{"none safe", []model.Remediation{helps("a", "unsafe", false), helps("b", "not-proven", false)}, "none is without a risk for the data. First of the others: Do b: shortens by 5 min (4 min 50 s–5 min 10 s). Data risk: none once proven; side effect: x stops"},
		{"only what was done", []model.Remediation{helps("a", "safe", true)}, "none beyond what was done: Do a: shortens by 5 min (4 min 50 s–5 min 10 s)"},
		{"none", nil, "none: no remedy that volpost knows would have shortened this wait"},
	} {
		r := rich()
		r.Incidents[0].Remediations = c.remedies
		r.Incidents[0].Model = nil
		if got := newView(r).Incident[0].bestRemedy(); got.Value != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.Value, c.want)
		}
	}
	r := rich()
	r.Incidents[0].Causes = []model.Cause{{ID: "handover", Verdict: model.Confirmed}}
	if got := newView(r).Incident[0].bestRemedy(); got.Value != "none needed: the volume moved as it should" {
		t.Errorf("hand-over: %q", got.Value)
	}
	r = rich()
	r.Incidents[0].Remediations, r.Incidents[0].Model = nil, &model.ReplayModel{Withheld: "the clocks disagree"}
	if got := newView(r).Incident[0].bestRemedy(); got.Value != "not predicted: the clocks disagree" {
		t.Errorf("withheld: %q", got.Value)
	}
}

// What a reader needs in the first half minute stands before everything else.
func TestAboveTheFold(t *testing.T) {
	page := render(t, "html", rich())
	top, _, _ := strings.Cut(page, `<section id="story"`)
	for _, want := range []string{"Downtime", "Multi-Attach", "Blocked by", "Wanted on", "Cause", "Best remedy", "Evidence gaps", rich().Verdict.Headline} {
		if !strings.Contains(top, want) {
			t.Errorf("the top of the page lacks %q", want)
		}
	}
}

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
