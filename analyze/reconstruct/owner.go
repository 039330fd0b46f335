package reconstruct

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// ownerByName is the controller of a pod that is not in the bundle, by its name: a ReplicaSet, DaemonSet or Job puts five
// generated characters behind its own (apiserver names.SimpleNameGenerator), a StatefulSet a number. It has to be in the
// bundle, and the only one that fits.
func (w *World) ownerByName(pod model.Ref) (model.Ref, bool) {
	_, here := w.Pod(pod) // then it says itself what owns it
	owner, end, ok := cutLast(pod.Name)
	if here || !ok {
		return model.Ref{}, false
	}
	ref := model.Ref{Namespace: pod.Namespace, Name: owner}
	var fits []model.Ref
	if len(end) == podSuffix && generated(end) {
		fits = RefsOf(picked(w.ReplicaSets, w.replicaSet[ref.String()]))
		fits = slices.Concat(fits, named(w.DaemonSets, w.daemonSet, ref), named(w.jobs, w.job, ref))
	}
	if number(end) {
		fits = append(fits, named(w.StatefulSets, w.statefulSet, ref)...)
	}
	for i := range fits {
		fits[i].UID = "" // of which incarnation the name does not tell
	}
	if fits = slices.Compact(fits); len(fits) != 1 {
		return model.Ref{}, false
	}
	return fits[0], true
}

// named is the object of a list that has a name, if any.
func named[T any](list []model.Object[T], index map[string]int, ref model.Ref) []model.Ref {
	if o, ok := found(list, index, ref.String()); ok {
		return []model.Ref{o.Ref}
	}
	return nil
}

// scheduleOf is the CronJob that made a Job, as the Job in the bundle names it; else the Job.
func (w *World) scheduleOf(job model.Ref) *model.Ref {
	if o, ok := found(w.jobs, w.job, job.String()); ok && o.Ref.Is(job) {
		if up, owned := controllerOf(o); owned {
			return &up
		}
	}
	return &job
}

// OwnerOf is the workload of a pod of the case: its own when the bundle tells that, else that of the case when the names are
// those of one workload.
func (c *Case) OwnerOf(pod model.Ref) (model.Ref, bool) {
	owner, byName := c.World.ownerByName(pod)
	obj, here := c.World.Pod(pod)
	switch {
	case here:
		top, _, owned := c.World.ownerOfPod(obj)
		if !owned {
			return model.Ref{}, false
		}
		return *c.World.ofSchedule(top), true
	case byName:
		top, _ := ownerOf(c.World, owner, "")
		return *c.World.ofSchedule(top), true
	case c.Workload == nil || !slices.ContainsFunc(c.NewPods, func(n model.Ref) bool { return namedAlike(n, pod) }):
		return model.Ref{}, false
	}
	return *c.Workload, true
}

// ofSchedule follows a Job to its CronJob.
func (w *World) ofSchedule(owner *model.Ref) *model.Ref {
	if owner == nil || owner.Kind != "Job" {
		return owner
	}
	return w.scheduleOf(*owner)
}

// templateHash is the label that a Deployment puts on its pods, and the end of the name of their ReplicaSet.
const templateHash = "pod-template-hash"

// ownerOfPod is what owns a pod of the bundle, followed from a ReplicaSet to its Deployment; false when nothing does.
func (w *World) ownerOfPod(p model.Object[*corev1.Pod]) (*model.Ref, model.Basis, bool) {
	owner, owned := controllerOf(p)
	if !owned {
		return nil, model.Assumed, false
	}
	top, basis := ownerOf(w, owner, p.Value().Labels[templateHash])
	return top, basis, true
}

// namedAlike reports that two pods have names as one workload gives them.
func namedAlike(a, b model.Ref) bool {
	return a.Namespace == b.Namespace &&
		(a.Name == b.Name || sameDeployment(a.Name, b.Name) || sameReplicas(a.Name, b.Name) || sameSet(a.Name, b.Name))
}

// controllerOf is what an object names as its controller; false when it names none.
func controllerOf[T metav1.Object](o model.Object[T]) (model.Ref, bool) {
	up := metav1.GetControllerOf(o.Value())
	if up == nil {
		return model.Ref{}, false
	}
	return model.Ref{Kind: up.Kind, Namespace: o.Ref.Namespace, Name: up.Name, UID: string(up.UID)}, true
}
