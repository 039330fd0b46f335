package cause

import (
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestAsideDecidesNothing: what explains nothing stands last, however long the phase is that it fell into, and takes the
// answer from no other cause.
func TestAsideDecidesNothing(t *testing.T) {
	before, unknown := all, of(model.CauseUnknown)
	defer func() { all = before }()
	says := func(id string, v model.Verdict, phase model.PhaseID, aside bool) Cause {
		return Cause{ID: id, Check: func(*wait.Case) Result {
			return Result{Verdict: v, Explains: []model.PhaseID{phase}, Aside: aside}
		}}
	}
	for _, aside := range []bool{true, false} {
		all = []Cause{
			says("beside", model.Undecidable, model.PhaseRelease, aside), says("open", model.Undecidable, model.PhaseAttach, false),
			says("answer", model.Confirmed, model.PhaseDetach, false), says("other", model.Likely, model.PhaseAttach, false), unknown,
		}
		at := time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)
		phase := func(id model.PhaseID, from, to int) model.Phase {
			return model.Phase{ID: id, From: model.Exactly(at.Add(time.Duration(from) * time.Second)),
				To: model.Exactly(at.Add(time.Duration(to) * time.Second))}
		}
		c := &wait.Case{World: &facts.World{Snapshot: &model.Snapshot{}}, Volume: &facts.Volume{}, Phases: []model.Phase{
			phase(model.PhaseRelease, 0, 50), phase(model.PhaseDetach, 50, 110), phase(model.PhaseAttach, 110, 120),
		}}
		c.Began = facts.Instant{Moment: model.Exactly(at)}
		var ids string
		for _, k := range Explain(c, &evidence.Ledger{}) {
			ids += k.ID + " "
		}
		want := "answer other open beside "
		if !aside {
			want = "answer other beside open "
		}
		if ids != want {
			t.Errorf("aside %v: %s instead of %s", aside, ids, want)
		}
	}
}

// TestAnswerOf: of an answer without a message nothing is said in its place.
func TestAnswerOf(t *testing.T) {
	for detail, want := range map[string]string{
		"rpc error: googleapi: Error 503: Try again later. More details: Reason: backendError, Message:\n": "googleapi: Error 503: Try again later. More details: Reason: backendError",
		"rpc error: googleapi: Error 400: More details: Reason: inUse, Message: The disk is in use.":       "googleapi: Error 400: More details: Reason: inUse, Message: The disk is in use",
	} {
		if got := answerOf([]*model.Observation{{Detail: detail}}); got != want {
			t.Errorf("%q", got)
		}
	}
}

// TestMountToCome: what the collection found still not in use counts from the attach, and one with a phase of its own only as that.
func TestMountToCome(t *testing.T) {
	for _, tt := range []struct {
		name               string
		captured, attached bool
		phase              time.Duration
		want               time.Duration
	}{
		{"still to come", true, true, 0, 90 * time.Second},
		{"with a phase", true, true, 40 * time.Second, 40 * time.Second},
		{"not attached", true, false, 0, 0},
		{"never collected", false, true, 0, 0},
	} {
		c := cases.Made("v1.34.0")
		if tt.captured {
			s := *c.World.Snapshot
			s.CapturedAt = new(cases.At(100, model.Observation{}).Moment)
			c.World = facts.NewWorld(&s)
		}
		if tt.attached {
			c.Attached = cases.At(10, model.Observation{})
		}
		if from := cases.At(10, model.Observation{}).Moment; tt.phase > 0 {
			c.Phases = []model.Phase{{ID: model.PhaseMount, From: from, To: model.Exactly(from.At.Add(tt.phase))}}
		}
		if got := weight(c, Result{Explains: []model.PhaseID{model.PhaseMount}}); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if got := weight(c, Result{Explains: []model.PhaseID{model.PhaseDetach}}); got != 0 {
			t.Errorf("%s: %s of another phase", tt.name, got)
		}
	}
}
