package wait_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// The words in which the tables say what a world made by hand holds.
type (
	things    = cases.Things
	collected = cases.Collected
	detail    = cases.Detail
	component = cases.Component
	actor     = cases.Actor
	variant   = cases.Variant
)

var cited = cases.Cited

var (
	oldPod    = cases.OldPod
	newPod    = cases.NewPod
	volume    = cases.Volume
	onA       = cases.OnA
	onB       = cases.OnB
	at        = cases.Time
	made      = cases.MetaTime
	snapshot  = cases.Snapshot
	world     = cases.World
	change    = cases.Change
	logOf     = cases.LogOf
	within    = cases.Within
	timeless  = cases.Timeless
	lasting   = cases.Lasting
	of        = cases.Of
	podOf     = cases.PodOf
	ofOwner   = cases.OfOwner
	owned     = cases.Owned
	using     = cases.Using
	deletedAt = cases.DeletedAt
	nodeOf    = cases.NodeOf
	theVolume = cases.TheVolume
)

// waitOf is the only wait in a world of these things: of pvc-1 on node-b, which node-a held, unless they have reports of their own.
func waitOf(t *testing.T, list ...any) *wait.Case {
	t.Helper()
	if !slices.ContainsFunc(list, func(x any) bool { o, ok := x.(*model.Observation); return ok && o.Kind == model.MultiAttach }) {
		list = append(list, report())
	}
	all := cases.Waits(world(list...))
	if len(all) != 1 {
		t.Fatalf("%d cases", len(all))
	}
	return all[0]
}

// report is the first Multi-Attach report of the wait.
func report() *model.Observation {
	r := of(model.MultiAttach, 0, "node-b", newPod, volume, variant(model.UsedByPods))
	r.Holders, r.Pods = []string{"node-a"}, []model.Ref{oldPod}
	return r
}

// names joins the names of objects.
func names[T any](list []model.Object[T]) string {
	var out []string
	for _, o := range list {
		out = append(out, o.Ref.Name)
	}
	return strings.Join(out, " ")
}

// change2 alters an input.
func change2(in model.Input, how func(*model.Input)) model.Input {
	how(&in)
	return in
}

// times is a statement that stands for several, the last of them at a time.
func times(n int, last float64, o *model.Observation) *model.Observation {
	o.Count = n
	return lasting(last, o)
}

func createdAt(seconds float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.CreationTimestamp = cases.MetaTime(seconds) }
}

func phase(is corev1.PodPhase) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Status.Phase = is } }

// row is one line of a table of rules: what a case returns for a question, of which the next line is a near miss.
type row struct {
	rule string
	list things
	ask  func(*wait.Case) any
	want string
}

func askRows(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		if got := strings.TrimSpace(fmt.Sprint(r.ask(waitOf(t, r.list...)))); got != r.want {
			t.Errorf("%s:\n%s", r.rule, got)
		}
	}
}

// proved writes an instant with what it rests on.
func proved(i facts.Instant) string {
	if !i.Known() {
		return "unknown"
	}
	return span(i) + " by " + cited(i.Witness)
}

type storageAttachment = storagev1.VolumeAttachment

// setOf is the StatefulSet set.
func setOf(start, replicas int32) *appsv1.StatefulSet {
	s := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "set"}}
	s.Spec.Replicas = &replicas
	if start > 0 {
		s.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: start}
	}
	return s
}

func goneSet(s *appsv1.StatefulSet) *appsv1.StatefulSet {
	t := made(-5)
	s.DeletionTimestamp = &t
	return s
}

// endless is an input whose end is not known.
func endless(in model.Input) model.Input {
	in.To = nil
	return in
}

// counted is a pod whose reading is counted: one that is packed is decoded each time.
type counted struct {
	pod   *corev1.Pod
	times *int
}

func (c counted) Value() *corev1.Pod { *c.times++; return c.pod }

// TestPodsOfOtherNodesAreNotRead: a wait reads the pods of its old node. Where many pods have many volumes each, reading all is a cube.
func TestPodsOfOtherNodesAreNotRead(t *testing.T) {
	s := snapshot(things{theVolume("data"), podOf(oldPod, "node-a", using("data")), report()})
	times := 0
	for i := range 100 {
		o := cases.Object("Pod", podOf(model.PodRef("prod", fmt.Sprintf("other-%d", i), ""), "node-c", using("data")))
		o.Content = counted{o.Value(), &times}
		s.Pods = append(s.Pods, o)
	}
	w := facts.NewWorld(s)
	times = 0
	all := cases.Waits(w)
	if len(all) != 1 || all[0].From != "node-a" {
		t.Fatalf("%d cases", len(all))
	}
	all[0].Serving()
	if times > 400 {
		t.Errorf("100 pods of another node are read %d times, of which 400 are for all waits together", times)
	}
}
