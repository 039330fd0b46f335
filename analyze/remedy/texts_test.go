package remedy

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// textRow is a row: a text of an incident has these words, or is empty.
type textRow struct {
	name, want string
	changes    []change
}

func says(name, want string, changes ...change) textRow { return textRow{name, want, changes} }

func compare(t *testing.T, text func(*Incident) string, rows ...textRow) {
	t.Helper()
	for _, r := range rows {
		i := made("v1.34.0")
		for _, c := range r.changes {
			c(i)
		}
		if got := text(i); !strings.Contains(got, r.want) || (got == "") != (r.want == "") {
			t.Errorf("%s: %q, want %q", r.name, got, r.want)
		}
	}
}

func asis(p replay.Prediction) change {
	return func(i *Incident) { typic := i.Asis.Typic; i.Asis = p; i.Asis.Typic = typic }
}

func predicts(lo, best, hi float64) change {
	return asis(replay.Prediction{Ready: model.Range{Min: lo, Best: best, Max: hi}})
}

func typic(change func(*replay.Outcome)) change { return func(i *Incident) { change(&i.Asis.Typic) } }

func sampled(i *Incident) { i.Case.Sampled, i.Case.OldPods = true, nil }

// The replay fits when its end is within 30 s of the real one, or that is within 5 s of its range.
func TestMisfit(t *testing.T) {
	unseen := func(i *Incident) { i.Scenario.End, i.Case.Ready = inf, facts.Instant{} }
	attach := func(lo, best, hi float64) change {
		return func(i *Incident) { i.Asis.Attach = model.Range{Min: lo, Best: best, Max: hi} }
	}
	later := predicts(540, 550, 560)
	compare(t, (*Incident).Misfit,
		says("as it was", ""),
		says("30 s too soon", "", predicts(470, 470, 470)),
		says("31 s too soon", "ends 31 s from where", predicts(469, 469, 469)),
		says("30 s too late", "", predicts(530, 530, 530)),
		says("31 s too late", "ends 31 s from where", predicts(531, 531, 531)),
		says("5 s above its range", "", predicts(300, 400, 495)),
		says("6 s above its range", "ends 1 min 40 s from where", predicts(300, 400, 494)),
		says("5 s below its range", "", predicts(505, 600, 700)),
		says("6 s below its range", "ends 1 min 40 s from where", predicts(506, 600, 700)),
		says("never", "never ends (made), and it did", asis(replay.Prediction{Ready: never, Why: "made"})),
		says("no node yet", "has no node", of(func(c *wait.Case) { c.Before = true })),
		says("no pod yet", "", of(func(c *wait.Case) { c.Before, c.NewPods = true, nil })),
		says("open", "", still(600)),
		says("open, and ends", "ends 8 min 20 s after its beginning, and it had not", still(600), predicts(495, 500, 599)),
		says("open, and may end later", "", still(600), predicts(495, 500, 600)),
		says("open, and unsure", "turns on what is not in the bundle", still(600), func(i *Incident) { i.Asis.Unsure = true }),
		says("over at an unknown time", "", unseen, asis(replay.Prediction{Ready: never})),
		says("attached as replayed", "", unseen, attach(485, 490, 495)),
		says("attached 30 s from it", "", unseen, attach(460, 460, 460)),
		says("attached 31 s from it", "ends 31 s from where", unseen, attach(459, 459, 459)),
		says("deletion", "the first step that does not fit is the deletion", later, typic(func(o *replay.Outcome) { o.Deleted = 11 })),
		says("release", "is the release", later, typic(func(o *replay.Outcome) { o.Deleted, o.Released = 10, 131 })),
		says("attach", "is the attach", later, typic(func(o *replay.Outcome) { o.Released, o.Attached = 130, 521 })),
		says("none of them", "is the last, from the attach to Ready", later, typic(func(o *replay.Outcome) { o.Attached = 520 })),
		says("request", "is the request of the detach", later, asks(110), typic(func(o *replay.Outcome) { o.DetachAt, o.Gone = 141, 1 })),
		says("end of the attachment", "is the end of the old", later, of(func(c *wait.Case) { c.Gone = at(110) }),
			typic(func(o *replay.Outcome) { o.Gone = 79 })),
	)
}

// What held the volume is missing where the replay ends too soon and nothing tells of the detach.
func TestUnseenHold(t *testing.T) {
	hold := func(predicted, observed float64) func(*Incident) string {
		return func(i *Incident) string { return i.unseenHold(predicted, observed) }
	}
	compare(t, hold(400, 500),
		says("lost", "until 10:08:10 is not in the bundle; the logs of the kube-controller-manager and of the external-attacher would tell"),
		says("Ready", "that of the kubelet of node-a", ready),
		says("no node", "that of the kubelet of the old node", ready, of(func(c *wait.Case) { c.From = "" })),
		says("the new attachment", "until 10:05:00", of(func(c *wait.Case) { c.NewAttachment = at(300) })),
		says("explained", "", asks(110)),
		says("no release", "until 10:08:10", asks(110), of(func(c *wait.Case) { c.Released = facts.Instant{} })),
		says("no attach", "", of(func(c *wait.Case) { c.Attached = facts.Instant{} })))
	compare(t, hold(500, 500), says("as soon", "until 10:08:10"))
	compare(t, hold(501, 500), says("too late", ""))
}

func TestOutlook(t *testing.T) {
	compare(t, (*Incident).Outlook,
		says("over", ""),
		says("over at an unknown time", "", set(func(s *replay.Scenario) { s.End = inf })),
		says("never", "never ends: made.", still(600)),
		says("unsure", "ends by itself. Nothing in the bundle tells", still(600), func(i *Incident) { i.Asis.Unsure = true }),
		says("it ends", "between 10:11:35 and 10:11:45", still(600), predicts(695, 700, 705)),
		says("withheld", "", still(600), predicts(495, 500, 505)))
	compare(t, (*Incident).unknownState,
		says("a node", "tells whether node-a was lost"),
		says("its author alone", "Only its author's word tells that node-a was lost, which decides it", saw(&model.Observation{Kind: model.AuthorSaid, Detail: "node-off: x"})),
		says("of another node", "Nothing in the bundle tells whether node-a", saw(&model.Observation{Kind: model.AuthorSaid, Detail: "node-off: x", Node: "node-b"})),
		says("no node", "Which node held", of(func(c *wait.Case) { c.From = "" })),
		says("no pod in metrics", "No metric shows the pod that used the volume on node-a", sampled))
}

// The names in texts are those of the incident, or words for what is not known.
func TestNames(t *testing.T) {
	noPods := of(func(c *wait.Case) { c.OldPods = nil })
	bare := of(func(c *wait.Case) { c.From, c.Attachment.Name = "", "" })
	compare(t, func(i *Incident) string { return i.workload() },
		says("pod", "prod/db-0"), says("workload", "prod/db", workload("Deployment")), says("neither", "the workload", noPods),
		says("workload alone", "prod/db", workload("Deployment"), noPods))
	compare(t, func(i *Incident) string { return i.twice() },
		says("pod", "containers may run on, unseen by Kubernetes, if node-a"),
		says("Deployment", "containers may run on", workload("Deployment")),
		says("StatefulSet", "two pods of a StatefulSet", workload("StatefulSet")))
	compare(t, func(i *Incident) string { return i.oldNode() + " " + i.node() + " " + i.attachment() },
		says("known", "node-a node-a csi-1"), says("not known", "the old node OLD-NODE VOLUMEATTACHMENT", bare))
	compare(t, func(i *Incident) string { n, p := i.oldPod(); return n + "/" + p },
		says("known", "prod/db-0"), says("not known", "NAMESPACE/OLD-POD", noPods))
	compare(t, (*Incident).servingPod, says("named", "prod/db-0"), says("running", "prod/db-0", pods(alone, nil)),
		says("not known", "the old pod", noPods))
}

func TestSideEffects(t *testing.T) {
	joined := func(f func(*Incident) []string) func(*Incident) string {
		return func(i *Incident) string { return strings.Join(f(i), "; ") }
	}
	compare(t, joined((*Incident).deletesServing),
		says("nothing known", "the service of prod/db-0 stops until the new pod has become Ready"),
		says("nobody's", "nothing creates it again", pods(alone, nil)),
		says("a rollout", "the old version is gone before", pods(owned("StatefulSet"), nil), by(model.CauseRolloutSurge)),
		says("runs", "which runs, is stopped", pods(owned("StatefulSet"), nil)),
		says("ended", "the service of", pods(endedOf("StatefulSet"), nil)))
	compare(t, joined((*Incident).onlyOne),
		says("no workload", "replicas that get a volume each"),
		says("Deployment", "of prod/db but one is stopped, those that are not Ready first; replicas", workload("Deployment")),
		says("StatefulSet", "but db-0 is stopped; replicas", workload("StatefulSet"), pods(alone, nil)),
		says("StatefulSet, another runs", "but other-0 is stopped, also the one that runs", workload("StatefulSet"), pods(alone, nil),
			of(func(c *wait.Case) { c.Workload.Name = "other" })))
	compare(t, func(i *Incident) string { return joined(deleteVolumeAttachment.SideEffects)(i) },
		says("released", "a container that still runs on node-a loses"),
		says("released just then", "a container", released(281)),
		says("dropped after it", "a container", released(300), did(replay.DeleteAttachment, 300)),
		says("dropped before", "the old pod stays", released(300), did(replay.DeleteAttachment, 299)),
		says("never released", "the old pod stays", unreleased))
	if got := deleteVolumeAttachment.SideEffects(made("v1.34.0", cases.Seen(0, model.Observation{}))); len(got) != 1 {
		t.Error(got)
	}
}

// Which signs make a remedy's risk certain, and when its safety is judged.
func TestRisk(t *testing.T) {
	i := made("v1.34.0")
	for _, tt := range []struct {
		changes []change
		remedy  Remedy
		at      float64
	}{
		{nil, forceDeletePod, 280}, {nil, automateOutOfService, 280}, {nil, recreateNewPod, 790},
		{[]change{did(replay.ForceDeletePod, 33)}, forceDeletePod, 33}, {[]change{still(600)}, forceDeletePod, 600},
		{[]change{still(inf)}, forceDeletePod, 280}, {[]change{did(replay.DeleteNode, 33), still(600)}, deleteNode, 600},
	} {
		i := made("v1.34.0")
		for _, c := range tt.changes {
			c(i)
		}
		if got := i.applied(tt.remedy); got != tt.at {
			t.Errorf("%s: judged at %v, want %v", tt.remedy.ID, got, tt.at)
		}
	}
	i.machine = &machine{alive: []*model.Observation{cases.Seen(100, model.Observation{})}}
	i.machine.alive[0].Last = i.machine.alive[0].At
	if !i.runs(140) || i.runs(141) {
		t.Errorf("a sign of life counts for 40 s: %v at 140 s, %v at 141 s", i.runs(140), i.runs(141))
	}
	i.machine.ranOn = i.machine.alive
	if !i.runs(1e6) {
		t.Error("the same boot is no proof that the machine runs")
	}
	pods(alone, nil)(i)
	for _, tt := range []struct {
		state  string
		forces bool
		want   string
	}{{model.Safe, true, model.RiskNone}, {model.NotProven, true, model.RiskOnceProven}, {model.Unsafe, true, model.RiskCertain},
		{model.Unsafe, false, model.RiskPossible}} {
		got := i.dataRisk(Remedy{Forces: tt.forces, Acts: forceDeletePod.Acts, From: (*Incident).stuck}, model.Safety{State: tt.state})
		if got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
	pods(func(p *corev1.Pod) { ended(p) }, nil)(i)
	if quiet := made("v1.34.0"); quiet.mounted() {
		t.Error("mounted without a sign")
	} else if quiet.machine = i.machine; quiet.dataRisk(forceDeletePod, model.Safety{State: model.Unsafe}) != model.RiskPossible {
		t.Error("a risk is certain without the mount")
	}
	table := cases.Seen(0, model.Observation{Kind: model.VolumeMounted, Volume: cases.PV, Pod: model.Ref{UID: "u"}})
	table.At, table.Input = model.Moment{}, "node-a/mounts"
	listed := made("v1.34.0")
	saw(table)(listed)
	if still(600)(listed); !listed.mounted() {
		t.Error("a mount table is no sign")
	}
	i.machine = &machine{}
	if i.dataRisk(forceDeletePod, model.Safety{State: model.Unsafe}) != model.RiskPossible {
		t.Error("a risk is certain without a machine that runs")
	}
}

// One condition that is not met makes a remedy unsafe, whatever comes after it; one that is not known leaves it unproven.
func TestSafety(t *testing.T) {
	for want, list := range map[string][][]model.Truth{
		model.Safe: {{}, {model.True}}, model.NotProven: {{model.Unknown}, {model.True, model.Unknown}, {model.Unknown, model.True}},
		model.Unsafe: {{model.False, model.Unknown}, {model.Unknown, model.False}, {model.False, model.True}},
	} {
		for _, truths := range list {
			r := Remedy{From: (*Incident).stuck, Needs: func(*Incident, float64) (needs []Need) {
				for _, m := range truths {
					needs = append(needs, Need{Met: m})
				}
				return needs
			}}
			var l evidence.Ledger
			if got := safety(made("v1.34.0"), r, &l); got.State != want || len(got.Needs) != len(truths) {
				t.Errorf("%v: %+v, want %s", truths, got, want)
			}
		}
	}
}

// The proof that a machine was off counts from its time on; a sign that it runs outweighs it.
func TestStopped(t *testing.T) {
	machined := func(m machine) change { return func(i *Incident) { i.machine = &m } }
	stops := []wait.Stop{{Why: "made", By: at(200)}}
	sign := []*model.Observation{cases.Seen(100, model.Observation{Kind: model.KubeletPaused})}
	back := of(func(c *wait.Case) { c.BackReady = at(300) })
	need := func(at float64) func(*Incident) string {
		return func(i *Incident) string { n := stopped(i, at); return string(n.Met) + ": " + n.Text }
	}
	compare(t, need(200),
		says("nothing", string(model.Unknown)+": node-a no longer writes"),
		says("off", string(model.True)+
			": node-a no longer writes to the volume: the machine is off, or its access to the storage is cut. Made by 10:03:20",
			machined(machine{stops: stops})),
		says("alive", string(model.False)+": ", machined(machine{stops: stops, alive: sign})),
		says("ran on", "The machine never stopped", machined(machine{stops: stops, ranOn: sign})),
		says("back", string(model.Unknown)+": ", machined(machine{}), back),
		says("back, says", "nothing shows that the machine had been off", machined(machine{}), back),
		says("back without a boot", string(model.False)+": ", machined(machine{noBoot: true}), back),
		says("finished before", string(model.True)+": ", of(func(c *wait.Case) { c.OldPodFinished = at(-1) })),
		says("finished with the report", string(model.Unknown)+": ", of(func(c *wait.Case) { c.OldPodFinished = at(0) })))
	compare(t, need(199), says("later", "The proof came only later: made, by 10:03:20", machined(machine{stops: stops})),
		says("not known then", string(model.Unknown)+": ", machined(machine{stops: stops})))
}

// When something is justified: never without a time of it.
func TestJustified(t *testing.T) {
	i := made("v1.34.0")
	if at, ok := i.Justified(forceDeletePod); !ok || !at.Equal(cases.Began.Add(280*time.Second)) {
		t.Error(at, ok)
	}
	for _, f := range []func(*Incident) float64{nil, func(*Incident) float64 { return inf }, func(*Incident) float64 { return -inf },
		func(*Incident) float64 { return inf - inf }} {
		if at, ok := i.Justified(Remedy{From: f}); ok {
			t.Error(at)
		}
		if f != nil && i.called(Remedy{From: f}) != 420 {
			t.Error("an alert waits for what has no time:", i.called(Remedy{From: f}))
		}
	}
	if got := i.called(Remedy{From: func(*Incident) float64 { return 421 }}); got != 421 {
		t.Error("an alert is answered before anything justifies it:", got)
	}
}

// An alert brings forward the first deed, else the best remedy without a risk that shortens the wait.
func TestSooner(t *testing.T) {
	i := made("v1.34.0")
	i.all = []Remedy{{ID: "a", Change: unblocked}, {ID: "b", Change: unblocked}, {ID: "c", Acts: []replay.ActKind{replay.DeleteNode}}}
	better := func(best float64) model.Remediation {
		return model.Remediation{Kind: model.Reactive, Effect: model.EffectShortens, Safety: model.Safety{State: model.Safe},
			SavedSeconds: &model.Range{Best: best}}
	}
	but := func(change func(*model.Remediation)) model.Remediation { r := better(99); change(&r); return r }
	for n, tt := range []struct {
		judged []model.Remediation
		want   string
	}{
		{nil, ""}, {[]model.Remediation{better(10)}, "a"}, {[]model.Remediation{better(10), better(11)}, "b"},
		{[]model.Remediation{better(10), better(10)}, "a"},
		{[]model.Remediation{better(-3)}, "a"}, {[]model.Remediation{better(10), better(20), better(30)}, "b"},
		{[]model.Remediation{better(10), but(func(r *model.Remediation) { r.Kind = model.Preventive })}, "a"},
		{[]model.Remediation{better(10), but(func(r *model.Remediation) { r.Effect = model.EffectNone })}, "a"},
		{[]model.Remediation{better(10), but(func(r *model.Remediation) { r.Safety.State = model.NotProven })}, "a"},
		{[]model.Remediation{better(10), but(func(r *model.Remediation) { r.SavedSeconds = nil })}, "a"},
	} {
		i.judged = tt.judged
		if r, used, ok := i.sooner(); r.ID != tt.want || used || ok != (tt.want != "") {
			t.Errorf("%d: %s, %v", n, r.ID, ok)
		}
	}
	did(replay.DeleteNode, 10)(i)
	if r, used, _ := i.sooner(); used {
		t.Error("a deed that changes no replay was brought forward:", r.ID)
	}
	i.all[2].Change = unblocked
	if r, used, ok := i.sooner(); r.ID != "c" || !used || !ok {
		t.Error(r.ID, used, ok)
	}
}

// What people did keeps its distance to the deletion of the old pod where both replays have one. An end that nothing explains tells
// nothing of a deletion that came at another time.
func TestPreventShifts(t *testing.T) {
	for _, tt := range []struct {
		name          string
		deleted, asis float64
		acts          int
		want          []float64
		moved         bool
	}{
		{"sooner", -20, 10, 1, []float64{300, 270}, true},
		{"later", -20, -50, 1, []float64{300, 330}, true},
		{"as it was", -20, -20, 1, []float64{300}, false},
		{"nothing was done", -20, -50, 0, []float64{inf}, true},
		{"it was never deleted", -20, inf, 1, []float64{300}, true},
		{"neither was", inf, inf, 1, []float64{300}, false},
	} {
		i := made("v1.34.0")
		if i.Asis.Typic.Deleted, i.Scenario.Deleted = tt.asis, exactly(tt.deleted); tt.deleted == inf {
			i.Scenario.Released = never
		}
		if tt.acts > 0 {
			did(replay.HealBackend, 300)(i)
		}
		var got []float64
		i.prevent(Remedy{Change: func(_ *Incident, p replay.Plan, _ float64) replay.Plan {
			got = append(got, p.First(replay.HealBackend))
			return p
		}}, &model.Remediation{})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: the act is at %v, want %v", tt.name, got, tt.want)
		}
		var out model.Remediation
		i.Asis.Given, i.Scenario.Freed = true, 400
		i.prevent(Remedy{Change: unblocked}, &out)
		if moved := out.Effect == model.EffectUndecidable && strings.Contains(out.Why, "sooner too"); moved != tt.moved {
			t.Errorf("%s, of an end that nothing explains: %s: %s", tt.name, out.Effect, out.Why)
		}
	}
}

// A race that a setting leaves is one, unless it was seen to be won.
func TestPreventRace(t *testing.T) {
	race := func(i *Incident) string {
		i.Asis, i.Case.Span.Seconds.Max = i.Scenario.Predict(i.Done), 500
		i.Case.Phases = []model.Phase{{ID: model.PhaseRelease, Seconds: model.Range{Max: 500}}}
		out := model.Remediation{Phases: []string{string(model.PhaseRelease)}}
		i.prevent(Remedy{Change: func(_ *Incident, p replay.Plan, _ float64) replay.Plan {
			return p.With(replay.Act{Kind: replay.DeleteAttachment, At: 20})
		}}, &out)
		return out.Effect + ": " + out.Why
	}
	compare(t, race,
		says("not done", model.EffectUndecidable+": A race"),
		says("another deed", model.EffectUndecidable+": A race", did(replay.HealBackend, 20)),
		says("done", model.EffectShortens, did(replay.DeleteAttachment, 90)),
		says("done, and open", model.EffectUndecidable+": A race", did(replay.DeleteAttachment, 90), still(600)))
}

// A rollout is taken back only where there is one, of a Deployment.
func TestUndo(t *testing.T) {
	for kind, undone := range map[string]bool{"Deployment": true, "StatefulSet": false} {
		i := made("v1.34.0")
		workload(kind)(i)
		if n := len(scaleToZero.Steps(i)); n != 3 {
			t.Errorf("%s without a rollout: %d steps", kind, n)
		}
		by(model.CauseRolloutSurge)(i)
		if n := len(scaleToZero.Steps(i)); (n == 4) != undone {
			t.Errorf("%s: %d steps", kind, n)
		}
	}
}
