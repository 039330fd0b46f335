package analyze_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	small "github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples/recordings"
)

// The largest cluster that Kubernetes supports has 150,000 pods on 5,000 nodes (kubernetes.io, considerations for large
// clusters). Of its pods two in five have a volume of their own, and one node in a hundred is lost: its pods are
// being deleted, and the replacements of every other one wait for their volumes.
const (
	mostPods    = 150_000
	podsPerNode = 30
	withVolume  = 5 // two in five
	lostNode    = 100
)

// manyLost is one node of how many is lost where a cluster has as many incidents as can be.
const manyLost = 2

// large builds the snapshot of a cluster with that many pods.
func large(pods int) *model.Snapshot { return largeOf(pods, lostNode) }

// largeOf is that with one node of so many lost.
func largeOf(pods, lost int) *model.Snapshot {
	at := model.Exactly(time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC))
	s := &model.Snapshot{CapturedAt: &at, CapturedFrom: model.Evidence{Text: "2026-03-14 10:00:00"}}
	for _, kind := range []string{"Node", "PersistentVolume", "PersistentVolumeClaim", "Pod", "StorageClass", "VolumeAttachment", "Event",
		"CSINode"} {
		s.Lists = append(s.Lists, model.Listed{Kind: kind})
	}
	for n := range pods / podsPerNode {
		addNode(s, n, lost)
	}
	for i := range pods {
		addPod(s, i, lost)
	}
	model.SortObservations(s.Observations)
	return s
}

const driver = "csi.example.com"

var (
	longAgo = metav1.NewTime(time.Date(2026, 3, 13, 8, 0, 0, 0, time.UTC))
	lost    = metav1.NewTime(time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC))
	evicted = metav1.NewTime(time.Date(2026, 3, 14, 9, 5, 0, 0, time.UTC))
)

func held[T any](kind, namespace, name string, value T) model.Object[T] {
	return model.Object[T]{Ref: model.Ref{Kind: kind, Namespace: namespace, Name: name, UID: "u-" + namespace + name},
		Content: model.Whole(value), ResourceVersion: 1, Input: kind + ".yaml"}
}

func (b *builder) say(k model.Kind, at metav1.Time, fill func(*model.Observation)) {
	m := model.Moment{}
	if !at.IsZero() {
		m = model.WholeSecond(at.Time)
	}
	o := model.Observation{Kind: k, At: m, Last: m, Count: 1, Input: b.input,
		Source: model.Source{Kind: model.SourceManifest, Path: b.input, Line: len(b.s.Observations) + 1}, Quote: model.Quote{Text: "x"}}
	fill(&o)
	b.s.Observations = append(b.s.Observations, o)
}

type builder struct {
	s     *model.Snapshot
	input string
}

func nodeName(n int) string { return fmt.Sprintf("node-%05d", n) }

func addNode(s *model.Snapshot, n, oneOf int) {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: nodeName(n), CreationTimestamp: longAgo,
		Labels: map[string]string{"topology.kubernetes.io/zone": fmt.Sprint(n % 3)}}}
	ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: longAgo}
	kind := model.NodeReady
	if n%oneOf == 0 {
		ready.Status, ready.LastTransitionTime, kind = corev1.ConditionUnknown, lost, model.NodeNotReady
	}
	node.Status.Conditions = []corev1.NodeCondition{ready}
	s.Nodes = append(s.Nodes, held("Node", "", node.Name, node))
	b := &builder{s, "Node.yaml"}
	b.say(kind, ready.LastTransitionTime, func(o *model.Observation) { o.Node = node.Name })
	b.say(model.NodeHeartbeat, ready.LastTransitionTime, func(o *model.Observation) { o.Node = node.Name })
	csi := &storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{Name: node.Name},
		Spec: storagev1.CSINodeSpec{Drivers: []storagev1.CSINodeDriver{{Name: driver, NodeID: node.Name}}}}
	s.CSINodes = append(s.CSINodes, held("CSINode", "", node.Name, csi))
}

// addPod adds a pod, and, when it is one of those with a volume, claim, volume and attachment.
func addPod(s *model.Snapshot, i, oneOf int) {
	n := i / podsPerNode
	namespace, name := fmt.Sprintf("team-%d", i%200), fmt.Sprintf("web-%06d-6c5d7f9b84-xk2lp", i)
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, CreationTimestamp: longAgo},
		Spec: corev1.PodSpec{NodeName: nodeName(n)}}
	p.Status.Phase = corev1.PodRunning
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: longAgo}}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
	has := i%withVolume < 2
	if has {
		p.Spec.Volumes = []corev1.Volume{{Name: "data",
			VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}}}
		addVolume(s, i, namespace, name, nodeName(n))
	}
	if n%oneOf == 0 {
		grace := int64(30)
		p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &evicted, &grace
	}
	addPodObject(s, p)
	if has && n%oneOf == 0 && i%2 == 0 {
		addWaiting(s, i, p)
	}
}

func addPodObject(s *model.Snapshot, p *corev1.Pod) {
	obj := held("Pod", p.Namespace, p.Name, p)
	s.Pods = append(s.Pods, obj)
	b := &builder{s, "Pod.yaml"}
	b.say(model.PodCreated, p.CreationTimestamp, func(o *model.Observation) { o.Pod = obj.Ref })
	b.say(model.PodScheduled, p.CreationTimestamp, func(o *model.Observation) { o.Pod, o.Node = obj.Ref, p.Spec.NodeName })
	if p.DeletionTimestamp != nil {
		b.say(model.PodDeletionRequested, *p.DeletionTimestamp, func(o *model.Observation) { o.Pod, o.Node = obj.Ref, p.Spec.NodeName })
	}
}

func pvName(i int) string { return fmt.Sprintf("pvc-%06d", i) }

func addVolume(s *model.Snapshot, i int, namespace, claim, node string) {
	handle := fmt.Sprintf("vol-%06d", i)
	class, name := "fast", pvName(i)
	modes := []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	pv := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: longAgo},
		Spec: corev1.PersistentVolumeSpec{AccessModes: modes, StorageClassName: class,
			PersistentVolumeSource: corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: driver, VolumeHandle: handle}},
			ClaimRef:               &corev1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: claim}}}
	pv.Status.Phase = corev1.VolumeBound
	s.PersistentVolumes = append(s.PersistentVolumes, held("PersistentVolume", "", name, pv))
	pvc := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: claim, Namespace: namespace, CreationTimestamp: longAgo},
		Spec: corev1.PersistentVolumeClaimSpec{AccessModes: modes, StorageClassName: &class, VolumeName: name}}
	pvc.Status.Phase = corev1.ClaimBound
	s.PersistentVolumeClaims = append(s.PersistentVolumeClaims, held("PersistentVolumeClaim", namespace, claim, pvc))
	va := &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: model.AttachmentName(handle, driver, node),
		CreationTimestamp: longAgo, Finalizers: []string{"external-attacher/" + driver}},
		Spec: storagev1.VolumeAttachmentSpec{Attacher: driver, NodeName: node,
			Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: &name}}, Status: storagev1.VolumeAttachmentStatus{Attached: true}}
	s.VolumeAttachments = append(s.VolumeAttachments, held("VolumeAttachment", "", va.Name, va))
	unique := model.VolumeID{UniqueName: model.UniqueCSIName(driver, handle)}.Complete()
	last := s.Nodes[i/podsPerNode].Value()
	last.Status.VolumesInUse = append(last.Status.VolumesInUse, corev1.UniqueVolumeName(unique.UniqueName))
	last.Status.VolumesAttached = append(last.Status.VolumesAttached, corev1.AttachedVolume{Name: corev1.UniqueVolumeName(unique.UniqueName)})
	b := &builder{s, "VolumeAttachment.yaml"}
	attachment := func(o *model.Observation) {
		o.Attachment, o.Node, o.Attacher, o.Volume.PersistentVolume = va.Name, node, driver, name
	}
	b.say(model.AttachmentCreated, longAgo, attachment)
	b.say(model.AttachmentAttached, longAgo, attachment)
	for _, kind := range []model.Kind{model.NodeVolumesInUse, model.NodeVolumesAttached} {
		b.say(kind, metav1.Time{}, func(o *model.Observation) { o.Node, o.Volume = node, unique })
	}
}

// addWaiting adds the replacement of a pod of a lost node, and the report that it waits.
func addWaiting(s *model.Snapshot, i int, old *corev1.Pod) {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: old.Name[:len(old.Name)-5] + "p9vqt", Namespace: old.Namespace,
		CreationTimestamp: evicted}}
	p.Spec.NodeName, p.Spec.Volumes, p.Status.Phase = nodeName(i/podsPerNode+1), old.Spec.Volumes, corev1.PodPending
	state := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: state}}
	addPodObject(s, p)
	b := &builder{s, "Event.yaml"}
	addFailures(b, i, p)
	b.say(model.MultiAttach, evicted, func(o *model.Observation) {
		o.Pod, o.Volume.PersistentVolume, o.Variant = model.PodRef(p.Namespace, p.Name, "u-"+p.Namespace+p.Name), pvName(i), model.UsedByPods
		o.Source.Kind, o.Component, o.Pods = model.SourceEvent, "attachdetach-controller", []model.Ref{{Kind: "Pod", Namespace: old.Namespace,
			Name: old.Name}}
	})
}

// addFailures adds what the controller, the driver and the kubelet complain of: of this volume, and of one that is in no
// incident.
func addFailures(b *builder, i int, p *corev1.Pod) {
	for n := range 10 {
		at := metav1.NewTime(evicted.Add(time.Duration(n) * time.Minute))
		for _, kind := range []model.Kind{model.AttachFailed, model.MountFailed, model.DetachFailed, model.DetachForcedTimeout,
			model.LeaderAcquired} {
			b.say(kind, at, func(o *model.Observation) {
				o.Volume.PersistentVolume, o.Node, o.Detail = pvName(i-i%2*n), p.Spec.NodeName, "rpc error: code = ResourceExhausted desc = too "+
					"many volumes"
				o.Component, o.Pod, o.Source.Kind = "kube-controller-manager", model.PodRef(p.Namespace, p.Name, ""), model.SourceEvent
			})
		}
	}
}

// oneLeader takes away the changes of the leader. One belongs to every incident that it falls into, and those of the made clusters, of
// which each incident brings some, would fall into all of them.
func oneLeader(s *model.Snapshot) *model.Snapshot {
	s.Observations = slices.DeleteFunc(s.Observations, func(o model.Observation) bool { return o.Kind == model.LeaderAcquired })
	return s
}

// explainLarge runs every cause and every check, and tells what that took without the reconstruction before it.
func explainLarge(s *model.Snapshot) (causes, findings int, reconstructed, explained time.Duration) {
	start := time.Now()
	w := facts.NewWorld(s)
	all := small.Waits(w)
	reconstructed = time.Since(start)
	var l evidence.Ledger
	for _, c := range all {
		causes += len(cause.Explain(c, &l))
	}
	findings = len(check.Findings(w, all, &l))
	return causes, findings, reconstructed, time.Since(start) - reconstructed
}

// BenchmarkLarge shows the slope over three sizes.
func BenchmarkLarge(b *testing.B) {
	for _, pods := range []int{mostPods / 4, mostPods / 2, mostPods} {
		b.Run(fmt.Sprintf("pods=%d", pods), func(b *testing.B) {
			s := large(pods)
			for b.Loop() {
				causes, findings, reconstructed, explained := explainLarge(s)
				b.ReportMetric(reconstructed.Seconds(), "reconstruct-s")
				b.ReportMetric(explained.Seconds(), "causes+checks-s")
				b.ReportMetric(float64(causes), "causes")
				b.ReportMetric(float64(findings), "findings")
			}
		})
	}
}

// TestManyIncidents: twice the incidents allocate about twice as much, in causes, checks, remedies and replays, in the report of every
// format, and in reading it back. Allocations are counted, and not time, so that it does not depend on the machine.
func TestManyIncidents(t *testing.T) {
	if testing.Short() {
		t.Skip("explains hundreds of incidents")
	}
	if err := report.Write(io.Discard, "svg", &model.Report{}); err != nil { // what draws is prepared once
		t.Fatal(err)
	}
	incidents := 100
	if recordings.Long {
		incidents = 200
	}
	few, many := allocated(t, incidents), allocated(t, 2*incidents)
	for stage, n := range few {
		ratio := float64(many[stage]) / float64(n)
		t.Logf("%s: %d MB and %d MB, %.2f times as much", stage, n>>20, many[stage]>>20, ratio)
		if ratio > 2.6 {
			t.Errorf("%s: twice the incidents allocate %.2f times as much", stage, ratio)
		}
	}
}

// allocated is how many bytes each stage allocates for a cluster with that many incidents.
func allocated(t *testing.T, incidents int) map[string]uint64 {
	t.Helper()
	s := oneLeader(largeOf(incidents*10/podsPerNode*podsPerNode, manyLost)) // a tenth of the pods wait
	out := map[string]uint64{}
	var r *model.Report
	measure := func(stage string, do func()) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		out[stage] = after.TotalAlloc - before.TotalAlloc
	}
	measure("analysis", func() { r = analyze.Run(t.Context(), s, analyze.Options{}) })
	if n := len(r.Incidents); n < incidents*9/10 || n > incidents*11/10 {
		t.Fatalf("%d incidents, want about %d", n, incidents)
	}
	for i := range r.Evidence {
		r.Evidence[i].Source.Kind = model.SourceManifest // the objects of these tests come from no file
	}
	var b bytes.Buffer
	for _, format := range report.Formats() {
		measure(format.Name, func() {
			b.Reset()
			if err := report.Write(&b, format.Name, r); err != nil {
				t.Fatal(err)
			}
		})
		if format.Name == "json" {
			text := bytes.NewReader(bytes.Clone(b.Bytes()))
			measure("reading the report", func() {
				if back, err := report.Read(text); err != nil || len(back.Incidents) != len(r.Incidents) {
					t.Fatal(err)
				}
			})
		}
	}
	return out
}
