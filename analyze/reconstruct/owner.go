package reconstruct

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// ownerByName is the controller of a pod that is not in the bundle, by its name: a ReplicaSet, DaemonSet or Job puts five
// generated characters behind its own (apiserver names.SimpleNameGenerator), a StatefulSet a number. It has to be in the
// bundle, and the only one that fits.
func (w *World) ownerByName(pod model.Ref) (model.Ref, bool) {
	if _, here := w.Pod(pod); here {
		return model.Ref{}, false // it says itself what owns it
	}
	owner, end, ok := cutLast(pod.Name)
	if !ok {
		return model.Ref{}, false
	}
	ref := model.Ref{Namespace: pod.Namespace, Name: owner}
	var fits []model.Ref
	if len(end) == podSuffix && generated(end) {
		for _, n := range w.replicaSet[ref.String()] {
			fits = append(fits, w.ReplicaSets[n].Ref)
		}
		fits = append(fits, named(w.DaemonSets, w.daemonSet, ref)...)
		fits = append(fits, named(w.jobs, w.job, ref)...)
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
		if up := metav1.GetControllerOf(o.Value()); up != nil {
			return &model.Ref{Kind: up.Kind, Namespace: job.Namespace, Name: up.Name, UID: string(up.UID)}
		}
	}
	return &job
}

// OwnerOf is the workload of a pod of the case: its own when the bundle tells that, else that of the case when the names are
// those of one workload.
func (c *Case) OwnerOf(pod model.Ref) (model.Ref, bool) {
	if obj, ok := c.World.Pod(pod); ok {
		o := metav1.GetControllerOf(obj.Value())
		if o == nil {
			return model.Ref{}, false
		}
		return c.World.topOwner(pod.Namespace, model.Ref{Kind: o.Kind, Name: o.Name, UID: string(o.UID)}, obj.Value().Labels["pod-template-hash"]), true
	}
	if owner, ok := c.World.ownerByName(pod); ok {
		return c.World.topOwner(pod.Namespace, owner, ""), true
	}
	if c.Workload == nil || !slices.ContainsFunc(c.NewPods, func(n model.Ref) bool { return namedAlike(n, pod) }) {
		return model.Ref{}, false
	}
	return *c.Workload, true
}

func (w *World) topOwner(namespace string, owner model.Ref, hash string) model.Ref {
	top, _ := ownerOf(w, namespace, owner, hash)
	if top.Kind == "Job" {
		top = w.scheduleOf(*top)
	}
	return *top
}

// namedAlike reports that two pods have names as one workload gives them.
func namedAlike(a, b model.Ref) bool {
	if a.Namespace != b.Namespace {
		return false
	}
	if a.Name == b.Name || sameDeployment(a.Name, b.Name) || sameReplicas(a.Name, b.Name) {
		return true
	}
	sa, na, ok := cutLast(a.Name)
	sb, nb, fits := cutLast(b.Name)
	return ok && fits && sa == sb && number(na) && number(nb)
}
