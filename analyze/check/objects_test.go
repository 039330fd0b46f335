package check

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	. "github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/model"
)

// TestMisfit: why a volume is not for a claim, each boundary with its near miss.
func TestMisfit(t *testing.T) {
	type claimOf = corev1.PersistentVolumeClaim
	type volumeOf = corev1.PersistentVolume
	size := func(s string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(s)}
	}
	kept := func(namespace, name string, uid types.UID) func(*claimOf, *volumeOf) {
		return func(_ *claimOf, v *volumeOf) {
			v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: namespace, Name: name, UID: uid}
		}
	}
	for n, row := range []struct {
		want   string
		change func(*claimOf, *volumeOf)
	}{
		{"", func(*claimOf, *volumeOf) {}},
		{"", kept("prod", "data", "")}, {"", kept("prod", "data", "u-1")}, {"is kept for prod/data", kept("prod", "data", "u-2")},
		{"is kept for dev/data", kept("dev", "data", "u-1")}, {"is kept for prod/log", kept("prod", "log", "u-1")},
		{"is too small (4Gi, asked for 5Gi)", func(_ *claimOf, v *volumeOf) { v.Spec.Capacity = size("4Gi") }},
		{"", func(_ *claimOf, v *volumeOf) { v.Spec.Capacity = size("6Gi") }},
		{"does not admit ReadWriteMany", func(c *claimOf, _ *volumeOf) {
			c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce, corev1.ReadWriteMany}
		}},
		{"is of mode Block", func(_ *claimOf, v *volumeOf) { v.Spec.VolumeMode = new(corev1.PersistentVolumeBlock) }},
		{"is of mode Filesystem", func(c *claimOf, _ *volumeOf) { c.Spec.VolumeMode = new(corev1.PersistentVolumeBlock) }},
		{"", func(c *claimOf, v *volumeOf) {
			c.Spec.VolumeMode, v.Spec.VolumeMode = new(corev1.PersistentVolumeBlock), new(corev1.PersistentVolumeBlock)
		}},
		{"does not have the labels that the claim selects", func(c *claimOf, _ *volumeOf) {
			c.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"disk": "fast"}}
		}},
		{"", func(c *claimOf, v *volumeOf) {
			c.Spec.Selector, v.Labels = &metav1.LabelSelector{MatchLabels: map[string]string{"disk": "fast"}}, map[string]string{"disk": "fast"}
		}},
		{"does not have the labels that the claim selects", func(c *claimOf, _ *volumeOf) {
			c.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "disk", Operator: "Like"}}}
		}},
	} {
		c, v := &claimOf{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "data", UID: "u-1"}}, &volumeOf{}
		c.Spec.Resources.Requests, v.Spec.Capacity = size("5Gi"), size("5Gi")
		c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		v.Spec.AccessModes = c.Spec.AccessModes
		row.change(c, v)
		if got := misfit(c, v); got != row.want {
			t.Errorf("%d: %q, want %q", n, got, row.want)
		}
	}
	free := []volume{Object("PersistentVolume", &volumeOf{ObjectMeta: metav1.ObjectMeta{Name: "a"}})}
	p := waiting{claim: Object("PersistentVolumeClaim", &claimOf{})}
	p.Value().Spec.Resources.Requests = size("1Gi")
	for held, want := range map[int]string{0: "there is none", 1: "none is Available (1 other exists)", 2: "none is Available (2 others exist)"} {
		if got, fits := p.noneFits(nil, held); got != want || fits {
			t.Errorf("%d others: %q", held, got)
		}
	}
	for n, want := range map[int]string{1: "a is too small (0, asked for 1Gi)", 4: "a is too small (0, asked for 1Gi); 1 more do not fit either"} {
		var list []volume
		for range n {
			list = append(list, free...)
		}
		if got, _ := p.noneFits(list, 0); n == 1 && got != "no Available one fits: "+want || n == 4 && len(got) < len(want) {
			t.Errorf("%d: %q", n, got)
		}
	}
}

// TestPassed: what shows that an error is over.
func TestPassed(t *testing.T) {
	of := func(kind model.Kind, at float64, about ...any) *model.Observation { return Of(kind, at, about...) }
	event := func(reason string, at float64) *model.Observation {
		return of(model.KubernetesEvent, at, NewPod, Detail(reason))
	}
	unplaced, failed := of(model.PodSchedulingFailed, 10, NewPod), of(model.MountFailed, 10, NewPod)
	bare := of(model.AttachFailed, 10, Volume)
	for n, row := range []struct {
		error *model.Observation
		with  []any
		want  bool
	}{
		{unplaced, nil, false}, {unplaced, []any{PodOf(NewPod, "")}, false}, {unplaced, []any{PodOf(NewPod, "node-b")}, true},
		{unplaced, []any{PodOf(NewPod, "", DeletedAt(20))}, true},
		{unplaced, []any{of(model.PodScheduled, 11, NewPod)}, true}, {unplaced, []any{of(model.PodScheduled, 9, NewPod)}, false},
		{failed, []any{of(model.PodScheduled, 11, NewPod)}, false}, {failed, []any{of(model.PodReady, 11, NewPod)}, true},
		{failed, []any{of(model.PodReady, 9, NewPod)}, false}, {failed, []any{Timeless(of(model.PodReady, 0, NewPod))}, true},
		{failed, []any{event("Started", 11)}, true}, {failed, []any{event("Started", 9)}, false}, {failed, []any{event("Other", 11)}, false},
		{failed, []any{PodOf(NewPod, "node-b")}, true},
		{bare, nil, false}, {bare, []any{of(model.AttachSucceeded, 11, Volume, "node-b")}, true}, {bare, []any{of(model.AttachSucceeded, 9, Volume, "node-b")}, false},
		{of(model.AttachFailed, 10, NewPod, Volume), []any{of(model.AttachSucceeded, 11, Volume, "node-b")}, true},
		{of(model.MountFailed, 10, NewPod, Volume), []any{of(model.AttachSucceeded, 11, Volume, "node-b")}, false},
	} {
		w := World(append(row.with, row.error, TheVolume("data"))...)
		if got := newScene(w, nil).passed(row.error); got != row.want {
			t.Errorf("%d: %v", n, got)
		}
	}
}

// TestResized: a claim's file system has grown by the claim's own condition, else by a later Event of the kubelet.
func TestResized(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "data", UID: "u-1"}}
	pending := claim.DeepCopy()
	pending.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{Type: fileSystemPending, Status: corev1.ConditionTrue}}
	ref := model.Ref{Kind: "PersistentVolumeClaim", Namespace: "prod", Name: "data"}
	o := Change(Of(model.ResizePending, 10), func(o *model.Observation) { o.Claim = ref })
	event := func(at float64, reason string) *model.Observation {
		return Change(Of(model.KubernetesEvent, at, Detail(reason)), func(o *model.Observation) { o.Object, o.Claim = ref, ref })
	}
	for n, row := range []struct {
		with []any
		want bool
	}{
		{nil, false}, {[]any{claim}, true}, {[]any{pending}, false},
		{[]any{event(11, "FileSystemResizeSuccessful")}, true}, {[]any{event(9, "FileSystemResizeSuccessful")}, false}, {[]any{event(11, "Resizing")}, false},
	} {
		if got := resized(World(append(row.with, o)...), o); got != row.want {
			t.Errorf("%d: %v", n, got)
		}
	}
	if resized(World(claim), Of(model.ResizePending, 10)) {
		t.Error("a claim that is not named has grown")
	}
}

// TestMovedAfter: a pod that left a lost node by force was out from the last sign of that node until it was Ready elsewhere.
func TestMovedAfter(t *testing.T) {
	of := func(kind model.Kind, at float64, about ...any) *model.Observation { return Of(kind, at, about...) }
	forced := of(model.DetachForcedTaint, 100, Volume, "node-a")
	lost := Change(of(model.NodeNotReady, 50, "node-a"), func(o *model.Observation) { o.Object = nodeRef("node-a") })
	back := Change(of(model.NodeReady, 70, "node-a"), func(o *model.Observation) { o.Object = nodeRef("node-a") })
	beat := func(at float64, detail string) *model.Observation {
		return of(model.NodeHeartbeat, at, "node-a", Detail(detail))
	}
	attach, ready := of(model.AttachSucceeded, 110, Volume, "node-b", NewPod), of(model.PodReady, 120, NewPod)
	for n, row := range []struct {
		with []any
		want string
	}{
		{[]any{lost, attach, ready}, "out from 10:00:50 to 10:02:00"}, {[]any{lost, attach, ready, beat(20, "lease")}, "out from 10:00:20 to 10:02:00"},
		{[]any{lost, attach, ready, beat(20, "condition")}, "out from 10:00:50 to 10:02:00"}, {[]any{attach, ready}, ""},
		{[]any{lost, attach}, ""}, {[]any{lost, ready}, ""}, {[]any{lost, back, attach, ready}, ""},
		{[]any{lost, of(model.AttachSucceeded, 105, Volume, "node-a", NewPod), attach, ready}, ""},
		{[]any{lost, attach, of(model.PodReady, 90, NewPod)}, ""},
	} {
		w := World(append(row.with, forced, TheVolume("data"))...)
		text, shown := outages(w, w.ByKind[model.DetachForcedTaint])
		if row.want == "" && text != "" || len(text) < len(row.want) || row.want != "" && (text[len("Pod prod/db-new was "):][:len(row.want)] != row.want || len(shown) != 2) {
			t.Errorf("%d: %q, want %q", n, text, row.want)
		}
	}
}
