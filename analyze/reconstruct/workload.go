package reconstruct

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/model"
)

// workload is the owner of the waiting pod, followed up to the Deployment or CronJob; nil when nothing tells.
func workload(c *Case) (*model.Ref, model.Basis) {
	owner, basis := ownerOfPods(c)
	return c.World.ofSchedule(owner), basis
}

func ownerOfPods(c *Case) (*model.Ref, model.Basis) {
	w, pods := c.World, slices.Concat(c.NewPods, slices.DeleteFunc(slices.Clone(c.OldPods), c.stranger))
	for _, p := range w.held(pods) {
		if top, basis, owned := w.ownerOfPod(p); owned {
			return top, basis
		}
	}
	for _, o := range c.Reports {
		if o.Owner.Name != "" {
			owner := o.Owner
			if owner.Namespace == "" && len(c.NewPods) > 0 {
				owner.Namespace = c.NewPods[0].Namespace
			}
			return ownerOf(w, owner, "")
		}
	}
	for _, p := range c.NewPods {
		if o := createdBy(w, p); o != nil {
			owner := o.Owner
			owner.Namespace = p.Namespace
			return ownerOf(w, owner, "")
		}
	}
	for _, p := range pods {
		if owner, ok := w.ownerByName(p); ok {
			top, _ := ownerOf(w, owner, "")
			return top, model.Derived
		}
	}
	return nil, model.Assumed
}

// createdBy is what tells that a pod was created, and for whom: rather the event, which names the owner's kind, than the line of
// a controller whose logger is not told (most lines of 1.37).
func createdBy(w *World, pod model.Ref) *model.Observation {
	own := window{}.of(w.byPod[pod.String()])
	created := func(o *model.Observation) bool { return o.Owner.Name != "" && o.Kind == model.ReplicaCreated }
	return cmp.Or(find(own, func(o *model.Observation) bool { return created(o) && o.Owner.Kind != "" }), find(own, created))
}

// ownerOf follows a ReplicaSet to its Deployment: by the object, or, since only a Deployment names its ReplicaSets so,
// by the name.
func ownerOf(w *World, owner model.Ref, hash string) (*model.Ref, model.Basis) {
	if owner.Kind != "ReplicaSet" {
		return &owner, model.Observed
	}
	for _, rs := range picked(w.ReplicaSets, w.replicaSet[owner.String()]) {
		if rs.Ref.Is(owner) {
			if up, owned := controllerOf(rs); owned {
				return &up, model.Observed
			}
			return &owner, model.Observed
		}
	}
	if name, suffix, ok := cutLast(owner.Name); ok && (suffix == hash || len(suffix) >= 6 && generated(suffix)) {
		return &model.Ref{Kind: "Deployment", Namespace: owner.Namespace, Name: name}, model.Derived
	}
	return &owner, model.Observed
}
