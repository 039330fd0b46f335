package replay

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
		agrees(t, newFilm(r, in), of[n])
	}
}

// slack is how far a state may follow the truth: events and objects are cut to a second.
const slack = 1500 * time.Millisecond

func agrees(t *testing.T, f *film, a affected) {
	t.Helper()
	around := func(name string, check func(s state, happened bool)) {
		at := a.Times[name]
		if at == nil || at.Before(f.First) || at.Add(slack).After(f.To) {
			return
		}
		check(f.at(at.Add(-slack)), false)
		check(f.at(at.Add(slack)), true)
	}
	around("oldVAGone", func(s state, gone bool) {
		if held := s.Holder.Known && s.Holder.Node == a.OldNode; held == gone {
			t.Errorf("%s: the old node holds the volume: %v", s.At, held)
		}
	})
	around("newVAAttached", func(s state, attached bool) {
		if held := s.Holder.Known && s.Holder.Node == a.NewNode; held != attached {
			t.Errorf("%s: the new node holds the volume: %v", s.At, held)
		}
		if s.Waits == attached {
			t.Errorf("%s: the new pod waits: %v", s.At, s.Waits)
		}
	})
	around("multiAttachFirstEvent", func(s state, reported bool) {
		if s.Waits != reported || (len(s.Thinks) > 0) != reported {
			t.Errorf("%s: the new pod waits: %v, %d thoughts", s.At, s.Waits, len(s.Thinks))
		}
	})
	around("nodeNotReady", func(s state, down bool) {
		if w := word(s.of(model.RoleOldNode)[0]); w != "" && (w == "NotReady") != down {
			t.Errorf("%s: the old node is %s", s.At, w)
		}
	})
	around("nodeOutOfServiceTaint", func(s state, tainted bool) {
		n := s.of(model.RoleOldNode)[0]
		has := n.State != nil && slices.Contains(n.State.Marks, "tainted node.kubernetes.io/out-of-service=nodeshutdown:NoExecute")
		if has != tainted {
			t.Errorf("%s: the old node is tainted out-of-service: %v", s.At, has)
		}
	})
	podsAgree(t, f, a, around)
}

func podsAgree(t *testing.T, f *film, a affected, around func(string, func(state, bool))) {
	t.Helper()
	pod := func(s state, name, uid string, role model.LaneRole) object {
		for _, p := range s.of(role) {
			if p.Object.Name == name && (p.Object.UID == "" || p.Object.UID == uid) {
				return p
			}
		}
		t.Errorf("%s: no pod %s among %+v", s.At, name, s.Objects)
		return object{}
	}
	before := func(s state) string { return word(pod(s, a.OldPod, a.OldPodUID, model.RoleOldPod)) }
	after := func(s state) object { return pod(s, a.NewPod, a.NewPodUID, model.RoleNewPod) }
	around("oldPodGone", func(s state, gone bool) {
		if w := before(s); w == "gone" && !gone {
			t.Errorf("%s: the old pod is %s", s.At, w)
		}
	})
	around("oldPodDeleteRequested", func(s state, asked bool) {
		if asked && !tellsOfDeletion(f, before) {
			return // a pod that a node's drain deletes, and that is gone, leaves no trace of the time
		}
		if w := before(s); (w == "Terminating" || w == "containers stopped" || w == "gone") && !asked {
			t.Errorf("%s: the old pod is %s", s.At, w)
		} else if asked && (w == "Ready" || w == "scheduled" || w == "") {
			t.Errorf("%s: the old pod is still %q", s.At, w)
		}
	})
	around("newPodCreated", func(s state, created bool) {
		if p := after(s); p.Early == created {
			t.Errorf("%s: the new pod is not there: %v", s.At, p.Early)
		}
	})
	around("newPodReady", func(s state, ready bool) {
		if w := word(after(s)); (w == "Ready") != ready {
			t.Errorf("%s: the new pod is %s", s.At, w)
		}
	})
}

// tellsOfDeletion reports that the bundle has the old pod between its deletion and its end.
func tellsOfDeletion(f *film, old func(state) string) bool {
	for at := f.First; at.Before(f.To); at = at.Add(time.Second) {
		if w := old(f.at(at)); w == "Terminating" || strings.HasPrefix(w, "being evicted") {
			return true
		}
	}
	return false
}

func word(o object) string {
	if o.State == nil {
		return ""
	}
	return o.State.Called()
}

// TestTimerBeginsAnewWithANewLeader is the lesson of a recording: the leader was lost while the timer ran.
func TestTimerBeginsAnewWithANewLeader(t *testing.T) {
	r := explained(t, "controller-failover")
	f := newFilm(r, &r.Incidents[0])
	at := func(clock string) timer {
		c, err := time.Parse(time.RFC3339, "2026-11-21T"+clock+"Z")
		if err != nil {
			t.Fatal(err)
		}
		return f.at(c).Timer
	}
	for _, c := range []struct {
		clock string
		word  timerWord
		again bool
		least time.Duration
		most  time.Duration
	}{
		{"06:14:30", timerIdle, false, 0, 0},
		{"06:17:02", timerRuns, false, 118 * time.Second, 121 * time.Second},
		{"06:24:20", timerRuns, true, 355 * time.Second, 365 * time.Second},
		{"06:24:23", timerOver, false, 0, 0},
	} {
		got := at(c.clock)
		if got.Word != c.word || got.Again != c.again || got.Passed < c.least || got.Passed > c.most {
			t.Errorf("%s: %+v, want %+v", c.clock, got, c)
		}
		if c.word == timerRuns && got.Limit != 6*time.Minute {
			t.Errorf("%s: the limit is %s", c.clock, got.Limit)
		}
	}
}

// A film follows the pods that have a lane, and says how many have none.
func TestPodsLeftOut(t *testing.T) {
	in := &model.Incident{}
	for n := range 3 {
		p := model.PodRef("shop", "web", string(rune('a'+n)))
		in.From.Pods = append(in.From.Pods, p, p)
		if n < 2 {
			in.Lanes = append(in.Lanes, model.Lane{Object: p})
		}
	}
	if got := (&Replay{film: newFilm(&model.Report{}, in)}).podsLeftOut(); !strings.HasPrefix(got, "1 more pod ") {
		t.Error(got)
	}
}
