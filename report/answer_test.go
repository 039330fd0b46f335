package report

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// The answer tells of the incident that the headline is about, and of no other.
func TestAnswerIsOfTheHeadline(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i1"
	a := view.New(r).Answer()
	if a.Incident == nil || a.Incident.ID != "i1" {
		t.Fatal("the answer is of another incident than the headline")
	}
	sum := 0.0
	for _, p := range a.Bar {
		sum += p.Width
	}
	if sum < 0.999 || sum > 1.001 {
		t.Errorf("the bar's shares add up to %f", sum)
	}
	if a.Chip == "" || a.Headline == "" || len(a.Steps) == 0 {
		t.Errorf("the answer lacks something: %+v", a)
	}
}

// What the chip says of the end, the head of the steps says too: an open incident is acted on now, one whose end nothing shows if it
// still waits, and one that is over not at all.
func TestChipAndStepsAgree(t *testing.T) {
	for _, c := range []struct {
		name        string
		basis       model.Basis
		ended, down bool // the volume has moved; its pod is down
		chip, tense string
	}{
		{"moved, and its mount fails", model.Assumed, true, true, "STILL DOWN", "What to do now, if it is still down"},
		{"open at the collection", model.Observed, false, false, "STILL BLOCKED · ", "What to do now"},
		{"pasted, so that nobody knows", model.Assumed, false, false, "BLOCKED · end unknown", "What to do now, if it still waits"},
		{"pasted, and the author says that it is over", model.Assumed, false, false, "LIKELY OVER · end unknown", "What to do now, if it still waits"},
		{"begun by force, with nobody known to wait", model.Assumed, false, false, "DETACH BY FORCE · end unknown", "What to do now"},
		{"over", model.Observed, true, false, "RESOLVED", "What would have been better"},
	} {
		r := &model.Report{Verdict: model.ReportVerdict{Status: model.StatusIncident, Incident: "i"},
			Incidents: []model.Incident{openIncident("i", "orders-db")}}
		captured := at(400)
		captured.Basis = c.basis
		r.Bundle.CapturedAt = &captured
		r.Incidents[0].Remediations, r.Incidents[0].Advice = nil, &model.Advice{}
		r.Incidents[0].Next = []model.NextStep{{Decides: "who holds it", Command: "kubectl get pods"}}
		if c.ended {
			r.Incidents[0].Span.Open, r.Incidents[0].Resolved, r.Incidents[0].MultiAttach.Ended = false, true, ptr(at(300))
		}
		if strings.HasPrefix(c.chip, "DETACH") {
			r.Incidents[0].Kind, r.Incidents[0].Span.Open, r.Incidents[0].Advice.Now = model.KindForcedDetach, false, []model.Option{{}}
		}
		r.Verdict.Over = strings.HasPrefix(c.chip, "LIKELY")
		if c.down {
			r.Verdict.Status, r.Verdict.Open = model.StatusFault, true
		}
		if a := view.New(r).Answer(); !strings.HasPrefix(a.Chip, c.chip) || a.Tense != c.tense {
			t.Errorf("%s: the chip says %q, and the steps %q", c.name, a.Chip, a.Tense)
		}
	}
}

// What is to be seen now is no part of what would have helped then.
func TestStepsOfAnEndedIncident(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i1"
	r.Incidents[0].Next = []model.NextStep{{Decides: "who holds it", Command: "kubectl get pods"}}
	for _, s := range view.New(r).Answer().Steps[0].List {
		if s.Command == "kubectl get pods" {
			t.Error("what would have helped begins with what is to be looked at now")
		}
	}
}

// Both nodes could write only where the old one is known to have run on; that a detach was forced does not say so.
func TestTwoWriters(t *testing.T) {
	for _, both := range []bool{true, false} {
		r := rich()
		end := at(600)
		r.Incidents[0].IntegrityWindow = &model.IntegrityWindow{From: at(500), To: &end, Text: "By force.", RanOn: both}
		banners := strings.Join(view.New(r).Answer().Banners, "\n")
		if strings.Contains(banners, "Both nodes could write to volume ") != both {
			t.Errorf("two writers %v: the banners are %q", both, banners)
		}
	}
}

// An open incident without a command says so in every form; one with a command, or one that is over, has nothing to say.
func TestNoCommand(t *testing.T) {
	for _, c := range []struct {
		name, command string
		ended, want   bool
	}{{"open", "", false, true}, {"open with a command", "kubectl get pods", false, false}, {"over", "", true, false}} {
		r := &model.Report{Verdict: model.ReportVerdict{Status: model.StatusIncident, Incident: "i"},
			Incidents: []model.Incident{openIncident("i", "orders-db")}}
		in := &r.Incidents[0]
		in.Remediations, in.Advice, in.Next = nil, &model.Advice{}, []model.NextStep{{Decides: "who holds it", Command: c.command}}
		if c.ended {
			in.Span.Open, in.MultiAttach.Ended = false, ptr(at(300))
		}
		for _, form := range []string{"html", "text", "md", "jira"} {
			if got := strings.Contains(strings.Join(strings.Fields(render(t, form, r)), " "), "No command is given"); got != c.want {
				t.Errorf("%s, %s: %v", c.name, form, got)
			}
		}
	}
}
