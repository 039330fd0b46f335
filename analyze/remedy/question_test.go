package remedy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
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

// An answer says what came too soon, and which deeds it leaves out.
func TestAnswerTells(t *testing.T) {
	for n, tt := range []struct {
		at          float64
		early, left bool
	}{{99, true, true}, {100, false, true}, {149, false, true}, {150, false, true}, {150.01, false, false}} {
		i := made("v1.34.0")
		did(replay.DeleteNode, 150)(i)
		r := kept("r", false)
		r.Needs = func(_ *Incident, at float64) []Need { return []Need{{Text: fmt.Sprintf("at %.2f", at)}} }
		out := Answer(i, r, at(tt.at).At, &evidence.Ledger{})
		if strings.Contains(out.Why, "justified r before 10:01:40") != tt.early || strings.Contains(out.Why, "is left out") != tt.left {
			t.Errorf("%d: %q", n, out.Why)
		}
		if !out.AppliedAt.At.Equal(at(tt.at).At) || out.Safety.Needs[0].Text != fmt.Sprintf("at %.2f", tt.at) {
			t.Errorf("%d: applied at %v, %+v", n, out.AppliedAt.At, out.Safety)
		}
	}
	i, r := made("v1.34.0"), kept("r", false)
	r.From = func(*Incident) float64 { return inf }
	if out := Answer(i, r, at(99).At, &evidence.Ledger{}); strings.Contains(out.Why, "justified") {
		t.Error(out.Why)
	}
}

// TestSet: a setting has the value that is asked for, whatever its remedy says of its own; where there is nothing to set, the answer says so.
func TestSet(t *testing.T) {
	i := made("v1.34.0")
	grace(10)(i)
	if f := fasterNodeDetection.Fit(i); f.Verdict != NoEffect {
		t.Errorf("%+v", f)
	}
	r := Set("faster-node-detection", func(s *replay.Settings) { s.Grace = new(3.0) })
	if f := r.Fit(i); f.Verdict != Fits || f.Why != "" || *r.Change(i, replay.Plan{}, 0).Set.Grace != 3 || r.Steps != nil {
		t.Errorf("%+v", f)
	}
	i.Scenario.Lost = inf
	if f := r.Fit(i); f.Verdict != Undecidable {
		t.Errorf("%+v", f)
	}
	if f := Set("shorten-tolerations", func(*replay.Settings) {}).Fit(i); f.Verdict != Misfit {
		t.Errorf("%+v", f)
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

// TestTolerationsOutlast: pods are to stay for longer than the outage was, by a minute at least, and for the default where it was short, or
// did not end.
func TestTolerationsOutlast(t *testing.T) {
	for back, want := range map[float64]string{inf: "300}", 100: "300}", 200: "300}", 210: "360}", 500: "600}"} {
		i := made("v1.34.0")
		i.Scenario.Back = back // the node was found lost at -40
		if got := longerTolerations.Steps(i)[0].Text; !strings.Contains(got, want) {
			t.Errorf("back at %v: %s", back, got)
		}
	}
}

// TestMachineRuns: only of a lost node the machine is asked for. What its kubelet does comes before a restart; of a mount, what it says.
func TestMachineRuns(t *testing.T) {
	i := made("v1.34.0")
	first := func() string { return restartKubelet.Steps(i)[0].Command }
	if i.MachineRuns() || !strings.HasPrefix(first(), "journalctl ") {
		t.Error("nothing shows that the machine ran", first())
	}
	if by(model.CauseKubeletDown)(i); !i.MachineRuns() || first() != "systemctl status kubelet" {
		t.Error("a stopped kubelet is none of a stopped machine", first())
	}
	if ready(i); i.MachineRuns() {
		t.Error("a node that was Ready is lost")
	}
}
