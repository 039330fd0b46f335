package reconstruct

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// ownerByName is the controller of a pod that is not in the bundle, by its name: a ReplicaSet, DaemonSet or Job puts five generated
// characters behind its own (apiserver names.SimpleNameGenerator), a StatefulSet a number. It is the only one in the bundle that fits.
func (w *World) ownerByName(pod model.Ref) (model.Ref, bool) {
	_, here := w.Pod(pod) // then it says itself what owns it
	owner, end, ok := cutLast(pod.Name)
	if here || !ok {
		return model.Ref{}, false
	}
	ref := model.Ref{Namespace: pod.Namespace, Name: owner}
	var fits []model.Ref
	if random(end) {
		fits = RefsOf(picked(w.ReplicaSets, w.replicaSet[ref.String()]))
		fits = slices.Concat(fits, named(w.DaemonSets, w.daemonSet, ref), named(w.jobs, w.job, ref))
	}
	if number(end) {
		fits = append(fits, named(w.StatefulSets, w.statefulSet, ref)...)
	}
	for i := range fits {
		fits[i].UID = "" // the name does not say of which incarnation
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

// OwnerOf is the workload of a pod of the case: its own, else that of the case when the names are those of one workload.
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

// alike compares names that one owner gives, but for their ends.
func alike(a, b string, end func(string) bool) bool {
	oa, ea, ok := cutLast(a)
	ob, eb, _ := cutLast(b)
	return ok && oa == ob && end(ea) && end(eb)
}

// sameReplicas compares the names that a ReplicaSet or ReplicationController gives its pods: <owner>-<five characters>.
func sameReplicas(a, b string) bool { return alike(a, b, random) }

// sameDeployment compares the names that a Deployment gives its pods: <deployment>-<template hash>-<five characters>.
func sameDeployment(a, b string) bool {
	da, ok := DeploymentName(a)
	db, ok2 := DeploymentName(b)
	return ok && ok2 && da == db
}

// random reports the suffix of a generated name: five characters (apiserver names.SimpleNameGenerator).
func random(s string) bool { return len(s) == 5 && generated(s) }

// DeploymentName is the Deployment that the name of a pod implies: all but its two generated parts.
func DeploymentName(pod string) (name string, ok bool) {
	rs, suffix, _ := cutLast(pod)
	deployment, hash, ok := cutLast(rs)
	if !ok || !random(suffix) || len(hash) < 6 || len(hash) > 10 || !generated(hash) {
		return "", false
	}
	return deployment, true
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i <= 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// generated reports whether every character is of the alphabet of generated names (apimachinery util/rand).
func generated(s string) bool {
	return s != "" && strings.Trim(s, "bcdfghjklmnpqrstvwxz2456789") == ""
}

// workload is the owner of the waiting pod, followed up to the Deployment or CronJob; nil when unknown.
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

// createdBy shows for whom a pod was created: rather the event, with the owner's kind, than a line without a logger (most of 1.37).
func createdBy(w *World, pod model.Ref) *model.Observation {
	own := window{}.of(w.byPod[pod.String()])
	created := func(o *model.Observation) bool { return o.Owner.Name != "" && o.Kind == model.ReplicaCreated }
	described := find(w.byPod[pod.String()], func(o *model.Observation) bool {
		return o.Owner.Name != "" && o.Kind == model.PodScheduled && o.Source.Kind == model.SourceText
	})
	return cmp.Or(find(own, func(o *model.Observation) bool { return created(o) && o.Owner.Kind != "" }), find(own, created),
		described)
}

// ownerOf follows a ReplicaSet to its Deployment: by the object, or by the name, since only a Deployment names its ReplicaSets so.
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

// Sibling is another replica of the case's StatefulSet that was lost at the same time with another node, and whose volume moved.
type Sibling struct {
	Pod     model.Ref
	Node    string
	Tainted Instant // out-of-service; unknown where nothing shows it
	Moved   Instant // its volume was attached elsewhere
}

// lostTogether is how far apart two nodes may be found not Ready that one failure took: the node lifecycle controller's loop of 5 s, twice.
const lostTogether = 10 * time.Second

// LostTogether is the first sibling whose volume had moved before the case's own: what one loss did to two replicas that were treated
// differently.
func (c *Case) LostTogether() (Sibling, bool) {
	if c.Workload == nil || c.Workload.Kind != "StatefulSet" || len(c.OldPods) == 0 || !c.NotReady.Known() {
		return Sibling{}, false
	}
	since := after(c.NotReady.Earliest)
	for _, lost := range c.World.byKind[model.NodeNotReady] {
		apart := lost.At.At.Sub(c.NotReady.At).Abs()
		if lost.Node == "" || lost.Node == c.From || apart > lostTogether {
			continue
		}
		for _, placed := range c.World.byKind[model.PodScheduled] {
			own := placed.Pod.Namespace == c.OldPods[0].Namespace && placed.Pod.Name != c.OldPods[0].Name && sameSet(placed.Pod.Name, c.OldPods[0].Name)
			if placed.Node != lost.Node || !own {
				continue
			}
			moved := first(c.World.byPod[placed.Pod.String()], since, kinds(model.AttachSucceeded))
			if moved == nil || moved.Node == lost.Node || c.Attached.Known() && !moved.At.Latest.Before(c.Attached.Earliest) {
				continue
			}
			s := Sibling{Pod: placed.Pod, Node: lost.Node, Moved: seen(moved)}
			if o := first(c.World.byNode[lost.Node], since, outOfServiceSign); o != nil {
				s.Tainted = seen(o)
			}
			return s, true
		}
	}
	return Sibling{}, false
}

// outOfServiceSign tests for the out-of-service taint, or for a controller that acts on it.
func outOfServiceSign(o *model.Observation) bool {
	return tainted(upstream.OutOfServiceTaint)(o) || o.Kind == model.NodeOutOfService || o.Kind == model.DetachForcedTaint
}

// Move is how a volume that was taken from a lost node came into use elsewhere, when no wait was reported.
type Move struct {
	Pod   model.Ref
	Lost  *model.Observation // the last sign of the old node, or the first that it was not Ready
	Ready *model.Observation // Pod
}

// MovedAfter follows a detach from a lost node to the pod that was Ready with the volume elsewhere. False where a part of it is not shown.
func (w *World) MovedAfter(o *model.Observation) (Move, bool) {
	v := w.Volumes.Find(o.Volume)
	lost := w.lostBefore(o)
	if v == nil || lost == nil {
		return Move{}, false
	}
	attach := kinds(model.AttachStarted, model.AttachSucceeded)
	for _, a := range where(after(o.At.At).of(w.byVolume[v]), attach) {
		if a.Node == o.Node {
			return Move{}, false // it came back
		}
		for _, p := range slices.Concat([]model.Ref{a.Pod}, a.Pods) {
			if ready := first(w.byPod[p.String()], after(a.At.At), kinds(model.PodReady)); p.Name != "" && ready != nil {
				return Move{Pod: p, Lost: lost, Ready: ready}, true
			}
		}
	}
	return Move{}, false
}

// lostBefore is the beginning of the loss of a node that went on at an observation: its last renewal before, else the record itself.
func (w *World) lostBefore(o *model.Observation) *model.Observation {
	list := w.byNode[o.Node]
	lost := lastTransition(list, window{from: o.At.At.Add(-time.Hour), to: o.At.At})
	if lost == nil || first(list, window{from: lost.At.At, to: o.At.At}, and(kinds(model.NodeReady), isNode)) != nil {
		return nil
	}
	alive := last(list, window{from: lost.At.At.Add(-10 * time.Minute), to: lost.At.At}, func(h *model.Observation) bool {
		return h.Kind == model.NodeHeartbeat && h.Detail != "condition"
	})
	if alive != nil {
		return alive
	}
	return lost
}
