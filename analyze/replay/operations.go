package replay

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// operation is one attach, detach or mount of the bundle that ran from its start to its success without a failure between.
type operation struct {
	Volume   *facts.Volume
	From, To *model.Observation
	Wait     time.Duration // mount: how long the pod had been scheduled when the volume was attached
	place    int           // in the order in which the bundle has it
}

// Seconds is how long it took by the best estimates.
func (o operation) Seconds() float64 { return max(o.To.At.At.Sub(o.From.At.At).Seconds(), 0) }

// attachesOf are all attaches of the bundle, by the controller's or the attacher's records, or by the objects themselves.
func attachesOf(w *facts.World) []operation {
	return joined(w, ends{
		begin: facts.Kinds(model.AttachStarted), end: facts.Kinds(model.AttachSucceeded), fail: facts.Kinds(model.AttachFailed, model.OperationTimeout),
	}, ends{
		begin: facts.Kinds(model.AttachmentCreated, model.AttacherAttaching), end: facts.Kinds(model.AttachmentAttached, model.AttacherAttached),
		fail: facts.Kinds(model.AttachmentAttachError, model.AttacherFailed),
	})
}

// detachesOf are all detaches, in the same way.
func detachesOf(w *facts.World) []operation {
	return joined(w, ends{
		begin: facts.Kinds(model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint), end: facts.Kinds(model.DetachSucceeded),
		fail: facts.Kinds(model.DetachFailed, model.DetachRefusedInUse, model.OperationTimeout),
	}, ends{
		begin: facts.Kinds(model.AttacherDetaching), end: facts.Kinds(model.AttacherDetached), fail: facts.Kinds(model.AttacherFailed, model.AttachmentDetachError),
	})
}

// ends are what begins an operation, what ends it, and what spoils it.
type ends struct{ begin, end, fail func(*model.Observation) bool }

// longestOperation is the longest pair that is one operation; a longer one had failures without a record.
const longestOperation = 2 * time.Minute

// joined joins the starts and the successes of volumes, for each of their nodes, and of VolumeAttachments.
func joined(w *facts.World, ofVolume, ofAttachment ends) (out []operation) {
	node := func(o *model.Observation) string { return o.Node }
	for _, v := range facts.Where(w.Volumes.All, func(v *facts.Volume) bool { return v == v.Storage() }) {
		for _, op := range pairs(facts.Where(w.ByVolume[v], func(o *model.Observation) bool { return o.Node != "" }), ofVolume, node) {
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
func pairs(list []*model.Observation, e ends, place func(*model.Observation) string) (out []operation) {
	begun := map[string]*model.Observation{}
	for _, o := range facts.After(time.Time{}).Of(list) {
		switch from := begun[place(o)]; {
		case e.begin(o):
			begun[place(o)] = o
		case e.fail(o):
			delete(begun, place(o))
		case e.end(o) && from != nil:
			out = append(out, operation{From: from, To: o})
			delete(begun, place(o))
		}
	}
	return out
}

// mountsOf are the times from an attach to the Ready of the pod that waited for it, of all pods in the bundle.
func mountsOf(w *facts.World) (out []operation) {
	for _, v := range w.Volumes.All {
		for _, pod := range w.PodsOf(v) {
			if op, ok := mountTime(w, v, pod); ok {
				out = append(out, op)
			}
		}
	}
	return out
}

func mountTime(w *facts.World, v *facts.Volume, pod model.Object[*corev1.Pod]) (operation, bool) {
	own := w.ByPod[pod.Ref.String()]
	mine := func(o *model.Observation) bool {
		return pod.Ref.UID == "" || o.Pod.UID == "" || o.Pod.UID == pod.Ref.UID
	}
	scheduled := facts.First(own, facts.Window{}, facts.And(facts.Kinds(model.PodScheduled), mine))
	ready := facts.Last(own, facts.Window{}, facts.And(facts.Kinds(model.PodReady), mine))
	if scheduled == nil || ready == nil {
		return operation{}, false
	}
	attached := facts.Last(w.ByVolume[v], facts.Window{From: scheduled.At.At, To: ready.At.At}, func(o *model.Observation) bool {
		return o.Kind == model.AttachSucceeded && (o.Node == pod.Value().Spec.NodeName || o.Pod.Name == pod.Value().Name)
	})
	if attached == nil {
		return operation{}, false
	}
	op := operation{Volume: v, From: attached, To: ready, Wait: attached.At.At.Sub(scheduled.At.At)}
	return op, ready.At.At.Sub(attached.At.At) < longestOperation
}
