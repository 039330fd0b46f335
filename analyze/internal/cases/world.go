package cases

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// A world made by hand, for the tables of rules: pvc-1 is wanted on node-b for db-new, while node-a has it for db-old.

var (
	OldPod = model.PodRef("prod", "db-old", "u-old")
	NewPod = model.PodRef("prod", "db-new", "u-new")
	Volume = model.VolumeID{PersistentVolume: "pvc-1", UniqueName: model.UniqueCSIName("csi.example.com", "vol-1")}.Complete()
	OnA    = model.AttachmentName("vol-1", "csi.example.com", "node-a")
	OnB    = model.AttachmentName("vol-1", "csi.example.com", "node-b")
)

type (
	Detail    string
	Component string
	Actor     string
	Variant   model.Variant
)

// Things are what a world made by hand holds: observations, objects, lists of kinds, inputs, and when it was collected.
type Things []any

// Collected is when a world was collected, in seconds after the first report.
type Collected float64

// Time is a time so many seconds after the first report.
func Time(seconds float64) time.Time {
	return Began.Add(time.Duration(seconds * float64(time.Second)))
}

// MetaTime is a creationTimestamp.
func MetaTime(seconds float64) metav1.Time { return metav1.NewTime(Time(seconds)) }

// Object is a copy of an object in which every field can be quoted.
func Object[T metav1.Object](kind string, o T) model.Object[T] {
	ref := model.Ref{Kind: kind, Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID())}
	return model.Object[T]{Ref: ref, Content: model.Whole(o), Input: "objects", Line: 1, Cite: func(field string) (int, model.Quote, bool) {
		return 1, mask.Quote(field), true
	}}
}

// Snapshot is what things say.
func Snapshot(list Things) *model.Snapshot {
	s := &model.Snapshot{}
	for _, x := range list {
		switch x := x.(type) {
		case *model.Observation:
			s.Observations = append(s.Observations, *x)
		case Collected:
			m := model.Exactly(Time(float64(x)))
			s.CapturedAt, s.CapturedHow = &m, model.CollectedRecorded
		case model.Listed:
			s.Lists = append(s.Lists, x)
		case model.Input:
			s.Inputs = append(s.Inputs, x)
		case *corev1.Node:
			s.Nodes = append(s.Nodes, Object("Node", x))
		case *corev1.Pod:
			s.Pods = append(s.Pods, Object("Pod", x))
		case *corev1.PersistentVolume:
			s.PersistentVolumes = append(s.PersistentVolumes, Object("PersistentVolume", x))
		case *corev1.PersistentVolumeClaim:
			s.PersistentVolumeClaims = append(s.PersistentVolumeClaims, Object("PersistentVolumeClaim", x))
		case *storagev1.VolumeAttachment:
			s.VolumeAttachments = append(s.VolumeAttachments, Object("VolumeAttachment", x))
		case *storagev1.StorageClass:
			s.StorageClasses = append(s.StorageClasses, Object("StorageClass", x))
		case *appsv1.ReplicaSet:
			s.ReplicaSets = append(s.ReplicaSets, Object("ReplicaSet", x))
		case *appsv1.Deployment:
			s.Deployments = append(s.Deployments, Object("Deployment", x))
		case *appsv1.StatefulSet:
			s.StatefulSets = append(s.StatefulSets, Object("StatefulSet", x))
		case *batchv1.Job:
			s.Jobs = append(s.Jobs, Object("Job", x))
		case Things:
			panic("things in things")
		default:
			panic(reflect.TypeOf(x))
		}
	}
	model.SortObservations(s.Observations)
	return s
}

func World(list ...any) *facts.World { return facts.NewWorld(Snapshot(list)) }

// Change alters an observation.
func Change(o *model.Observation, how func(*model.Observation)) *model.Observation {
	how(o)
	return o
}

// LogOf is an input with a log of a component over some time.
func LogOf(component, path string, from, to float64) model.Input {
	f, t := Time(from), Time(to)
	return model.Input{Path: path, Kind: model.InputLog + "/" + component, Component: component, Records: 1, From: &f, To: &t}
}

// Within puts an observation into an input.
func Within(path string, o *model.Observation) *model.Observation {
	o.Input = path
	return o
}

// Timeless is a statement without a time, as pasted text has it.
func Timeless(o *model.Observation) *model.Observation {
	o.At, o.Last, o.Source.Kind = model.Moment{}, model.Moment{}, model.SourceText
	return o
}

// Lasting is a statement that was true, or repeated, until a time.
func Lasting(until float64, o *model.Observation) *model.Observation {
	o.Last = model.Exactly(Time(until))
	return o
}

// Of is an observation of the volume's world, by what it is about: a node, a pod, an attachment, or the volume on a node.
func Of(kind model.Kind, at float64, about ...any) *model.Observation {
	o := model.Observation{Kind: kind, Source: model.Source{Kind: model.SourceLog}, Component: "kube-controller-manager"}
	for _, a := range about {
		switch a := a.(type) {
		case model.Ref:
			o.Pod = a
		case model.SourceKind:
			o.Source.Kind = a
		case Detail:
			o.Detail = string(a)
		case Component:
			o.Component = string(a)
		case Actor:
			if o.Actor = string(a); a == "admin" {
				o.Agent = "kubectl/v1.34.3"
			}
		case Variant:
			o.Variant = model.Variant(a)
		case string:
			switch a {
			case OnA, OnB:
				o.Attachment, o.Component = a, "external-attacher"
			default:
				o.Node = a
			}
		case model.VolumeID:
			o.Volume = a
		}
	}
	seen := Seen(at, o)
	seen.Last = seen.At
	return seen
}

// PodOf is a pod's object, with the UID of its reference.
func PodOf(ref model.Ref, node string, how ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: ref.Namespace, Name: ref.Name, UID: "", CreationTimestamp: MetaTime(-1000)}}
	p.UID, p.Spec.NodeName, p.Status.Phase = types.UID(ref.UID), node, corev1.PodRunning
	for _, h := range how {
		h(p)
	}
	return p
}

// Using makes a pod use a claim.
func Using(claim string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: claim,
			VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}})
	}
}

func DeletedAt(seconds float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) { t := MetaTime(seconds); p.DeletionTimestamp = &t }
}

// NodeOf is a Node with conditions or whatever else.
func NodeOf(name string, how ...func(*corev1.Node)) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: MetaTime(-100000)}}
	for _, h := range how {
		h(n)
	}
	return n
}

// TheVolume is the PersistentVolume of the wait, bound to a claim of that name.
func TheVolume(claim string, modes ...corev1.PersistentVolumeAccessMode) *corev1.PersistentVolume {
	v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "pvc-1"}}
	v.Spec.CSI = &corev1.CSIPersistentVolumeSource{Driver: "csi.example.com", VolumeHandle: "vol-1"}
	v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "prod", Name: claim}
	v.Spec.AccessModes = modes
	v.Status.Phase = corev1.VolumeBound
	return v
}

// OfOwner gives a pod a controller.
func OfOwner(kind, name string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.OwnerReferences = Owned(kind, name) }
}

// Owned makes an object's controller of another.
func Owned(kind, name string) []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{Kind: kind, Name: name, Controller: &yes}}
}

// Cited are the fields and kinds that some statements quote.
func Cited(list []*model.Observation) string {
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
			out = append(out, fmt.Sprintf("%s@%.4g", o.Kind, o.At.At.Sub(Began).Seconds()))
		}
	}
	return strings.Join(out, ", ")
}

// Waits are all waits of a world.
func Waits(w *facts.World) []*wait.Case {
	out, _ := wait.CasesUntil(w, func() bool { return false })
	return out
}
