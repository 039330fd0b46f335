package replay

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// Before an attach is asked for no pod waits for the volume, and the controller goes by what keeps it from a detach all the same.
func TestBeforeMultiAttach(t *testing.T) {
	began := time.Date(2026, time.March, 14, 9, 35, 47, 0, time.UTC)
	in := model.Incident{ID: "i", MultiAttach: model.MultiAttachWait{Began: model.Exactly(began)},
		From: model.Place{Node: "node-a"}, To: model.Place{Pods: []model.Ref{{Kind: "Pod", Namespace: "prod", Name: "web-new"}}},
		Span:           model.Span{From: model.Exactly(began.Add(-time.Minute)), To: model.Exactly(began.Add(time.Minute)), Open: true},
		WhyNotDetached: []model.Operand{{Operand: "old-pod-released", Value: model.False}}}
	for _, tt := range []struct {
		kind   model.IncidentKind
		waits  bool
		thinks int
	}{{model.KindMultiAttach, true, 1}, {model.KindBeforeMultiAttach, false, 1}} {
		in.Kind = tt.kind
		f := newFilm(&model.Report{Incidents: []model.Incident{in}}, &in)
		s := f.at(began.Add(time.Second))
		if s.Waits != tt.waits || len(s.Thinks) != tt.thinks {
			t.Errorf("%s: waits %v, %d thoughts", tt.kind, s.Waits, len(s.Thinks))
		}
		if (s.Timer.Word == timerIdle) == tt.waits {
			t.Errorf("%s: the timer is %s", tt.kind, s.Timer.Word)
		}
		if before := f.at(began.Add(-time.Second)); before.Waits || len(before.Thinks) != 0 {
			t.Errorf("%s: before its beginning it waits, or thinks", tt.kind)
		}
	}
}
