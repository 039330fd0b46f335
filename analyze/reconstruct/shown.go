package reconstruct

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// reportSettle is how soon after the scheduling of its pod the controller reports Multi-Attach: up to 1.04 s in the recordings.
const reportSettle = 1100 * time.Millisecond

// eventsLast is how far back a list of Events surely reaches: the API server keeps one for an hour (--event-ttl), and the
// collection takes its time.
const eventsLast = 55 * time.Minute

// shownWaits are the waits that objects alone show at the collection: a pod is bound to a node and waits for its containers, and
// the volume of its claim, which one node may have, is attached to another node and not to its own. The controller attaches
// nothing then (reconciler.go attachDesiredVolumes, 1.13–1.36). Where Events or a log of the controller would hold its report
// and do not, something else keeps the pod.
func shownWaits(w *World, reported map[*Volume][]*demand) []*demand {
	var out []*demand
	type use struct {
		volume *Volume
		pod    model.Ref
	}
	shown := map[use]bool{}
	for i, p := range w.Pods {
		if !waits(p.Value()) {
			continue
		}
		for _, claim := range w.claims[i] {
			v := w.Volumes.OfClaim(p.Ref.Namespace, claim)
			if v == nil || shown[use{v, p.Ref}] || slices.ContainsFunc(reported[v.Storage()], func(d *demand) bool { return d.volume == v && d.pods.has(p.Ref) }) {
				continue
			}
			if d := shownWait(w, v, p); d != nil {
				out, shown[use{v, p.Ref}] = append(out, d), true
			}
		}
	}
	return out
}

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

func shownWait(w *World, v *Volume, p model.Object[*corev1.Pod]) *demand {
	node := p.Value().Spec.NodeName
	if exclusive, known := v.Exclusive(); !known || !exclusive {
		return nil
	}
	held := heldElsewhere(w, v, node)
	placed := last(w.byPod[p.Ref.String()], window{}, func(o *model.Observation) bool {
		return o.Kind == model.PodScheduled && o.Node == node && o.Pod.Is(p.Ref)
	})
	if held == nil || placed == nil || w.wouldBeReported(seen(placed), p.Ref.Namespace) {
		return nil
	}
	began := model.Moment{At: placed.At.At.Add(reportSettle / 2), Earliest: placed.At.Earliest, Latest: placed.At.Latest.Add(reportSettle)}
	d := &demand{volume: v, node: node, pods: refsOf(p.Ref), reports: []*model.Observation{placed}, from: held.Node, shown: true}
	d.began = derived(began, "the pod was bound to its node while the volume was attached to another, and the controller attaches it to one only", placed, held)
	return d
}

// heldElsewhere cites the VolumeAttachment by which a volume is attached to a node other than one; nil when there is none, and
// when it is attached to that one, too.
func heldElsewhere(w *World, v *Volume, node string) *model.Observation {
	var held *model.Observation
	for _, a := range w.AttachmentsOf(v) {
		switch {
		case !a.Value().Status.Attached:
		case a.Value().Spec.NodeName == node:
			return nil
		default:
			if held = Cite(a, "status.attached"); held != nil {
				held.Node = a.Value().Spec.NodeName
			}
		}
	}
	return held
}

// wouldBeReported reports that Events or a log would hold the controller's report of a wait that began at a time.
func (w *World) wouldBeReported(began Instant, namespace string) bool {
	at := w.Axis.CapturedAt
	return w.controllerLogOver(began) && w.LogCovers() ||
		at != nil && at.Latest.Sub(began.Earliest) < eventsLast && w.Listed("Event", namespace)
}

// ShownBy says which objects show a wait of which there is no report.
func (c *Case) ShownBy() string {
	return fmt.Sprintf("%s is bound to %s and waits for its containers, and its volume is attached to %s", PodNames(c.NewPods), c.To, c.From)
}
