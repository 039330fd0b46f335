package report

import (
	"testing"

	"github.com/volpost/volpost/model"
)

// What is missing is named by its source, and one source alone by its file.
func TestSureness(t *testing.T) {
	for missing, want := range map[string]string{
		"whether the node was Ready: the Node object, or its events":                         "the Node object, or its events",
		"the kubelet's log of node-a, which would say what holds the mount":                  "the kubelet's log of node-a",
		"proof that the machine was off, such as the cloud's: a dead kubelet looks the same": "proof that the machine was off",
		"when it went":                      "when it went",
		"the log; it would say: everything": "the log",
	} {
		if got := source(missing); got != want {
			t.Errorf("%s: %q, want %q", missing, got, want)
		}
	}
	for _, c := range []struct {
		s    sureness
		want string
	}{
		{sureness{}, ""},
		{sureness{Verdict: string(model.Confirmed)}, "confirmed"},
		{sureness{Verdict: string(model.Undecidable), Sources: []string{"a/b/events.yaml"}}, "cannot be told from one source alone, events.yaml"},
		{sureness{Verdict: string(model.Likely), Sources: []string{"a", "b"}}, "likely from 2 sources"},
	} {
		if got := c.s.Text(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}

// A remedy whose condition is known not to have been met is not offered.
func TestConditionNotMet(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i1"
	in := &r.Incidents[0]
	chosen := newView(r).Answer().Remedy.ID
	for n := range in.Remediations {
		if m := &in.Remediations[n]; m.ID == chosen {
			m.Safety.Needs = []model.Need{{Text: "the machine is off", Met: "no"}}
		}
	}
	if other := newView(r).Answer().Remedy; other != nil && other.ID == chosen {
		t.Errorf("%s is offered, and its condition is known not to be met", chosen)
	}
}

// Nothing was wrong with what held the volume of a hand-over; and of a stretch that nothing divides no part has a length to compare.
func TestNothingHeldAndNothingCompared(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i1"
	if newView(r).Answer().Held == nil {
		t.Fatal("nothing held the volume of an incident")
	}
	r.Verdict.Status = model.StatusHandover
	if h := newView(r).Answer().Held; h != nil {
		t.Errorf("%+v held the volume of a hand-over", h)
	}
	in := model.Incident{Phases: []model.Phase{{ID: model.PhaseUndivided, Undivided: []model.PhaseID{model.PhaseRelease}}}}
	m := model.Remediation{Phases: []string{"release"}, PredictedPhases: []model.Phase{{ID: model.PhaseRelease, Seconds: model.Range{Best: 83}}}}
	if text := phaseChanges(in, m); text != "" {
		t.Errorf("compared with a part of unknown length: %s", text)
	}
}
