package reconstruct

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// holder is the node that held the volume when the wait began. The report's own words come first; then the pods that it
// names; then the attachments; then the controller's attach and detach lines; then where the workload ran before.
func holder(c *Case) string {
	for _, find := range []func(*Case) string{
		holderNamed, holderOfPods, holderByAttachment, holderByController, holderByAttacher, holderByNodeStatus, holderByWorkload, holderByRow,
		holderByReadiness,
	} {
		if n := find(c); n != "" && n != c.To {
			return n
		}
	}
	return ""
}

func holderNamed(c *Case) string {
	for _, o := range c.Reports {
		for _, h := range o.Holders {
			if h != "" && h != c.To {
				return h
			}
		}
	}
	return ""
}

func holderOfPods(c *Case) string {
	for _, o := range c.Reports {
		if n := nodeOfPods(c.World, withoutUIDs(o.Pods), o.At.At); n != "" && n != c.To {
			return n
		}
	}
	return ""
}

// holderByRow reads the state at the collection out of pasted tables and descriptions: a VolumeAttachment of the volume
// on another node, else a pod that uses the volume there.
// A success since would mean that the row, which has no time, may show a later place.
func holderByRow(c *Case) string {
	moved := first(c.World.byVolume[c.Volume], after(c.Began.At), kinds(model.AttachSucceeded))
	if moved != nil {
		return ""
	}
	for _, o := range c.World.byVolume[c.Volume] {
		if o.Kind == model.AttachmentAttached && o.Source.Kind == model.SourceText && o.Node != "" && o.Node != c.To {
			return o.Node
		}
	}
	return ""
}

// holderByReadiness is the node with which a pod of the waiting pod's ReplicaSet lost its readiness: the controller marks
// the pods of a lost node as not Ready, and names them.
func holderByReadiness(c *Case) string {
	if o := unready(c); o != nil {
		return o.Node
	}
	return ""
}

func unready(c *Case) *model.Observation {
	if len(c.NewPods) == 0 {
		return nil
	}
	waiting := c.NewPods[0]
	return last(c.World.byKind[model.PodNotReady], before(c.Began.At), func(o *model.Observation) bool {
		return o.Node != "" && o.Node != c.To && o.Pod.Name != waiting.Name && sameReplicas(o.Pod.Name, waiting.Name) &&
			(o.Pod.Namespace == "" || o.Pod.Namespace == waiting.Namespace)
	})
}

// sameReplicas compares the names that a ReplicaSet or ReplicationController gives its pods: <owner>-<five characters>.
func sameReplicas(a, b string) bool {
	oa, sa, ok := cutLast(a)
	ob, sb, ok2 := cutLast(b)
	return ok && ok2 && oa == ob && len(sa) == podSuffix && len(sb) == podSuffix && generated(sa) && generated(sb)
}

// withoutUIDs drops UIDs that an event cannot know: it names pods only.
func withoutUIDs(refs []model.Ref) []model.Ref {
	out := slices.Clone(refs)
	for i := range out {
		out[i].UID = ""
	}
	return out
}

func holderByAttachment(c *Case) string {
	for _, a := range c.World.Attachments {
		pv := a.Value.Spec.Source.PersistentVolumeName
		if pv == nil || *pv != c.Volume.PersistentVolume || a.Value.Spec.NodeName == c.To {
			continue
		}
		if !a.Value.CreationTimestamp.After(c.Began.Latest) && a.Value.Status.Attached {
			return a.Value.Spec.NodeName
		}
	}
	return ""
}

func holderByController(c *Case) string {
	elsewhere := func(o *model.Observation) bool { return o.Node != "" && o.Node != c.To }
	list := c.World.byVolume[c.Volume]
	if o := last(list, before(c.Began.At), and(kinds(model.AttachSucceeded, model.AttachStarted), elsewhere)); o != nil {
		return o.Node
	}
	if o := first(list, after(c.Began.At), and(kinds(model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint, model.DetachSucceeded, model.DetachFailed, model.DetachRefusedInUse, model.VolumeMarkedDetached), elsewhere)); o != nil {
		return o.Node
	}
	return ""
}

// holderByAttacher tries every known node: the attacher's log names only VolumeAttachments, whose names are hashes.
func holderByAttacher(c *Case) string {
	if c.Volume.Handle == "" || c.Volume.Driver == "" {
		return ""
	}
	best, bestAt := "", time.Time{}
	for _, n := range c.World.nodeNames {
		if n == c.To {
			continue
		}
		o := last(c.World.byAttach[model.AttachmentName(c.Volume.Handle, c.Volume.Driver, n)], before(c.Began.At), kinds(model.AttacherAttached, model.AttacherAttaching))
		if o != nil && o.At.At.After(bestAt) {
			best, bestAt = n, o.At.At
		}
	}
	return best
}

// holderByWorkload is where a pod of the same workload was scheduled last before the waiting pod. Only pods that a
// workload controller names alike count, and only when they ran on one other node.
func holderByWorkload(c *Case) string {
	if o := predecessor(c); o != nil {
		return o.Node
	}
	return ""
}

// predecessor is the scheduling of the newest pod of the same workload on another node.
func predecessor(c *Case) *model.Observation {
	if len(c.NewPods) == 0 {
		return nil
	}
	waiting := c.NewPods[0]
	return last(c.World.byKind[model.PodScheduled], before(c.Began.Latest), func(o *model.Observation) bool {
		if o.Node == "" || o.Node == c.To || o.Pod.Namespace != waiting.Namespace || c.From != "" && o.Node != c.From {
			return false
		}
		if o.Pod.UID != "" && o.Pod.UID == waiting.UID {
			return false
		}
		return o.Pod.Name == waiting.Name || sameDeployment(o.Pod.Name, waiting.Name)
	})
}

// removalWindow is how long before the report the removal of the old pod still explains that no pod used the volume.
const removalWindow = time.Hour

// removedBefore is the only pod of the waiting pod's Deployment that a controller removed shortly before a report that no
// pod used the volume any more.
func removedBefore(c *Case) (model.Ref, bool) {
	if c.Variant != model.ExclusivelyAttached || len(c.NewPods) == 0 {
		return model.Ref{}, false
	}
	var found []model.Ref
	for _, kind := range []model.Kind{model.PodForceDeleted, model.PodForceDeleting, model.PodGone, model.ReplicaDeleted, model.PodEvictionDecided} {
		for _, o := range c.World.byKind[kind] {
			near := window{from: c.Began.At.Add(-removalWindow), to: c.Began.At}.holds(o.At.At)
			if near && o.Pod.Namespace == c.NewPods[0].Namespace && predecessorName(c, o) {
				found = mergeRefs(found, []model.Ref{o.Pod})
			}
		}
	}
	if len(found) != 1 {
		return model.Ref{}, false
	}
	return found[0], true
}

// predecessorName reports that a removed pod was the waiting pod's predecessor: another pod of its Deployment, or, since a
// StatefulSet gives the name again, one of the same name that is known to be older.
func predecessorName(c *Case, o *model.Observation) bool {
	waiting := c.NewPods[0]
	if o.Pod.Name != waiting.Name {
		return sameDeployment(o.Pod.Name, waiting.Name)
	}
	if _, deployment := deploymentOf(waiting.Name); deployment || o.Pod.UID != "" && o.Pod.UID == waiting.UID {
		return false
	}
	return first(c.World.byPod[waiting.String()], window{from: o.At.At, to: c.Began.Latest}, kinds(model.PodScheduled, model.PodCreated, model.ReplicaCreated)) != nil ||
		c.Began.At.Sub(o.At.At) > time.Second
}

// sameDeployment compares the names that a Deployment gives its pods: <deployment>-<template hash>-<five characters>.
func sameDeployment(a, b string) bool {
	da, ok := deploymentOf(a)
	db, ok2 := deploymentOf(b)
	return ok && ok2 && da == db
}

// podSuffix is the length of the random suffix of generated names (apiserver names.SimpleNameGenerator).
const podSuffix = 5

// deploymentOf cuts the two generated parts off a pod's name.
func deploymentOf(pod string) (string, bool) {
	rs, suffix, ok := cutLast(pod)
	if !ok || len(suffix) != podSuffix || !generated(suffix) {
		return "", false
	}
	deployment, hash, ok := cutLast(rs)
	if !ok || len(hash) < 6 || len(hash) > 10 || !generated(hash) {
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
	for _, r := range s {
		if !strings.ContainsRune("bcdfghjklmnpqrstvwxz2456789", r) {
			return false
		}
	}
	return s != ""
}

// oldPods are the pods that used the volume on the old node: those that the report names, those in the bundle, else the
// workload's pod that was scheduled there last.
func oldPods(c *Case) []model.Ref {
	var out []model.Ref
	for _, o := range c.Reports {
		out = mergeRefs(out, o.Pods)
	}
	out = c.withIncarnation(out)
	if c.From == "" {
		return out
	}
	for _, p := range c.World.PodsOf(c.Volume) {
		if p.Value.Spec.NodeName == c.From && !p.Value.CreationTimestamp.After(c.Began.Latest) && !c.isNewPod(p.Ref) {
			out = mergeRefs(out, []model.Ref{p.Ref})
		}
	}
	if len(out) > 0 {
		return out
	}
	if o := predecessor(c); o != nil {
		return []model.Ref{o.Pod}
	}
	if p, ok := removedBefore(c); ok {
		return []model.Ref{p}
	}
	if o := unready(c); o != nil && o.Node == c.From {
		return []model.Ref{{Kind: "Pod", Namespace: c.NewPods[0].Namespace, Name: o.Pod.Name}}
	}
	o := last(c.World.byVolume[c.Volume], before(c.Began.At), and(kinds(model.AttachStarted), onNode(c.From)))
	if o == nil {
		return nil
	}
	for _, p := range o.Pods {
		// Another pod may have come to an attached volume since; only a StatefulSet's pod surely keeps its name.
		if slices.ContainsFunc(c.NewPods, func(n model.Ref) bool { return n.Namespace == p.Namespace && n.Name == p.Name }) {
			out = append(out, p)
		}
	}
	return out
}

// withIncarnation gives a named pod the UID of the incarnation that was on the old node, when the bundle tells it.
func (c *Case) withIncarnation(pods []model.Ref) []model.Ref {
	out := slices.Clone(pods)
	for i, p := range out {
		if p.UID != "" {
			continue
		}
		o := last(c.World.byPod[p.String()], before(c.Began.Latest), func(o *model.Observation) bool {
			return o.Pod.UID != "" && !c.isNewPod(o.Pod) && (o.Kind == model.PodScheduled && (c.From == "" || o.Node == c.From) || o.Kind == model.PodCreated)
		})
		if o != nil {
			out[i].UID = o.Pod.UID
		}
	}
	return out
}
