package wait

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// ownerByName is the controller of a pod that is not in the bundle, by its name: a ReplicaSet, DaemonSet or Job puts five generated
// characters behind its own (apiserver names.SimpleNameGenerator), a StatefulSet a number. It is the only one in the bundle that fits.
func ownerByName(w *facts.World, pod model.Ref) (model.Ref, bool) {
	_, here := w.Pod(pod) // then it says itself what owns it
	owner, end, ok := facts.CutLast(pod.Name)
	if here || !ok {
		return model.Ref{}, false
	}
	ref := model.Ref{Namespace: pod.Namespace, Name: owner}
	var fits []model.Ref
	if facts.Random(end) {
		fits = slices.Concat(named(w, w.ReplicaSets, "ReplicaSet", ref), named(w, w.DaemonSets, "DaemonSet", ref), named(w, w.Jobs, "Job", ref))
	}
	if number(end) {
		fits = append(fits, named(w, w.StatefulSets, "StatefulSet", ref)...)
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
func named[T any](w *facts.World, list []model.Object[T], kind string, ref model.Ref) []model.Ref {
	ref.Kind = kind
	if o, ok := facts.Found(w, list, ref); ok {
		return []model.Ref{o.Ref}
	}
	return nil
}

// scheduleOf is the CronJob that made a Job, as the Job in the bundle names it; else the Job.
func scheduleOf(w *facts.World, job model.Ref) *model.Ref {
	if o, ok := facts.Found(w, w.Jobs, job); ok {
		if up, owned := facts.ControllerOf(o); owned {
			return &up
		}
	}
	return &job
}

// OwnerOf is the workload of a pod of the case: its own, else that of the case when the names are those of one workload.
func (c *Case) OwnerOf(pod model.Ref) (model.Ref, bool) {
	owner, byName := ownerByName(c.World, pod)
	obj, here := c.World.Pod(pod)
	if here {
		top, _, owned := c.World.OwnerOfPod(obj)
		if !owned {
			return model.Ref{}, false
		}
		return *ofSchedule(c.World, top), true
	}
	if byName {
		top, _ := facts.OwnerOf(c.World, owner, "")
		return *ofSchedule(c.World, top), true
	}
	if c.Workload == nil || !slices.ContainsFunc(c.NewPods, func(n model.Ref) bool { return namedAlike(n, pod) }) {
		return model.Ref{}, false
	}
	return *c.Workload, true
}

// scheduledPod is the name of a pod of a CronJob: behind the CronJob's own the minute for which its Job was due (since 1.21), and five characters.
var scheduledPod = regexp.MustCompile(`^.+-[23][0-9]{7}-[a-z0-9]{5}$`)

// Jobs reports that Jobs own the pods that use the volume and want it, by their owner or their names: each ends by itself.
func (c *Case) Jobs() bool {
	if w := c.Workload; w != nil {
		return (w.Kind == "Job" || w.Kind == "CronJob") && !c.OwnersDiffer()
	}
	pods := slices.Concat(c.OldPods, c.NewPods)
	return len(c.OldPods) > 0 && len(c.NewPods) > 0 && !slices.ContainsFunc(pods, func(p model.Ref) bool { return !scheduledPod.MatchString(p.Name) })
}

// ofSchedule follows a Job to its CronJob.
func ofSchedule(w *facts.World, owner *model.Ref) *model.Ref {
	if owner == nil || owner.Kind != "Job" {
		return owner
	}
	return scheduleOf(w, *owner)
}

// namedAlike reports that two pods have names as one workload gives them.
func namedAlike(a, b model.Ref) bool {
	if a.Namespace != b.Namespace || a.Name == b.Name {
		return a.Namespace == b.Namespace
	}
	return sameDeployment(a.Name, b.Name) || SameReplicas(a.Name, b.Name) || SameSet(a.Name, b.Name)
}

// alike compares names that one owner gives, but for their ends.
func alike(a, b string, end func(string) bool) bool {
	oa, ea, ok := facts.CutLast(a)
	ob, eb, _ := facts.CutLast(b)
	sameOwner := ok && oa == ob
	return sameOwner && end(ea) && end(eb)
}

// SameReplicas compares the names that a ReplicaSet or ReplicationController gives its pods: <owner>-<five characters>.
func SameReplicas(a, b string) bool { return alike(a, b, facts.Random) }

// sameDeployment compares the names that a Deployment gives its pods: <deployment>-<template hash>-<five characters>.
func sameDeployment(a, b string) bool {
	da, ok := facts.DeploymentName(a)
	db, ok2 := facts.DeploymentName(b)
	return ok && ok2 && da == db
}

// configRevision is the DeploymentConfig of OpenShift, with the revision, that the name of a pod implies: <config>-<revision>-<five characters>.
func configRevision(pod string) (config, revision string) {
	controller, end, _ := facts.CutLast(pod)
	config, revision, _ = facts.CutLast(controller)
	if !facts.Random(end) || !number(revision) {
		return "", ""
	}
	return config, revision
}

// DeploymentConfig is the one of which an old and a waiting pod are two revisions, by their names and that of the pod which rolls the newer out:
// <config>-<revision>-deploy. It is "" where they are not.
func (c *Case) DeploymentConfig(waiting []model.Ref) string {
	if len(c.OldPods) == 0 || len(waiting) == 0 {
		return ""
	}
	config, old := configRevision(c.OldPods[0].Name)
	same, fresh := configRevision(waiting[0].Name)
	deployer := model.Ref{Namespace: waiting[0].Namespace, Name: config + "-" + fresh + "-deploy"}
	if config != same || old == fresh || len(c.World.ByPod[deployer.String()]) == 0 {
		return ""
	}
	return config
}

// workload is the owner of the waiting pod, followed up to the Deployment or CronJob; nil when unknown.
func workload(c *Case) *model.Ref { return ofSchedule(c.World, ownerOfPods(c)) }

func ownerOfPods(c *Case) *model.Ref {
	w, pods := c.World, slices.Concat(c.NewPods, slices.DeleteFunc(slices.Clone(c.OldPods), c.stranger))
	for _, p := range w.Held(pods) {
		if top, _, owned := w.OwnerOfPod(p); owned {
			return top
		}
	}
	for _, o := range c.Reports {
		if o.Owner.Name != "" {
			owner := o.Owner
			if owner.Namespace == "" && len(c.NewPods) > 0 {
				owner.Namespace = c.NewPods[0].Namespace
			}
			top, _ := facts.OwnerOf(w, owner, "")
			return top
		}
	}
	for _, p := range c.NewPods {
		if o := createdBy(w, p); o != nil {
			owner := o.Owner
			owner.Namespace = p.Namespace
			top, _ := facts.OwnerOf(w, owner, "")
			return top
		}
	}
	for _, p := range pods {
		if owner, ok := ownerByName(w, p); ok {
			top, _ := facts.OwnerOf(w, owner, "")
			return top
		}
	}
	waiting, _, _ := c.Waiting()
	if one, differ := c.OneDeploymentByName(waiting); one && differ {
		name, _ := facts.DeploymentName(waiting[0].Name)
		return &model.Ref{Kind: "Deployment", Namespace: cmp.Or(waiting[0].Namespace, c.OldPods[0].Namespace), Name: name}
	}
	return nil
}

// createdBy shows for whom a pod was created: rather the event, with the owner's kind, than a line without a logger (most of 1.37).
func createdBy(w *facts.World, pod model.Ref) *model.Observation {
	own := facts.Window{}.Of(w.ByPod[pod.String()])
	created := func(o *model.Observation) bool { return o.Owner.Name != "" && o.Kind == model.ReplicaCreated }
	described := facts.Find(w.ByPod[pod.String()], func(o *model.Observation) bool {
		return o.Owner.Name != "" && o.Kind == model.PodScheduled && o.Source.Kind == model.SourceText
	})
	return cmp.Or(facts.Find(own, func(o *model.Observation) bool { return created(o) && o.Owner.Kind != "" }), facts.Find(own, created),
		described)
}
