package facts

import (
	"maps"
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
	return w.operations(ends{
		begin: Kinds(model.AttachStarted), end: Kinds(model.AttachSucceeded), fail: Kinds(model.AttachFailed, model.OperationTimeout),
	}, ends{
		begin: Kinds(model.AttachmentCreated, model.AttacherAttaching), end: Kinds(model.AttachmentAttached, model.AttacherAttached),
		fail: Kinds(model.AttachmentAttachError, model.AttacherFailed),
	})
}

// Detaches are all detaches, in the same way.
func (w *World) Detaches() []Operation {
	return w.operations(ends{
		begin: Kinds(model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint), end: Kinds(model.DetachSucceeded),
		fail: Kinds(model.DetachFailed, model.DetachRefusedInUse, model.OperationTimeout),
	}, ends{
		begin: Kinds(model.AttacherDetaching), end: Kinds(model.AttacherDetached), fail: Kinds(model.AttacherFailed, model.AttachmentDetachError),
	})
}

// ends are what begins an operation, what ends it, and what spoils it.
type ends struct{ begin, end, fail func(*model.Observation) bool }

// longestOperation is the longest pair that is one operation; a longer one had failures without a record.
const longestOperation = 2 * time.Minute

// operations joins the starts and the successes of volumes, for each of their nodes, and of VolumeAttachments.
func (w *World) operations(ofVolume, ofAttachment ends) (out []Operation) {
	node := func(o *model.Observation) string { return o.Node }
	for _, v := range Where(w.Volumes.All, func(v *Volume) bool { return v == v.Storage() }) {
		for _, op := range pairs(Where(w.ByVolume[v], func(o *model.Observation) bool { return o.Node != "" }), ofVolume, node) {
			if op.Volume = v; op.To.At.At.Sub(op.From.At.At) < longestOperation {
				out = append(out, op)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.ByAttach)) {
		for _, op := range pairs(w.ByAttach[name], ofAttachment, func(*model.Observation) string { return "" }) {
			// An object's attach is its last status write: one with an end anywhere until then gives no duration.
			if op.Volume = w.Volumes.Find(op.To.Volume); op.To.At.Latest.Sub(op.From.At.Earliest) < longestOperation {
				out = append(out, op)
			}
		}
	}
	return out
}

// pairs joins the start and the success of operations in a list, for each place of its own.
func pairs(list []*model.Observation, e ends, place func(*model.Observation) string) (out []Operation) {
	begun := map[string]*model.Observation{}
	for _, o := range After(time.Time{}).Of(list) {
		switch from := begun[place(o)]; {
		case e.begin(o):
			begun[place(o)] = o
		case e.fail(o):
			delete(begun, place(o))
		case e.end(o) && from != nil:
			out = append(out, Operation{From: from, To: o})
			delete(begun, place(o))
		}
	}
	return out
}

// Mounts are the times from an attach to the Ready of the pod that waited for it, of all pods in the bundle.
func (w *World) Mounts() (out []Operation) {
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
	own := w.ByPod[pod.Ref.String()]
	mine := func(o *model.Observation) bool {
		return pod.Ref.UID == "" || o.Pod.UID == "" || o.Pod.UID == pod.Ref.UID
	}
	scheduled := First(own, Window{}, And(Kinds(model.PodScheduled), mine))
	ready := Last(own, Window{}, And(Kinds(model.PodReady), mine))
	if scheduled == nil || ready == nil {
		return Operation{}, false
	}
	attached := Last(w.ByVolume[v], Window{From: scheduled.At.At, To: ready.At.At}, func(o *model.Observation) bool {
		return o.Kind == model.AttachSucceeded && (o.Node == pod.Value().Spec.NodeName || o.Pod.Name == pod.Value().Name)
	})
	if attached == nil {
		return Operation{}, false
	}
	op := Operation{Volume: v, Pod: pod.Ref, From: attached, To: ready, Wait: attached.At.At.Sub(scheduled.At.At)}
	return op, ready.At.At.Sub(attached.At.At) < longestOperation
}
