package clock_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/clock"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var noon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

const (
	kcm      = "kcm.log"
	attacher = "csi-attacher.log"
	kubelet  = "kubelet-node-a.log"
	driver   = "disk.example.com"
)

// statement is of the n-th volume, whose pod runs on the n-th node.
type statement func(n int, at time.Time) model.Observation

// by makes statements of a kind by a source: an Event, a log, or the field of an object.
func by(kind model.Kind, source string, more ...func(*model.Observation, int)) statement {
	return func(n int, at time.Time) model.Observation {
		o := model.Observation{Kind: kind, At: model.Exactly(at), Count: 1, Input: source, Component: "kube-controller-manager"}
		o.Source = model.Source{Kind: model.SourceLog, Path: source, Line: n + 1}
		o.Quote.Text = fmt.Sprintf("%s %d", kind, n)
		o.Volume = model.VolumeID{PersistentVolume: fmt.Sprintf("pv-%d", n), Driver: driver, Handle: fmt.Sprintf("vol-%d", n)}.Complete()
		o.Node = fmt.Sprintf("node-%d", n)
		o.Pod = model.Ref{Kind: "Pod", Namespace: "prod", Name: fmt.Sprintf("web-%d", n), UID: fmt.Sprintf("uid-%d", n)}
		if source == "events.yaml" {
			o.Source.Kind = model.SourceEvent
		} else if kind, field, ok := strings.Cut(source, " "); ok {
			o.Source.Kind, o.Source.Field, o.Object.Kind = model.SourceManifest, field, kind
			o.Attachment = model.AttachmentName(o.Volume.Handle, driver, o.Node)
			o.Component, o.At = "", model.WholeSecond(at)
		}
		for _, m := range more {
			m(&o, n)
		}
		o.Last = o.At
		return o
	}
}

func detail(text string) func(*model.Observation, int) {
	return func(o *model.Observation, _ int) { o.Detail = text }
}

// snapshot has what happens to each of some volumes, the later of the sources with a clock that is ahead.
func snapshot(of []statement, volumes int, ahead time.Duration) *model.Snapshot {
	s := &model.Snapshot{}
	for n := range volumes {
		at := noon.Add(time.Duration(n) * 100 * time.Second)
		for i, by := range of {
			o := by(n, at)
			if i > 0 {
				o.At, o.Last = o.At.Shift(ahead), o.Last.Shift(ahead)
			}
			s.Observations = append(s.Observations, o)
		}
	}
	model.SortObservations(s.Observations)
	return s
}

// told are the clocks that differ beyond doubt.
func told(s *model.Snapshot) string {
	var out []string
	set, unsure := clock.Offsets(s, s.Observations)
	for _, o := range set {
		if !o.Doubtful {
			out = append(out, fmt.Sprintf("%s%s %s", o.Stream, o.Writer, o.Ahead))
		}
	}
	if len(unsure) > 0 {
		out = append(out, "?")
	}
	return strings.Join(out, ", ")
}

// TestAssumedZone: a log whose zone or year is assumed is compared as others are, and believed least. What a text's ages place is not.
func TestAssumedZone(t *testing.T) {
	assumed := func(o *model.Observation, _ int) { o.At.Basis = model.Assumed }
	printed := func(o *model.Observation, _ int) { o.Source.Kind = model.SourceText }
	for _, c := range []struct {
		name string
		of   []statement
		want string
	}{
		{"the Events are ahead", []statement{by(model.MultiAttach, kcm, assumed), by(model.MultiAttach, "events.yaml")}, kcm + " -7m0s"},
		{"the log is ahead", []statement{by(model.MultiAttach, "events.yaml"), by(model.MultiAttach, kcm, assumed)}, kcm + " 7m0s"},
		{"rows with a time of their own", []statement{by(model.MultiAttach, "pasted.txt", printed), by(model.MultiAttach, kcm, assumed)}, kcm + " 7m0s"},
		{"a text", []statement{by(model.MultiAttach, "events.yaml"), by(model.MultiAttach, "pasted.txt", assumed, printed)}, ""},
	} {
		if got := told(snapshot(c.of, 2, 7*time.Minute)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPairs: two sources that record the same happenings differ by the clock of one of them, of which the table names the one that is not
// believed. One happening alone shows nothing, and nor does what agrees.
func TestPairs(t *testing.T) {
	events := func(k model.Kind, more ...func(*model.Observation, int)) statement {
		return by(k, "events.yaml", more...)
	}
	for _, tt := range []struct {
		name  string
		of    []statement
		want  string
		alone string
	}{
		{"report", []statement{by(model.MultiAttach, kcm), events(model.MultiAttach)}, "the Events 7m0s", "?"},
		{"attach", []statement{by(model.AttachSucceeded, kcm), events(model.AttachSucceeded)}, "the Events 7m0s", "?"},
		{"eviction", []statement{by(model.PodEvictionDecided, kcm), events(model.PodEvictionDecided)}, "the Events 7m0s", "?"},
		{"pod not ready", []statement{by(model.PodNotReady, kcm), events(model.PodNotReady)}, "the Events 7m0s", "?"},
		{"node lost", []statement{by(model.NodeNotReady, kcm), events(model.NodeNotReady)}, "the Events 7m0s", "?"},
		{"binding", []statement{by(model.PodScheduled, "Pod status.conditions[0].lastTransitionTime"),
			events(model.PodScheduled)}, "the Events 7m0s", "?"},
		{"pod created", []statement{by(model.PodCreated, "Pod metadata.creationTimestamp"), events(model.ReplicaCreated)},
			"the Events 7m0s", "?"},
		{"attachment created", []statement{by(model.AttachmentCreated, "VolumeAttachment metadata.creationTimestamp"),
			by(model.AttachStarted, kcm)}, kcm + " 7m0s", ""},
		{"attachment deleted", []statement{by(model.AttachmentDeletionRequested, "VolumeAttachment metadata.deletionTimestamp"),
			by(model.DetachForcedTimeout, kcm)}, kcm + " 7m0s", "?"},
		{"attached", []statement{by(model.AttachmentAttached, "VolumeAttachment metadata.managedFields[0].time"),
			by(model.AttacherAttached, attacher)}, attacher + " 7m0s", "?"},
		{"detached", []statement{by(model.AttacherDetached, attacher), by(model.DetachSucceeded, kcm)}, "csi-attacher.log -7m0s", "?"},
		{"kubelet", []statement{events(model.KubernetesEvent, detail("Starting"), func(o *model.Observation, _ int) { o.Component = "kubelet" }),
			by(model.KubeletStarted, kubelet, func(o *model.Observation, _ int) { o.Component = "kubelet" })}, "the Events -7m0s", "?"},
	} {
		for _, c := range []struct {
			volumes int
			ahead   time.Duration
			want    string
		}{{4, 7 * time.Minute, tt.want}, {1, 7 * time.Minute, tt.alone}, {4, 0, ""}, {4, time.Second, ""},
			{1, 8 * time.Second, ""}} { // seconds between nodes are ordinary
			if got := told(snapshot(tt.of, c.volumes, c.ahead)); got != c.want {
				t.Errorf("%s of %d volumes, %s ahead: %q, want %q", tt.name, c.volumes, c.ahead, got, c.want)
			}
		}
	}
}

// TestTrueDifferences: what truly happened minutes apart is no matter of clocks.
func TestTrueDifferences(t *testing.T) {
	const later = 7 * time.Minute
	often := func(o *model.Observation, _ int) { o.Count = 9 }
	again := func(o *model.Observation, _ int) { o.Count = 2 }
	last := func(s *model.Snapshot, kind model.SourceKind, by time.Duration) *model.Snapshot {
		for i := range s.Observations {
			if o := &s.Observations[i]; o.Source.Kind == kind && o.Count > 1 {
				o.Last = o.At.Shift(by)
			}
		}
		return s
	}
	events := func(k model.Kind, more ...func(*model.Observation, int)) statement {
		return by(k, "events.yaml", more...)
	}
	of := func(ahead time.Duration, list ...statement) *model.Snapshot { return snapshot(list, 4, ahead) }
	unwell := func(o *model.Observation, _ int) { o.Component = "kubelet" }
	for _, tt := range []struct {
		name string
		s    *model.Snapshot
	}{
		{"the Event counts the report of a log that begins later", last(of(later, events(model.MultiAttach, again), by(model.MultiAttach, kcm)),
			model.SourceEvent, later)},
		{"the Event counts on, and the log has one of many", last(of(later, events(model.MultiAttach, often), by(model.MultiAttach, kcm)),
			model.SourceEvent, 2*later)},
		{"a new leader reports again, in a log of its own", of(later, by(model.MultiAttach, kcm), by(model.MultiAttach, "kcm-b.log"))},
		{"a kubelet that comes back was unwell", of(later, by(model.NodeNotReady, kcm), events(model.NodeNotReady, unwell))},
		{"a person deleted the attachment before the controller did", of(later,
			by(model.AttachmentDeletionRequested, "VolumeAttachment metadata.deletionTimestamp", func(o *model.Observation, _ int) { o.Actor = "ann" }),
			by(model.DetachForcedTimeout, kcm))},
		{"another node attached the volume", of(later, by(model.AttachmentAttached, "VolumeAttachment metadata.managedFields[0].time"),
			by(model.AttacherAttached, attacher, func(o *model.Observation, _ int) { o.Node = "node-z" }))},
	} {
		if got := told(tt.s); got != "" {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

// TestMajority: the clock that differs is the one that no other agrees with, be it the API server's.
func TestMajority(t *testing.T) {
	for _, tt := range []struct {
		name, stream string
		want         string
	}{
		{"log", kcm, kcm + " 7m0s"},
		{"events", "events.yaml", "the Events 7m0s"},
		{"objects", "Pod status.conditions[0].lastTransitionTime", "Pod objects 7m0s"},
	} {
		s := &model.Snapshot{}
		for n := range 3 {
			for _, source := range []string{kcm, "events.yaml", "Pod status.conditions[0].lastTransitionTime"} {
				for _, kind := range []model.Kind{model.PodEvictionDecided, model.PodScheduled} {
					o := by(kind, source)(n, noon.Add(time.Duration(n)*time.Minute))
					if source == tt.stream {
						o.At, o.Last = o.At.Shift(7*time.Minute), o.Last.Shift(7*time.Minute)
					}
					s.Observations = append(s.Observations, o)
				}
			}
		}
		if got := told(s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSet: statements, objects and inputs get the times that the other clocks have, the user is told with both quotes, and what was given
// stays as it was.
func TestSet(t *testing.T) {
	hour := func(o *model.Observation, _ int) { o.At = o.At.Shift(time.Hour) }
	s := snapshot([]statement{by(model.PodScheduled, "events.yaml"), by(model.PodScheduled, "Pod status.conditions[0].lastTransitionTime"),
		by(model.PodScheduled, "scheduler.log", hour), by(model.AttachmentDeletionRequested, "VolumeAttachment metadata.deletionTimestamp", hour),
		by(model.DetachForcedTimeout, kcm, hour)}, 2, -time.Hour)
	created := metav1.NewTime(noon.Add(-time.Hour))
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0", CreationTimestamp: created, DeletionTimestamp: &created}}
	s.Pods = []model.Object[*corev1.Pod]{{Ref: model.Ref{Kind: "Pod", Name: "web-0"}, Content: model.Whole(pod)}}
	from := noon.Add(-time.Hour)
	s.Inputs = []model.Input{{Path: "Pod status.conditions[0].lastTransitionTime", From: &from, To: &from}, {Path: "events.yaml", From: &noon}}
	set, _ := clock.Set(s)
	for _, o := range set.Observations {
		if want := noon.Add(time.Duration(o.Source.Line-1) * 100 * time.Second); o.At.At.Sub(want).Abs() > time.Second {
			t.Errorf("%s says %s, want %s", o.Input, o.At.At, want)
		}
	}
	moved := set.Pods[0].Value()
	if !moved.CreationTimestamp.Time.Equal(noon) || !moved.DeletionTimestamp.Time.Equal(noon) || !pod.CreationTimestamp.Equal(&created) {
		t.Errorf("the pod: %s, and the one that was given: %s", moved.CreationTimestamp, pod.CreationTimestamp)
	}
	if in := set.Inputs[0]; !in.From.Equal(noon) || in.Clock == nil || in.Clock.OffsetSeconds != 3600 || in.Clock.OffsetUncertainty > 2.1 ||
		set.Inputs[1].Clock != nil || s.Inputs[0].Clock != nil {
		t.Errorf("the inputs: %+v", set.Inputs)
	}
	const want = `the clock of Pod objects is 1 h behind the other sources, as 4 pairs of records show: "pod-scheduled 0" is of ` +
		`2026-03-14 11:00:00 UTC, but "pod-scheduled 0" is of 2026-03-14 12:00:00 UTC (events.yaml:1). Its times are corrected by that, ± 2 s`
	if len(set.Problems) != 1 || set.Problems[0].Message != want || len(s.Problems) != 0 {
		t.Errorf("the problems: %+v\nwant %s", set.Problems, want)
	}
	if again, _ := clock.Set(set); len(again.Problems) != 1 {
		t.Errorf("set twice: %+v", again.Problems)
	}
}

// TestMetrics: what a server sampled or has as a value is compared and set right, and the samples with it. Seconds mean nothing.
func TestMetrics(t *testing.T) {
	sampled := func(kind model.Kind) statement {
		return by(kind, "tsdb", func(o *model.Observation, _ int) {
			o.Source.Kind, o.At, o.Attachment = model.SourceMetric, model.Between(o.At.At.Add(-20*time.Second), o.At.At.Add(10*time.Second)), model.AttachmentName(o.Volume.Handle, driver, o.Node)
		})
	}
	dated := by(model.PodScheduled, "tsdb", func(o *model.Observation, _ int) {
		o.Source.Kind, o.At = model.SourceMetric, model.WholeSecond(o.At.At)
	})
	const field = "Pod status.conditions[0].lastTransitionTime"
	for _, tt := range []struct {
		of    []statement
		ahead time.Duration
		want  string
		by    time.Duration
	}{
		{[]statement{by(model.PodScheduled, field), dated, sampled(model.AttachmentAttached)}, 7 * time.Minute, "the metrics 7m0s", -7 * time.Minute},
		{[]statement{by(model.AttachmentAttached, "VolumeAttachment status.attached"), sampled(model.AttachmentAttached)}, -time.Hour, "the metrics -1h0m0s", time.Hour},
		{[]statement{by(model.PodScheduled, field), dated}, time.Second, "", 0},
		{[]statement{by(model.AttachmentAttached, "VolumeAttachment status.attached"), sampled(model.AttachmentAttached)}, 5 * time.Second, "", 0},
		{[]statement{by(model.NodeNotReady, "events.yaml"), sampled(model.NodeNotReady)}, time.Hour, "", 0}, // its kubelet's, or the controller's
	} {
		s := snapshot(tt.of, 3, tt.ahead)
		if got := told(s); got != tt.want {
			t.Errorf("%s ahead: %q, want %q", tt.ahead, got, tt.want)
		}
		s.Metrics = []model.MetricSource{{Path: "tsdb", From: noon, Select: func(_ []model.Matcher, from, _ time.Time, each func(model.Labels, model.Samples) error) error {
			return each(nil, func(yield func(model.Sample, error) bool) { yield(model.Sample{At: from}, nil) })
		}}}
		set, _ := clock.Set(s)
		_ = set.Metrics[0].Select(nil, noon, time.Time{}, func(_ model.Labels, list model.Samples) error {
			for one := range list {
				if moved := set.Metrics[0].From.Sub(noon); !one.At.Equal(noon) || moved != tt.by {
					t.Errorf("%s ahead: the samples begin %s later, and one of noon is of %s", tt.ahead, moved, one.At)
				}
			}
			return nil
		})
	}
}

// TestUnsure: statements of a source whose clock contradicts the others and cannot be set have an order among themselves alone.
func TestUnsure(t *testing.T) {
	s := snapshot([]statement{by(model.AttacherDetached, attacher), by(model.DetachSucceeded, kcm)}, 1, 7*time.Minute)
	lines := []*model.Observation{&s.Observations[0], &s.Observations[1]}
	set, unsure := clock.Set(s)
	if !unsure.Between(lines) || unsure.Between(lines[:1]) || len(set.Problems) != 1 {
		t.Errorf("two that contradict one another: %v, one alone: %v; told: %+v", unsure.Between(lines), unsure.Between(lines[:1]), set.Problems)
	}
	agree := snapshot([]statement{by(model.AttacherDetached, attacher), by(model.DetachSucceeded, kcm)}, 1, 0)
	if _, unsure := clock.Set(agree); unsure.Between([]*model.Observation{&agree.Observations[0], &agree.Observations[1]}) {
		t.Error("two that agree have no order")
	}
}

// TestUnzoned: what the log of a kubelet says has no order with what others say, where nothing tells its zone.
func TestUnzoned(t *testing.T) {
	assumed := func(o *model.Observation, _ int) { o.At.Basis = model.Assumed }
	logged := func(who string) func(*model.Observation, int) {
		return func(o *model.Observation, _ int) { o.Component = who }
	}
	for _, tt := range []struct {
		name string
		of   []statement
		want bool
	}{
		{"a kubelet's", []statement{by(model.DetachSucceeded, kcm, assumed), by(model.UnmountSucceeded, kubelet, assumed, logged("kubelet"))}, true},
		{"a kubelet's whose zone is known", []statement{by(model.DetachSucceeded, kcm, assumed), by(model.UnmountSucceeded, kubelet, logged("kubelet"))}, false},
		{"two controllers'", []statement{by(model.DetachSucceeded, kcm, assumed), by(model.LeaderAcquired, attacher, assumed)}, false},
		{"a controller's beside it in one log", []statement{by(model.DetachSucceeded, kcm, assumed), by(model.UnmountSucceeded, kubelet, assumed, logged("kubelet")),
			by(model.NodeTainted, kubelet, assumed)}, false},
		{"a kubelet's that records what others do", []statement{by(model.AttachSucceeded, "events.yaml"), by(model.AttachSeen, kubelet, assumed, logged("kubelet"))}, false},
	} {
		s := snapshot(tt.of, 1, 0)
		if _, unsure := clock.Set(s); unsure.Between([]*model.Observation{&s.Observations[0], &s.Observations[1]}) != tt.want {
			t.Errorf("%s: order unknown is %v", tt.name, !tt.want)
		}
		s.CapturedAt = &model.Moment{At: noon.Add(time.Hour), Earliest: noon.Add(time.Hour), Latest: noon.Add(time.Hour)}
		if _, unsure := clock.Set(s); unsure.Between([]*model.Observation{&s.Observations[0], &s.Observations[1]}) {
			t.Errorf("%s: of a collector that says when it ran", tt.name)
		}
	}
}

// TestLostNode: the kubelet of a node that is still lost renewed its Lease before the loss, however long before, and not after it.
func TestLostNode(t *testing.T) {
	for _, tt := range []struct {
		renewed time.Duration // after the loss
		ready   corev1.ConditionStatus
		want    string
	}{
		{-40 * time.Second, corev1.ConditionUnknown, ""},
		{-time.Hour, corev1.ConditionUnknown, ""}, // it looked late
		{8 * time.Second, corev1.ConditionUnknown, ""},
		{time.Minute, corev1.ConditionUnknown, "?"},
		{time.Minute, corev1.ConditionTrue, ""}, // it is back
	} {
		s := snapshot([]statement{by(model.NodeNotReady, "events.yaml")}, 1, 0)
		node := &corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: tt.ready}}}}
		s.Nodes = []model.Object[*corev1.Node]{{Ref: model.Ref{Kind: "Node", Name: "node-0"}, Content: model.Whole(node)}}
		renew := metav1.NewMicroTime(s.Observations[0].At.At.Add(tt.renewed))
		s.Leases = []model.Object[*coordinationv1.Lease]{{Ref: model.Ref{Kind: "Lease", Namespace: "kube-node-lease", Name: "node-0"},
			Content: model.Whole(&coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{RenewTime: &renew}})}}
		if got := told(s); got != tt.want {
			t.Errorf("renewed %s after the loss of a node whose Ready is %s: %q, want %q", tt.renewed, tt.ready, got, tt.want)
		}
	}
}

// TestCopies: two files have one object, of which the creation does not change. Of another UID it is another object.
func TestCopies(t *testing.T) {
	pod := func(uid string, at time.Duration) model.Object[*corev1.Pod] {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(noon.Add(at))}}
		return model.Object[*corev1.Pod]{Ref: model.Ref{Kind: "Pod", Namespace: "prod", Name: "web-0", UID: uid}, Content: model.Whole(p)}
	}
	for _, tt := range []struct {
		name string
		pods []model.Object[*corev1.Pod]
		want string
	}{
		{"alike", []model.Object[*corev1.Pod]{pod("u", 0), pod("u", 0)}, ""},
		{"apart", []model.Object[*corev1.Pod]{pod("u", 0), pod("u", -90*time.Second), pod("u", time.Hour)}, "?Pod objectsprod"},
		{"two seconds apart", []model.Object[*corev1.Pod]{pod("u", 0), pod("u", 2*time.Second)}, ""},
		{"another", []model.Object[*corev1.Pod]{pod("u", 0), pod("v", time.Hour)}, ""},
		{"unnamed", []model.Object[*corev1.Pod]{pod("", 0), pod("", time.Hour)}, ""},
	} {
		if got := all(&model.Snapshot{Pods: tt.pods}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestCollector: the collector's clock differs where the Leases of kubelets and controllers end at one other time, and all else with them.
// Where more goes on to the collection, or ends with it, it is the Leases that differ.
func TestCollector(t *testing.T) {
	for _, tt := range []struct {
		name                        string
		nodes, controllers, written time.Duration // after the collection by its own clock
		want                        time.Duration
	}{
		{"seconds before it", -3 * time.Second, -3 * time.Second, -2 * time.Second, 0},
		{"long before it", -7 * time.Minute, -7 * time.Minute, -7 * time.Minute, -7 * time.Minute},
		{"after it", time.Hour, time.Hour, time.Hour, time.Hour},
		{"a minute and a half after it", 90 * time.Second, 90 * time.Second, 91 * time.Second, 90 * time.Second},
		{"the kubelets' alone", -7 * time.Minute, -3 * time.Second, -7 * time.Minute, 0},
		{"before it, and a log goes on", -7 * time.Minute, -7 * time.Minute, -time.Second, 0},
		{"after it, and nothing else", 90 * time.Second, 90 * time.Second, -time.Second, 0},
	} {
		s := &model.Snapshot{Observations: []model.Observation{by(model.PodScheduled, kcm)(0, noon.Add(tt.written)), by(model.AttachStarted, "events.yaml")(0, noon.Add(tt.written))}}
		at := model.Exactly(noon)
		s.CapturedAt = &at
		for name, after := range map[string]time.Duration{"kube-node-lease/node-0": tt.nodes, "kube-system/kube-controller-manager": tt.controllers} {
			renew := metav1.NewMicroTime(noon.Add(after))
			namespace, lease, _ := strings.Cut(name, "/")
			s.Leases = append(s.Leases, model.Object[*coordinationv1.Lease]{Ref: model.Ref{Kind: "Lease", Namespace: namespace, Name: lease},
				Content: model.Whole(&coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{RenewTime: &renew}})})
		}
		set, _ := clock.Set(s)
		moved := set.CapturedAt.At.Sub(noon)
		if (moved-tt.want).Abs() > 20*time.Second || set.CapturedAt.Earliest.After(noon.Add(min(tt.want, 0))) || set.CapturedAt.Latest.Before(noon.Add(max(tt.want, 0))) {
			t.Errorf("%s: the collection is moved by %s, to %v, not by %s", tt.name, moved, *set.CapturedAt, tt.want)
		}
		if told := len(set.Problems) > len(s.Problems) && strings.Contains(set.Problems[len(set.Problems)-1].Message, "the collection"); told != (tt.want != 0) {
			t.Errorf("%s: %v", tt.name, set.Problems)
		}
	}
}

// TestFuture: nothing is later than the collection. Where sources of several kinds are, it is the collector's clock that differs.
func TestFuture(t *testing.T) {
	log, event, future := by(model.PodScheduled, kcm), by(model.AttachStarted, "events.yaml"), by(model.PodCreated, "Pod metadata.deletionTimestamp")
	for _, tt := range []struct {
		name  string
		of    []statement
		after time.Duration
		want  string
	}{
		{"a log", []statement{log}, 2 * time.Minute, "?"},
		{"within a minute", []statement{log}, 50 * time.Second, ""},
		{"before it", []statement{log}, -time.Hour, ""},
		{"a log and Events", []statement{log, event}, 2 * time.Minute, ""},
		{"a deadline", []statement{future}, 2 * time.Minute, ""},
	} {
		s := snapshot(tt.of, 1, 0)
		at := model.Exactly(s.Observations[0].At.At.Add(-tt.after))
		s.CapturedAt = &at
		if got := told(s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestAllLogs: where what the logs say differs from all else by one amount, it is all of them that differ.
func TestAllLogs(t *testing.T) {
	at := "VolumeAttachment metadata.creationTimestamp"
	s := snapshot([]statement{by(model.AttachmentCreated, at), by(model.AttachStarted, kcm), by(model.AttacherAttaching, attacher)}, 4, time.Hour)
	if got, want := told(s), "all logs 1h0m0s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHeartbeat: the kubelet of a node that is Ready posted its status within six minutes before the collection.
func TestHeartbeat(t *testing.T) {
	for _, tt := range []struct {
		posted time.Duration // before the collection
		ready  corev1.ConditionStatus
		want   string
	}{
		{time.Hour, corev1.ConditionTrue, "Node objects -1h0m0s"},
		{4 * time.Minute, corev1.ConditionTrue, "?"}, // one happening alone does not tell by how much
		{time.Hour, corev1.ConditionUnknown, "?"},
	} {
		s := snapshot([]statement{by(model.NodeReady, "events.yaml"), by(model.NodeReady, "Node status.conditions[0].lastTransitionTime")}, 1, -time.Hour)
		for i := range s.Observations {
			s.Observations[i].Component, s.Observations[i].Object.Name = "kubelet", words.If(s.Observations[i].Object.Kind == "Node", "node-0")
		}
		earlier := s.Observations[1] // the Event; the node was Ready before
		earlier.At, earlier.Last = earlier.At.Shift(-12*time.Minute), earlier.Last.Shift(-12*time.Minute)
		s.Observations = slices.Insert(s.Observations, 0, earlier)
		at := model.Exactly(noon.Add(10 * time.Minute))
		s.CapturedAt = &at
		node := &corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: tt.ready,
			LastHeartbeatTime: metav1.NewTime(at.At.Add(-tt.posted))}}}}
		node.CreationTimestamp = metav1.NewTime(noon.Add(-time.Hour))
		lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(noon)}}
		s.Nodes = []model.Object[*corev1.Node]{{Ref: model.Ref{Kind: "Node", Name: "node-0"}, Content: model.Whole(node)}}
		s.Leases = []model.Object[*coordinationv1.Lease]{{Ref: model.Ref{Kind: "Lease", Namespace: "kube-node-lease", Name: "node-0"},
			Content: model.Whole(lease)}}
		set, _ := clock.Offsets(s, s.Observations)
		if slices.ContainsFunc(set, func(o clock.Offset) bool { return o.Doubtful }) {
			t.Errorf("posted %s before: the Event is doubted, which contradicts nothing but the Node, and the Node contradicts two: %+v", tt.posted, set)
		}
		for _, o := range set {
			if quoted := o.Own.At.Sub(o.Other.At); quoted != o.Ahead {
				t.Errorf("%s ahead, and the times that show it are %s apart", o.Ahead, quoted)
			}
		}
		if got := told(s); got != tt.want {
			t.Errorf("posted %s before the collection by a node whose Ready is %s: %q, want %q", tt.posted, tt.ready, got, tt.want)
		}
	}
}

// all are the offsets, with how far each may be beside the truth and how many pairs show it; those that are not set without.
func all(s *model.Snapshot) string {
	set, unsure := clock.Offsets(s, s.Observations)
	var out []string
	for _, o := range set {
		out = append(out, fmt.Sprintf("%s%s%s %s ±%s ×%d%s", o.Stream, o.Part, o.Writer, o.Ahead, o.Uncertainty, o.Pairs, words.If(o.Doubtful, " doubtful")))
	}
	for _, o := range unsure {
		out = append(out, fmt.Sprintf("?%s%s%s", o.Stream, o.Part, o.Writer))
	}
	return strings.Join(out, ", ")
}

// TestHappenings: what records one happening, and what does not, of four volumes, nodes or pods.
func TestHappenings(t *testing.T) {
	const created, inB = "VolumeAttachment metadata.creationTimestamp", "kcm-b.log"
	const here, beside = "ns/kube-system/pods/kcm-0/kcm/kcm/logs/current.log", "ns/kube-system/pods/kcm-0/side/side/logs/current.log"
	kubeletsOwn := func(o *model.Observation, n int) {
		o.Component, o.Object = "kubelet", model.Ref{Kind: "Pod", Namespace: "prod", Name: o.Pod.Name, UID: o.Pod.UID}
	}
	event := func(what string, more ...func(*model.Observation, int)) statement {
		return by(model.KubernetesEvent, "events.yaml", append([]func(*model.Observation, int){kubeletsOwn, detail(what)}, more...)...)
	}
	lostNodes := func(s *model.Snapshot, status corev1.ConditionStatus) {
		for n := range 4 {
			node := &corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status}}}}
			s.Nodes = append(s.Nodes, model.Object[*corev1.Node]{Ref: model.Ref{Kind: "Node", Name: fmt.Sprintf("node-%d", n)}, Content: model.Whole(node)})
		}
	}
	running := func(s *model.Snapshot) {
		for n := range 4 {
			at := metav1.NewTime(noon.Add(time.Duration(n) * 100 * time.Second))
			pod := &corev1.Pod{Spec: corev1.PodSpec{NodeName: fmt.Sprintf("node-%d", n)}, Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{
				{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}}}, {}}}}
			s.Pods = append(s.Pods, model.Object[*corev1.Pod]{Ref: model.Ref{Kind: "Pod", Namespace: "prod", Name: fmt.Sprintf("web-%d", n), UID: fmt.Sprintf("uid-%d", n)},
				Content: model.Whole(pod)})
		}
	}
	leads := by(model.LeaderAcquired, inB)(0, noon.Add(6*time.Minute))
	otherNode := func(o *model.Observation, _ int) { o.Node = "zones/z/" + o.Node }
	renewed := by(model.NodeHeartbeat, "Lease spec.renewTime", detail("lease"))
	for _, tt := range []struct {
		name string
		of   []statement
		with func(*model.Snapshot)
		want string
	}{
		{"the controller creates attachments", []statement{by(model.AttachmentCreated, created), by(model.AttachStarted, inB)}, nil,
			"kcm-b.log 7m0s ±4s ×4"},
		{"a new leader attaches again what is attached", []statement{by(model.AttachmentCreated, created), by(model.AttachStarted, inB)},
			func(s *model.Snapshot) {
				s.Observations = append(s.Observations, leads)
				model.SortObservations(s.Observations)
			}, ""},
		{"it led for long", []statement{by(model.AttachmentCreated, created), by(model.AttachStarted, inB)},
			func(s *model.Snapshot) {
				s.Observations = slices.Insert(s.Observations, 0, by(model.LeaderAcquired, inB)(0, noon.Add(4*time.Minute)))
			},
			"kcm-b.log 7m0s ±4s ×4"},
		{"the logs of one pod", []statement{by(model.AttachmentCreated, created), by(model.AttachStarted, here), by(model.AttacherAttaching, beside)}, nil,
			"all logs 7m0s ±10.999999s ×4"},
		{"the logs of one pod, and another's is right", []statement{by(model.AttachmentCreated, created), by(model.AttachStarted, here), by(model.AttacherAttaching, beside),
			by(model.AttacherAttaching, attacher, func(o *model.Observation, _ int) { o.At = o.At.Shift(-7 * time.Minute) })}, nil,
			"ns/kube-system/pods/kcm-0/ 7m0s ±4s ×8"},
		{"containers that start", []statement{event("Started")}, running, ""},
		{"containers that start, by a clock that is ahead", []statement{by(model.PodReady, kcm), event("Started")}, running, "the Events 7m0s ±4.999999s ×4"},
		{"containers whose images are there", []statement{by(model.PodReady, kcm), event("Pulled")}, running, ""},
		{"started by another", []statement{by(model.PodReady, kcm), event("Started", func(o *model.Observation, _ int) { o.Component = "x" })}, running, ""},
		{"another pod of the name", []statement{by(model.PodReady, kcm), event("Started", func(o *model.Observation, _ int) { o.Object.UID = "x" + o.Object.UID })}, running, ""},
		{"the last renewal of a lost node", []statement{renewed, by(model.NodeHeartbeat, kcm)}, func(s *model.Snapshot) { lostNodes(s, corev1.ConditionUnknown) },
			"kcm.log 7m0s ±2.999999s ×4"},
		{"of a node that is back", []statement{renewed, by(model.NodeHeartbeat, kcm)}, func(s *model.Snapshot) { lostNodes(s, corev1.ConditionTrue) }, ""},
		{"a heartbeat of the condition", []statement{renewed, by(model.NodeHeartbeat, kcm, detail("condition"))}, func(s *model.Snapshot) { lostNodes(s, corev1.ConditionUnknown) }, ""},
		{"the taint of a lost node", []statement{by(model.NodeTainted, "Node spec.taints[0].timeAdded", detail("node.kubernetes.io/unreachable:NoExecute")),
			by(model.NodeNotReady, kcm)}, nil, "kcm.log 7m0s ±7s ×4"},
		{"another taint", []statement{by(model.NodeTainted, "Node spec.taints[0].timeAdded", detail("x:NoExecute")), by(model.NodeNotReady, kcm)}, nil, ""},
		{"the call of a driver that names the node by a path", []statement{by(model.AttachmentAttached, "VolumeAttachment status.attached"),
			by(model.AttacherAttached, "driver.log", otherNode)}, nil, "driver.log 7m0s ±2s ×4"},
		{"what an Event counts twice", []statement{by(model.MultiAttach, kcm), by(model.MultiAttach, "events.yaml", func(o *model.Observation, _ int) { o.Count = 2 })}, nil,
			"the Events 7m0s ±1s ×4"},
		{"a log that has no place on the axis yet", []statement{by(model.AttachmentCreated, created),
			by(model.AttachStarted, inB, func(o *model.Observation, _ int) { o.Floating = true })}, nil, ""},
		{"a row that an age places", []statement{by(model.AttachmentCreated, created),
			by(model.AttachStarted, inB, func(o *model.Observation, _ int) { o.Age = &model.Range{} })}, nil, ""},
		{"an eviction that metrics show", []statement{by(model.PodEvictionDecided, kcm),
			by(model.PodEvictionDecided, "tsdb", func(o *model.Observation, _ int) { o.Source.Kind = model.SourceMetric })}, nil, ""},
		{"a value that the API server dated", []statement{by(model.PodScheduled, "Pod status.conditions[0].lastTransitionTime"),
			by(model.PodScheduled, "tsdb", func(o *model.Observation, _ int) {
				o.Source.Kind, o.At = model.SourceMetric, model.Between(o.At.At, o.At.At.Add(time.Second))
			})}, nil, "the metrics 7m0s ±2s ×4"},
	} {
		s := snapshot(tt.of, 4, 7*time.Minute)
		if tt.with != nil {
			tt.with(s)
		}
		if got := all(s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestMost: a clock is set by what most of the happenings show, when hardly any fits as it is.
func TestMost(t *testing.T) {
	for _, tt := range []struct {
		right int // of six, by a clock that is seven minutes ahead
		want  string
	}{{0, "the Events 7m0s ±1s ×6"}, {1, "the Events 7m0s ±1s ×5"}, {2, ""}, {3, ""}, {6, ""}} {
		event := by(model.MultiAttach, "events.yaml", func(o *model.Observation, n int) {
			if n < tt.right {
				o.At = o.At.Shift(-7 * time.Minute)
			}
		})
		if got := all(snapshot([]statement{by(model.MultiAttach, kcm), event}, 6, 7*time.Minute)); got != tt.want {
			t.Errorf("%d of six are right: %q, want %q", tt.right, got, tt.want)
		}
	}
}

// TestCovers: a clock is that of one writer, one part or one stream, of a folder of logs, or of all logs.
func TestCovers(t *testing.T) {
	of := clock.Source{Stream: "Pod objects", Part: "prod", Writer: clock.APIServer}
	log := clock.Source{Stream: "ns/pods/p/a.log", Writer: clock.Control}
	for _, tt := range []struct {
		name          string
		clock, source clock.Source
		want          bool
	}{
		{"itself", of, of, true},
		{"another writer", clock.Source{Stream: "Pod objects", Part: "prod", Writer: clock.Control}, of, false},
		{"another part", clock.Source{Stream: "Pod objects", Part: "test"}, of, false},
		{"the part", clock.Source{Stream: "Pod objects", Part: "prod"}, of, true},
		{"another stream", clock.Source{Stream: "Node objects"}, of, false},
		{"all that one wrote", clock.Source{Writer: clock.APIServer}, of, true},
		{"all logs", clock.Source{Stream: "all logs"}, log, true},
		{"all logs, and an object", clock.Source{Stream: "all logs"}, of, false},
		{"all logs, and Events", clock.Source{Stream: "all logs"}, clock.Source{Stream: "the Events"}, false},
		{"all logs, and metrics", clock.Source{Stream: "all logs"}, clock.Source{Stream: "the metrics"}, false},
		{"all logs, and the audit log", clock.Source{Stream: "all logs"}, clock.Source{Stream: "the audit log"}, false},
		{"all logs, and the collection", clock.Source{Stream: "all logs"}, clock.Source{Stream: "the collection"}, false},
		{"the folder of a pod's logs", clock.Source{Stream: "ns/pods/p/"}, log, true},
		{"of another pod", clock.Source{Stream: "ns/pods/q/"}, log, false},
		{"a log of a name that begins so", clock.Source{Stream: "ns/pods/p"}, log, false},
	} {
		if got := (clock.Offset{Source: tt.clock}).Covers(tt.source); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestManyNodes: each kubelet's status is compared with each other's once, which a cluster of five thousand nodes has to afford.
func TestManyNodes(t *testing.T) {
	s := snapshot(nil, 0, 0)
	at := model.Exactly(noon)
	s.CapturedAt = &at
	for i := range 3000 {
		ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: metav1.NewTime(noon.Add(-time.Minute))}
		s.Nodes = append(s.Nodes, model.Object[*corev1.Node]{Ref: model.Ref{Kind: "Node", Name: fmt.Sprintf("node-%d", i)},
			Content: model.Whole(&corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{ready}}})})
	}
	began := time.Now()
	if got := all(s); got != "" {
		t.Errorf("%q", got)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("3,000 nodes take %s", took)
	}
}
