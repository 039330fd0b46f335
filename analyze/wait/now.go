package wait

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// CountsNow reports that an old pod counts as a user of the volume at the collection, by its object.
func (c *Case) CountsNow() bool {
	return c.Variant != model.ExclusivelyAttached && slices.ContainsFunc(c.World.Held(c.OldPods), func(p model.Object[*corev1.Pod]) bool {
		return Counts(p.Value())
	})
}

// heldNow reports that no detach of the blocking attachment was requested by the end of the evidence: its object has no
// deletionTimestamp, or a log of the controller covers the wait without a detach.
func (c *Case) heldNow() bool {
	if c.DetachRequested.Known() {
		return false
	}
	if a := c.Attachment.Object; c.ObjectHeld() {
		return a.Value().DeletionTimestamp == nil
	}
	// The controller takes it off volumesAttached before a detach, and begins none from a node that works and has it in use.
	inUse := c.InUse() != nil && !c.NotReady.Known()
	return inUse || c.AttachedByNode() != nil || c.controllerSilent(c.Began)
}

// shownThere reports that a pasted row, the last samples or what came last show the volume attached to the old node, its attachment deleted or not.
func (c *Case) shownThere() bool {
	at := c.World.Axis.CapturedAt
	return slices.ContainsFunc(c.said(), func(o *model.Observation) bool {
		if !facts.AttachedIn(o) || o.Node != c.From {
			return false
		}
		last := at != nil && !o.Last.Latest.Before(at.Earliest.Add(-nearlyOver))
		return printed(o) || last
	})
}

// leavesNow reports that the blocking attachment was being deleted at the end of the evidence and still there: its object says
// so, or a log of the controller goes on after the request without an end of the detach.
func (c *Case) leavesNow() bool {
	if a := c.Attachment.Object; c.ObjectHeld() {
		return a.Value().DeletionTimestamp != nil
	}
	return c.DetachRequested.Known() && !c.Gone.Known() && c.controllerSilent(c.DetachRequested)
}

// GoneRecorded reports that the end of the old attachment is known by more than the later attach.
func (c *Case) GoneRecorded() bool {
	ends := []model.Kind{model.AttachmentGone, model.AttacherDetached, model.DetachSucceeded, model.VolumeMarkedDetached}
	ended := func(o *model.Observation) bool { return slices.Contains(ends, o.Kind) }
	return c.Gone.Known() && c.Gone.Basis != model.Assumed && slices.ContainsFunc(c.Gone.Witness, ended)
}

// LetGo reports that the detach from the old node is recorded, and nothing shows that the volume came to another node since.
func (c *Case) LetGo() bool { return !c.Resolved() && c.GoneRecorded() }

// ObjectHeld reports that the attachment object in the bundle is the one that held the volume last while the wait lasted.
func (c *Case) ObjectHeld() bool {
	if c.Returned() {
		return c.objectMade(c.Held().Created)
	}
	return c.firstObject()
}

// nearlyOver is how long before the collection a log may end that is taken to cover it.
const nearlyOver = time.Minute

// controllerSilent reports that a log of the attach/detach controller reaches from an instant to the collection.
func (c *Case) controllerSilent(since facts.Instant) bool {
	at := c.World.Axis.CapturedAt
	return at != nil && c.World.LogCovers() && slices.ContainsFunc(c.World.Logs[facts.ControllerManager], func(in *model.Input) bool {
		return facts.Covers(in, since.Earliest, at.Earliest.Add(-nearlyOver))
	})
}

// NotReadyNow cites a waiting pod that is not Ready at the collection, or has not started, and is not being deleted; else nil.
func (c *Case) NotReadyNow() *model.Observation {
	for _, p := range c.World.Held(c.NewPods) {
		cond, field := facts.PodCondition(p.Value(), corev1.PodReady)
		pending := (field == "" || cond.Status == corev1.ConditionUnknown) && p.Value().Status.Phase == corev1.PodPending
		if p.Value().DeletionTimestamp == nil && (cond.Status == corev1.ConditionFalse || pending) {
			return facts.Cite(p, "status.phase")
		}
	}
	return nil
}

// goneByAbsence is when the old pods were gone at the latest, by a complete list of the pods of their namespace that lacks them, or a
// later pod of the same name. Unknown unless it holds for each.
func (c *Case) goneByAbsence() facts.Instant {
	var latest facts.Instant
	for _, p := range c.OldPods {
		by := either(c.replacedBy(p), c.absentAt(p))
		if !by.Known() {
			return facts.Instant{}
		}
		if by.Latest.After(latest.Latest) {
			latest = by
		}
	}
	if !latest.Known() {
		return latest
	}
	from := c.Began.Earliest
	if c.Variant == model.ExclusivelyAttached || latest.Latest.Before(from) {
		from = model.Earlier(c.lastHeld(), latest.Earliest)
	}
	return derived(model.Between(from, latest.Latest), latest.Rule, latest.Witness...)
}

// replacedBy is the creation of a later pod of the same name: the name is given again only when the object is gone.
func (c *Case) replacedBy(p model.Ref) facts.Instant {
	pod, ok := c.World.Pod(model.Ref{Kind: "Pod", Namespace: p.Namespace, Name: p.Name})
	if another := ok && p.UID != "" && pod.Ref.UID != p.UID; !another || pod.Value().CreationTimestamp.IsZero() {
		return facts.Instant{}
	}
	made := model.WholeSecond(pod.Value().CreationTimestamp.Time)
	return derived(made, "its name was given to another pod, which is possible only when its object is gone",
		facts.Cite(pod, "metadata.creationTimestamp"), facts.Cite(pod, "metadata.uid"))
}

// absentAt is the collection, if it is one, that lists the pods of a namespace without one of them.
func (c *Case) absentAt(p model.Ref) facts.Instant {
	at, w := c.World.Axis.CapturedAt, c.World
	_, there := w.Pod(model.Ref{Kind: "Pod", Namespace: p.Namespace, Name: p.Name})
	listed := p.Namespace != "" && len(w.Snapshot.Collections) <= 1 && w.Listed("Pod", p.Namespace)
	if there || p.Name == "" || !listed {
		return facts.Instant{}
	}
	if at == nil || !at.Latest.After(c.Began.Latest) {
		return facts.Instant{}
	}
	other := slices.IndexFunc(w.Pods, func(o model.Object[*corev1.Pod]) bool { return o.Ref.Namespace == p.Namespace })
	if other < 0 {
		return facts.Instant{}
	}
	return derived(*at, "the bundle lists the pods of its namespace without it", facts.Cite(w.Pods[other], "metadata.name"))
}

// countsAt reports that an old pod is proven to have counted as a user of the volume at a time: it still does, or ended later.
func (c *Case) countsAt(t time.Time) bool {
	since := func(o *model.Observation) bool { return !o.At.Earliest.Before(t) }
	switch asked := c.DeletionRequested; {
	case c.Variant == model.ExclusivelyAttached:
		return false
	case slices.ContainsFunc(c.Mirrors, since):
		return true // it was reported as waiting for the volume itself
	case slices.ContainsFunc(c.World.Held(c.OldPods), func(p model.Object[*corev1.Pod]) bool {
		return Counts(p.Value()) && !p.Value().CreationTimestamp.Time.After(t)
	}):
		return true
	case asked.Known() && !asked.Earliest.Before(t.Add(-killSettle)) && !c.OldPodFinished.Known():
		return true // a pod that was not asked to go counts until it finishes
	}
	old := c.about(c.OldPods)
	return slices.ContainsFunc(c.OldPods, func(p model.Ref) bool {
		o := facts.First(old, facts.Window{}, facts.And(facts.OfPod(p), facts.Kinds(model.PodGone, model.PodForceDeleted, model.PodFinished, model.PodContainersStopped)))
		return o != nil && since(o)
	})
}

// Counts reports that the attach/detach controller counts a pod object as a user of its volumes: it has not finished, and it is
// not both being deleted and without a running container (IsPodTerminated, pkg/volume/util, 1.13–1.36).
func Counts(p *corev1.Pod) bool {
	runs := func(s corev1.ContainerStatus) bool { return s.State.Terminated == nil && s.State.Waiting == nil }
	return !facts.Finished(p) && (p.DeletionTimestamp == nil || slices.ContainsFunc(p.Status.ContainerStatuses, runs))
}
