package wait

import (
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// reportSettle is how soon after the scheduling of its pod the controller reports Multi-Attach: up to 1.04 s in the recordings.
const reportSettle = 1100 * time.Millisecond

// eventsLast is how far back a list of Events surely reaches: the API server keeps one for an hour (--event-ttl).
const eventsLast = 55 * time.Minute

// lateAttachment is from how long after the scheduling of its pod on a VolumeAttachment tells of a wait. The controller makes it within a
// second, ten when many volumes come at once, as the recordings have it; within a minute an ordinary move has ended, too.
const lateAttachment = time.Minute

// shownWaits are the waits that objects alone show at the collection: a pod is bound to a node and waits for its containers, and its
// exclusive volume is attached to another node and not to its own (reconciler.go attachDesiredVolumes, 1.13–1.36).
func shownWaits(w *facts.World, others byStorage) (out []*Case) {
	for p, v := range claimed(w) {
		here := func(c *Case) bool { return c.Volume == v && c.fresh.Has(p.Ref) }
		if !WaitsForContainers(p) || slices.ContainsFunc(others[v.Storage()], here) {
			continue
		}
		node, held, placed := p.Value().Spec.NodeName, heldElsewhere(w, v, p.Value().Spec.NodeName), unreported(w, v, p)
		if va, ok := w.AttachmentOf(v, node); ok && va.Value().Status.AttachError != nil {
			continue // the controller has let go, and something else refuses
		}
		if held != nil && placed != nil {
			const rule = "the pod was bound to its node while the volume was attached to another, and the controller attaches it to one only"
			c := shownWait(v, p, placed, rule, held)
			c.From = held.Node
			out = append(out, c)
		}
	}
	return out
}

// unreported is the record by which a pod with an exclusive volume was bound to its node; nil where Events or a log of the controller
// would hold its report of a wait and do not: then something else keeps the pod.
func unreported(w *facts.World, v *facts.Volume, p model.Object[*corev1.Pod]) *model.Observation {
	placed := facts.Last(w.ByPod[p.Ref.String()], facts.Window{},
		facts.And(facts.Kinds(model.PodScheduled), onNode(p.Value().Spec.NodeName), facts.OfPod(p.Ref)))
	if !v.Exclusive() || placed == nil {
		return nil
	}
	at := w.Axis.CapturedAt
	if recent := at != nil && at.Latest.Sub(placed.At.Earliest) < eventsLast; recent && w.Listed("Event", p.Ref.Namespace) {
		return nil
	}
	if w.LogAt(facts.ControllerManager, seen(placed)) && w.LogCovers() {
		return nil
	}
	return placed
}

// shownWait is a wait of a pod since it was bound to its node.
func shownWait(v *facts.Volume, p model.Object[*corev1.Pod], placed *model.Observation, rule string, shows *model.Observation) *Case {
	began := model.Moment{At: placed.At.At.Add(reportSettle / 2), Earliest: placed.At.Earliest, Latest: placed.At.Latest.Add(reportSettle)}
	return &Case{Volume: v, To: p.Value().Spec.NodeName, fresh: refsOf(p.Ref), Reports: []*model.Observation{placed}, Shown: true,
		Began: derived(began, rule, placed, shows)}
}

// WaitsForContainers reports of a pod's object that it has a node and none of its containers has been made.
func WaitsForContainers(o model.Object[*corev1.Pod]) bool {
	p := o.Value()
	return p.Spec.NodeName != "" && p.DeletionTimestamp == nil && facts.Creating(p)
}

func containers(p *corev1.Pod) []corev1.ContainerStatus {
	return slices.Concat(p.Status.ContainerStatuses, p.Status.InitContainerStatuses)
}

// heldElsewhere cites what shows a volume attached to a node other than one; nil when it is attached there, too.
func heldElsewhere(w *facts.World, v *facts.Volume, node string) *model.Observation {
	held, _ := w.AttachmentStates(v)
	if slices.ContainsFunc(held, onNode(node)) {
		return nil
	}
	return facts.Find(held, func(o *model.Observation) bool { return o.Node != "" })
}

// lateWaits are the waits of the past that objects alone show: the VolumeAttachment of a pod was made long after the pod was bound to its
// node, of a volume that is older than the pod. The controller makes it at once unless the volume is attached elsewhere
// (reconciler.go attachDesiredVolumes, 1.13–1.36).
func lateWaits(w *facts.World, others byStorage) (out []*Case) {
	for p, v := range claimed(w) {
		known := func(c *Case) bool {
			return c.fresh.Has(p.Ref) || len(c.fresh.List) == 0 || c.To == p.Value().Spec.NodeName
		}
		if slices.ContainsFunc(others[v.Storage()], known) {
			continue
		}
		if c := lateWait(w, v, p); c != nil {
			out = append(out, c)
		}
	}
	return out
}

func lateWait(w *facts.World, v *facts.Volume, p model.Object[*corev1.Pod]) *Case {
	node := p.Value().Spec.NodeName
	own, ok := w.AttachmentOf(v, node)
	if !ok {
		return nil
	}
	placed := unreported(w, v, p)
	if dated := placed != nil && !placed.At.IsZero() && placed.Source.Kind == model.SourceManifest; !dated {
		return nil
	}
	made := own.Value().CreationTimestamp.Time
	if made.Sub(placed.At.Latest) < lateAttachment || startedBefore(p.Value(), made) || !olderThan(v, p.Value()) {
		return nil
	}
	const rule = "the pod was bound to its node, and the controller created its VolumeAttachment only later, which it does at once unless the " +
		"volume is attached elsewhere"
	c := shownWait(v, p, placed, rule, facts.Cite(own, "metadata.creationTimestamp"))
	held, pending := w.AttachmentStates(v)
	other := facts.Find(append(held, pending...), func(o *model.Observation) bool { return o.Node != node })
	if other != nil {
		c.From, c.Began.Witness = other.Node, append(c.Began.Witness, other)
		return c
	}
	c.From = lostMeanwhile(w, node, placed.At.Earliest)
	c.Inferred = c.From != ""
	return c
}

// startedBefore reports that a container of the pod ran, or may have run, before a time: its volumes were there. Of a container that was
// started again the first start is not known.
func startedBefore(p *corev1.Pod, t time.Time) bool {
	return slices.ContainsFunc(containers(p), func(s corev1.ContainerStatus) bool {
		since := t
		if s.State.Running != nil {
			since = s.State.Running.StartedAt.Time
		} else if s.State.Terminated != nil {
			since = s.State.Terminated.StartedAt.Time
		}
		return s.RestartCount > 0 || since.Before(t.Add(-time.Second))
	})
}

// provisioned is how long before a pod its volume is there that was made for it: applied together, they come within seconds.
const provisioned = 10 * time.Second

// olderThan reports that a volume was there well before a pod, so that another may have used it.
func olderThan(v *facts.Volume, p *corev1.Pod) bool {
	return v.PV != nil && !v.PV.Value().CreationTimestamp.IsZero() &&
		p.CreationTimestamp.Sub(v.PV.Value().CreationTimestamp.Time) >= provisioned
}

// lostMeanwhile is the only other node that was not Ready at a time, by its condition: since before and still, or until later; else "".
func lostMeanwhile(w *facts.World, node string, at time.Time) string {
	lost := facts.Where(w.Nodes, func(n model.Object[*corev1.Node]) bool {
		r := w.Readiness(n.Ref.Name)
		if n.Ref.Name == node || r.Since.IsZero() || n.Value().CreationTimestamp.After(at) {
			return false
		}
		return r.Ready == r.Since.After(at) && (r.Ready || at.Sub(r.Since.Time) < causalWindow)
	})
	if len(lost) != 1 {
		return ""
	}
	return lost[0].Ref.Name
}

// Late reports a wait of the past that objects alone show: that the VolumeAttachment was made late.
func (c *Case) Late() bool {
	return c.Shown && c.NewAttachment.Known() && c.NewAttachment.At.Sub(c.Began.At) >= lateAttachment
}

// beforeWaits are the waits that have not come to an attach: a pod is being deleted on a node that is lost, its exclusive volume is
// attached there, and the pod that is to take its place cannot be made, or has no node, without which the controller does not report
// Multi-Attach. The world is that of the newest collection: an earlier one is part of what followed.
func beforeWaits(w *facts.World, others byStorage) (out []*Case) {
	w = w.AtCollection()
	found := map[*facts.Volume]bool{}
	for p, v := range claimed(w) {
		if found[v] || !stranded(w, p) {
			continue
		}
		if c := beforeWait(w, v, p, others[v.Storage()]); c != nil {
			out, found[v] = append(out, c), true
		}
	}
	return out
}

// beforeWait is the wait for the volume of a stranded pod; nil when its node does not hold it, or a pod of the claim has another node; and
// when another wait for the storage is what came of it, or goes on beside it: pods of another node have wanted the volume since it was on
// this one, and were not seen to go.
func beforeWait(w *facts.World, v *facts.Volume, p model.Object[*corev1.Pod], others []*Case) *Case {
	node := p.Value().Spec.NodeName
	fresh, awaited := awaited(w, p)
	held := heldOn(w, v, node)
	placed := func(o model.Object[*corev1.Pod]) bool {
		return o.Value().Spec.NodeName != "" && o.Value().Spec.NodeName != node && Counts(o.Value())
	}
	asked := facts.Last(w.ByPod[p.Ref.String()], facts.Window{}, func(o *model.Observation) bool {
		return o.Kind == model.PodDeletionRequested && o.Source.Kind == model.SourceManifest && o.Pod.Is(p.Ref)
	})
	if wanted := awaited && v.Exclusive(); !wanted || held == nil || asked == nil {
		return nil
	}
	overtakes := func(c *Case) bool {
		wanted := len(c.fresh.List) == 0 || !ended(w, c.fresh.List, c.start(), time.Time{})
		return wanted && c.To != node && !held.At.At.After(c.start())
	}
	if slices.ContainsFunc(w.PodsOf(v), placed) || slices.ContainsFunc(others, overtakes) {
		return nil
	}
	return &Case{Volume: v, From: node, Before: true, fresh: refsOf(fresh...), Reports: []*model.Observation{asked}, Began: seen(asked)}
}

// heldOn cites what shows a volume attached to a node, and not asked to be detached: the VolumeAttachment, or the Node's own list.
func heldOn(w *facts.World, v *facts.Volume, node string) *model.Observation {
	a, ok := w.AttachmentOf(v, node)
	if !ok {
		return w.ListedAttached(v, node)
	}
	held := facts.Cite(a, "status.attached")
	if a.Value().DeletionTimestamp != nil || !a.Value().Status.Attached || held == nil {
		return nil
	}
	held.At = model.WholeSecond(a.Value().CreationTimestamp.Time)
	return held
}

// stranded reports that a pod is being deleted on a node that cannot end it. A kubelet that says itself that its node is not Ready
// may still end a pod, for which it has the grace period and some time.
func stranded(w *facts.World, p model.Object[*corev1.Pod]) bool {
	pod := p.Value()
	asked, node := pod.DeletionTimestamp, pod.Spec.NodeName
	if asked == nil || node == "" || !Counts(pod) {
		return false
	}
	if at := w.Axis.CapturedAt; w.Readiness(node).Status == corev1.ConditionFalse {
		return at != nil && at.Earliest.Sub(asked.Time) > endsWithin
	}
	word, _ := w.NodeNow(node)
	return word == model.StateNotReady
}

// endsWithin is how long after its grace period a pod may take that its kubelet ends: the recordings show up to 11 s.
const endsWithin = time.Minute

// rowOf is the row of a pasted list that shows a node as Ready, or not: it has no time.
func rowOf(w *facts.World, node string, kind model.Kind) *model.Observation {
	timeless := func(o *model.Observation) bool { return o.At.IsZero() }
	return facts.Find(w.ByNode[node], facts.And(facts.Kinds(kind), facts.IsNode, timeless))
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
	below := 1
	if r := o.Value().Spec.Replicas; r != nil {
		below = int(*r)
	}
	if s := o.Value().Spec.Ordinals; s != nil {
		below += int(s.Start)
	}
	return err == nil && o.Value().DeletionTimestamp == nil && number < below
}
