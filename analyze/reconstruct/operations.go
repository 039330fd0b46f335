package reconstruct

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// Operation is one attach, detach or mount of the bundle that ran from its start to its success without a failure between.
type Operation struct {
	Volume   *Volume
	Pod      model.Ref // mount: the pod that became Ready
	From, To *model.Observation
	Wait     time.Duration // mount: how long the pod had been scheduled when the volume was attached
}

// Seconds is how long it took by the best estimates.
func (o Operation) Seconds() float64 { return max(o.To.At.At.Sub(o.From.At.At).Seconds(), 0) }

// Attaches are all attaches of the bundle, by the controller's or the attacher's records, or by the objects themselves.
func (w *World) Attaches() []Operation {
	var out []Operation
	for _, v := range w.Volumes.inStorage() {
		out = append(out, pairs(v, w.byVolume[v], ends{
			begin: kinds(model.AttachStarted), end: kinds(model.AttachSucceeded), fail: kinds(model.AttachFailed, model.OperationTimeout),
		})...)
	}
	return append(out, w.attachmentPairs(ends{
		begin: kinds(model.AttachmentCreated, model.AttacherAttaching), end: kinds(model.AttachmentAttached, model.AttacherAttached),
		fail: kinds(model.AttachmentAttachError, model.AttacherFailed),
	})...)
}

// Detaches are all detaches, in the same way.
func (w *World) Detaches() []Operation {
	var out []Operation
	for _, v := range w.Volumes.inStorage() {
		out = append(out, pairs(v, w.byVolume[v], ends{
			begin: kinds(model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint), end: kinds(model.DetachSucceeded),
			fail: kinds(model.DetachFailed, model.DetachRefusedInUse, model.OperationTimeout),
		})...)
	}
	return append(out, w.attachmentPairs(ends{
		begin: kinds(model.AttacherDetaching), end: kinds(model.AttacherDetached), fail: kinds(model.AttacherFailed, model.AttachmentDetachError),
	})...)
}

// ends are what begins an operation, what ends it, and what spoils it.
type ends struct{ begin, end, fail func(*model.Observation) bool }

// longestOperation is the longest pair that still is one operation; a longer one had failures that nobody recorded.
const longestOperation = 2 * time.Minute

// pairs joins the start and the success of operations on a volume, for each node of its own.
func pairs(v *Volume, list []*model.Observation, e ends) []Operation {
	var out []Operation
	begun := map[string]*model.Observation{}
	for _, o := range list {
		if o.At.IsZero() || o.Node == "" {
			continue
		}
		switch {
		case e.begin(o):
			begun[o.Node] = o
		case e.fail(o):
			delete(begun, o.Node)
		case e.end(o) && begun[o.Node] != nil:
			if from := begun[o.Node]; o.At.At.Sub(from.At.At) < longestOperation {
				out = append(out, Operation{Volume: v, From: from, To: o})
			}
			delete(begun, o.Node)
		}
	}
	return out
}

// attachmentPairs does the same over what is told of VolumeAttachments. An object's attach is its last status write, which
// is the attach itself only near its creation.
func (w *World) attachmentPairs(e ends) []Operation {
	names := make([]string, 0, len(w.byAttach))
	for n := range w.byAttach {
		names = append(names, n)
	}
	slices.Sort(names)
	var out []Operation
	for _, name := range names {
		var from *model.Observation
		for _, o := range w.byAttach[name] {
			switch {
			case o.At.IsZero():
			case e.begin(o):
				from = o
			case e.fail(o):
				from = nil
			case e.end(o) && from != nil:
				if o.At.Latest.Sub(from.At.Earliest) < longestOperation { // one with an end anywhere until then tells no duration
					out = append(out, Operation{Volume: w.Volumes.Find(o.Volume), From: from, To: o})
				}
				from = nil
			}
		}
	}
	return out
}

// Mounts are the times from an attach to the Ready of the pod that waited for it, of all pods in the bundle. How long the pod
// had waited before does not matter to the kubelet, but for its first seconds.
func (w *World) Mounts() []Operation {
	var out []Operation
	for _, v := range w.Volumes.All {
		for _, pod := range w.PodsOf(v) {
			if op, ok := w.mount(v, pod); ok {
				out = append(out, op)
			}
		}
	}
	return out
}

func (w *World) mount(v *Volume, pod model.Object[*corev1.Pod]) (Operation, bool) {
	own := w.byPod[pod.Ref.String()]
	mine := func(o *model.Observation) bool {
		return pod.Ref.UID == "" || o.Pod.UID == "" || o.Pod.UID == pod.Ref.UID
	}
	scheduled := first(own, window{}, and(kinds(model.PodScheduled), mine))
	ready := last(own, window{}, and(kinds(model.PodReady), mine))
	if scheduled == nil || ready == nil {
		return Operation{}, false
	}
	attached := last(w.byVolume[v], window{from: scheduled.At.At, to: ready.At.At}, func(o *model.Observation) bool {
		return o.Kind == model.AttachSucceeded && (o.Node == pod.Value().Spec.NodeName || o.Pod.Name == pod.Value().Name)
	})
	if attached == nil {
		return Operation{}, false
	}
	op := Operation{Volume: v, Pod: pod.Ref, From: attached, To: ready, Wait: attached.At.At.Sub(scheduled.At.At)}
	return op, ready.At.At.Sub(attached.At.At) < longestOperation
}
