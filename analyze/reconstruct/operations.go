package reconstruct

import (
	"maps"
	"slices"
	"strings"
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
		begin: kinds(model.AttachStarted), end: kinds(model.AttachSucceeded), fail: kinds(model.AttachFailed, model.OperationTimeout),
	}, ends{
		begin: kinds(model.AttachmentCreated, model.AttacherAttaching), end: kinds(model.AttachmentAttached, model.AttacherAttached),
		fail: kinds(model.AttachmentAttachError, model.AttacherFailed),
	})
}

// Detaches are all detaches, in the same way.
func (w *World) Detaches() []Operation {
	return w.operations(ends{
		begin: kinds(model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint), end: kinds(model.DetachSucceeded),
		fail: kinds(model.DetachFailed, model.DetachRefusedInUse, model.OperationTimeout),
	}, ends{
		begin: kinds(model.AttacherDetaching), end: kinds(model.AttacherDetached), fail: kinds(model.AttacherFailed, model.AttachmentDetachError),
	})
}

// Underway is the newest detach that began and of which nothing tells an end; nil where the bundle lists the VolumeAttachments, which do.
func (w *World) Underway() *model.Observation {
	if w.Listed("VolumeAttachment", "") {
		return nil
	}
	over := kinds(model.DetachSucceeded, model.AttacherDetached, model.AttachmentGone, model.AttachStarted, model.AttachSucceeded)
	return last(w.byKind[model.DetachStarted], window{}, func(o *model.Observation) bool {
		v := w.Volumes.Find(o.Volume)
		return v != nil && last(w.byVolume[v], after(o.At.At), over) == nil && last(w.byAttach[o.Attachment], after(o.At.At), over) == nil
	})
}

// ends are what begins an operation, what ends it, and what spoils it.
type ends struct{ begin, end, fail func(*model.Observation) bool }

// longestOperation is the longest pair that is one operation; a longer one had failures without a record.
const longestOperation = 2 * time.Minute

// operations joins the starts and the successes of volumes, for each of their nodes, and of VolumeAttachments.
func (w *World) operations(ofVolume, ofAttachment ends) (out []Operation) {
	node := func(o *model.Observation) string { return o.Node }
	for _, v := range w.Volumes.inStorage() {
		for _, op := range pairs(where(w.byVolume[v], func(o *model.Observation) bool { return o.Node != "" }), ofVolume, node) {
			if op.Volume = v; op.To.At.At.Sub(op.From.At.At) < longestOperation {
				out = append(out, op)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.byAttach)) {
		for _, op := range pairs(w.byAttach[name], ofAttachment, func(*model.Observation) string { return "" }) {
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
	for _, o := range after(time.Time{}).of(list) {
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

// attachers is what the external-attacher's image and container are called.
var attachers = []string{"csi-attacher", "external-attacher"}

// IsAttacherContainer goes by the container's name and by the last part of its image without tag and digest.
func IsAttacherContainer(c corev1.Container) bool {
	image := c.Image[strings.LastIndexByte(c.Image, '/')+1:]
	image, _, _ = strings.Cut(image, "@")
	image, _, _ = strings.Cut(image, ":")
	return c.Name == "attacher" || slices.ContainsFunc(attachers, func(s string) bool {
		return c.Name == s || image == s || strings.HasSuffix(image, "-"+s)
	})
}

// Away is a time in which the workload with the external-attacher had no pods, because it was scaled to zero.
type Away struct {
	Workload model.Ref
	From, To Instant // To is unknown while it was so at the collection
}

// AttacherAway is the newest time without an external-attacher that reaches into the wait: its workload was scaled to zero, by the events
// of its ReplicaSets. False where nothing records it, and where several drivers have an attacher and nothing tells which is meant.
func (c *Case) AttacherAway() (Away, bool) {
	workload, ok := c.attacherWorkload()
	if !ok {
		return Away{}, false
	}
	since := window{from: c.Began.Earliest.Add(-causalWindow), to: c.Ended().Latest}
	var away Away
	for _, s := range c.World.scaleSteps(workload) {
		at := Instant{Moment: s.at, Witness: []*model.Observation{s.witness}}
		switch {
		case s.to == 0 && s.from != 0 && since.holds(s.at.At):
			away = Away{Workload: workload, From: at}
		case s.to > 0 && away.From.Known() && !away.To.Known():
			away.To = at
		}
	}
	reaches := !away.To.Known() || away.To.Latest.After(c.Began.Earliest)
	return away, away.From.Known() && reaches
}

// attacherWorkload is the only Deployment whose pods have an external-attacher, or the one whose attacher names the case's attachments.
func (c *Case) attacherWorkload() (model.Ref, bool) {
	var found []model.Ref
	for _, d := range model.Newest(c.World.Snapshot.Deployments) {
		if slices.ContainsFunc(d.Value().Spec.Template.Spec.Containers, IsAttacherContainer) {
			found = append(found, d.Ref)
		}
	}
	if len(found) > 1 {
		own := slices.Concat(c.World.byAttach[c.Attachment.Name], c.World.byAttach[c.next.Name])
		found = where(found, func(d model.Ref) bool {
			return slices.ContainsFunc(own, func(o *model.Observation) bool {
				return o.Component == Attacher && strings.Contains(o.Input, "/"+d.Name+"-")
			})
		})
	}
	if len(found) != 1 {
		return model.Ref{}, false
	}
	return found[0], true
}
