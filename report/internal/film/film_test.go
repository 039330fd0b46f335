package film_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/film"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// explained is the report of an older recording.
func explained(t testing.TB, name string) *model.Report {
	t.Helper()
	bundle, err := recordings.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	return explainedOf(t, bundle, name)
}

func explainedOf(t testing.TB, bundle fs.FS, name string) *model.Report {
	t.Helper()
	opened := ingest.OpenFS(bundle, name)
	defer opened.Close()
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analyze.Run(t.Context(), snapshot, analyze.Options{Version: "test"})
}

// truthOf is what the API server's audit log and watches say of each volume of a recording.
func truthOf(t testing.TB, text []byte) map[string][]affected {
	t.Helper()
	var truth struct{ Affected []affected }
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	out := map[string][]affected{}
	for _, a := range truth.Affected {
		out[a.PV] = append(out[a.PV], a)
	}
	return out
}

type affected struct {
	PV, OldNode, NewNode       string
	OldPod, OldPodUID          string
	NewPod, NewPodUID          string
	BlockingVA                 string
	MultiAttachToReadySeconds  *float64
	Times                      map[string]*time.Time
	TwoVAs                     []any
	RecoveredNode, RecoveredVA *string
}

// TestStatesAgreeWithTheTruth asks the film of every recorded incident for what was so just before and just after each
// instant that was measured at the API server. It may not know; it may not say otherwise.
func TestStatesAgreeWithTheTruth(t *testing.T) {
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) { filmAgrees(t, s.Name, samples.Bundle, samples.Truth) })
	}
	for _, name := range recordings.Names(recordings.Played) {
		t.Run("played "+name, func(t *testing.T) { filmAgrees(t, name, recordings.Bundle, dated) })
	}
}

// untold is an instant that the bundle of a recording does not date, so that the film shows the state before it for longer: the kubelet's
// own NotReady was overwritten by the controller's, and of the taint the log has only what pod GC did then.
var untold = map[string]string{"graceful-shutdown": "nodeNotReady", "two-incidents": "nodeOutOfServiceTaint"}

// dated is the truth of a recording, without what is untold.
func dated(name string) ([]byte, error) {
	truth, err := recordings.Truth(name)
	return bytes.ReplaceAll(truth, []byte(strconv.Quote(cmp.Or(untold[name], "untold"))), []byte(`"untold"`)), err
}

func filmAgrees(t *testing.T, name string, bundleOf func(string) (fs.FS, error), truth func(string) ([]byte, error)) {
	t.Helper()
	bundle, err := bundleOf(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := truth(name)
	if err != nil {
		t.Fatal(err)
	}
	r, all := explainedOf(t, bundle, name), truthOf(t, text)
	for i := range r.Incidents {
		in := &r.Incidents[i]
		of := all[in.Volume.PersistentVolume]
		n := slices.IndexFunc(of, func(a affected) bool { return a.NewNode == in.To.Node })
		if n < 0 {
			t.Fatalf("the truth knows no move of %s to %s", in.Volume.PersistentVolume, in.To.Node)
		}
		agrees(t, film.New(r, in), of[n])
	}
}

// slack is how far a state may follow the truth: events and objects are cut to a second.
const slack = 1500 * time.Millisecond

func agrees(t *testing.T, f *film.Film, a affected) {
	t.Helper()
	around := func(name string, check func(s film.State, happened bool)) {
		at := a.Times[name]
		if at == nil || at.Before(f.First) || at.Add(slack).After(f.To) {
			return
		}
		check(f.At(at.Add(-slack)), false)
		check(f.At(at.Add(slack)), true)
	}
	around("oldVAGone", func(s film.State, gone bool) {
		if held := s.Holder.Known && s.Holder.Node == a.OldNode; held == gone {
			t.Errorf("%s: the old node holds the volume: %v", s.At, held)
		}
	})
	around("newVAAttached", func(s film.State, attached bool) {
		if held := s.Holder.Known && s.Holder.Node == a.NewNode; held != attached {
			t.Errorf("%s: the new node holds the volume: %v", s.At, held)
		}
		if s.Waits == attached {
			t.Errorf("%s: the new pod waits: %v", s.At, s.Waits)
		}
	})
	around("multiAttachFirstEvent", func(s film.State, reported bool) {
		if s.Waits != reported || (len(s.Thinks) > 0) != reported {
			t.Errorf("%s: the new pod waits: %v, %d thoughts", s.At, s.Waits, len(s.Thinks))
		}
	})
	around("nodeNotReady", func(s film.State, down bool) {
		if n := s.Nodes[0]; down && n.Ready == nil || n.Ready != nil && (n.Ready.Word == "NotReady") != down {
			t.Errorf("%s: the old node is %+v", s.At, n.Ready)
		}
	})
	around("nodeOutOfServiceTaint", func(s film.State, tainted bool) {
		has := slices.ContainsFunc(s.Nodes[0].Marks, func(m *film.Status) bool {
			return strings.HasPrefix(m.Word, "tainted node.kubernetes.io/out-of-service=nodeshutdown:NoExecute")
		})
		if has != tainted {
			t.Errorf("%s: the old node is tainted out-of-service: %v", s.At, has)
		}
	})
	podsAgree(t, f, a, around)
}

func podsAgree(t *testing.T, f *film.Film, a affected, around func(string, func(film.State, bool))) {
	t.Helper()
	pod := func(s film.State, name, uid string, isNew bool) film.Pod {
		for _, p := range s.Pods {
			if p.Ref.Name == name && p.New == isNew && (p.Ref.UID == "" || p.Ref.UID == uid) {
				return p
			}
		}
		t.Errorf("%s: no pod %s among %+v", s.At, name, s.Pods)
		return film.Pod{}
	}
	before := func(s film.State) string { return word(pod(s, a.OldPod, a.OldPodUID, false)) }
	after := func(s film.State) film.Pod { return pod(s, a.NewPod, a.NewPodUID, true) }
	around("oldPodGone", func(s film.State, gone bool) {
		if w := before(s); w == "gone" && !gone {
			t.Errorf("%s: the old pod is %s", s.At, w)
		}
	})
	around("oldPodDeleteRequested", func(s film.State, asked bool) {
		if asked && !tellsOfDeletion(f, before) {
			return // a pod that a node's drain deletes, and that is gone, leaves no trace of the time
		}
		if w := before(s); (w == "Terminating" || w == "containers stopped" || w == "gone") && !asked {
			t.Errorf("%s: the old pod is %s", s.At, w)
		} else if asked && (w == "Ready" || w == "scheduled" || w == "") {
			t.Errorf("%s: the old pod is still %q", s.At, w)
		}
	})
	around("newPodCreated", func(s film.State, created bool) {
		if p := after(s); p.Exists != created {
			t.Errorf("%s: the new pod exists: %v", s.At, p.Exists)
		}
	})
	around("newPodReady", func(s film.State, ready bool) {
		if w := word(after(s)); (w == "Ready") != ready {
			t.Errorf("%s: the new pod is %s", s.At, w)
		}
	})
}

// tellsOfDeletion reports that the bundle has the old pod between its deletion and its end.
func tellsOfDeletion(f *film.Film, old func(film.State) string) bool {
	return slices.ContainsFunc(f.Instants(), func(at time.Time) bool {
		w := old(f.At(at))
		return w == "Terminating" || strings.HasPrefix(w, "being evicted")
	})
}

func word(p film.Pod) string {
	if p.Status == nil {
		return ""
	}
	return p.Status.Word
}

// TestInstants walks through every instant of every recording: the state changes nowhere else.
func TestInstants(t *testing.T) {
	for _, name := range []string{"controller-failover", "statefulset", "handover"} {
		r := explained(t, name)
		f := film.New(r, &r.Incidents[0])
		instants := f.Instants()
		if len(instants) < 10 || !slices.IsSortedFunc(instants, time.Time.Compare) {
			t.Fatalf("%s: %d instants", name, len(instants))
		}
		for i := 1; i < len(instants); i++ {
			if instants[i].Sub(instants[i-1]) < 2*time.Microsecond {
				continue
			}
			a, b := f.At(instants[i-1]), f.At(instants[i].Add(-time.Microsecond))
			a.At, a.Timer.Passed, b.At, b.Timer.Passed = time.Time{}, 0, time.Time{}, 0
			one, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			if two, _ := json.Marshal(b); string(one) != string(two) {
				t.Errorf("%s: between %s and %s:\n%s\n%s", name, instants[i-1], instants[i], one, two)
			}
		}
	}
}

// TestTimerBeginsAnewWithANewLeader is the lesson of a recording: the leader was lost while the timer ran.
func TestTimerBeginsAnewWithANewLeader(t *testing.T) {
	r := explained(t, "controller-failover")
	f := film.New(r, &r.Incidents[0])
	at := func(clock string) film.Timer {
		c, err := time.Parse(time.RFC3339, "2026-11-21T"+clock+"Z")
		if err != nil {
			t.Fatal(err)
		}
		return f.At(c).Timer
	}
	for _, c := range []struct {
		clock string
		word  film.TimerWord
		again bool
		least time.Duration
		most  time.Duration
	}{
		{"06:14:30", film.TimerIdle, false, 0, 0},
		{"06:17:02", film.TimerRuns, false, 118 * time.Second, 121 * time.Second},
		{"06:24:20", film.TimerRuns, true, 355 * time.Second, 365 * time.Second},
		{"06:24:23", film.TimerOver, false, 0, 0},
	} {
		got := at(c.clock)
		if got.Word != c.word || got.Again != c.again || got.Passed < c.least || got.Passed > c.most {
			t.Errorf("%s: %+v, want %+v", c.clock, got, c)
		}
		if c.word == film.TimerRuns && got.Limit != 6*time.Minute {
			t.Errorf("%s: the limit is %s", c.clock, got.Limit)
		}
	}
}

// A film follows sixteen pods of a side, and says how many it leaves out.
func TestPodsLeftOut(t *testing.T) {
	for pods, want := range map[int]int{16: 0, 17: 1} {
		in := &model.Incident{}
		for n := range pods {
			in.From.Pods = append(in.From.Pods, model.PodRef("shop", "web", string(rune('a'+n))))
		}
		if got := film.New(&model.Report{}, in).LeftOut; got != want {
			t.Errorf("of %d pods %d are left out", pods, got)
		}
	}
}
