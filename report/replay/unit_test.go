package replay

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// clock is a second of the incident's day.
func clock(text string) model.Moment {
	t, err := time.Parse("15:04:05.000", text)
	if err != nil {
		panic(err) // a defect of the test
	}
	return model.Exactly(t.AddDate(2026, 0, 0))
}

func item(at string, kind model.Kind, text string, about ...model.Ref) model.TimelineItem {
	return model.TimelineItem{At: clock(at), Kind: kind, Text: text, About: about, Incidents: []string{"i"}, Evidence: []string{at + text}}
}

func TestOneFactIsOneEvent(t *testing.T) {
	node, pod, volume := model.Ref{Kind: "Node", Name: "a"}, model.PodRef("ns", "p", ""), model.Ref{Kind: "PersistentVolume", Name: "v"}
	rounded := item("06:00:00.000", model.NodeNotReady, "Node a is not Ready", node)
	rounded.At = model.WholeSecond(rounded.At.At)
	got := events([]model.TimelineItem{
		rounded,
		item("06:00:00.500", model.NodeNotReady, "Node a is not Ready", node),
		item("06:00:01.000", model.NodeTainted, "Node a is tainted x=:NoSchedule", node),
		item("06:00:01.000", model.NodeTainted, "Node a is tainted x=:NoExecute", node),
		item("06:00:02.000", model.AttachSucceeded, "attach of volume v succeeded", pod, volume),
		item("06:00:02.000", model.AttachSucceeded, "attach of volume v to a succeeded", node, volume),
		item("06:00:02.000", model.AttachSucceeded, "attach of volume v to b succeeded", model.Ref{Kind: "Node", Name: "b"}, volume),
		item("06:00:09.000", model.NodeNotReady, "Node a is not Ready", node),
		item("06:00:10.000", model.ProcessFlag, "a flag"),
		item("06:00:30.000", model.NodeReady, "too late", node),
	}, "i", clock("06:00:20.000").At)
	want := []string{
		"06:00:00.500 Node a is not Ready", "06:00:01.000 Node a is tainted x=:NoSchedule", "06:00:01.000 Node a is tainted x=:NoExecute",
		"06:00:02.000 attach of volume v to a succeeded", "06:00:02.000 attach of volume v to b succeeded", "06:00:09.000 Node a is not Ready",
	}
	if len(got) != len(want) {
		t.Fatalf("%d events: %+v", len(got), got)
	}
	for i, e := range got {
		if text := e.At.At.Format("15:04:05.000 ") + e.Text; text != want[i] {
			t.Errorf("event %d is %q, want %q", i, text, want[i])
		}
	}
	if len(got[0].Evidence) != 2 || len(got[3].Evidence) != 2 || len(got[3].About) != 3 {
		t.Errorf("two sources of one fact are not both kept: %+v, %+v", got[0], got[3])
	}
}

// TestHolder: the new node has the volume once it is attached there and the wait is over, the old one until its attachment is gone.
func TestHolder(t *testing.T) {
	moment := func(at string) *model.Moment { return ptr(clock(at)) }
	in := &model.Incident{ID: "i", From: model.Place{Node: "a"}, To: model.Place{Node: "b"},
		MultiAttach: model.MultiAttachWait{Began: clock("06:00:00.000"), Ended: moment("06:00:20.000")},
		Span:        model.Span{From: clock("06:00:00.000"), To: clock("06:01:00.000")},
		Lanes: []model.Lane{
			{Role: model.RoleBlocking, Node: "a", States: []model.LaneState{
				{Word: model.StateBlocking, From: moment("06:00:00.000"), To: moment("06:00:10.000")}, {Word: model.StateGone, From: moment("06:00:10.000")}}},
			{Role: model.RoleAttachment, Node: "b", States: []model.LaneState{{Word: model.StateAttached, From: moment("06:00:15.000")}}},
		}}
	f := newFilm(&model.Report{}, in)
	for at, want := range map[string]holder{
		"06:00:05.000": {Known: true, Node: "a"}, "06:00:12.000": {Known: true}, "06:00:17.000": {Known: true}, "06:00:20.000": {Known: true, Node: "b"},
		"05:59:59.000": {},
	} {
		if got := f.at(clock(at).At).Holder; got != want {
			t.Errorf("%s: %+v, want %+v", at, got, want)
		}
	}
}

// TestSince: states that are called the same are one, and one that a pod is not there yet is none.
func TestSince(t *testing.T) {
	moment := func(at string) *model.Moment { return ptr(clock(at)) }
	in := &model.Incident{ID: "i", Span: model.Span{From: clock("06:00:00.000"), To: clock("06:01:00.000")},
		Lanes: []model.Lane{{Object: model.Ref{Kind: "Pod"}, Role: model.RoleNewPod, States: []model.LaneState{
			{Word: model.StatePending, Reported: "created", From: moment("06:00:01.000"), To: moment("06:00:02.000")},
			{Word: model.StatePending, Reported: "scheduled", From: moment("06:00:02.000"), To: moment("06:00:05.000")},
			{Word: model.StateWaiting, Reported: "scheduled", From: moment("06:00:05.000"), To: moment("06:00:08.000")},
			{Word: model.StateWaiting, Reported: "running", From: moment("06:00:08.000"), To: moment("06:00:30.000")},
			{Word: model.StateReady, From: moment("06:00:40.000")}}}}}
	f := newFilm(&model.Report{}, in)
	for at, want := range map[string]string{"06:00:00.500": "early", "06:00:03.000": "scheduled 06:00:02",
		"06:00:10.000": "waits for the volume 06:00:05", "06:00:35.000": "", "06:00:50.000": "Ready 06:00:40"} {
		got, o := "", f.at(clock(at).At).Objects[0]
		if o.Early {
			got = "early"
		}
		if o.State != nil {
			got = o.Word + " " + o.Since.At.Format(time.TimeOnly)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
}

func TestOperandsOutsideOfTheirTime(t *testing.T) {
	from, until := clock("06:01:00.000"), clock("06:02:00.000")
	for _, c := range []struct {
		name                  string
		o                     model.Operand
		before, within, after model.Truth
	}{
		{"unhealthy for a time", model.Operand{Operand: "node-unhealthy", Value: model.True, Since: &from, Until: &until}, model.False,
			model.True, model.False},
		{"a failed detach is no success before", model.Operand{Operand: "detach-succeeded", Value: model.False, Since: &from}, model.Unknown,
			model.False, model.False},
		{"released", model.Operand{Operand: "old-pod-released", Value: model.False, Until: &until}, model.False, model.False, model.True},
		{"the wait for an unmount can end without one",
			model.Operand{Operand: "unmounted-by-node", Value: model.False, Since: &from, Until: &until}, model.Unknown, model.False, model.Unknown},
		{"unknown stays unknown", model.Operand{Operand: "timer-elapsed", Value: model.Unknown, Since: &from}, model.Unknown, model.Unknown,
			model.Unknown},
	} {
		for i, want := range []model.Truth{c.before, c.within, c.after} {
			at := []string{"06:00:00.000", "06:01:30.000", "06:03:00.000"}[i]
			if got := thinks([]model.Operand{c.o}, clock(at).At)[0].Value; got != want {
				t.Errorf("%s: at %s it is %s, want %s", c.name, at, got, want)
			}
		}
	}
}

func TestPrediction(t *testing.T) {
	phases := func(ids ...model.PhaseID) (out []model.Phase) {
		at := clock("06:00:00.000")
		for _, id := range ids {
			out = append(out, model.Phase{ID: id, From: at, To: at.Shift(time.Minute)})
			at = at.Shift(time.Minute)
		}
		return out
	}
	f := newFilm(&model.Report{}, &model.Incident{From: model.Place{Node: "a"}, To: model.Place{Node: "b"},
		Span: model.Span{From: clock("06:00:00.000"), To: clock("06:09:00.000")}})
	moved := &model.Remediation{AppliedAt: ptr(clock("06:00:30.000")),
		PredictedPhases: phases(model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach, model.PhaseMount)}
	for at, want := range map[string]string{
		"06:00:10.000": "data risk: possible|release 10 s: old pod still counts as a user|to be applied in 20 s|Saves a lot.",
		"06:01:10.000": "data risk: possible|unmount-wait 10 s: waiting for the unmount or the timeout|applied 40 s ago|Saves a lot.",
		"06:05:07.000": "data risk: possible|the new pod would be Ready for 7 s|applied 4 min 37 s ago|Saves a lot.",
	} {
		p := &player{Replay: &Replay{film: f, other: moved, asked: "taint", risk: model.RiskPossible, said: "Saves a lot."}, at: clock(at).At}
		rows := view.Each(p.predicted(80, 40), plainRow)
		if got := strings.Join(rows[1:], "|"); got != want || rows[0] != "what if: taint" {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
	p := &player{Replay: &Replay{film: f, other: &model.Remediation{}, risk: model.RiskNone}, at: f.From}
	if got := strings.Join(view.Each(p.predicted(80, 40), plainRow), "|"); got != "what if:|data risk: none|" {
		t.Errorf("nothing is predicted: %q", got)
	}
}

func ptr(m model.Moment) *model.Moment { return &m }

// TestBareIncident: a report need not tell anything.
func TestBareIncident(t *testing.T) {
	f := newFilm(&model.Report{}, &model.Incident{})
	if s := f.at(time.Time{}); s.Holder.Known || s.Phase != -1 || len(s.Objects) > 0 {
		t.Errorf("%+v", s)
	}
}
