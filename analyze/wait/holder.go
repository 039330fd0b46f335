package wait

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// holder is the node that held the volume when the wait began: by the report's own words; then the pods that it names; the attachments;
// the controller's lines; then what is only inferred: where the workload ran before.
func holder(c *Case) (node string, inferred bool) {
	observed := []func(*Case) string{
		holderNamed, holderOfPods, holderByAttachment, holderByController, holderByAttacher, holderByNodeStatus, holderByRow, holderByRefusal, holderByCloud,
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

// holderByRow reads pasted tables and descriptions: a VolumeAttachment of the volume on another node, or the error of a detach from one.
// After a success since the row, which has no time, may show a later place.
func holderByRow(c *Case) string {
	list := c.World.ByVolume[c.Volume]
	if facts.First(list, facts.After(c.Began.At), facts.Kinds(model.AttachSucceeded)) != nil {
		return ""
	}
	return nodeOf(facts.Find(list, func(o *model.Observation) bool {
		row := o.Kind == model.AttachmentAttached && o.Source.Kind == model.SourceText || facts.StuckThere(o)
		return row && o.Node != "" && o.Node != c.To
	}))
}

func unready(c *Case) *model.Observation {
	if len(c.NewPods) == 0 {
		return nil
	}
	waiting := c.NewPods[0]
	return facts.Last(c.World.ByKind[model.PodNotReady], facts.Before(c.Began.At), func(o *model.Observation) bool {
		elsewhere := o.Node != "" && o.Node != c.To
		another := o.Pod.Name != waiting.Name && SameReplicas(o.Pod.Name, waiting.Name)
		return elsewhere && another && oneNamespace(o.Pod, waiting)
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
	lost, until := []string{}, facts.Before(evicted.At.At)
	for _, o := range until.Of(c.World.ByKind[model.NodeNotReady]) {
		back := facts.Last(c.World.ByKind[model.NodeReady], until, func(r *model.Observation) bool { return r.Node == o.Node && r.At.At.After(o.At.At) })
		if back == nil && !slices.Contains(lost, o.Node) {
			lost = append(lost, o.Node)
		}
	}
	if len(lost) != 1 {
		return ""
	}
	return lost[0]
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
	for _, a := range c.World.AttachmentsOf(c.Volume) {
		if a.Value().Spec.NodeName != c.To && !a.Value().CreationTimestamp.After(c.Began.NoLaterThan()) && a.Value().Status.Attached {
			return a.Value().Spec.NodeName
		}
	}
	return ""
}

func holderByController(c *Case) string {
	elsewhere := func(o *model.Observation) bool { return o.Node != "" && o.Node != c.To }
	list := c.World.ByVolume[c.Volume]
	if o := facts.Last(list, facts.Before(c.Began.At), facts.And(facts.Kinds(model.AttachSucceeded, model.AttachStarted), elsewhere)); o != nil {
		return o.Node
	}
	return nodeOf(facts.First(list, facts.After(c.Began.At), facts.And(facts.Kinds(model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint,
		model.DetachSucceeded, model.DetachFailed, model.DetachRefusedInUse, model.VolumeMarkedDetached), elsewhere)))
}

// holderByAttacher tries every known node: the attacher's log names only VolumeAttachments, whose names are hashes.
func holderByAttacher(c *Case) string {
	if c.Volume.Handle == "" || c.Volume.Driver == "" {
		return ""
	}
	best, bestAt := "", time.Time{}
	for _, n := range c.World.NodeNames {
		if n == c.To {
			continue
		}
		own := c.World.ByAttach[model.AttachmentName(c.Volume.Handle, c.Volume.Driver, n)]
		o := facts.Last(own, facts.Before(c.Began.At), facts.Kinds(model.AttacherAttached, model.AttacherAttaching))
		if o != nil && o.At.At.After(bestAt) {
			best, bestAt = n, o.At.At
		}
	}
	return best
}

// holderByNodeStatus is the only node whose status.volumesAttached lists the volume at the collection, also an in-tree one. It shows
// the time of the report only when the pod still waits and nothing attached the volume meanwhile.
func holderByNodeStatus(c *Case) string {
	list := c.World.ByVolume[c.Volume]
	if !c.stillWaits() || facts.First(list, facts.After(c.Began.At), facts.Kinds(model.AttachStarted, model.AttachSucceeded)) != nil {
		return ""
	}
	node := ""
	for _, o := range facts.Where(list, facts.Kinds(model.NodeVolumesAttached)) {
		if node != "" && o.Node != node || o.Node == c.To {
			return ""
		}
		node = o.Node
	}
	return node
}

// holderByRefusal is the node that the back end names as the holder when it refuses the attach to the wanted one.
func holderByRefusal(c *Case) string {
	for _, o := range c.World.ByVolume[c.Volume] {
		for _, h := range o.Holders {
			if o.Kind == model.AttachFailed && !o.At.At.Before(c.Began.At) && h != c.To {
				return h
			}
		}
	}
	return ""
}

// stillWaits reports that a waiting pod is in the bundle, has not started and is not being deleted.
func (c *Case) stillWaits() bool {
	return slices.ContainsFunc(c.World.Held(c.NewPods), func(p model.Object[*corev1.Pod]) bool {
		return p.Value().Status.Phase == corev1.PodPending && p.Value().DeletionTimestamp == nil
	})
}
