package wait

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// holder is the node that held the volume when the wait began: by the report's own words; then the pods that it names; the attachments;
// the controller's lines; then what is only inferred: where the workload ran before.
func holder(c *Case) (node string, inferred bool) {
	observed := []func(*Case) string{
		func(c *Case) string { return c.named(c.Reports) },
		holderOfPods, holderByKilling, holderByAttachment, holderByController, holderByAttacher, holderByNodeStatus, holderByRow, holderByUnmount, holderByRefusal, holderByCloud,
	}
	// Where a pod of the same workload was scheduled last: only pods that a workload controller names alike count, and only when they ran
	// on one other node; with which a pod of the waiting pod's ReplicaSet lost its readiness, as the controller marks it.
	byWorkload := func(c *Case) string { return nodeOf(predecessor(c)) }
	byReadiness := func(c *Case) string { return nodeOf(unready(c)) }
	for i, find := range append(observed, byWorkload, byReadiness, holderByEviction) {
		if n := find(c); n != "" && n != c.To {
			return n, i >= len(observed)
		}
	}
	return "", false
}

// elsewhere tests for what is about a node other than the wanted one.
func (c *Case) elsewhere(o *model.Observation) bool { return o.Node != "" && o.Node != c.To }

// named is the first holder that some observations name.
func (c *Case) named(list []*model.Observation) string {
	for _, o := range list {
		if i := slices.IndexFunc(o.Holders, func(h string) bool { return h != "" && h != c.To }); i >= 0 {
			return o.Holders[i]
		}
	}
	return ""
}

// holderByRefusal is the node that the back end names as the holder when it refuses the attach to the wanted one.
func holderByRefusal(c *Case) string {
	return c.named(facts.Where(c.said(), func(o *model.Observation) bool {
		return o.Kind == model.AttachFailed && !o.At.At.Before(c.Began.At)
	}))
}

// holderByKilling is the node whose kubelet stops a pod that a report names as a user, or cannot.
func holderByKilling(c *Case) string {
	for _, r := range c.Reports {
		for _, p := range r.Pods {
			stops := facts.And(facts.Kinds(model.PodKilling, model.PodKillFailed), c.elsewhere, byKubelet)
			if o := facts.Last(c.World.ByPod[p.String()], facts.Window{}, stops); o != nil {
				return o.Node
			}
		}
	}
	return ""
}

func holderOfPods(c *Case) string {
	anyUID := func(p model.Ref) model.Ref { p.UID = ""; return p } // an event names pods only
	for _, o := range c.Reports {
		if n := nodeOfPods(c.World, facts.Each(o.Pods, anyUID), o.At.At); n != "" && n != c.To {
			return n
		}
	}
	return ""
}

// holderByRow reads pasted tables and descriptions: a VolumeAttachment of the volume on another node, or the error of a detach from one.
// After a success since, or below the author's word that it is over, the row, which has no time, may show a later place.
func holderByRow(c *Case) string {
	list := c.said()
	if facts.First(list, facts.After(c.Began.At), facts.Kinds(model.AttachSucceeded)) != nil {
		return ""
	}
	return nodeOf(facts.Find(list, func(o *model.Observation) bool {
		over := func(said *model.Observation) bool {
			return strings.HasPrefix(said.Detail, model.SaidOver+": ") && said.Input == o.Input && said.Source.Line < o.Source.Line
		}
		shows := shownAttached(o) || facts.StuckThere(o)
		return shows && c.elsewhere(o) && facts.Find(c.World.ByKind[model.AuthorSaid], over) == nil
	}))
}

// holderByUnmount is the only other node whose kubelet cannot unmount the volume.
func holderByUnmount(c *Case) string {
	nodes := facts.Each(facts.Where(c.said(), func(o *model.Observation) bool { return o.Kind == model.UnmountFailed && c.elsewhere(o) }), nodeOf)
	slices.Sort(nodes)
	return sole(slices.Compact(nodes), c.To)
}

func unready(c *Case) *model.Observation {
	if len(c.NewPods) == 0 {
		return nil
	}
	waiting := c.NewPods[0]
	return facts.Last(c.World.ByKind[model.PodNotReady], facts.Before(c.Began.At), func(o *model.Observation) bool {
		another := o.Pod.Name != waiting.Name && SameReplicas(o.Pod.Name, waiting.Name)
		return c.elsewhere(o) && another && oneNamespace(o.Pod, waiting)
	})
}

// holderByEviction is the only node that was not Ready when a predecessor of the waiting pod was evicted: taints of lost nodes evict.
func holderByEviction(c *Case) string {
	evicted := facts.Last(c.World.ByKind[model.PodEvictionDecided], facts.Before(c.Began.At), func(o *model.Observation) bool {
		return len(c.NewPods) > 0 && predecessorName(c, o) && oneNamespace(o.Pod, c.NewPods[0])
	})
	if evicted == nil {
		return ""
	}
	var lost []string
	until := facts.Before(evicted.At.At)
	for _, o := range until.Of(c.World.ByKind[model.NodeNotReady]) {
		back := facts.Last(c.World.ByKind[model.NodeReady], until, func(r *model.Observation) bool { return r.Node == o.Node && r.At.At.After(o.At.At) })
		if back == nil && !slices.Contains(lost, o.Node) {
			lost = append(lost, o.Node)
		}
	}
	return sole(lost, c.To)
}

func holderByAttachment(c *Case) string {
	for _, a := range c.World.AttachmentsOf(c.Volume) {
		if a.Value().Spec.NodeName != c.To && !a.Value().CreationTimestamp.After(c.Began.NoLaterThan()) && a.Value().Status.Attached {
			return a.Value().Spec.NodeName
		}
	}
	return ""
}

func holderByController(c *Case) string {
	list := c.said()
	return nodeOf(cmp.Or(
		facts.Last(list, facts.Before(c.Began.At), facts.And(facts.Kinds(model.AttachSucceeded, model.AttachStarted), c.elsewhere)),
		facts.First(list, facts.After(c.Began.At), facts.And(facts.Kinds(model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint,
			model.DetachSucceeded, model.DetachFailed, model.DetachRefusedInUse, model.VolumeMarkedDetached, model.AttachmentDeletionRequested), c.elsewhere))))
}

// holderByAttacher tries every known node: the attacher's log names only VolumeAttachments, whose names are hashes.
func holderByAttacher(c *Case) string {
	if c.Volume.Handle == "" || c.Volume.Driver == "" {
		return ""
	}
	node := ""
	var newest *model.Observation
	for _, n := range c.World.NodeNames {
		own := c.World.ByAttach[model.AttachmentName(c.Volume.Handle, c.Volume.Driver, n)]
		o := facts.Last(own, facts.Before(c.Began.At), facts.Kinds(model.AttacherAttached, model.AttacherAttaching))
		if o == nil || n == c.To {
			continue
		}
		if newest == nil || o.At.At.After(newest.At.At) {
			node, newest = n, o
		}
	}
	return node
}

// holderByNodeStatus is the only node whose status.volumesAttached lists the volume at the collection, also an in-tree one. It shows
// the time of the report only when the pod still waits and nothing attached the volume meanwhile.
func holderByNodeStatus(c *Case) string {
	list := c.said()
	if !c.stillWaits() || facts.First(list, facts.After(c.Began.At), facts.Kinds(model.AttachStarted, model.AttachSucceeded)) != nil {
		return ""
	}
	nodes := facts.Each(facts.Where(list, facts.Kinds(model.NodeVolumesAttached)), nodeOf)
	slices.Sort(nodes)
	return sole(slices.Compact(nodes), c.To)
}

// stillWaits reports that a waiting pod is in the bundle, has not started and is not being deleted.
func (c *Case) stillWaits() bool {
	return slices.ContainsFunc(c.World.Held(c.NewPods), func(p model.Object[*corev1.Pod]) bool {
		return p.Value().Status.Phase == corev1.PodPending && p.Value().DeletionTimestamp == nil
	})
}
