package lanes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

var start = time.Date(2026, time.March, 14, 6, 0, 0, 0, time.UTC)

func at(seconds float64) model.Moment {
	return model.Exactly(start.Add(time.Duration(seconds * float64(time.Second))))
}

func said(seconds float64, o model.Observation) *model.Observation {
	o.At = at(seconds)
	o.Quote.Text = "x"
	return &o
}

// brief is a lane as its words with the seconds at which they begin.
func brief(l *Lane) string {
	l.close()
	var out []string
	for _, s := range l.States {
		word := string(s.Word)
		if s.Reported != "" {
			word += "/" + s.Reported
		}
		begins := "-"
		if s.From.Known() {
			begins = fmt.Sprint(s.From.At.Sub(start).Seconds())
		}
		out = append(out, fmt.Sprint(begins, " ", word, strings.Join(s.Marks, ",")))
	}
	return strings.Join(out, "; ")
}

func TestNodeComesBack(t *testing.T) {
	kind := func(seconds float64, k model.Kind, detail string) *model.Observation {
		return said(seconds, model.Observation{Kind: k, Node: "a", Detail: detail})
	}
	got := brief(node("a", []*model.Observation{
		kind(0, model.NodeHeartbeat, ""), kind(10, model.NodeHeartbeat, ""), kind(50, model.NodeNotReady, ""), kind(50.5, model.NodeNotReady, ""),
		kind(55, model.NodeTainted, "k/x=v:NoExecute"), kind(58, model.NodeTainted, "k/xx=v:NoExecute"), kind(58.5, model.NodeTainted, "k/xx=v:NoExecute"),
		kind(61, model.NodeCordoned, ""), kind(64, model.NodeReady, ""), kind(67, model.NodeUntainted, "k/x=v:NoExecute"), kind(70, model.NodeUncordoned, ""),
		kind(71, model.NodeOutOfService, ""), kind(72, model.NodeTainted, "node.kubernetes.io/out-of-service=x:NoExecute"),
		kind(75, model.NodeHeartbeat, ""), kind(90, model.NodeNotReady, ""), kind(99, model.NodeDeleted, ""),
		said(100, model.Observation{Kind: model.NodeReady, Node: "b"}),
	}))
	want := "0 alive; 10 silent; 50 NotReady; 55 NotReadytainted k/x=v:NoExecute; 58 NotReadytainted k/x=v:NoExecute,tainted k/xx=v:NoExecute; " +
		"61 NotReadytainted k/x=v:NoExecute,tainted k/xx=v:NoExecute,cordoned; 64 Readytainted k/x=v:NoExecute,tainted k/xx=v:NoExecute,cordoned; " +
		"67 Readytainted k/xx=v:NoExecute,cordoned; 70 Readytainted k/xx=v:NoExecute; " +
		"71 out-of-service/Readytainted k/xx=v:NoExecute,tainted out-of-service; " +
		"72 out-of-service/Readytainted k/xx=v:NoExecute,tainted out-of-service,tainted node.kubernetes.io/out-of-service=x:NoExecute; " +
		"90 out-of-service/NotReadytainted k/xx=v:NoExecute,tainted out-of-service,tainted node.kubernetes.io/out-of-service=x:NoExecute; 99 deleted"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPodsOfOneName: the object of a StatefulSet's pod comes back under its name, and sources that give no UID mean the one that
// existed then.
func TestPodsOfOneName(t *testing.T) {
	old, later, unnamed := model.PodRef("ns", "db-0", "1"), model.PodRef("ns", "db-0", "2"), model.PodRef("ns", "db-0", "")
	pod := func(seconds float64, k model.Kind, p model.Ref) *model.Observation {
		return said(seconds, model.Observation{Kind: k, Pod: p})
	}
	c := &wait.Case{World: &facts.World{}, OldPods: []model.Ref{old}, NewPods: []model.Ref{later},
		Began: facts.Instant{Moment: at(130)}, Span: model.Span{Open: true}}
	got := pods(c, []*model.Observation{
		pod(0, model.PodReady, unnamed), pod(60, model.PodDeletionRequested, unnamed), pod(61, model.PodReady, unnamed),
		pod(120, model.PodCreated, later), pod(120.1, model.PodGone, unnamed), pod(180, model.PodScheduled, unnamed),
	})
	for i, want := range []string{"0 Ready; 60 Terminating; 120 gone/replaced",
		"120 pending/created; 130 waiting for the volume/created; 180 waiting for the volume/scheduled"} {
		if text := brief(got[i]); text != want {
			t.Errorf("got %s, want %s", text, want)
		}
	}
}

// TestPodOrder: a pod does not come back from a later state, but from an eviction that was cancelled.
func TestPodOrder(t *testing.T) {
	for want, told := range map[string][]model.Kind{
		"0 pending/created; 1 pending/scheduled; 2 running; 3 Ready; 4 running/not Ready": {model.PodCreated, model.PodScheduled, model.PodRunning, model.PodReady, model.PodNotReady, model.PodRunning},
		"0 Terminating/being evicted; 1 running/not evicted after all; 2 Ready":           {model.PodEvictionDecided, model.PodEvictionCancelled, model.PodReady},
		"0 Terminating; 2 released/finished; 3 gone":                                      {model.PodDeletionRequested, model.PodReady, model.PodFinished, model.PodGone, model.PodFinished},
	} {
		p := &pod{Lane: &Lane{Role: model.RoleNewPod}}
		for i, k := range told {
			p.take(said(float64(i), model.Observation{Kind: k}))
		}
		if got := brief(p.Lane); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestDuring: only what lies between two instants gets the other word.
func TestDuring(t *testing.T) {
	instant := func(s float64) facts.Instant { return facts.Instant{Moment: at(s)} }
	l := &Lane{States: []State{{Word: model.StatePending, From: instant(0)}, {Word: model.StateReady, From: instant(10)}, {Word: model.StateGone, From: instant(20)}}}
	l.during(instant(5), instant(15), model.StateWaiting, runs...)
	want := "0 pending; 5 waiting for the volume/pending; 10 waiting for the volume/Ready; 15 Ready; 20 gone"
	if got := brief(l); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	l = &Lane{States: []State{{Word: model.StateAttached, Reported: "exists"}}}
	l.during(instant(5), facts.Instant{}, model.StateBlocking, model.StateAttached)
	if got, want := brief(l), "- attached/exists; 5 blocking/exists"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestOneFact: what repeats a state within a second makes it more exact, and later says nothing new.
func TestOneFact(t *testing.T) {
	l := &Lane{}
	l.say(State{Word: model.StateReady, From: facts.Instant{Moment: model.WholeSecond(start), Witness: []*model.Observation{{}}}})
	l.say(State{Word: model.StateReady, From: facts.Instant{Moment: at(0.4), Witness: []*model.Observation{{}}}})
	l.say(State{Word: model.StateReady, From: facts.Instant{Moment: at(9), Witness: []*model.Observation{{}}}})
	if got := brief(l); got != "0.4 Ready" || len(l.States[0].From.Witness) != 2 {
		t.Errorf("%s with %d witnesses", got, len(l.States[0].From.Witness))
	}
}

// TestLeaders: a leader that is reported twice within seconds is one; one after another's end, or much later, is a new one.
func TestLeaders(t *testing.T) {
	of := func(k model.Kind, seconds ...float64) (out []*model.Observation) {
		for _, s := range seconds {
			out = append(out, said(s, model.Observation{Kind: k, Component: facts.ControllerManager}))
		}
		return out
	}
	w := &facts.World{ByKind: map[model.Kind][]*model.Observation{
		model.LeaderAcquired: of(model.LeaderAcquired, 1, 8, 14, 30), model.LeaderLost: of(model.LeaderLost, 12),
		model.ControllerStarted: of(model.ControllerStarted, 0, 20),
	}}
	if got, want := brief(leaders(&wait.Case{World: w})[0]), "0 leader; 12 none; 14 leader; 30 leader"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
