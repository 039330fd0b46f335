package remedy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

// TestFrom: the first moment that justifies each remedy.
func TestFrom(t *testing.T) {
	for _, tt := range []struct {
		remedy  Remedy
		want    float64
		changes []change
	}{
		{restartAttacher, 140, []change{asks(110)}}, {removeAttachmentFinalizer, 230, []change{asks(110)}},
		{fixBackendDetach, 120, []change{asks(110, broken)}},
		{scaleToZero, 0, nil}, {deleteOldPod, 0, nil}, {restartKubelet, -40, nil}, {findMountHolder, 160, nil}, {recreateNewPod, 490, nil},
		{forceDeletePod, -20, nil}, {forceDeletePod, -40, []change{deleted(-50)}}, {forceDeletePod, 0, []change{deleted(50)}},
		{deleteNode, -20, []change{nodeGone(-60)}}, {deleteNode, -40, []change{deleted(-50), nodeGone(-30)}},
		{deleteNode, 70, []change{nodeGone(70), set(func(s *replay.Scenario) { s.NotReady = never })}},
	} {
		i := made("v1.34.0")
		for _, c := range tt.changes {
			c(i)
		}
		if got := tt.remedy.From(i); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.remedy.ID, got, tt.want)
		}
	}
}

// A remedy that comes with the end or later comes too late; what never ends has no time for an act at the collection.
func TestTooLate(t *testing.T) {
	r := Remedy{From: (*Incident).stuck, Change: acting(replay.TaintOutOfService)}
	for end, late := range map[float64]bool{280: true, 281: false} {
		i, out := made("v1.34.0"), model.Remediation{}
		i.Scenario.End = end
		if i.replay(r, &out); strings.Contains(out.Why, "over sooner") != late || (out.AppliedAt == nil) != late {
			t.Errorf("over after %.0f s: %+v", end, out)
		}
	}
	i, out := made("v1.34.0"), model.Remediation{}
	still(600)(i)
	if i.replay(r, &out); out.IfAppliedNow == nil {
		t.Errorf("%+v", out)
	}
	out = model.Remediation{}
	i.Scenario.ForceDetach, i.Scenario.Released = false, never
	i.replay(Remedy{From: (*Incident).stuck, Change: func(_ *Incident, p replay.Plan, _ float64) replay.Plan { return p }}, &out)
	if out.IfAppliedNow != nil {
		t.Errorf("a wait that never ends has an end: %+v", out.IfAppliedNow)
	}
}

// kept is a remedy of a question that changes nothing.
func kept(id string, preventive bool) Remedy {
	return Remedy{ID: id, Preventive: preventive, Fit: func(*Incident) Fit { return fits("") }, From: func(*Incident) float64 { return 100 },
		SideEffects: always(),
		Change:      func(_ *Incident, p replay.Plan, _ float64) replay.Plan { return p }}
}

func saying(f Fit, change func(*Remedy)) Remedy {
	r := kept("r", false)
	r.Fit = func(*Incident) Fit { return f }
	if change != nil {
		change(&r)
	}
	return r
}

// One step that does not fit decides the answer; steps that change nothing do so only alone.
func TestFitting(t *testing.T) {
	still := saying(fits(""), func(r *Remedy) { r.Change = nil })
	for n, tt := range []struct {
		steps []Remedy
		set   replay.Settings
		kept  int
		want  string
	}{
		{[]Remedy{kept("r", false)}, replay.Settings{}, 1, "fits "},
		{[]Remedy{still}, replay.Settings{}, 0, "none "},
		{[]Remedy{still, kept("r", false)}, replay.Settings{}, 1, "fits "},
		{[]Remedy{still}, replay.Settings{NoForcedDetach: true}, 0, "fits "},
		{[]Remedy{saying(noEffect("No."), nil)}, replay.Settings{}, 0, "none r: No."},
		{[]Remedy{saying(undecidable("Perhaps."), nil)}, replay.Settings{}, 0, "undecidable r: Perhaps."},
		{[]Remedy{kept("r", false), saying(undecidable("Perhaps."), nil)}, replay.Settings{}, 1, "undecidable r: Perhaps."},
		{[]Remedy{kept("r", false), saying(misfit("Not here."), nil)}, replay.Settings{}, 0, "misfit r: Not here."},
		{nil, replay.Settings{Toleration: new(3.0)}, 0, "misfit No pod was evicted from a lost node here."},
		{nil, replay.Settings{Grace: new(3.0)}, 0, "fits "},
		{nil, replay.Settings{}, 0, "none "},
	} {
		var q Question
		for _, r := range tt.steps {
			q.Steps = append(q.Steps, Applied{r, at(200).At})
		}
		q.Set = tt.set
		i := made("v1.34.0")
		grace(40)(i)
		steps, f := i.fitting(q)
		if got := tells[f.Verdict] + " " + f.Why; len(steps) != tt.kept || got != tt.want {
			t.Errorf("%d: %d steps, %q, want %q", n, len(steps), got, tt.want)
		}
	}
	i := made("v1.34.0")
	i.Scenario.Lost = inf
	if _, f := i.fitting(Question{Set: replay.Settings{Grace: new(3.0)}}); f.Verdict != Undecidable {
		t.Errorf("a setting of which nothing tells: %+v", f)
	}
}

// Several steps are one remedy, as bad as the worst of them.
func TestCombined(t *testing.T) {
	i := made("v1.34.0")
	with := func(r Remedy, change func(*Remedy)) Applied { change(&r); return Applied{r, at(200).At} }
	need := func(text string) func(*Remedy) {
		return func(r *Remedy) {
			r.Needs = func(_ *Incident, at float64) []Need { return []Need{{Text: fmt.Sprint(text, " at ", at)}} }
		}
	}
	one, two := Applied{kept("one", true), time.Time{}}, Applied{kept("two", false), at(200).At}
	forces := with(kept("three", false), func(r *Remedy) { r.Forces, r.After = true, []string{"fence-node"} })
	for n, tt := range []struct {
		steps              []Applied
		preventive, forces bool
	}{
		{nil, true, false}, {[]Applied{one}, true, false}, {[]Applied{one, two}, false, false}, {[]Applied{two, one}, false, false},
		{[]Applied{forces, two}, false, true}, {[]Applied{two, forces, forces}, false, true},
	} {
		r := i.combined(Question{}, tt.steps)
		if r.Preventive != tt.preventive || r.Forces != tt.forces || tt.forces && !slices.Equal(r.After, []string{"fence-node"}) {
			t.Errorf("%d: %+v", n, r)
		}
	}
	r := i.combined(Question{}, []Applied{two, with(kept("a", false), need("a")), with(kept("b", false), need("a")),
		with(kept("c", true), need("c"))})
	if got := fmt.Sprint(r.Needs(i, 0)); strings.Count(got, "a at 200") != 1 || !strings.Contains(got, "c at 280") &&
		!strings.Contains(got, "c at 400") {
		t.Error("needs:", got)
	}
	still(600)(i)
	if got := fmt.Sprint(r.Needs(i, 0)); !strings.Contains(got, "a at 600") {
		t.Error("needs of an open incident:", got)
	}
	grace, toleration := 1.0, 2.0
	set := replay.Settings{Grace: &grace, Toleration: &toleration, NoForcedDetach: true}
	for n, got := range []replay.Settings{merged(replay.Settings{}, set), merged(set, replay.Settings{})} {
		if got != set {
			t.Errorf("%d: %+v", n, got)
		}
	}
	if got := merged(replay.Settings{Grace: new(9.0)}, set); got.Grace != &grace ||
		merged(replay.Settings{}, replay.Settings{}).NoForcedDetach {
		t.Errorf("%+v", got)
	}
	if len(standing(set)) != 3 || len(standing(replay.Settings{})) != 0 {
		t.Error(len(standing(set)))
	}
}

// An answer says what came too soon, and which deeds it leaves out.
func TestAnswerTells(t *testing.T) {
	for n, tt := range []struct {
		at          float64
		early, left bool
	}{{99, true, true}, {100, false, true}, {149, false, true}, {150, false, true}, {150.01, false, false}} {
		i, out := made("v1.34.0"), model.Remediation{}
		did(replay.DeleteNode, 150)(i)
		r := kept("r", false)
		i.answer(r, []Applied{{kept("p", true), at(1).At}, {r, at(tt.at).At}, {r, at(400).At}}, &out)
		if strings.Contains(out.Why, "justified r before 10:01:40") != tt.early || strings.Contains(out.Why, "is left out") != tt.left {
			t.Errorf("%d: %q", n, out.Why)
		}
		if !out.AppliedAt.At.Equal(at(tt.at).At) {
			t.Errorf("%d: applied at %v", n, out.AppliedAt.At)
		}
	}
	i, out := made("v1.34.0"), model.Remediation{}
	r := kept("r", false)
	r.From = func(*Incident) float64 { return inf }
	if i.answer(r, []Applied{{r, at(99).At}}, &out); strings.Contains(out.Why, "justified") {
		t.Error(out.Why)
	}
}

// A time is of the incident from the second of its beginning until a second after its end.
func TestOutside(t *testing.T) {
	i := made("v1.34.0")
	begin := cases.Began.Add(500 * time.Millisecond)
	i.Case.Span.From = model.Exactly(begin)
	for at, outside := range map[time.Time]bool{
		cases.Began.Add(-time.Millisecond): true, cases.Began: false, cases.Began.Add(491 * time.Second): false,
		cases.Began.Add(491*time.Second + 1): true,
	} {
		if got := i.Outside(at); (got != "") != outside {
			t.Errorf("%s: %q", at, got)
		}
	}
}

// A control character never reaches a shell, and a step without a command has one line.
func TestComments(t *testing.T) {
	if got := comment("a\x1fb\x7fc d\ne~"); got != "# a b c d e~" {
		t.Errorf("%q", got)
	}
	if got := comment("é漢"); got != "# é漢" {
		t.Errorf("%q", got)
	}
	if got := command("a", "", "b'c"); got != `a '' 'b'\''c'` {
		t.Error(got)
	}
	got := commands([]model.Step{{Part: model.StepAct, Text: "x"}, {Part: model.StepAfter, Text: "y"}})
	if !slices.Equal(got, []string{"# x", "# After: y"}) {
		t.Error(got)
	}
}

// The phases of a remedy are those of the incident, each once; it saves no more than their sum.
func TestPhases(t *testing.T) {
	i := made("v1.34.0")
	i.Case.Span.Seconds.Max = 100
	i.Case.Phases = []model.Phase{{ID: model.PhaseRelease, Seconds: model.Range{Max: 10}},
		{ID: model.PhaseRelease, Seconds: model.Range{Max: 20}}, {ID: model.PhaseMount, Seconds: model.Range{Max: 40}}}
	got := i.phases(Remedy{Phases: []model.PhaseID{model.PhaseRelease, model.PhaseDetach}})
	if !slices.Equal(got, []string{string(model.PhaseRelease)}) {
		t.Error(got)
	}
	if got := i.most([]string{string(model.PhaseRelease)}); got != 30 {
		t.Error(got)
	}
}

// Of a wait without an end only what lies before the collection is saved.
func TestSavingsOfOpenWait(t *testing.T) {
	for hi, want := range map[float64]string{0: "does not end.", 1: "counted to the collection"} {
		i, out := made("v1.34.0"), model.Remediation{Phases: []string{string(model.PhaseRelease)}}
		still(600)(i)
		i.Case.Span.Seconds.Max = 900
		i.Case.Phases = []model.Phase{{ID: model.PhaseRelease, Seconds: model.Range{Max: 900}}}
		i.save(&out, model.Range{Min: -50, Best: -20, Max: hi}, false)
		if out.Effect != model.EffectShortens || !strings.Contains(out.Why, want) || (out.SavedSeconds != nil) != (hi > 0) {
			t.Errorf("%v: %+v", hi, out)
		} else if hi > 0 && (*out.SavedSeconds != model.Range{Max: 1}) {
			t.Errorf("%+v", out.SavedSeconds)
		}
	}
}

// The attach of a replay is told where it has one.
func TestPredicted(t *testing.T) {
	for attach, told := range map[model.Range]bool{{}: false, exactly(1): true, never: false, {Min: -3, Best: -2, Max: -1}: false,
		{Min: -1, Best: 0, Max: 1}: true} {
		i, out := made("v1.34.0"), model.Remediation{}
		if i.predicted(&out, replay.Prediction{Ready: exactly(9), Attach: attach}); (out.PredictedAttach != nil) != told ||
			out.PredictedEnd == nil {
			t.Errorf("%+v: %+v", attach, out)
		}
	}
}

// Two replays are the same only when they end at one time, or stay open for one reason.
func TestSame(t *testing.T) {
	p := replay.Prediction{Ready: exactly(9), Why: "a"}
	if !same(p, p) || same(p, replay.Prediction{Ready: exactly(8), Why: "a"}) || same(p, replay.Prediction{Ready: exactly(9), Why: "b"}) {
		t.Error("same")
	}
}
