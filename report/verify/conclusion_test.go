package verify_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/report/verify"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// readBack is a report as it comes out of its JSON.
func readBack(t *testing.T, r *model.Report) *model.Report {
	t.Helper()
	var text bytes.Buffer
	if err := report.Write(&text, "json", r); err != nil {
		t.Fatal(err)
	}
	back, err := report.Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestConclusions(t *testing.T) {
	bundle, err := samples.Bundle("node-deleted")
	if err != nil {
		t.Fatal(err)
	}
	again := reportOf(t, bundle)
	forgeries := []struct {
		name  string
		forge func(*model.Report)
		want  string // the first field that differs; "" for none
	}{
		{"nothing", func(*model.Report) {}, ""},
		{"the name of the bundle", func(r *model.Report) { r.Bundle.Root = "elsewhere" }, ""},
		{"a headline", func(r *model.Report) { r.Verdict.Headline = "Nothing happened." }, "verdict.headline"},
		{"a status", func(r *model.Report) { r.Verdict.Status = model.StatusClean }, "verdict.status"},
		{"which incident", func(r *model.Report) { r.Verdict.Incident = "" }, "verdict.incident"},
		{"a cause", func(r *model.Report) { r.Incidents[0].Causes[0].Summary += " by the storage team" }, "incidents[0].causes[0].summary"},
		{"no cause", func(r *model.Report) { r.Incidents[0].Causes = nil }, "incidents[0].causes[0]"},
		{"one more incident", func(r *model.Report) { r.Incidents = append(r.Incidents, r.Incidents[0]) }, "incidents[1]"},
		{"no incident", func(r *model.Report) { r.Incidents = nil }, "incidents[0]"},
		{"a time", func(r *model.Report) { r.Incidents[0].Phases[0].Seconds.Min++ }, "incidents[0].phases[0].seconds"},
		{"a command", func(r *model.Report) { r.Incidents[0].Remediations[0].Commands = []string{"reboot"} },
			"incidents[0].remediations[0].commands[0]"},
		{"a finding", func(r *model.Report) { r.Findings = append(r.Findings, model.Finding{ID: "x", Text: "y"}) }, "findings["},
		{"when it was collected", func(r *model.Report) { r.Bundle.CapturedAt = nil }, "bundle.capturedAt"},
		{"a row of the timeline", func(r *model.Report) { r.Timeline[3].Text = "rebooted" }, "timeline[3].text"},
	}
	t.Logf("%d tried", len(forgeries))
	for _, c := range forgeries {
		forged := readBack(t, again)
		c.forge(forged)
		got, err := verify.Conclusions(forged, again)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || !strings.HasPrefix(got[0].Field, c.want)) {
			t.Errorf("%s: %.3v, want %s first", c.name, got, c.want)
		}
		if len(got) > 0 && got[0].Report == got[0].Bundle {
			t.Errorf("%s: both say %s", c.name, got[0].Report)
		}
	}
	forged := readBack(t, again)
	forged.Verdict.Headline, forged.Alerts = "Nothing happened.", nil
	if got, err := verify.Conclusions(forged, again); err != nil || len(got) < 2 || got[0].Field != "verdict.headline" {
		t.Errorf("the verdict is not first: %v, %v", got, err)
	}
}

// TestConclusionsOfSamplesHold wants no difference between what is read back and what is concluded again.
func TestConclusionsOfSamplesHold(t *testing.T) {
	for _, s := range recordings.Sweep(samples.List()) {
		bundle, err := samples.Bundle(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		again := reportOf(t, bundle)
		if got, err := verify.Conclusions(readBack(t, again), again); err != nil || len(got) > 0 {
			t.Errorf("%s: %v, %v", s.Name, got, err)
		}
	}
	empty := analyze.Run(t.Context(), &model.Snapshot{}, analyze.Options{})
	if got, err := verify.Conclusions(readBack(t, empty), empty); err != nil || len(got) > 0 {
		t.Errorf("an empty report: %v, %v", got, err)
	}
}
