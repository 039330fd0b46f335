package replay

import (
	"slices"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// free is a scenario whose old pod ends at a time on a live node, in which nothing else takes any.
func free(at float64) *Scenario {
	s := &Scenario{
		Zero: time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC), draws: draws(), Alive: true,
		Lost: never, NotReady: exactly(never), Back: never, NodeGone: never, Finished: exactly(never), Consented: exactly(never),
		Deleted: exactly(0), Released: exactly(at), Created: exactly(0), End: never, Until: never, Freed: never,
	}
	s.Mount = defaultMount
	return s
}

// A kubelet does not pause while it waits for an attachment: a pod is Ready as soon after eight minutes as after one.
func TestNoPauseBeforeMount(t *testing.T) {
	for _, wait := range []float64{30, 64, 250, 480} {
		p := free(wait).Predict(Plan{})
		if lo, hi := wait+defaultMount.Min, wait+1+defaultMount.Max; p.Ready.Min < lo || p.Ready.Max > hi {
			t.Errorf("free after %.0f s: Ready after %+v, want %.1f to %.1f s", wait, p.Ready, lo, hi)
		}
	}
}

// A pod that is younger than the kubelet's status report waits for it, and an older one does not.
func TestYoungPodWaitsForReport(t *testing.T) {
	if p := free(0).Predict(Plan{}); p.Ready.Max < reportPeriod+defaultMount.Min-0.2 || p.Ready.Max > reportPeriod+defaultMount.Max {
		t.Errorf("a new pod is Ready after %+v", p.Ready)
	}
	s := free(15)
	s.Mount = exactly(1)
	if p := s.Predict(Plan{}); p.Ready.Max-p.Ready.Min > 0.01 {
		t.Errorf("a pod that is 15 s old is Ready after %+v", p.Ready)
	}
}

// A mount that is as slow as can be stays what it was, and so does one of which the attach is in the range only.
func TestSpanOfMounts(t *testing.T) {
	op := func(wait, took float64) operation {
		start := time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)
		at := func(sec float64) *model.Observation {
			return &model.Observation{At: model.Moment{At: start.Add(time.Duration(sec * float64(time.Second)))}}
		}
		return operation{From: at(0), To: at(took), Wait: time.Duration(wait * float64(time.Second))}
	}
	for _, c := range []struct {
		name string
		list []operation
		want model.Range
	}{
		{"a real first start holds a part of the report's period", []operation{op(2, 6), op(2, 8), op(2, 9)}, span(1.5, 3, 10.8)},
		{"after a long wait it is the mount alone", []operation{op(60, 2), op(300, 6), op(400, 7)}, span(1.5, 6, 10)},
		{"a quick one", []operation{op(60, 1)}, span(1, 1, 10)},
		{"a slow application", []operation{op(2, 80), op(2, 100), op(2, 100)}, span(1.5, 92, 120)},
	} {
		got := mounts(c.list)
		d := max(got.Min-c.want.Min, c.want.Min-got.Min, got.Best-c.want.Best, c.want.Best-got.Best, got.Max-c.want.Max, c.want.Max-got.Max)
		if d > 0.01 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// The range grows with the volumes that queue for the workers of one external-attacher, and not before there are more.
func TestQueued(t *testing.T) {
	call := span(2, 3, 4)
	for volumes, want := range map[int]float64{1: 4, 10: 4, 11: 10, 20: 10, 21: 16, 25: 16} {
		if got := queued(call, volumes); got.Max != want || got.Min != call.Min || got.Best != call.Best {
			t.Errorf("%d volumes: %+v, want up to %.0f s", volumes, got, want)
		}
	}
}

// Volumes queue together that wait for one node at the same time.
func TestTogether(t *testing.T) {
	at := func(sec float64) facts.Instant {
		return facts.Instant{Moment: model.Exactly(time.Date(2026, 3, 14, 10, 0, 0, 0,
			time.UTC).Add(time.Duration(sec * float64(time.Second))))}
	}
	one := &wait.Case{From: "node-a", Began: at(0), Attached: at(100)}
	open := &wait.Case{From: "node-a", Began: at(0)}
	for _, c := range []struct {
		name         string
		began, ended float64
		from         string
		ofOne, ofNow int
	}{
		{"within it", 10, 50, "node-a", 2, 2}, {"until after it", 99, 300, "node-a", 2, 2}, {"from its end on", 100, 300, "node-a", 1, 2},
		{"until it begins", -50, 0, "node-a", 1, 1}, {"open", 10, -1, "node-a", 2, 2}, {"of another node", 10, 50, "node-c", 1, 1},
		{"of an unknown one", 10, 50, "", 1, 1},
	} {
		other := &wait.Case{From: c.from, Began: at(c.began)}
		if c.ended >= 0 {
			other.Attached = at(c.ended)
		}
		for of, want := range map[*wait.Case]int{one: c.ofOne, open: c.ofNow} {
			m := &Model{queue: queues([]*wait.Case{of, other})}
			if got := m.together(of); got != want {
				t.Errorf("%s: %d, want %d", c.name, got, want)
			}
		}
	}
	m := &Model{queue: queues(slices.Repeat([]*wait.Case{one}, 400))}
	if got := m.together(one); got != mostQueued {
		t.Errorf("of 400: %d", got)
	}
	if got := m.together(&wait.Case{}); got != 1 {
		t.Errorf("without a node: %d", got)
	}
}

// What freed a volume and was not recorded comes whatever else is done, and is told; a remedy that is sooner is sooner.
func TestUnrecordedEnd(t *testing.T) {
	s := free(never)
	s.Released = exactly(never)
	s.Deleted, s.NotReady, s.Lost, s.Alive = exactly(100), exactly(40), 0, false
	s.Created, s.Freed, s.OutOfService = exactly(100), 500, true
	if p := s.Predict(Plan{}); !p.Given || p.Ready.Min < 500 || p.Ready.Max > 512 {
		t.Errorf("without an act: %+v, given %v", p.Ready, p.Given)
	}
	if p := s.Predict(Plan{}.With(Act{Kind: TaintOutOfService, At: 200})); p.Given || p.Ready.Max > 240 {
		t.Errorf("with a taint: %+v, given %v", p.Ready, p.Given)
	}
	if p := s.Predict(Plan{}.With(Act{Kind: ForceDeletePod, At: 400})); !p.Given || p.Ready.Max > 512 {
		t.Errorf("with an act that would come later: %+v, given %v", p.Ready, p.Given)
	}
}

// A replay that takes the old node for Ready says so where nothing proves it.
func TestUnsure(t *testing.T) {
	s := free(never)
	s.Terminate = exactly(3)
	if p := s.Predict(Plan{}); p.Unsure || !p.Ready.Known() {
		t.Errorf("a node that is proven Ready: %+v, unsure %v", p.Ready, p.Unsure)
	}
	s.Alive = false
	if p := s.Predict(Plan{}); !p.Unsure {
		t.Error("nothing tells whether the node is Ready, and the replay is sure")
	}
	stuck := free(10)
	stuck.Stuck, stuck.ForceDetach, stuck.AsksHealth = true, true, true
	if p := stuck.Predict(Plan{}); p.Unsure || p.Ready.Known() {
		t.Errorf("a stuck unmount on a node that is Ready: %+v, unsure %v", p.Ready, p.Unsure)
	}
	stuck.Alive = false
	if p := stuck.Predict(Plan{}); !p.Unsure {
		t.Error("nothing tells whether the node is Ready, and the replay is sure that the unmount never ends")
	}
}

// The deletion of a pod that its owner replaces on the same node frees nothing; scaling to zero does.
func TestReplacedPod(t *testing.T) {
	s := free(never)
	s.Replaced, s.Deleted, s.Placement = true, exactly(never), Beside
	if p := s.Predict(Plan{}.With(Act{Kind: DeletePod, At: 10})); p.Ready.Known() {
		t.Errorf("the deletion of the old pod frees the volume after %+v", p.Ready)
	}
	if p := s.Predict(Plan{}.With(Act{Kind: ScaleDown, At: 10}, Act{Kind: ScaleUp, At: 20})); !p.Ready.Known() {
		t.Errorf("scaling to zero does not: %s", p.Why)
	}
}

// A pod that was still there when its Node was deleted was not ended by a kubelet before.
func TestOutlivedPod(t *testing.T) {
	s := free(never)
	s.Terminate, s.ForceDetach, s.AsksHealth = exactly(5), true, true
	deleted := Plan{}.With(Act{Kind: DeleteNode, At: 60})
	if p := s.Predict(deleted); p.Ready.Max > 60 {
		t.Errorf("a pod that its kubelet ends at once: %+v", p.Ready)
	}
	s.Outlived = true
	if p := s.Predict(deleted); p.Ready.Min < 60+quarantine+360 {
		t.Errorf("a pod that was there when the Node was deleted: %+v", p.Ready)
	}
}
