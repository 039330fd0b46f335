package wait

import (
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// beforeWaits are the waits that have not come to an attach: a pod is being deleted on a node that is lost, its exclusive volume is
// attached there, and the pod that is to take its place cannot be made, or has no node, without which the controller does not report
// Multi-Attach. The world is that of the newest collection: an earlier one is part of what followed.
func beforeWaits(w *facts.World, others map[*facts.Volume][]*demand) []*demand {
	w = w.AtCollection()
	var out []*demand
	found := map[*facts.Volume]bool{}
	for i, p := range w.Pods {
		if !stranded(w, p) {
			continue
		}
		fresh, awaited := awaited(w, p)
		if !awaited {
			continue
		}
		for _, claim := range w.PodClaims[i] {
			v := w.Volumes.OfClaim(p.Ref.Namespace, claim)
			if v == nil || found[v] {
				continue
			}
			d := beforeWait(w, v, p, fresh)
			if d != nil && !slices.ContainsFunc(others[v.Storage()], func(o *demand) bool { return overtakes(w, o, d) }) {
				out, found[v] = append(out, d), true
			}
		}
	}
	return out
}

// beforeWait is the wait for the volume of a stranded pod; nil when its node does not hold it, or a pod of the claim has another node.
func beforeWait(w *facts.World, v *facts.Volume, p model.Object[*corev1.Pod], fresh []model.Ref) *demand {
	node := p.Value().Spec.NodeName
	held := heldOn(w, v, node)
	placed := func(o model.Object[*corev1.Pod]) bool {
		return o.Value().Spec.NodeName != "" && o.Value().Spec.NodeName != node && Counts(o.Value())
	}
	asked := facts.Last(w.ByPod[p.Ref.String()], facts.Window{}, func(o *model.Observation) bool {
		return o.Kind == model.PodDeletionRequested && o.Source.Kind == model.SourceManifest && o.Pod.Is(p.Ref)
	})
	if exclusive, _ := v.Exclusive(); !exclusive || held == nil || asked == nil {
		return nil
	}
	if slices.ContainsFunc(w.PodsOf(v), placed) {
		return nil
	}
	return &demand{volume: v, from: node, held: held, pods: refsOf(fresh...), reports: []*model.Observation{asked}, began: seen(asked)}
}

// overtakes reports that another wait for the storage is what came of one, or goes on beside it: pods of another node have wanted the
// volume since it was on this one, and were not seen to go.
func overtakes(w *facts.World, other, d *demand) bool {
	wanted := len(other.pods.List) == 0 || !ended(w, other.pods.List, other.start(), time.Time{})
	return wanted && other.node != d.from && !d.held.At.At.After(other.start())
}

// heldOn cites what shows a volume attached to a node, and not asked to be detached: the VolumeAttachment, or the Node's own list.
func heldOn(w *facts.World, v *facts.Volume, node string) *model.Observation {
	for _, a := range w.AttachmentsOf(v) {
		if a.Value().Spec.NodeName == node {
			if a.Value().DeletionTimestamp != nil || !a.Value().Status.Attached {
				return nil
			}
			held := facts.Cite(a, "status.attached")
			if held != nil {
				held.At = model.WholeSecond(a.Value().CreationTimestamp.Time)
			}
			return held
		}
	}
	return facts.Find(w.ByNode[node], func(o *model.Observation) bool {
		return o.Kind == model.NodeVolumesAttached && w.Volumes.Find(o.Volume) == v
	})
}

// stranded reports that a pod is being deleted on a node that cannot end it. A kubelet that says itself that its node is not Ready
// may still end a pod, for which it has the grace period and some time.
func stranded(w *facts.World, p model.Object[*corev1.Pod]) bool {
	asked := p.Value().DeletionTimestamp
	if asked == nil || p.Value().Spec.NodeName == "" || !Counts(p.Value()) {
		return false
	}
	r, at := w.Readiness(p.Value().Spec.NodeName), w.Axis.CapturedAt
	if !r.Known {
		return reportedLost(w, p.Value().Spec.NodeName)
	}
	if r.Status == corev1.ConditionFalse {
		return at != nil && at.Earliest.Sub(asked.Time) > endsWithin
	}
	return !r.Ready
}

// endsWithin is how long after its grace period a pod may take that its kubelet ends: the recordings show up to 11 s.
const endsWithin = time.Minute

// reportedLost reports that the last statement about the readiness of a node which is not in the bundle is that it was lost.
func reportedLost(w *facts.World, node string) bool {
	list := w.ByNode[node]
	o := facts.Last(list, facts.Window{}, facts.And(facts.Kinds(model.NodeReady, model.NodeNotReady, model.NodeDeleted), facts.IsNode))
	return o != nil && o.Kind == model.NodeNotReady || facts.Find(list, row(model.NodeNotReady)) != nil
}

// row tests for a row of a pasted list that shows a node as Ready, or not: it has no time.
func row(kind model.Kind) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return o.Kind == kind && facts.IsNode(o) && o.At.IsZero() }
}

// awaited reports that a pod is to be replaced: by a StatefulSet, which makes none of its name before the object is gone, or by a
// pod that names the claim and has no node yet. A DaemonSet makes its pods for their nodes, and no pod waits for what is scaled down.
func awaited(w *facts.World, p model.Object[*corev1.Pod]) ([]model.Ref, bool) {
	owner, owned := facts.ControllerOf(p)
	if !owned || owner.Kind == "StatefulSet" {
		return nil, owned && keeps(w, owner, p.Ref.Name)
	}
	var fresh facts.Refs
	for _, claim := range p.Value().Spec.Volumes {
		if claim.PersistentVolumeClaim == nil {
			continue
		}
		for _, o := range w.ClaimPods(p.Ref.Namespace, claim.PersistentVolumeClaim.ClaimName) {
			if o.Value().Spec.NodeName == "" && o.Value().DeletionTimestamp == nil && o.Value().Status.Phase == corev1.PodPending {
				fresh.Add(o.Ref)
			}
		}
	}
	return fresh.List, len(fresh.List) > 0
}

// keeps reports that a StatefulSet wants a pod of a name, as far as the bundle shows: it is not being deleted, nor scaled below it.
func keeps(w *facts.World, set model.Ref, pod string) bool {
	o, ok := facts.Found(w, w.StatefulSets, set)
	if !ok {
		return true
	}
	_, end, _ := facts.CutLast(pod)
	number, err := strconv.Atoi(end)
	start, replicas := 0, 1
	if s := o.Value().Spec.Ordinals; s != nil {
		start = int(s.Start)
	}
	if r := o.Value().Spec.Replicas; r != nil {
		replicas = int(*r)
	}
	return err == nil && o.Value().DeletionTimestamp == nil && number < start+replicas
}

// lateAttachment is from how long after the scheduling of its pod on a VolumeAttachment tells of a wait. The controller makes it within a
// second, ten when many volumes come at once, as the recordings have it; within a minute an ordinary move has ended, too.
const lateAttachment = time.Minute

// lateWaits are the waits of the past that objects alone show: the VolumeAttachment of a pod was made long after the pod was bound to its
// node, of a volume that is older than the pod. The controller makes it at once unless the volume is attached elsewhere
// (reconciler.go attachDesiredVolumes, 1.13–1.36). Where Events or a log would hold its report and do not, something else delayed it.
func lateWaits(w *facts.World, others map[*facts.Volume][]*demand) []*demand {
	var out []*demand
	for i, p := range w.Pods {
		for _, claim := range w.PodClaims[i] {
			v := w.Volumes.OfClaim(p.Ref.Namespace, claim)
			known := func(d *demand) bool {
				return d.pods.Has(p.Ref) || len(d.pods.List) == 0 || d.node == p.Value().Spec.NodeName
			}
			if v == nil || slices.ContainsFunc(others[v.Storage()], known) {
				continue
			}
			if d := lateWait(w, v, p); d != nil {
				out = append(out, d)
			}
		}
	}
	return out
}

func lateWait(w *facts.World, v *facts.Volume, p model.Object[*corev1.Pod]) *demand {
	node := p.Value().Spec.NodeName
	exclusive, _ := v.Exclusive()
	own, ok := w.AttachmentOf(v, node)
	placed := facts.Last(w.ByPod[p.Ref.String()], facts.Window{}, facts.And(facts.Kinds(model.PodScheduled), onNode(node), facts.OfPod(p.Ref)))
	if dated := placed != nil && !placed.At.IsZero() && placed.Source.Kind == model.SourceManifest; !dated || !exclusive || !ok {
		return nil
	}
	made := own.Value().CreationTimestamp.Time
	if made.Sub(placed.At.Latest) < lateAttachment || wouldBeReported(w, seen(placed), p.Ref.Namespace) {
		return nil
	}
	if startedBefore(p.Value(), made) || !olderThan(v, p.Value()) {
		return nil
	}
	const rule = "the pod was bound to its node, and the controller created its VolumeAttachment only later, which it does at once unless the " +
		"volume is attached elsewhere"
	began := model.Moment{At: placed.At.At.Add(reportSettle / 2), Earliest: placed.At.Earliest, Latest: placed.At.Latest.Add(reportSettle)}
	d := &demand{volume: v, node: node, pods: refsOf(p.Ref), reports: []*model.Observation{placed}, shown: true}
	d.began = derived(began, rule, placed, facts.Cite(own, "metadata.creationTimestamp"))
	if held := heldByOther(w, v, node); held != nil {
		d.from = held.Node
		d.began.Witness = append(d.began.Witness, held)
	} else {
		d.from, d.inferred = lostMeanwhile(w, node, placed.At.Earliest), true
	}
	return d
}

// startedBefore reports that a container of the pod ran, or may have run, before a time: its volumes were there. Of a container that was
// started again the first start is not known.
func startedBefore(p *corev1.Pod, t time.Time) bool {
	ran := func(s corev1.ContainerStatus) bool {
		if s.RestartCount > 0 {
			return true
		}
		if s.State.Running != nil {
			return s.State.Running.StartedAt.Time.Before(t.Add(-time.Second))
		}
		if s.State.Terminated != nil {
			return s.State.Terminated.StartedAt.Time.Before(t.Add(-time.Second))
		}
		return false
	}
	return slices.ContainsFunc(p.Status.ContainerStatuses, ran) || slices.ContainsFunc(p.Status.InitContainerStatuses, ran)
}

// provisioned is how long before a pod its volume is there that was made for it: applied together, they come within seconds.
const provisioned = 10 * time.Second

// olderThan reports that a volume was there well before a pod, so that another may have used it.
func olderThan(v *facts.Volume, p *corev1.Pod) bool {
	return v.PV != nil && !v.PV.Value().CreationTimestamp.IsZero() &&
		p.CreationTimestamp.Sub(v.PV.Value().CreationTimestamp.Time) >= provisioned
}

// heldByOther cites a VolumeAttachment of the volume for another node.
func heldByOther(w *facts.World, v *facts.Volume, node string) *model.Observation {
	for _, a := range w.AttachmentsOf(v) {
		if a.Value().Spec.NodeName != node {
			if held := facts.Cite(a, "spec.nodeName"); held != nil {
				held.Node = a.Value().Spec.NodeName
				return held
			}
		}
	}
	return nil
}

// lostMeanwhile is the only other node that was not Ready at a time, by its condition: since before and still, or until later; else "".
func lostMeanwhile(w *facts.World, node string, at time.Time) string {
	found := ""
	for _, n := range w.Nodes {
		r := w.Readiness(n.Ref.Name)
		if n.Ref.Name == node || r.Since.IsZero() || n.Value().CreationTimestamp.After(at) {
			continue
		}
		lost := !r.Ready && !r.Since.After(at) && at.Sub(r.Since.Time) < causalWindow
		back := r.Ready && r.Since.After(at)
		if !lost && !back {
			continue
		}
		if found != "" {
			return ""
		}
		found = n.Ref.Name
	}
	return found
}

// Late reports a wait of the past that objects alone show: that the VolumeAttachment was made late.
func (c *Case) Late() bool {
	return c.Shown && c.NewAttachment.Known() && c.NewAttachment.At.Sub(c.Began.At) >= lateAttachment
}
