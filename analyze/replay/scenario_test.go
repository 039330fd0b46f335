package replay_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// lost is a case whose node is lost at the report, and whose pod is released at a time.
func lost(version string, released float64) *wait.Case {
	c := cases.Made(version)
	c.NotReady = cases.At(-10, model.Observation{Kind: model.NodeNotReady})
	c.DeletionRequested = cases.At(-5, model.Observation{Kind: model.PodDeletionRequested})
	c.Released = cases.At(released, model.Observation{Kind: model.PodGone})
	c.Span = model.Span{From: c.Began.Moment, To: cases.At(2000, model.Observation{}).Moment}
	return c
}

func scenario(c *wait.Case) *replay.Scenario {
	s, _ := replay.NewModel(c.World, []*wait.Case{c}).Scenario(c)
	return s
}

// TestTimer: the detach by force comes six minutes after the release, counted by the leader that is in office, from a node that is
// still lost; nobody detaches while there is no leader.
func TestTimer(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*replay.Scenario)
		at     float64 // of the detach; 0 is by the node's own report, before the timer
	}{
		{"six minutes", func(*replay.Scenario) {}, 370},
		{"a leader that comes while they run begins again", func(s *replay.Scenario) { s.Leaders = []replay.Leader{{Lost: 80, Taken: 100}} },
			460},
		{"one that came before the release does not", func(s *replay.Scenario) { s.Leaders = []replay.Leader{{Lost: -40, Taken: -20}} }, 370},
		{"nor one that the detach comes before", func(s *replay.Scenario) { s.Leaders = []replay.Leader{{Lost: 380, Taken: 400}} }, 370},
		{"without the question for health", func(s *replay.Scenario) { s.AsksHealth, s.Back = false, 200; s.Stuck = true }, 370},
		{"a node that is back is not forced", func(s *replay.Scenario) { s.Back = 200; s.Stuck = true }, -1},
		{"one that comes back later was", func(s *replay.Scenario) { s.Back = 1000; s.Stuck = true }, 370},
		{"a node that is back reports the unmount", func(s *replay.Scenario) { s.Back = 200 }, 200},
		{"what falls into a time without a leader waits",
			func(s *replay.Scenario) { s.Back = 200; s.Leaders = []replay.Leader{{Lost: 190, Taken: 230}} }, 230},
		{"switched off", func(s *replay.Scenario) { s.ForceDetach = false }, -1},
	} {
		s := scenario(lost("v1.34.0", 10))
		tt.change(s)
		p := s.Predict(replay.Plan{})
		if at := p.Typic.DetachAt; p.Ready.Known() != (tt.at >= 0) || tt.at >= 0 && (at < tt.at || at > tt.at+15) {
			t.Errorf("%s: the detach is at %.1f s, the pod Ready after %+v", tt.name, at, p.Ready)
		}
	}
}

// TestCollected: pod GC ends the pod of a deleted Node 40 s after it missed it, and before 1.17 at once.
func TestCollected(t *testing.T) {
	for version, want := range map[string][2]float64{"v1.16.9": {60, 88}, "v1.17.0": {100, 128}, "v1.34.0": {100, 128}, "": {100, 128}} {
		c := lost(version, 0)
		c.Released = facts.Instant{}
		at := scenario(c).Predict(replay.Plan{}.With(replay.Act{Kind: replay.DeleteNode, At: 60})).Typic.Released
		if at < want[0] || at > want[1] {
			t.Errorf("%q: released at %.1f s", version, at)
		}
	}
}

// TestTaintGate: the taint works since 1.26, and before where the controller was seen to act on it.
func TestTaintGate(t *testing.T) {
	for _, tt := range []struct {
		version string
		by      model.Kind
		works   bool
	}{
		{"v1.23.0", "", false}, {"v1.24.0", "", false}, {"v1.25.9", "", false}, {"v1.26.0", "", true}, {"", "", false},
		{"v1.25.9", model.DetachForcedTaint, true}, {"v1.25.9", model.DetachForcedTimeout, false},
	} {
		c := lost(tt.version, 10)
		if tt.by != "" {
			c.Forced = cases.At(370, model.Observation{Kind: tt.by})
		}
		if s := scenario(c); s.OutOfService != tt.works {
			t.Errorf("%s after %q: %v", tt.version, tt.by, s.OutOfService)
		}
	}
}

// TestTolerates: a pod that tolerates the taint for ever is not evicted by it.
func TestTolerates(t *testing.T) {
	five := int64(5)
	taint := func(e corev1.TaintEffect) corev1.Toleration {
		return corev1.Toleration{Key: upstream.OutOfServiceTaint, Operator: corev1.TolerationOpExists, Effect: e}
	}
	limited := taint("")
	limited.TolerationSeconds = &five
	for _, tt := range []struct {
		name string
		has  corev1.Toleration
		want bool
	}{
		{"the taint", taint(""), true},
		{"and its effect", taint(corev1.TaintEffectNoExecute), true},
		{"another effect", taint(corev1.TaintEffectNoSchedule), false},
		{"for a time", limited, false},
		{"every taint", corev1.Toleration{Operator: corev1.TolerationOpExists}, true},
		{"no taint", corev1.Toleration{Operator: corev1.TolerationOpEqual}, false},
		{"another one", corev1.Toleration{Key: upstream.UnreachableTaint, Operator: corev1.TolerationOpExists}, false},
	} {
		ref := model.Ref{Kind: "Pod", Namespace: "prod", Name: "db-0"}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "db-0"},
			Spec: corev1.PodSpec{Tolerations: []corev1.Toleration{tt.has}}}
		c := lost("v1.34.0", 10)
		c.World = facts.NewWorld(&model.Snapshot{Pods: []model.Object[*corev1.Pod]{{Ref: ref, Content: model.Whole(pod)}}})
		c.OldPods = []model.Ref{ref}
		if s := scenario(c); s.Tolerates != tt.want {
			t.Errorf("%s: %v", tt.name, s.Tolerates)
		}
		s := scenario(lost("v1.34.0", 10))
		late := model.Range{Min: 900, Best: 900, Max: 900}
		s.Deleted, s.Released, s.Finished, s.Evicted, s.Tolerates = late, late, late, false, tt.want
		at := s.Predict(replay.Plan{}.With(replay.Act{Kind: replay.TaintOutOfService, At: 60})).Typic.Deleted
		if (at > 100) != tt.want {
			t.Errorf("%s: deleted at %.0f s", tt.name, at)
		}
	}
}

// TestQueue: an attach and a detach that are known as they were do not grow with the volumes that wait together, and assumed ones do.
func TestQueue(t *testing.T) {
	for words, grows := range map[string]bool{"": true, "Released=0 DetachRequested=10 Gone=13 NewAttachment=14 Attached=18": false} {
		c := built{words: words}.build(t)
		alone := scenario(c)
		many, _ := replay.NewModel(c.World, slices.Repeat([]*wait.Case{c}, 25)).Scenario(c)
		if many.Attach.Max > alone.Attach.Max != grows || many.Detach.Max > alone.Detach.Max != grows {
			t.Errorf("%q: %+v and %+v, alone %+v and %+v", words, many.Attach, many.Detach, alone.Attach, alone.Detach)
		}
	}
}
