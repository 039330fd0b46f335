package reconstruct

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// CountsNow is an old pod that counts as a user of the volume at the collection, by its object; false when none is known to.
func (c *Case) CountsNow() (model.Ref, bool) {
	if c.Variant == model.ExclusivelyAttached {
		return model.Ref{}, false
	}
	for _, p := range c.OldPods {
		if pod, ok := c.World.Pod(p); ok && Counts(pod.Value()) {
			return p, true
		}
	}
	return model.Ref{}, false
}

// heldNow reports that nobody had asked for the detach of the blocking attachment by the end of the evidence: its object has no
// deletionTimestamp, or a log of the controller covers the wait without a detach.
func (c *Case) heldNow() bool {
	if c.DetachRequested.Known() {
		return false
	}
	if a := c.Attachment.Object; a != nil && c.ObjectHeld() {
		return a.Value().DeletionTimestamp == nil
	}
	// The controller takes a volume off the Node's volumesAttached before it detaches it, and begins no detach from a node that
	// works and has it in use.
	return c.AttachedByNode() != nil || c.InUse() != nil && !c.NotReady.Known() || c.controllerSilent(c.Began)
}

// shownThere reports that a pasted row or the last samples of metrics show the volume attached to the old node at the
// collection. Neither tells whether the attachment is being deleted.
func (c *Case) shownThere() bool {
	at := c.World.Axis.CapturedAt
	return slices.ContainsFunc(c.World.byVolume[c.Volume], func(o *model.Observation) bool {
		if !attachedIn(o) || o.Node != c.From {
			return false
		}
		return o.Source.Kind == model.SourceText && o.At.IsZero() || o.Source.Kind == model.SourceMetric && at != nil && !o.Last.Latest.Before(at.Earliest.Add(-nearlyOver))
	})
}

// leavesNow reports that the blocking attachment was being deleted at the end of the evidence and still there: its object says
// so, or a log of the controller goes on after the request without an end of the detach.
func (c *Case) leavesNow() bool {
	if a := c.Attachment.Object; a != nil && c.ObjectHeld() {
		return a.Value().DeletionTimestamp != nil
	}
	return c.DetachRequested.Known() && !c.Gone.Known() && c.controllerSilent(c.DetachRequested)
}

// ObjectHeld reports that the attachment object in the bundle is the one that held the volume last while the wait lasted.
func (c *Case) ObjectHeld() bool {
	a := c.Attachment.Object
	if a == nil {
		return false
	}
	if !c.Returned() {
		return c.firstObject()
	}
	made, held := a.Value().CreationTimestamp.Time, c.Held().Created
	return !made.Before(held.Earliest.Add(-remade)) && !made.After(held.Latest.Add(remade))
}

// nearlyOver is how long before the collection a log may end that is taken to cover it.
const nearlyOver = time.Minute

// controllerSilent reports that a log of the attach/detach controller reaches from an instant to the collection.
func (c *Case) controllerSilent(since Instant) bool {
	at := c.World.Axis.CapturedAt
	if at == nil || !c.World.LogCovers() {
		return false
	}
	return slices.ContainsFunc(c.World.logs["kube-controller-manager"], func(in *model.Input) bool {
		return in.From != nil && in.To != nil && !in.From.After(since.Earliest) && !in.To.Before(at.Earliest.Add(-nearlyOver))
	})
}

// NotReadyNow cites a waiting pod of the bundle that is not Ready at the collection: it says so, or has not started; nil when none
// shows that. One that is being deleted waits no more.
func (c *Case) NotReadyNow() *model.Observation {
	for _, p := range c.NewPods {
		pod, ok := c.World.Pod(p)
		if !ok || pod.Value().DeletionTimestamp != nil {
			continue
		}
		ready := corev1.ConditionUnknown
		for _, cond := range pod.Value().Status.Conditions {
			if cond.Type == corev1.PodReady {
				ready = cond.Status
			}
		}
		if ready == corev1.ConditionFalse || ready == corev1.ConditionUnknown && pod.Value().Status.Phase == corev1.PodPending {
			return Cite(pod, "status.phase")
		}
	}
	return nil
}

// goneByAbsence is when the old pods were gone at the latest, by lists that lack them: a complete list of the pods of their
// namespace, made after the wait began, or a later pod of the same name. Unknown unless it holds for each of them.
func (c *Case) goneByAbsence() Instant {
	var latest Instant
	for _, p := range c.OldPods {
		by := c.replacedBy(p)
		if !by.Known() {
			by = c.absentAt(p)
		}
		if !by.Known() {
			return Instant{}
		}
		if by.Latest.After(latest.Latest) {
			latest = by
		}
	}
	if !latest.Known() {
		return Instant{}
	}
	from := c.Began.Earliest
	if c.Variant == model.ExclusivelyAttached || latest.Latest.Before(from) {
		from = earliest(c.lastHeld(), latest.Earliest)
	}
	return derived(model.Between(from, latest.Latest), latest.Rule, latest.Witness...)
}

// replacedBy is the creation of a later pod of the same name: the name is given again only when the object is gone.
func (c *Case) replacedBy(p model.Ref) Instant {
	pod, ok := c.World.Pod(model.Ref{Kind: "Pod", Namespace: p.Namespace, Name: p.Name})
	if !ok || p.UID == "" || string(pod.Value().UID) == p.UID || pod.Value().CreationTimestamp.IsZero() {
		return Instant{}
	}
	made := model.WholeSecond(pod.Value().CreationTimestamp.Time)
	return derived(made, "its name was given to another pod, which is possible only when its object is gone", Cite(pod, "metadata.creationTimestamp"), Cite(pod, "metadata.uid"))
}

// absentAt is the collection that lists the pods of a namespace without one of them.
func (c *Case) absentAt(p model.Ref) Instant {
	if p.Name == "" || p.Namespace == "" || len(c.World.Snapshot.Collections) > 1 || !c.World.Listed("Pod", p.Namespace) {
		return Instant{} // of several collections one may be older than the wait
	}
	if _, ok := c.World.Pod(model.Ref{Kind: "Pod", Namespace: p.Namespace, Name: p.Name}); ok {
		return Instant{}
	}
	at := c.World.Axis.CapturedAt
	if at == nil || !at.Latest.After(c.Began.Latest) || !slices.ContainsFunc(c.World.Pods, func(o model.Object[*corev1.Pod]) bool { return o.Ref.Namespace == p.Namespace }) {
		return Instant{}
	}
	var shown *model.Observation
	for _, o := range c.World.Pods {
		if o.Ref.Namespace == p.Namespace {
			shown = Cite(o, "metadata.name")
			break
		}
	}
	return derived(*at, "the bundle lists the pods of its namespace without it", shown)
}
