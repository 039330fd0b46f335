package film

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
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
func TestNodeComesBack(t *testing.T) {
	node := model.Ref{Kind: "Node", Name: "a"}
	past := events([]model.TimelineItem{
		item("06:00:00.000", model.NodeNotReady, "Node a is not Ready", node),
		item("06:00:05.000", model.NodeTainted, "Node a is tainted k/x=v:NoExecute by kubectl", node),
		item("06:00:08.000", model.NodeTainted, "Node a is tainted k/xx=v:NoExecute", node),
		item("06:00:11.000", model.NodeCordoned, "Node a was cordoned", node),
		item("06:00:14.000", model.NodeReady, "Node a is Ready", node),
		item("06:00:17.000", model.NodeUntainted, "taint k/x=v:NoExecute was taken from node a", node),
		item("06:00:20.000", model.NodeUncordoned, "Node a was uncordoned", node),
	}, "i", clock("07:00:00.000").At)
	f := &Film{Events: past, index: newIndex(past)}
	if n := f.nodeAt("a", 4); n.Ready.Word != "NotReady" || len(n.Marks) != 3 {
		t.Errorf("down: %+v", n)
	}
	n := f.nodeAt("a", len(past))
	if n.Ready.Word != "Ready" || len(n.Marks) != 1 || n.Marks[0].Word != "tainted k/xx=v:NoExecute" {
		t.Errorf("back: %+v %+v", n.Ready, n.Marks)
	}
	if other := f.nodeAt("b", len(past)); other.Ready != nil || other.Heard != nil || len(other.Marks) > 0 {
		t.Errorf("another node: %+v", other)
	}
}

// TestPodsOfOneName: the object of a StatefulSet's pod comes back under its name, and sources that give no UID mean the
// one that existed then.
func TestPodsOfOneName(t *testing.T) {
	old, later, unnamed := model.PodRef("ns", "db-0", "1"), model.PodRef("ns", "db-0", "2"), model.PodRef("ns", "db-0", "")
	r := &model.Report{Timeline: []model.TimelineItem{
		item("06:00:00.000", model.PodReady, "pod ns/db-0 is Ready", unnamed),
		item("06:01:00.000", model.PodDeletionRequested, "deletion of pod ns/db-0 was requested", unnamed),
		item("06:02:00.100", model.PodGone, "pod ns/db-0 is gone", unnamed),
		item("06:02:00.000", model.PodCreated, "pod ns/db-0 was created", later),
		item("06:03:00.000", model.PodScheduled, "pod ns/db-0 was scheduled to b", unnamed),
	}}
	in := &model.Incident{ID: "i", From: model.Place{Node: "a", Pods: []model.Ref{old}}, To: model.Place{Node: "b", Pods: []model.Ref{later}},
		MultiAttach: model.MultiAttachWait{Began: clock("06:02:10.000")},
		Span:        model.Span{From: clock("06:00:30.000"), To: clock("06:09:00.000"), Open: true}}
	f := New(r, in)
	for _, c := range []struct {
		at, old, later string
		waits          bool
	}{
		{"06:00:40.000", "Ready", "", false}, {"06:01:30.000", "Terminating", "", false},
		{"06:02:05.000", "replaced", "created", false}, {"06:03:30.000", "replaced", "scheduled", true},
	} {
		s := f.At(clock(c.at).At)
		words := [2]string{}
		for i, p := range s.Pods {
			if p.Status != nil {
				words[i] = p.Status.Word
			}
		}
		if words != [2]string{c.old, c.later} || s.Pods[1].Waits != c.waits || s.Pods[1].Exists != (c.later != "") {
			t.Errorf("%s: %q %+v", c.at, words, s.Pods)
		}
	}
}

// TestAttachTellsTheHolder: excerpts of logs know no phase of an attach, and no node that held the volume before.
func TestAttachTellsTheHolder(t *testing.T) {
	ended := clock("06:00:20.000")
	r := &model.Report{Timeline: []model.TimelineItem{item("06:00:20.000", model.AttachSucceeded, "attach of volume v to b succeeded",
		model.Ref{Kind: "Node", Name: "b"})}}
	f := New(r, &model.Incident{ID: "i", To: model.Place{Node: "b"},
		MultiAttach: model.MultiAttachWait{Began: clock("06:00:00.000"), Ended: &ended},
		Span:        model.Span{From: clock("06:00:00.000"), To: ended}})
	if h := f.At(clock("06:00:19.000").At).Holder; h.Known {
		t.Errorf("before the attach it is held by %q", h.Node)
	}
	if h := f.At(ended.At).Holder; !h.Known || h.Node != "b" {
		t.Errorf("after the attach: %+v", h)
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
	f := New(&model.Report{}, &model.Incident{From: model.Place{Node: "a"}, To: model.Place{Node: "b"},
		Span: model.Span{From: clock("06:00:00.000"), To: clock("06:09:00.000")}})
	moved := f.Predict(&model.Remediation{AppliedAt: ptr(clock("06:00:30.000")),
		PredictedPhases: phases(model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach, model.PhaseMount)})
	for _, c := range []struct {
		at      string
		applied bool
		node    string
		waits   bool
		ready   bool
	}{
		{"06:00:10.000", false, "a", true, false}, {"06:01:10.000", true, "a", true, false}, {"06:02:10.000", true, "a", true, false},
		{"06:03:10.000", true, "", true, false}, {"06:04:10.000", true, "b", false, false}, {"06:05:00.000", true, "b", false, true},
	} {
		s := moved.At(clock(c.at).At)
		if s.Applied != c.applied || !s.Holder.Known || s.Holder.Node != c.node || s.Waits != c.waits || s.Ready != c.ready {
			t.Errorf("%s: %+v", c.at, s)
		}
	}
	shared := f.Predict(&model.Remediation{PredictedPhases: phases(model.PhaseEviction, model.PhaseMount)})
	if s := shared.At(clock("06:01:30.000").At); s.Holder.Known || !s.Applied || s.Ready {
		t.Errorf("nothing tells where a shared volume is: %+v", s)
	}
	if s := f.Predict(&model.Remediation{}).At(f.From); s.Phase != -1 || s.Ready || s.Holder.Known {
		t.Errorf("nothing is predicted: %+v", s)
	}
}

func ptr(m model.Moment) *model.Moment { return &m }

// TestBareIncident: a report need not tell anything.
func TestBareIncident(t *testing.T) {
	f := New(&model.Report{}, &model.Incident{})
	if s := f.At(time.Time{}); s.Holder.Known || s.Phase != -1 || len(s.Pods)+len(s.Nodes)+len(s.Attachments) > 0 {
		t.Errorf("%+v", s)
	}
}

// TestStatesOfEvents: each kind of event tells its state of a pod or VolumeAttachment, and a pod does not come back from a later one.
func TestStatesOfEvents(t *testing.T) {
	for k, want := range map[model.Kind]string{
		model.AttachmentCreated: "exists", model.AttacherAttaching: "exists", model.AttachmentAttached: "attached",
		model.AttacherAttached:            "attached",
		model.AttachmentDeletionRequested: "being deleted", model.AttacherDetaching: "being deleted",
		model.AttachmentStuckDeleting: "being deleted",
		model.AttachmentGone:          "gone", model.AttacherDetached: "gone", model.PodGone: "",
	} {
		if got := attachmentWords[k]; got != want {
			t.Errorf("%s is %q, want %q", k, got, want)
		}
	}
	order := [][]model.Kind{
		{model.NodeReady}, {model.PodCreated, model.ReplicaCreated}, {model.PodScheduled, model.PodWaiting}, {model.PodReady, model.PodNotReady},
		{model.PodEvictionDecided, model.PodEvictionCancelled},
		{model.PodDeletionRequested, model.ReplicaDeleted, model.PodForceDeleting, model.PodOrphaned},
		{model.PodContainersStopped, model.PodFinished}, {model.PodGone, model.PodForceDeleted},
	}
	for want, kinds := range order {
		for _, k := range kinds {
			if rank(k) != want {
				t.Errorf("%s has the rank %d, want %d", k, rank(k), want)
			}
		}
	}
}
