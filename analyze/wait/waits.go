package wait

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// refusalLasts is for how long a back end may refuse an attach as part of an ordinary move: it takes its time to detach.
const refusalLasts = time.Minute

// refusedWaits are the waits in which the controller did not report Multi-Attach and the back end refuses, because another machine has the
// volume: the attach, or later the mapping or the mount. Refusals that a success followed within a minute were an ordinary move.
func refusedWaits(w *facts.World, others map[*facts.Volume][]*demand) []*demand {
	own := map[*facts.Volume][]*demand{}
	var out []*demand
	for _, kind := range []model.Kind{model.AttachFailed, model.AttachmentAttachError, model.AttacherFailed, model.MountFailed} {
		for _, o := range w.ByKind[kind] {
			v := w.Volumes.Find(o.Volume)
			if v == nil || o.At.IsZero() || len(others[v.Storage()]) > 0 {
				continue
			}
			node, pods := o.Node, wanting(o)
			if node == "" {
				node = nodeOfPods(w, pods, o.At.At)
			}
			if !facts.StorageRefuses(o, node) {
				continue
			}
			i := slices.IndexFunc(own[v], func(d *demand) bool { return d.node == node || d.node == "" || node == "" })
			if i < 0 {
				d := &demand{volume: v, node: node, refused: true}
				if held := heldElsewhere(w, v, node); held != nil {
					d.from = held.Node
				}
				i, own[v], out = len(own[v]), append(own[v], d), append(out, d)
			}
			own[v][i].add(o, node, pods)
		}
	}
	for _, d := range out {
		slices.SortStableFunc(d.reports, (*model.Observation).Compare)
	}
	return slices.DeleteFunc(out, func(d *demand) bool { return passed(w, d) })
}

// NotHere reports that all refusals are of mounts, since the storage has not given the volume to the node that mounts it.
func (c *Case) NotHere() bool {
	list := c.Refusals()
	return len(list) > 0 && !slices.ContainsFunc(list, func(o *model.Observation) bool { return !upstream.NotHere(o.Detail) })
}

// passed reports that the volume was attached, or its pod had it, soon after the first refusal.
func passed(w *facts.World, d *demand) bool {
	soon := facts.During(d.start(), d.start().Add(refusalLasts))
	for _, p := range d.pods.List {
		if facts.First(w.ByPod[p.String()], soon, hasVolumes) != nil {
			return true
		}
	}
	return facts.First(w.ByVolume[d.volume], soon, facts.Kinds(model.AttachSucceeded, model.AttacherAttached, model.MountSucceeded)) != nil
}

// RefusedAt is the stage of a refused wait: attach, or mount where the volume had been attached.
func (c *Case) RefusedAt() string {
	other := func(o *model.Observation) bool { return o.Kind != model.MountFailed }
	if refusals := c.Refusals(); len(refusals) > 0 && !slices.ContainsFunc(refusals, other) {
		return "mount"
	}
	return "attach"
}

// Refusals are the refused attaches of a case that they alone show.
func (c *Case) Refusals() []*model.Observation {
	return facts.Where(c.Reports, func(*model.Observation) bool { return c.Refused })
}

// stuckDetaches are volumes of which a failing detach is all that is shown, where nothing could show a wait.
func stuckDetaches(w *facts.World) []*demand {
	if len(w.Pods) > 0 || w.LogCovers() || w.EventsCover() {
		return nil
	}
	errors := slices.Concat(w.ByKind[model.AttachmentDetachError], w.ByKind[model.DetachFailed])
	return perVolume(w, facts.Where(errors, facts.StuckThere), demand{stuck: true})
}

// perVolume makes a demand of the first statement about each volume.
func perVolume(w *facts.World, list []*model.Observation, like demand) (out []*demand) {
	for _, o := range list {
		v := w.Volumes.Find(o.Volume)
		if v != nil && !o.At.IsZero() && !slices.ContainsFunc(out, func(d *demand) bool { return d.volume == v }) {
			d := like
			d.volume, d.reports = v, []*model.Observation{o}
			out = append(out, &d)
		}
	}
	return out
}

// takenByForce are volumes detached by force under a name that a known error makes, where nothing could show a wait.
func takenByForce(w *facts.World) []*demand {
	if len(w.Pods) > 0 || w.EventsCover() {
		return nil
	}
	return perVolume(w, facts.Where(w.ByKind[model.DetachForcedTimeout], func(o *model.Observation) bool {
		_, marked := upstream.BugOf(o.Volume.UniqueName)
		return marked
	}), demand{taken: true})
}

// DetachStuck are the errors of the detach from the old node that a pasted VolumeAttachment keeps; none when it went through.
func (c *Case) DetachStuck() []*model.Observation {
	return facts.Where(c.World.ByVolume[c.Volume], func(o *model.Observation) bool {
		return facts.StuckThere(o) && mayBeOn(c.From)(o) && c.World.DetachedSince(o) == nil
	})
}

// reportSettle is how soon after the scheduling of its pod the controller reports Multi-Attach: up to 1.04 s in the recordings.
const reportSettle = 1100 * time.Millisecond

// eventsLast is how far back a list of Events surely reaches: the API server keeps one for an hour (--event-ttl).
const eventsLast = 55 * time.Minute

// shownWaits are the waits that objects alone show at the collection: a pod is bound to a node and waits for its containers, and its
// exclusive volume is attached to another node and not to its own (reconciler.go attachDesiredVolumes, 1.13–1.36). Where Events or a log
// of the controller would hold its report and do not, something else keeps the pod.
func shownWaits(w *facts.World, reported map[*facts.Volume][]*demand) []*demand {
	var out []*demand
	type use struct {
		volume *facts.Volume
		pod    model.Ref
	}
	shown := map[use]bool{}
	for i, p := range w.Pods {
		for _, claim := range w.PodClaims[i] {
			v := w.Volumes.OfClaim(p.Ref.Namespace, claim)
			here := func(d *demand) bool { return d.volume == v && d.pods.Has(p.Ref) }
			if v == nil || shown[use{v, p.Ref}] || !waits(p.Value()) {
				continue
			}
			if slices.ContainsFunc(reported[v.Storage()], here) {
				continue
			}
			if d := shownWait(w, v, p); d != nil {
				out, shown[use{v, p.Ref}] = append(out, d), true
			}
		}
	}
	return out
}

// WaitsForContainers reports of a pod's object that it has a node and none of its containers has been made.
func WaitsForContainers(p model.Object[*corev1.Pod]) bool { return waits(p.Value()) }

// waits reports that a pod has a node and none of its containers has been made.
func waits(p *corev1.Pod) bool {
	if p.Spec.NodeName == "" || p.DeletionTimestamp != nil || p.Status.Phase != corev1.PodPending {
		return false
	}
	made := func(s corev1.ContainerStatus) bool {
		return s.State.Waiting == nil || s.State.Waiting.Reason != "ContainerCreating" && s.State.Waiting.Reason != "PodInitializing"
	}
	return !slices.ContainsFunc(p.Status.ContainerStatuses, made) && !slices.ContainsFunc(p.Status.InitContainerStatuses, made)
}

func shownWait(w *facts.World, v *facts.Volume, p model.Object[*corev1.Pod]) *demand {
	node := p.Value().Spec.NodeName
	exclusive, _ := v.Exclusive()
	held := heldElsewhere(w, v, node)
	placed := facts.Last(w.ByPod[p.Ref.String()], facts.Window{}, facts.And(facts.Kinds(model.PodScheduled), onNode(node), facts.OfPod(p.Ref)))
	if !exclusive || held == nil || placed == nil {
		return nil
	}
	if attachFails(w, v, node) || wouldBeReported(w, seen(placed), p.Ref.Namespace) {
		return nil
	}
	const rule = "the pod was bound to its node while the volume was attached to another, and the controller attaches it to one only"
	began := model.Moment{At: placed.At.At.Add(reportSettle / 2), Earliest: placed.At.Earliest, Latest: placed.At.Latest.Add(reportSettle)}
	return &demand{volume: v, node: node, pods: refsOf(p.Ref), reports: []*model.Observation{placed}, from: held.Node, shown: true,
		began: derived(began, rule, placed, held)}
}

// attachFails reports that a VolumeAttachment on a node tells of a failed attach: the controller has let go, and something else refuses.
func attachFails(w *facts.World, v *facts.Volume, node string) bool {
	va, ok := w.AttachmentOf(v, node)
	return ok && va.Value().Status.AttachError != nil
}

// heldElsewhere cites the VolumeAttachment by which a volume is attached to a node other than one; nil when it is attached there, too.
func heldElsewhere(w *facts.World, v *facts.Volume, node string) *model.Observation {
	var held *model.Observation
	for _, a := range w.AttachmentsOf(v) {
		switch {
		case !a.Value().Status.Attached:
		case a.Value().Spec.NodeName == node:
			return nil
		default:
			if held = facts.Cite(a, "status.attached"); held != nil {
				held.Node = a.Value().Spec.NodeName
			}
		}
	}
	return held
}

// wouldBeReported reports that Events or a log would hold the controller's report of a wait that began at a time.
func wouldBeReported(w *facts.World, began facts.Instant, namespace string) bool {
	at := w.Axis.CapturedAt
	if at != nil && at.Latest.Sub(began.Earliest) < eventsLast && w.Listed("Event", namespace) {
		return true
	}
	return w.LogAt(facts.ControllerManager, began) && w.LogCovers()
}
