package replay

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// TestOutcomes: the model's rules one by one, each with its near miss, over a scenario in which nothing else takes time. All loops are in
// their middle.
func TestOutcomes(t *testing.T) {
	type want map[string]float64
	ten := 10.0
	twenty := 20.0
	act := func(k ActKind, at float64) Plan { return Plan{}.With(Act{Kind: k, At: at}) }
	set := func(p Plan, set Settings) Plan { p.Set = set; return p }
	lost := func(s *Scenario) { s.NotReady, s.Lost, s.Alive = exactly(45), 2, false }
	stuck := func(s *Scenario) { s.Stuck = true }
	forced := func(s *Scenario) { s.Stuck, s.ForceDetach = true, true }
	asked := func(s *Scenario) { s.Stuck, s.ForceDetach, s.AsksHealth = true, true, true }
	leaders := func(l ...Leader) func(*Scenario) {
		return func(s *Scenario) { forced(s); s.Leaders = l }
	}
	tainted := func(s *Scenario) { s.Stuck, s.OutOfService = true, true }
	slow := func(s *Scenario) { s.Detach, s.Attach = exactly(3), exactly(2) }
	faulty := func(until, again float64) func(*Scenario) {
		return func(s *Scenario) { slow(s); s.Fault.BackendUntil, s.Fault.Again = until, again }
	}
	down := func(s *Scenario) { slow(s); s.Fault.AttacherUntil, s.Fault.Again = 300, 4 }
	ends := func(s *Scenario) { s.Released, s.Terminate = exactly(never), exactly(5) }
	and := func(changes ...func(*Scenario)) func(*Scenario) {
		return func(s *Scenario) {
			for _, c := range changes {
				c(s)
			}
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*Scenario)
		plan   Plan
		want   want
	}{
		{"the node reports the unmount", func(s *Scenario) { s.Unmount = span(2, 4, 8) }, Plan{}, want{"Released": 100, "DetachAt": 104}},
		{"it had unmounted before: the next loop", func(s *Scenario) { s.Unmounted = true }, Plan{},
			want{"DetachAt": 100.1, "Gone": 100.1, "Noticed": 100.2}},
		{"it never reports it", stuck, Plan{}, want{"DetachAt": never, "Noticed": never, "Attached": never}},
		{"a node without its object reports nothing", func(s *Scenario) { s.NodeGone, s.Unmount = 104, exactly(4) }, Plan{},
			want{"DetachAt": never}},
		{"and one that goes after it does", func(s *Scenario) { s.NodeGone, s.Unmount = 104.5, exactly(4) }, Plan{}, want{"DetachAt": 104}},
		{"the detach as it was seen to begin", func(s *Scenario) { s.Consented = exactly(107) }, Plan{}, want{"DetachAt": 107}},
		{"and not before the release", func(s *Scenario) { s.Consented = exactly(93) }, Plan{}, want{"DetachAt": 100}},
		{"of a lost node it tells nothing: without its kubelet nobody reports", func(s *Scenario) { lost(s); s.Consented = exactly(107) }, Plan{},
			want{"DetachAt": never}},
		{"a kubelet that starts reports it", stuck, act(RestartKubelet, 200), want{"DetachAt": 205.1}},
		{"and not before the release", stuck, act(RestartKubelet, 20), want{"DetachAt": 100.1}},
		{"a kubelet of a lost node does not", and(stuck, lost), act(RestartKubelet, 200), want{"DetachAt": never}},
		{"who held the mount ends: the next try unmounts", func(s *Scenario) { s.Stuck, s.Tried = true, 150 }, act(EndHolder, 200),
			want{"DetachAt": 213.5 + 5.1}},
		{"not on a lost node", func(s *Scenario) { lost(s); s.Stuck, s.Tried = true, 150 }, act(EndHolder, 200), want{"DetachAt": never}},
		{"a lost node that comes back reports it", func(s *Scenario) { lost(s); s.Back, s.Unmount = 400, exactly(4) }, Plan{},
			want{"DetachAt": 404}},
		{"with the detach awaited, as an unmount takes", func(s *Scenario) { lost(s); s.Unmount, s.Terminate = exactly(4), exactly(5) },
			set(Plan{}, Settings{AwaitsDetach: true}), want{"Released": 5, "DetachAt": 9}},

		{"six minutes after the release", forced, Plan{}, want{"DetachAt": 460.3}},
		{"not where it is switched off", stuck, Plan{}, want{"DetachAt": never}},
		{"nor where it would be", forced, set(Plan{}, Settings{NoForcedDetach: true}), want{"DetachAt": never}},
		{"a node that is Ready keeps the volume", asked, Plan{}, want{"DetachAt": never}},
		{"also by a setting", forced, set(Plan{}, Settings{AsksHealth: true}), want{"DetachAt": never}},
		{"one that is lost does not", and(asked, lost), Plan{}, want{"DetachAt": 460.3}},
		{"one that is lost later does then", func(s *Scenario) { asked(s); s.NotReady = exactly(500) }, Plan{}, want{"DetachAt": 500}},
		{"nor one whose object goes", func(s *Scenario) { asked(s); s.NodeGone = 480 }, Plan{}, want{"DetachAt": 480}},
		{"one that is back keeps it", func(s *Scenario) { lost(s); s.ForceDetach, s.AsksHealth, s.Stuck, s.Back = true, true, true, 460 }, Plan{},
			want{"DetachAt": never}},
		{"and not yet where the timer was first",
			func(s *Scenario) { lost(s); s.ForceDetach, s.AsksHealth, s.Stuck, s.Back = true, true, true, 461 }, Plan{}, want{"DetachAt": 460.3}},
		{"a new leader counts anew", leaders(Leader{Lost: 150, Taken: 200}), Plan{}, want{"DetachAt": 560.3}},
		{"and the next one again", leaders(Leader{Lost: 150, Taken: 200}, Leader{Lost: 470, Taken: 480}), Plan{}, want{"DetachAt": 840.3}},
		{"not one from before the release", leaders(Leader{Lost: 50, Taken: 90}), Plan{}, want{"DetachAt": 460.3}},
		{"nor one after the detach", leaders(Leader{Lost: 461, Taken: 480}), Plan{}, want{"DetachAt": 460.3}},
		{"nor where the timer is kept", leaders(Leader{Lost: 150, Taken: 200}), set(Plan{}, Settings{KeepTimer: true}), want{"DetachAt": 460.3}},
		{"without a leader nothing begins", func(s *Scenario) { s.Leaders = []Leader{{Lost: 90, Taken: 130}} }, Plan{}, want{"DetachAt": 130.1}},
		{"once there is one it does", func(s *Scenario) { s.Leaders = []Leader{{Lost: 90, Taken: 100}} }, Plan{}, want{"DetachAt": 100}},
		{"the taint detaches", tainted, act(TaintOutOfService, 200), want{"DetachAt": 200.1}},
		{"after the release", tainted, act(TaintOutOfService, 20), want{"DetachAt": 100.1}},
		{"not before the version that knows it", stuck, act(TaintOutOfService, 200), want{"DetachAt": never}},
		{"or as if it did", stuck, set(act(TaintOutOfService, 200), Settings{OutOfService: true}), want{"DetachAt": 200.1}},

		{"a deletion by hand is found by the sync", slow, act(DeleteAttachment, 50), want{"DetachAt": 50, "Gone": 53, "Noticed": 83}},
		{"or by the controller's own detach", func(s *Scenario) { slow(s); s.Released = exactly(70) }, act(DeleteAttachment, 50),
			want{"Gone": 53, "Noticed": 70.1}},
		{"not before it is gone", func(s *Scenario) { slow(s); s.Released = exactly(51) }, act(DeleteAttachment, 50),
			want{"Gone": 53, "Noticed": 53.1}},
		{"after the controller's detach it changes nothing", slow, act(DeleteAttachment, 100),
			want{"DetachAt": 100, "Gone": 103, "Noticed": 103.1}},
		{"a race that was lost", func(s *Scenario) { slow(s); s.RaceLost = true }, act(DeleteAttachment, 50),
			want{"DetachAt": 100, "Gone": 103, "Noticed": 103.1}},
		{"the finalizer's removal ends a detach", func(s *Scenario) { s.Detach = exactly(60) }, act(RemoveFinalizer, 110),
			want{"DetachAt": 100, "Gone": 110}},
		{"not before it began", func(s *Scenario) { s.Detach = exactly(60) }, act(RemoveFinalizer, 90), want{"Gone": 100}},
		{"nor after it ended", func(s *Scenario) { s.Detach = exactly(60) }, act(RemoveFinalizer, 190), want{"Gone": 160}},
		{"what nobody recorded frees the volume", func(s *Scenario) { s.Freed = 80 }, Plan{}, want{"DetachAt": 80, "Gone": 80, "Noticed": 80}},
		{"not after it was free", func(s *Scenario) { s.Freed = 101 }, Plan{}, want{"DetachAt": 100, "Noticed": 100.1}},

		{"the back end refuses until then", faulty(500, 7), Plan{}, want{"DetachAt": 100, "Gone": 500, "Attached": 507}},
		{"a fault that is over changes nothing", faulty(90, 7), Plan{}, want{"Gone": 103, "Attached": 105.1}},
		{"one that is healed ends with the next try", faulty(500, 7), act(HealBackend, 200), want{"Gone": 200 + pauseAt(100, 1, 300)/2 + 3}},
		{"not later than it did", faulty(210, 7), act(HealBackend, 200), want{"Gone": 210}},
		{"healed before the detach", faulty(500, 7), act(HealBackend, 50), want{"Gone": 103}},
		{"healed after its end", faulty(500, 7), act(HealBackend, 600), want{"Gone": 500, "Attached": 507}},
		{"healed with its end", faulty(500, 7), act(HealBackend, 500), want{"Gone": 500, "Attached": 507}},
		{"a fault that is over with the detach", faulty(100, 7), Plan{}, want{"Gone": 103, "Attached": 105.1}},
		{"shorter pauses", faulty(500, 90), set(Plan{}, Settings{RetryMax: &ten}), want{"Attached": 500 + 5 + 61 + 2}},
		{"no longer than it was", faulty(500, 7), set(Plan{}, Settings{RetryMax: &ten}), want{"Attached": 507}},
		{"the attacher is down until then", down, Plan{}, want{"Gone": 303, "Attached": 307}},
		{"it is started", down, act(RestartAttacher, 200), want{"Gone": 203, "Attached": 205.1}},
		{"it is down until right after the report", func(s *Scenario) { down(s); s.Released, s.Fault.AttacherUntil = exactly(0.2), 0.5 }, Plan{},
			want{"Gone": 3.5}},
		{"it comes by itself first", down, act(RestartAttacher, 400), want{"Gone": 303, "Attached": 307}},

		{"another grace period", lost, set(Plan{}, Settings{Grace: &twenty}), want{"NotReady": 2 + 20 + 5}},
		{"with the look as late as it was", func(s *Scenario) { lost(s); s.Grace = exactly(40) }, set(Plan{}, Settings{Grace: &twenty}),
			want{"NotReady": 2 + 20 + 3}},
		{"not where the last sign of life is unknown", func(s *Scenario) { lost(s); s.Lost = never }, set(Plan{}, Settings{Grace: &twenty}),
			want{"NotReady": 45}},
		{"nor on a node that was not lost", func(s *Scenario) { s.Lost = 2 }, set(Plan{}, Settings{Grace: &twenty}), want{"NotReady": never}},
		{"another toleration", func(s *Scenario) {
			lost(s)
			s.Evicted, s.Deleted, s.Toleration = true, exactly(346), exactly(300)
		},
			set(Plan{}, Settings{Toleration: &ten}), want{"Deleted": 56}},
		{"the eviction follows the loss",
			func(s *Scenario) {
				lost(s)
				s.Evicted, s.Deleted, s.Toleration = true, exactly(346), exactly(300)
			},
			set(Plan{}, Settings{Grace: &twenty}), want{"Deleted": 27 + 301}},
		{"a deletion that is none does not", func(s *Scenario) { lost(s); s.Deleted = exactly(346) }, set(Plan{}, Settings{Grace: &twenty}),
			want{"Deleted": 346}},
		{"a graceful shutdown", lost, set(Plan{}, Settings{GracefulShutdown: true}), want{"Deleted": 2, "Released": 2}},
		{"of a node that stays", func(s *Scenario) {}, set(Plan{}, Settings{GracefulShutdown: true}), want{"Deleted": 0, "Released": 100}},
		{"the old pod ends before the new one is made", func(s *Scenario) { ends(s); s.Deleted, s.Created = exactly(never), exactly(30) },
			set(Plan{}, Settings{Recreate: true}), want{"Deleted": 30, "Released": 35, "Created": 35}},
		{"and does so when the rollout begins, not when it was ended later", func(s *Scenario) { ends(s); s.Placement, s.Deleted, s.Created = Beside, exactly(90), exactly(30) },
			set(Plan{}, Settings{Recreate: true}), want{"Deleted": 30, "Released": 35, "Created": 35}},
		{"of a move that began with the deletion it is no matter", func(s *Scenario) { ends(s); s.Placement, s.Deleted, s.Created = AtDeletion, exactly(90), exactly(30) },
			set(Plan{}, Settings{Recreate: true}), want{"Deleted": 90, "Released": 95}},
		{"the taint evicts", func(s *Scenario) { tainted(s); s.Deleted = exactly(200) }, act(TaintOutOfService, 20), want{"Deleted": 20}},
		{"not who tolerates it", func(s *Scenario) { tainted(s); s.Tolerates, s.Deleted = true, exactly(90) }, act(TaintOutOfService, 20),
			want{"Deleted": 90}},
		{"pod GC ends what the taint evicted", func(s *Scenario) { tainted(s); lost(s); s.Released = exactly(never) },
			act(TaintOutOfService, 200), want{"Released": 210}},
		{"not on a node that is Ready", func(s *Scenario) { tainted(s); s.Released, s.Outlived = exactly(never), true },
			act(TaintOutOfService, 200), want{"Released": never}},
		{"pod GC ends the pods of a node without object", func(s *Scenario) { lost(s); s.Released = exactly(never) }, act(DeleteNode, 200),
			want{"Released": 200 + 40 + 10 + 4}},
		{"at once before 1.17", func(s *Scenario) {
			lost(s)
			s.Released = exactly(never)
			s.Version = upstream.Version{Minor: 16, Patch: 9}
		}, act(DeleteNode, 200), want{"Released": 214}},
		{"and of one that went by itself", func(s *Scenario) { lost(s); s.Released, s.NodeGone = exactly(never), 200 }, Plan{},
			want{"Released": 254}},
		{"which the release that is known holds already", func(s *Scenario) { lost(s); s.Released, s.NodeGone = exactly(300), 200 }, Plan{},
			want{"Released": 300}},
		{"scaled to zero it ends", func(s *Scenario) { ends(s); s.Deleted = exactly(never) }, act(ScaleDown, 50), want{"Released": 55}},
		{"a pod that outlived its deletion", func(s *Scenario) { ends(s); s.Outlived = true }, Plan{}, want{"Released": never}},
		{"ends when it is deleted", func(s *Scenario) { ends(s); s.Outlived, s.Deleted = true, exactly(never) }, act(DeletePod, 50),
			want{"Released": 55}},
		{"not one that is made again", func(s *Scenario) { ends(s); s.Replaced, s.Deleted = true, exactly(never) }, act(DeletePod, 50),
			want{"Released": never}},
		{"not on a lost node", func(s *Scenario) { ends(s); lost(s) }, act(DeletePod, 50), want{"Released": never}},
		{"nor on a node without object", func(s *Scenario) { ends(s); s.NodeGone = 60 }, act(DeletePod, 50), want{"Released": 114}},
		{"there when the node is back", func(s *Scenario) { ends(s); lost(s); s.Back = 400 }, Plan{}, want{"Released": 405}},
		{"by force at once", func(s *Scenario) { ends(s); lost(s) }, act(ForceDeletePod, 60), want{"Released": 60}},
		{"an earlier deletion ends it earlier", func(s *Scenario) { s.Deleted = exactly(90) }, act(ForceDeletePod, 30),
			want{"Deleted": 30, "Released": 30}},
		{"by as much", func(s *Scenario) { lost(s); s.Deleted = exactly(90) }, act(DeletePod, 30), want{"Deleted": 30, "Released": 40}},
		{"a pod that finished was not ended", func(s *Scenario) { s.Finished = exactly(20) }, Plan{}, want{"Released": 20}},

		{"a StatefulSet makes the next pod after the old one", func(s *Scenario) { s.Placement, s.Created = AfterGone, exactly(103) }, Plan{},
			want{"Created": 103}},
		{"no later than five seconds", func(s *Scenario) { s.Placement, s.Created = AfterGone, exactly(190) }, Plan{}, want{"Created": 105}},
		{"and none before", func(s *Scenario) { s.Placement, s.Created = AfterGone, exactly(90) }, Plan{}, want{"Created": 100}},
		{"a Deployment with the deletion", func(s *Scenario) { s.Deleted, s.Created = exactly(50), exactly(52) }, Plan{}, want{"Created": 52}},
		{"a pod beside it as it was", func(s *Scenario) { s.Placement, s.Created = Beside, exactly(7) }, Plan{}, want{"Created": 7}},
		{"one that is scaled up", func(s *Scenario) {}, act(ScaleDown, 50).With(Act{Kind: ScaleUp, At: 70}), want{"Created": 70}},
		{"and none without", func(s *Scenario) {}, act(ScaleDown, 50), want{"Created": never, "Attached": never, "Ready": never}},
		{"scheduled as late as it was", func(s *Scenario) { s.Waiting = exactly(6) }, Plan{}, want{"Scheduled": 6}},
		{"the kubelet sees the attach with the node's status", slow, Plan{}, want{"Attached": 105.1, "Visible": 105.4}},
		{"what a fault left unseen counts", func(s *Scenario) { faulty(500, 7)(s); s.Fault.Unseen = 9 }, Plan{}, want{"Visible": 516.3}},
		{"not with shorter pauses", func(s *Scenario) { faulty(500, 7)(s); s.Fault.Unseen = 9 }, set(Plan{}, Settings{RetryMax: &ten}),
			want{"Visible": 507.3}},
		{"a pod that ends at SIGTERM", func(s *Scenario) { s.Deleted = exactly(50) }, set(Plan{}, Settings{QuickStop: true}),
			want{"Released": 50 + quickStop.Best}},
		{"or sooner", func(s *Scenario) { s.Deleted = exactly(99) }, set(Plan{}, Settings{QuickStop: true}), want{"Released": 100}},
		{"a shared volume waits for nothing", slow, set(Plan{}, Settings{Shared: true}), want{"Attached": 2}},
		{"the mount begins when the attach is seen", func(s *Scenario) { s.Mount = exactly(30) }, Plan{}, want{"Ready": 130.4}},
		{"or quicker", func(s *Scenario) { s.Mount = exactly(30) }, set(Plan{}, Settings{QuickMount: true}),
			want{"Ready": 100.4 + defaultMount.Best}},
		{"a young pod waits for the report", func(s *Scenario) { s.Released, s.Mount = exactly(0), exactly(1) }, Plan{}, want{"Ready": 6}},
	} {
		s := free(100)
		tt.change(s)
		middle := draw{}
		for d := range middle {
			middle[d] = 0.5
		}
		o := s.run(tt.plan, &middle)
		for field, want := range tt.want {
			if got := reflect.ValueOf(o).FieldByName(field).Float(); got != want && !(math.Abs(got-want) < 1e-6) {
				t.Errorf("%s: %s is %.6g, want %.6g", tt.name, field, got, want)
			}
		}
	}
}

// TestPhases: the steps of a replay tile it from the beginning of its span to Ready; what is empty, or went on past the attach, is left out.
func TestPhases(t *testing.T) {
	whole := Outcome{NotReady: 40, Deleted: 340, Created: 341, Scheduled: 342, Released: 350, DetachAt: 360, Noticed: 363, Attached: 370, Ready: 380}
	with := func(change func(*Outcome)) Outcome { o := whole; change(&o); return o }
	for _, tt := range []struct {
		name     string
		o        Outcome
		startsAt string
		want     string
	}{
		{"from the last heartbeat", whole, model.StartsAtHeartbeat, "detection 40, eviction 300, replacement 1, scheduling 1, release 8, " +
			"unmount-wait 10, detach 3, attach 7, mount 10"},
		{"from the loss", whole, model.StartsAtNotReady, "eviction 340, replacement 1, scheduling 1, release 8, unmount-wait 10, detach 3, attach 7, mount 10"},
		{"from the deletion", whole, model.StartsAtDeletion, "replacement 341, scheduling 1, release 8, unmount-wait 10, detach 3, attach 7, mount 10"},
		{"from the report", whole, model.StartsAtReport, "release 350, unmount-wait 10, detach 3, attach 7, mount 10"},
		{"attached before the release", with(func(o *Outcome) { o.Attached = 349 }), model.StartsAtReport, "attach 349, mount 31"},
		{"attached with the release", with(func(o *Outcome) { o.Attached = 350 }), model.StartsAtReport, "release 350, mount 30"},
		{"seen detached after the attach", with(func(o *Outcome) { o.Attached = 362 }), model.StartsAtReport,
			"release 350, unmount-wait 10, attach 2, mount 18"},
		{"no step between", with(func(o *Outcome) { o.DetachAt = 350 }), model.StartsAtReport, "release 350, detach 13, attach 7, mount 10"},
		{"spared", with(func(o *Outcome) { o.Spared, o.Ready = true, 355 }), model.StartsAtReport, "release 350, unmount-wait 5"},
		{"without an end", with(func(o *Outcome) { o.Ready = never }), model.StartsAtReport, "release 350, unmount-wait 10, detach 3, attach 7"},
	} {
		var got []string
		for _, p := range free(0).Phases(tt.o, tt.startsAt) {
			got = append(got, fmt.Sprintf("%s %.0f", p.ID, p.Seconds.Best))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, strings.Join(got, ", "), tt.want)
		}
	}
}

// TestWhy: what keeps a wait from ever ending, each reason with its near miss.
func TestWhy(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Scenario)
		set    Settings
		want   string
		unsure bool
	}{
		{"it ends", func(*Scenario) {}, Settings{}, "", false},
		{"made again", func(s *Scenario) { s.Released, s.Replaced = exactly(never), true }, Settings{}, "created another one", false},
		{"made again, on a node of which nothing tells", func(s *Scenario) { s.Released, s.Replaced, s.Alive = exactly(never), true, false },
			Settings{}, "created another one", true},
		{"made again, and released", func(s *Scenario) { s.Stuck, s.Replaced = true, true }, Settings{}, "the forced detach is switched off",
			false},
		{"not seen, and released", func(s *Scenario) { s.Stuck, s.Unseen = true, true }, Settings{}, "the forced detach is switched off", false},
		{"not seen", func(s *Scenario) { s.Released, s.Unseen, s.Deleted = exactly(never), true, exactly(never) }, Settings{},
			"nothing shows the old pod", true},
		{"it stays", func(s *Scenario) { s.Released, s.Deleted = exactly(never), exactly(never) }, Settings{}, "the old pod object stays", false},
		{"it stays, on a node of which nothing tells",
			func(s *Scenario) { s.Released, s.Deleted, s.Alive = exactly(never), exactly(never), false }, Settings{}, "the old pod object stays",
			true},
		{"stuck, on a node of which nothing tells", func(s *Scenario) { s.Stuck, s.Alive = true, false }, Settings{},
			"turns on whether it is lost", true},
		{"stuck on a Ready node", func(s *Scenario) { s.Stuck, s.ForceDetach, s.AsksHealth = true, true, true }, Settings{},
			"the node is Ready and does not report", false},
		{"stuck, and never by force", func(s *Scenario) { s.Stuck = true }, Settings{}, "the forced detach is switched off", false},
		{"stuck, and switched off", func(s *Scenario) { s.Stuck, s.ForceDetach = true, true }, Settings{NoForcedDetach: true},
			"the forced detach is switched off", false},
		{"stuck on a node that came back", func(s *Scenario) {
			s.Stuck, s.ForceDetach, s.AsksHealth, s.NotReady, s.Back = true, true, true, exactly(-10), 300
		}, Settings{}, "the node does not report the unmount", false},
		{"refused", func(s *Scenario) { s.Fault.BackendUntil = never }, Settings{}, "the detach does not succeed", false},
	} {
		s := free(100)
		tt.change(s)
		p := s.Predict(Plan{Set: tt.set})
		if p.Why == "" != (tt.want == "") || !strings.Contains(p.Why, tt.want) || p.Unsure != tt.unsure ||
			strings.Contains(p.Why, "switched off") != strings.Contains(tt.want, "switched off") {
			t.Errorf("%s: %q, unsure %v", tt.name, p.Why, p.Unsure)
		}
	}
	for n := range 3 {
		s := free(never)
		s.Deleted, s.Fault.BackendUntil, s.Replaced, s.Unseen = exactly(never), never, n == 1, n == 2
		if p := s.Predict(Plan{}.With(Act{Kind: DeleteAttachment, At: 50})); !strings.Contains(p.Why, "the detach does not succeed") {
			t.Errorf("a detach by hand that is refused: %q", p.Why)
		}
	}
}

// TestKnown: what has a finite time is known.
func TestKnown(t *testing.T) {
	for _, best := range []float64{never, -never, never - never} {
		if exactly(best).Known() {
			t.Errorf("%v is known", best)
		}
	}
	if !exactly(0).Known() || !exactly(-1).Known() {
		t.Error("a time is not known")
	}
}
