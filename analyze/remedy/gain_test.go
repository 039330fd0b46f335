package remedy

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// A saving is one when no replay of it comes later; what reaches from sooner to later is no clear gain, and is told.
func TestSavings(t *testing.T) {
	i := &Incident{Case: &wait.Case{Span: model.Span{Seconds: model.Range{Max: 1000}},
		Phases: []model.Phase{{ID: model.PhaseRelease, Seconds: model.Range{Max: 1000}}}}, Scenario: &replay.Scenario{End: 100, Until: 100}}
	for _, c := range []struct {
		by     model.Range
		effect string
		why    string
	}{
		{model.Range{Min: 10, Best: 50, Max: 90}, model.EffectShortens, ""},
		{model.Range{Min: 0, Best: 36, Max: 119}, model.EffectShortens, ""},
		{model.Range{Min: 0, Best: 5, Max: 9}, model.EffectShortens, ""},
		{model.Range{Min: -90, Best: -5, Max: 0}, model.EffectLengthens, "With it the new pod is Ready 5 s later."},
		{model.Range{Min: -4, Best: 0, Max: 5}, model.EffectNone, "No clear gain: the new pod becomes Ready between 5 s sooner and 4 s later."},
		{model.Range{Min: -1, Best: 50, Max: 90}, model.EffectNone,
			"No clear gain: the new pod becomes Ready between 1 min 30 s sooner and 1 s later."},
		{model.Range{Min: -90, Best: -50, Max: 1}, model.EffectNone,
			"No clear gain: the new pod becomes Ready between 1 s sooner and 1 min 30 s later."},
		{model.Range{Min: -90, Best: -50, Max: -10}, model.EffectLengthens, "With it the new pod is Ready 50 s later."},
		{model.Range{Min: 1, Best: 2, Max: 20}, model.EffectNone, "No clear gain: the new pod becomes Ready up to 20 s sooner."},
		{model.Range{Min: -20, Best: -2, Max: -1}, model.EffectNone, "No clear gain: the new pod becomes Ready up to 20 s later."},
		{model.Range{Min: -4, Best: 0, Max: 4}, model.EffectNone, "It makes a difference of less than 5 s."},
	} {
		out := model.Remediation{Phases: []string{string(model.PhaseRelease)}}
		i.save(&out, c.by, true)
		if out.Effect != c.effect || out.Why != c.why || out.SavedSeconds == nil {
			t.Errorf("%+v: %s, %q, %v; want %s, %q", c.by, out.Effect, out.Why, out.SavedSeconds, c.effect, c.why)
		}
	}
}

// The phases' longest lengths add up to more than the incident; a saving does not.
func TestSavingsWithinTheSpan(t *testing.T) {
	i := &Incident{Case: &wait.Case{Span: model.Span{Seconds: model.Range{Max: 60}},
		Phases: []model.Phase{{ID: model.PhaseRelease, Seconds: model.Range{Max: 40}}, {ID: model.PhaseDetach, Seconds: model.Range{Max: 40}}}},
		Scenario: &replay.Scenario{End: 100, Until: 100}}
	out := model.Remediation{Phases: []string{string(model.PhaseRelease), string(model.PhaseDetach)}}
	if i.save(&out, model.Range{Min: 10, Best: 50, Max: 90}, true); out.SavedSeconds.Max != 60 {
		t.Errorf("%+v", out.SavedSeconds)
	}
}

// Where the incident ends at the attach, the best saving leaves out what the containers need to start.
func TestBestWithinTheSpan(t *testing.T) {
	i := &Incident{Case: &wait.Case{Span: model.Span{Seconds: model.Range{Best: 45, Max: 60}},
		Phases: []model.Phase{{ID: model.PhaseRelease, Seconds: model.Range{Max: 60}}}}, Scenario: &replay.Scenario{End: 100, Until: 100}}
	for by, want := range map[model.Range]model.Range{
		{Min: 48, Best: 50, Max: 55}: {Best: 45, Min: 45, Max: 55},
		{Min: 10, Best: 44, Max: 55}: {Best: 44, Min: 10, Max: 55},
	} {
		out := model.Remediation{Phases: []string{string(model.PhaseRelease)}}
		if i.save(&out, by, true); *out.SavedSeconds != want {
			t.Errorf("%+v: %+v", by, *out.SavedSeconds)
		}
	}
}

// What is proven of the old node decides: a remedy for lost nodes does not apply to one that is Ready, and one of which
// nothing tells is neither.
func TestNodeStates(t *testing.T) {
	for state, want := range map[wait.NodeState][2]Verdict{
		wait.NodeLost: {Fits, Misfit}, wait.NodeReady: {Misfit, Fits}, wait.NodeUnknown: {Undecidable, Undecidable},
	} {
		i := &Incident{state: state, Case: &wait.Case{From: "node-a"}}
		for n, got := range []Fit{i.ofLostNode("It was Ready."), i.ofReadyNode("It was lost.")} {
			if got.Verdict != want[n] {
				t.Errorf("state %d, remedy %d: %+v", state, n, got)
			}
			if got.Verdict == Undecidable && !strings.Contains(got.Why, "node-a") {
				t.Errorf("state %d: the reason does not name what would tell: %q", state, got.Why)
			}
		}
	}
	if why := (&Incident{Case: &wait.Case{}}).unknownState(); strings.Contains(why, "OLD-NODE") || why == "" {
		t.Errorf("of a node that is not known: %q", why)
	}
}

// What was really done had something to act on, whatever the rest of the evidence says.
func TestUsedIsNoMisfit(t *testing.T) {
	i := &Incident{Case: &wait.Case{}}
	r := Remedy{Fit: func(*Incident) Fit { return misfit("Nothing to act on.") }}
	if f := i.fit(r); f.Verdict != Misfit {
		t.Errorf("not used: %+v", f)
	}
	r.Used = func(*Incident) (float64, bool) { return 10, true }
	if f := i.fit(r); f.Verdict != Fits {
		t.Errorf("used: %+v", f)
	}
	r.Used = func(*Incident) (float64, bool) { return math.Inf(1), false }
	if f := i.fit(r); f.Verdict != Misfit {
		t.Errorf("not used: %+v", f)
	}
}

// TestRewritesPast: phases that save time of one that was over before the act are of another past.
func TestRewritesPast(t *testing.T) {
	at := func(s float64) *model.Moment {
		return new(model.Exactly(time.Unix(0, 0).Add(time.Duration(s) * time.Second)))
	}
	release := func(seconds float64) []model.Phase {
		return []model.Phase{{ID: model.PhaseRelease, From: *at(0), To: *at(seconds), Seconds: model.Range{Best: seconds}}}
	}
	i := &Incident{Case: &wait.Case{Phases: release(20)}}
	for _, tt := range []struct {
		name      string
		act       *model.Moment
		predicted float64
		want      bool
	}{
		{"over before the act", at(30), 2, true},
		{"by hardly anything", at(30), 15, false},
		{"still going on", at(10), 2, false},
		{"a setting, which has no time", nil, 2, false},
	} {
		if got := i.rewritesPast(&model.Remediation{AppliedAt: tt.act, PredictedPhases: release(tt.predicted)}); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
