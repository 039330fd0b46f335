//go:build long && unix

package analyze_test

import (
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/analyze/alert"
	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/decision"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	small "github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples/growth"
)

// repeated is a cluster in which that many events report the wait of one pod.
func repeated(n int) *model.Snapshot {
	s := oneWanted(1)
	b := &builder{s, "Event.yaml"}
	for i := range n {
		b.say(model.MultiAttach, metav1.NewTime(evicted.Add(time.Duration(i)*time.Second)), func(o *model.Observation) {
			o.Pod, o.Node, o.Volume.PersistentVolume, o.Variant = model.PodRef("team-0", "job-0", ""), nodeName(1), pvName(0), model.UsedByPods
			o.Source.Kind, o.Component = model.SourceEvent, "attachdetach-controller"
		})
	}
	model.SortObservations(s.Observations)
	return s
}

// crowded is a cluster in which that many events report the waits of a quarter as many pods for one volume, on nodes that nothing names:
// they are one wait.
func crowded(n int) *model.Snapshot {
	s := oneWanted(1)
	b := &builder{s, "Event.yaml"}
	for i := range n {
		b.say(model.MultiAttach, evicted, func(o *model.Observation) {
			o.At = model.Exactly(evicted.Add(time.Duration(i) * time.Second / 16))
			o.Last, o.Pod, o.Volume.PersistentVolume, o.Variant = o.At, model.PodRef("team-0", fmt.Sprintf("job-%d", i%(n/4)),
				""), pvName(0), model.UsedByPods
			o.Source.Kind, o.Component, o.Pods = model.SourceEvent, "attachdetach-controller", []model.Ref{{Kind: "Pod", Namespace: "team-0",
				Name: fmt.Sprintf("old-%d", i%(n/4))}}
		})
	}
	model.SortObservations(s.Observations)
	return s
}

// attachedOften is a cluster in which the volume of a lost node is attached to that many others, and used and listed there.
func attachedOften(n int) *model.Snapshot {
	s := oneWanted(1)
	pv, unique := pvName(0), model.VolumeID{UniqueName: model.UniqueCSIName(driver, "vol-000000")}.Complete()
	for i := range n {
		addNode(s, i+2, 1<<30)
		node := s.Nodes[len(s.Nodes)-1].Value()
		node.Status.VolumesInUse = []corev1.UniqueVolumeName{corev1.UniqueVolumeName(unique.UniqueName)}
		va := &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: model.AttachmentName("vol-000000", driver, node.Name),
			CreationTimestamp: longAgo},
			Spec: storagev1.VolumeAttachmentSpec{Attacher: driver, NodeName: node.Name,
				Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: &pv}}, Status: storagev1.VolumeAttachmentStatus{Attached: true}}
		s.VolumeAttachments = append(s.VolumeAttachments, held("VolumeAttachment", "", va.Name, va))
		b := &builder{s, "VolumeAttachment.yaml"}
		b.say(model.AttachmentCreated, longAgo, func(o *model.Observation) {
			o.Attachment, o.Node, o.Attacher, o.Volume.PersistentVolume = va.Name, node.Name, driver, pv
		})
		b.say(model.NodeVolumesInUse, metav1.Time{}, func(o *model.Observation) { o.Node, o.Volume = node.Name, unique })
		addPodObject(s, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("reader-%d", i), Namespace: "team-0",
			CreationTimestamp: longAgo},
			Spec: corev1.PodSpec{NodeName: node.Name, Volumes: s.Pods[0].Value().Spec.Volumes}})
	}
	model.SortObservations(s.Observations)
	return s
}

// stages runs an analysis stage by stage, then every renderer, and tells the CPU that each took.
func stages(t *testing.T, s *model.Snapshot) map[string]time.Duration {
	t.Helper()
	out := map[string]time.Duration{}
	measure := func(stage string, do func()) {
		runtime.GC()
		before := growth.Spent(t)
		do()
		out[stage] += growth.Spent(t) - before
	}
	var w *facts.World
	var cases []*wait.Case
	var l evidence.Ledger
	measure("reconstruct", func() { w = facts.NewWorld(s); cases = small.Waits(w) })
	m := replay.NewModel(w, cases)
	causes := make([][]model.Cause, len(cases))
	measure("causes", func() {
		for n, c := range cases {
			causes[n] = cause.Explain(c, &l)
		}
	})
	measure("decisions", func() {
		for _, c := range cases {
			decision.Operands(c, &l)
		}
	})
	measure("remedies", func() {
		for n, c := range cases {
			remedy.Judge(remedy.New(m, c, causes[n], 0, remedy.Alarm{}), &l)
		}
	})
	measure("checks", func() { check.Findings(w, cases, &l) })
	measure("alerts", func() { alert.Run(t.Context(), s, cases, nil, &l) })
	var r *model.Report
	measure("report", func() { r = analyze.Run(t.Context(), s, analyze.Options{}) })
	for i := range r.Evidence {
		r.Evidence[i].Source.Kind = model.SourceManifest // the objects of these tests come from no file
	}
	for _, f := range report.Formats() {
		measure(f.Name, func() {
			if err := report.Write(io.Discard, f.Name, r); err != nil {
				t.Fatal(err)
			}
		})
	}
	return out
}

// TestGrowth: four times of what is worst for a stage takes at most growth.Most times the CPU. The best of several runs counts, but for
// 40 ms, which other work on the machine makes of it.
func TestGrowth(t *testing.T) {
	if err := report.Write(io.Discard, "svg", &model.Report{}); err != nil { // what draws is prepared once
		t.Fatal(err)
	}
	const tries = 4
	for _, c := range []struct {
		name string
		of   func(int) *model.Snapshot
		n    int
	}{
		{"events of one pod", repeated, 2000}, {"pods that wait for one volume", crowded, 1500}, {"attachments of one volume", attachedOften,
			800}, {"nodes that want one volume", oneWanted, 400},
	} {
		small, large := map[string]time.Duration{}, map[string]time.Duration{}
		fewest := func(best, now map[string]time.Duration) {
			for stage, d := range now {
				if was, ok := best[stage]; !ok || d < was {
					best[stage] = d
				}
			}
		}
		var wrong []string
		for range tries {
			fewest(small, stages(t, c.of(c.n)))
			fewest(large, stages(t, c.of(4*c.n)))
			wrong = nil
			for stage, d := range large {
				if was := small[stage].Seconds(); !growth.Linear(small[stage], d) {
					wrong = append(wrong, fmt.Sprintf("%s: %v and %v, %.1f times as much", stage, small[stage], d, d.Seconds()/was))
				}
			}
			if len(wrong) == 0 {
				break
			}
		}
		for _, text := range wrong {
			t.Errorf("four times the %s: %s", c.name, text)
		}
		t.Logf("%s: %v", c.name, large)
	}
}

// TestLargeIsLinear: four times the cluster takes at most growth.Most times the CPU. It allocates 4.0 times as often; looking up names in
// tables that outgrow the caches of the processor makes it 4.9 to 5.4 times the CPU, from 5,000 pods to 20,000 as from 19,000 to 75,000.
func TestLargeIsLinear(t *testing.T) {
	explained := func(pods int) func() {
		s := oneLeader(large(pods))
		return func() {
			if causes, findings, _, _ := explainLarge(s); causes == 0 || findings == 0 {
				t.Fatalf("%d causes and %d findings of %d pods", causes, findings, pods)
			}
		}
	}
	t.Log(growth.Check(t, "pods", explained(mostPods/8), explained(mostPods/2)))
}
