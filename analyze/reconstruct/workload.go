package reconstruct

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// workload is the owner of the waiting pod, followed up to the Deployment or CronJob; nil when nothing tells.
func workload(c *Case) (*model.Ref, model.Basis) {
	owner, basis := ownerOfPods(c)
	if owner != nil && owner.Kind == "Job" {
		owner = c.World.scheduleOf(*owner)
	}
	return owner, basis
}

func ownerOfPods(c *Case) (*model.Ref, model.Basis) {
	alike := slices.DeleteFunc(slices.Clone(c.OldPods), c.stranger)
	for _, p := range append(c.NewPods[:len(c.NewPods):len(c.NewPods)], alike...) {
		if obj, ok := c.World.Pod(p); ok {
			if owner := metav1.GetControllerOf(obj.Value()); owner != nil {
				return ownerOf(c.World, p.Namespace, model.Ref{Kind: owner.Kind, Name: owner.Name, UID: string(owner.UID)}, obj.Value().Labels["pod-template-hash"])
			}
		}
	}
	for _, o := range c.Reports {
		if o.Owner.Name != "" {
			return ownerOf(c.World, namespaceOf(o.Owner, c.NewPods), o.Owner, "")
		}
	}
	for _, p := range c.NewPods {
		if o := createdBy(c.World, p); o != nil {
			return ownerOf(c.World, p.Namespace, o.Owner, "")
		}
	}
	for _, p := range append(c.NewPods[:len(c.NewPods):len(c.NewPods)], alike...) {
		if owner, ok := c.World.ownerByName(p); ok {
			top, _ := ownerOf(c.World, p.Namespace, owner, "")
			return top, model.Derived
		}
	}
	return nil, model.Assumed
}

// createdBy is what tells that a pod was created, and for whom: rather the event, which names the owner's kind, than the line of
// a controller whose logger is not told (most lines of 1.37).
func createdBy(w *World, pod model.Ref) *model.Observation {
	created := func(o *model.Observation) bool { return o.Owner.Name != "" && o.Kind == model.ReplicaCreated }
	if o := first(w.byPod[pod.String()], window{}, func(o *model.Observation) bool { return created(o) && o.Owner.Kind != "" }); o != nil {
		return o
	}
	return first(w.byPod[pod.String()], window{}, created)
}

func namespaceOf(owner model.Ref, pods []model.Ref) string {
	if owner.Namespace != "" || len(pods) == 0 {
		return owner.Namespace
	}
	return pods[0].Namespace
}

// ownerOf follows a ReplicaSet to its Deployment: by the object, or, since only a Deployment names its ReplicaSets so,
// by the name.
func ownerOf(w *World, namespace string, owner model.Ref, hash string) (*model.Ref, model.Basis) {
	owner.Namespace = namespace
	if owner.Kind != "ReplicaSet" {
		return &owner, model.Observed
	}
	for _, n := range w.replicaSet[owner.String()] {
		if rs := w.ReplicaSets[n]; rs.Ref.Is(owner) {
			if up := metav1.GetControllerOf(rs.Value()); up != nil {
				return &model.Ref{Kind: up.Kind, Namespace: namespace, Name: up.Name, UID: string(up.UID)}, model.Observed
			}
			return &owner, model.Observed
		}
	}
	if name, suffix, ok := cutLast(owner.Name); ok && (suffix == hash || len(suffix) >= 6 && generated(suffix)) {
		return &model.Ref{Kind: "Deployment", Namespace: namespace, Name: name}, model.Derived
	}
	return &owner, model.Observed
}
