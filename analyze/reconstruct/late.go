package reconstruct

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// lateAttachment is from how long after the scheduling of its pod on a VolumeAttachment tells of a wait. The controller makes it within a
// second, ten when many volumes come at once, as the recordings have it; within a minute an ordinary move has ended, too.
const lateAttachment = time.Minute

// lateWaits are the waits of the past that objects alone show: the VolumeAttachment of a pod was made long after the pod was bound to its
// node, of a volume that is older than the pod. The controller makes it at once unless the volume is attached elsewhere
// (reconciler.go attachDesiredVolumes, 1.13–1.36). Where Events or a log would hold its report and do not, something else delayed it.
func lateWaits(w *World, others map[*Volume][]*demand) []*demand {
	var out []*demand
	for i, p := range w.Pods {
		for _, claim := range w.claims[i] {
			v := w.Volumes.OfClaim(p.Ref.Namespace, claim)
			known := func(d *demand) bool {
				return d.pods.has(p.Ref) || len(d.pods.list) == 0 || d.node == p.Value().Spec.NodeName
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

func lateWait(w *World, v *Volume, p model.Object[*corev1.Pod]) *demand {
	node := p.Value().Spec.NodeName
	exclusive, _ := v.Exclusive()
	own, ok := w.AttachmentOf(v, node)
	placed := last(w.byPod[p.Ref.String()], window{}, and(kinds(model.PodScheduled), onNode(node), ofPod(p.Ref)))
	if node == "" || !exclusive || !ok || placed == nil || placed.At.IsZero() || placed.Source.Kind != model.SourceManifest {
		return nil
	}
	made := own.Value().CreationTimestamp.Time
	if made.Sub(placed.At.Latest) < lateAttachment || w.wouldBeReported(seen(placed), p.Ref.Namespace) ||
		startedBefore(p.Value(), made) || !olderThan(v, p.Value()) {
		return nil
	}
	const rule = "the pod was bound to its node, and the controller made its VolumeAttachment only later, which it does at once unless the " +
		"volume is attached elsewhere"
	began := model.Moment{At: placed.At.At.Add(reportSettle / 2), Earliest: placed.At.Earliest, Latest: placed.At.Latest.Add(reportSettle)}
	d := &demand{volume: v, node: node, pods: refsOf(p.Ref), reports: []*model.Observation{placed}, shown: true}
	d.began = derived(began, rule, placed, Cite(own, "metadata.creationTimestamp"))
	if held := heldByOther(w, v, node); held != nil {
		d.from = held.Node
		d.began.Witness = append(d.began.Witness, held)
	} else {
		d.from, d.inferred = w.lostMeanwhile(node, placed.At.Earliest), true
	}
	return d
}

// startedBefore reports that a container of the pod ran, or may have run, before a time: its volumes were there. Of a container that was
// started again the first start is not known.
func startedBefore(p *corev1.Pod, t time.Time) bool {
	ran := func(s corev1.ContainerStatus) bool {
		switch {
		case s.RestartCount > 0:
			return true
		case s.State.Running != nil:
			return s.State.Running.StartedAt.Time.Before(t.Add(-time.Second))
		case s.State.Terminated != nil:
			return s.State.Terminated.StartedAt.Time.Before(t.Add(-time.Second))
		}
		return false
	}
	return slices.ContainsFunc(p.Status.ContainerStatuses, ran) || slices.ContainsFunc(p.Status.InitContainerStatuses, ran)
}

// provisioned is how long before a pod its volume is there that was made for it: applied together, they come within seconds.
const provisioned = 10 * time.Second

// olderThan reports that a volume was there well before a pod, so that another may have used it.
func olderThan(v *Volume, p *corev1.Pod) bool {
	return v.PV != nil && !v.PV.Value().CreationTimestamp.IsZero() &&
		p.CreationTimestamp.Sub(v.PV.Value().CreationTimestamp.Time) >= provisioned
}

// heldByOther cites a VolumeAttachment of the volume for another node.
func heldByOther(w *World, v *Volume, node string) *model.Observation {
	for _, a := range w.AttachmentsOf(v) {
		if a.Value().Spec.NodeName != node {
			if held := Cite(a, "spec.nodeName"); held != nil {
				held.Node = a.Value().Spec.NodeName
				return held
			}
		}
	}
	return nil
}

// lostMeanwhile is the only other node that was not Ready at a time, by its condition: since before and still, or until later; else "".
func (w *World) lostMeanwhile(node string, at time.Time) string {
	found := ""
	for _, n := range w.Nodes {
		r := w.Readiness(n.Ref.Name)
		if !r.Known || n.Ref.Name == node || r.Since.IsZero() || n.Value().CreationTimestamp.After(at) {
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

// SlowAttach reports that the attach itself, from the creation of the new VolumeAttachment on, took longer than those of many volumes at
// once in the recordings: then its attacher or storage may have delayed the detach before it, too.
func (c *Case) SlowAttach() bool {
	return c.NewAttachment.Known() && c.Attached.Known() && c.Attached.Earliest.Sub(c.NewAttachment.Latest) > slowAttach
}

const slowAttach = 30 * time.Second
