package check

import (
	"cmp"
	"fmt"
	"iter"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// exclusiveClaim is a claim in a pod's specification whose volume only one node may have.
type exclusiveClaim struct {
	claim  model.Ref
	pv     volume
	field  string // of the claim's name in the specification, below spec
	onePod bool   // ReadWriteOncePod
}

// exclusiveClaims are those of a pod's specification, without claims made from a template, of which each pod has its own.
func exclusiveClaims(w *reconstruct.World, namespace string, spec *corev1.PodSpec) []exclusiveClaim {
	var out []exclusiveClaim
	for i, v := range spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		c, ok := w.Claim(namespace, v.PersistentVolumeClaim.ClaimName)
		if !ok {
			continue
		}
		if pv, ok := volumeOf(w, c.Value()); ok && oneNode(pv.Value()) {
			out = append(out, exclusiveClaim{c.Ref, pv, fmt.Sprintf("volumes[%d].persistentVolumeClaim.claimName", i), onePod(pv.Value())})
		}
	}
	return out
}

// workload is an object that makes pods from one template.
type workload struct {
	ref      model.Ref
	replicas int32
	count    string // the field that has the number
	spec     *corev1.PodSpec
	cite     func(fields ...string) []*model.Observation
}

// workloads are the Deployments, StatefulSets, DaemonSets and lone ReplicaSets, one at a time: their templates together take too much
// memory.
func workloads(w *reconstruct.World) iter.Seq[workload] {
	return func(yield func(workload) bool) {
		_ = eachOf(w.Deployments, yield, func(o *appsv1.Deployment) (int32, *corev1.PodSpec) {
			return replicas(o.Spec.Replicas), &o.Spec.Template.Spec
		}) && eachOf(w.StatefulSets, yield, func(o *appsv1.StatefulSet) (int32, *corev1.PodSpec) {
			return replicas(o.Spec.Replicas), &o.Spec.Template.Spec
		}) && eachOf(w.DaemonSets, yield, func(o *appsv1.DaemonSet) (int32, *corev1.PodSpec) {
			return o.Status.DesiredNumberScheduled, &o.Spec.Template.Spec
		}) && eachOf(w.LoneReplicaSets(), yield, func(o *appsv1.ReplicaSet) (int32, *corev1.PodSpec) {
			return replicas(o.Spec.Replicas), &o.Spec.Template.Spec
		})
	}
}

// eachOf yields the workloads of a kind, and reports whether more are wanted.
func eachOf[T any](list []model.Object[T], yield func(workload) bool, of func(T) (int32, *corev1.PodSpec)) bool {
	for _, o := range list {
		count := "spec.replicas"
		if o.Ref.Kind == "DaemonSet" {
			count = "status.desiredNumberScheduled"
		}
		replicas, spec := of(o.Value())
		if !yield(workload{o.Ref, replicas, count, spec, citing(o)}) {
			return false
		}
	}
	return true
}

func citing[T any](o model.Object[T]) func(fields ...string) []*model.Observation {
	return func(fields ...string) []*model.Observation { return reconstruct.CiteAll(o, fields...) }
}

// replicas is 1 where nothing is said.
func replicas(n *int32) int32 {
	if n == nil {
		return 1
	}
	return *n
}

// name is kind and name, for a sentence.
func (o workload) name() string { return o.ref.Kind + " " + o.ref.String() }

// oneReach reports that only one node of a list of all can have the pods of a specification with a volume, so that they are never apart.
func oneReach(w *reconstruct.World, t *reconstruct.Topology, spec *corev1.PodSpec, pv volume) bool {
	return w.Listed("Node", "") && len(t.Both(t.OfPod(spec), t.OfVolume(pv.Value()))) <= 1
}

// needWorkloads is met when the bundle has lists of the workloads that make pods.
var needWorkloads = Need{
	Holds: []string{"Deployment", "StatefulSet", "DaemonSet"},
	What:  "the Deployments, StatefulSets and DaemonSets", Command: "kubectl get deployments,statefulsets,daemonsets,replicasets -A -o yaml",
	Met: func(w *reconstruct.World) bool {
		return listedSomewhere(w, "Deployment") || listedSomewhere(w, "StatefulSet") || listedSomewhere(w, "DaemonSet")
	},
}

// modesText writes access modes as kubectl does.
func modesText(pv volume) string {
	if len(pv.Value().Spec.AccessModes) == 0 {
		return "no access mode"
	}
	return cmp.Or(string(pv.Value().Spec.AccessModes[0]), "no access mode")
}

// onePodText says what becomes of further pods of a volume that admits one: they are not placed, and never wait with Multi-Attach.
func onePodText(pv volume) string {
	if !onePod(pv.Value()) {
		return ""
	}
	return " The scheduler places one of them and leaves the others Pending."
}
