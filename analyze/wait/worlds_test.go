package wait_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// things are what a world made by hand holds: observations, objects, lists of kinds, inputs, and when it was collected.
type things []any

// collected is when a world was collected, in seconds after the first report.
type collected float64

// at is a time so many seconds after the first report.
func at(seconds float64) time.Time {
	return cases.Began.Add(time.Duration(seconds * float64(time.Second)))
}

// made is a creationTimestamp.
func made(seconds float64) metav1.Time { return metav1.NewTime(at(seconds)) }

// object is a copy of an object in which every field can be quoted.
func object[T metav1.Object](kind string, o T) model.Object[T] {
	ref := model.Ref{Kind: kind, Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID())}
	return model.Object[T]{Ref: ref, Content: model.Whole(o), Input: "objects", Line: 1, Cite: func(field string) (int, model.Quote, bool) {
		return 1, mask.Quote(field), true
	}}
}

// snapshot is what things say.
func snapshot(list things) *model.Snapshot {
	s := &model.Snapshot{}
	for _, x := range list {
		switch x := x.(type) {
		case *model.Observation:
			s.Observations = append(s.Observations, *x)
		case collected:
			m := model.Exactly(at(float64(x)))
			s.CapturedAt, s.CapturedHow = &m, model.CollectedRecorded
		case model.Listed:
			s.Lists = append(s.Lists, x)
		case model.Input:
			s.Inputs = append(s.Inputs, x)
		case *corev1.Node:
			s.Nodes = append(s.Nodes, object("Node", x))
		case *corev1.Pod:
			s.Pods = append(s.Pods, object("Pod", x))
		case *corev1.PersistentVolume:
			s.PersistentVolumes = append(s.PersistentVolumes, object("PersistentVolume", x))
		case *corev1.PersistentVolumeClaim:
			s.PersistentVolumeClaims = append(s.PersistentVolumeClaims, object("PersistentVolumeClaim", x))
		case *storagev1.VolumeAttachment:
			s.VolumeAttachments = append(s.VolumeAttachments, object("VolumeAttachment", x))
		case *storagev1.StorageClass:
			s.StorageClasses = append(s.StorageClasses, object("StorageClass", x))
		case *appsv1.ReplicaSet:
			s.ReplicaSets = append(s.ReplicaSets, object("ReplicaSet", x))
		case *appsv1.Deployment:
			s.Deployments = append(s.Deployments, object("Deployment", x))
		case *appsv1.StatefulSet:
			s.StatefulSets = append(s.StatefulSets, object("StatefulSet", x))
		case *batchv1.Job:
			s.Jobs = append(s.Jobs, object("Job", x))
		case things:
			panic("things in things")
		default:
			panic(reflect.TypeOf(x))
		}
	}
	model.SortObservations(s.Observations)
	return s
}

func world(list ...any) *facts.World { return facts.NewWorld(snapshot(list)) }

// waitOf is the only wait in a world of these things: of pvc-1 on node-b, which node-a held, unless they have reports of their own.
func waitOf(t *testing.T, list ...any) *wait.Case {
	t.Helper()
	if !slices.ContainsFunc(list, func(x any) bool { o, ok := x.(*model.Observation); return ok && o.Kind == model.MultiAttach }) {
		list = append(list, report())
	}
	all := wait.Cases(world(list...))
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

// change alters an observation.
func change(o *model.Observation, how func(*model.Observation)) *model.Observation {
	how(o)
	return o
}

// logOf is an input with a log of a component over some time.
func logOf(component, path string, from, to float64) model.Input {
	f, t := at(from), at(to)
	return model.Input{Path: path, Kind: model.InputLog + "/" + component, Component: component, Records: 1, From: &f, To: &t}
}

// within puts an observation into an input.
func within(path string, o *model.Observation) *model.Observation {
	o.Input = path
	return o
}

// timeless is a statement without a time, as pasted text has it.
func timeless(o *model.Observation) *model.Observation {
	o.At, o.Last, o.Source.Kind = model.Moment{}, model.Moment{}, model.SourceText
	return o
}

// lasting is a statement that was true, or repeated, until a time.
func lasting(until float64, o *model.Observation) *model.Observation {
	o.Last = model.Exactly(at(until))
	return o
}

// times is a statement that stands for several, the last of them at a time.
func times(n int, last float64, o *model.Observation) *model.Observation {
	o.Count = n
	return lasting(last, o)
}

// cited are the fields and kinds that some statements quote.
func cited(list []*model.Observation) string {
	var out []string
	for _, o := range list {
		switch {
		case o == nil:
			out = append(out, "nil")
		case o.Source.Field != "":
			out = append(out, o.Object.Name+" "+o.Source.Field)
		case o.At.IsZero():
			out = append(out, string(o.Kind))
		default:
			out = append(out, fmt.Sprintf("%s@%.4g", o.Kind, o.At.At.Sub(cases.Began).Seconds()))
		}
	}
	return strings.Join(out, ", ")
}

// names joins the names of objects.
func names[T any](list []model.Object[T]) string {
	var out []string
	for _, o := range list {
		out = append(out, o.Ref.Name)
	}
	return strings.Join(out, " ")
}

// owned makes an object's controller of another.
func owned(kind, name string) []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{Kind: kind, Name: name, Controller: &yes}}
}

// change2 alters an input.
func change2(in model.Input, how func(*model.Input)) model.Input {
	how(&in)
	return in
}

func typedUID(uid string) types.UID { return types.UID(uid) }

// row is one line of a table of rules: what a case answers to a question, of which the next line is a near miss.
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

// replicaSetOf is the ReplicaSet rs; below zero it does not say of how many.
func replicaSetOf(n int32) *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "rs"}}
	if n >= 0 {
		rs.Spec.Replicas = &n
	}
	return rs
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
		o := object("Pod", podOf(model.PodRef("prod", fmt.Sprintf("other-%d", i), ""), "node-c", using("data")))
		o.Content = counted{o.Value(), &times}
		s.Pods = append(s.Pods, o)
	}
	w := facts.NewWorld(s)
	times = 0
	all := wait.Cases(w)
	if len(all) != 1 || all[0].From != "node-a" {
		t.Fatalf("%d cases", len(all))
	}
	all[0].Serving()
	if times > 400 {
		t.Errorf("100 pods of another node are read %d times, of which 400 are for all waits together", times)
	}
}
