package facts

import (
	"fmt"
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

// Attachless says in a clause why a volume can have no VolumeAttachment, with the quote that shows it; "" when it can. Only CSI volumes
// have, whose driver asks to be attached (1.14–1.36). One of a migrated in-tree plugin goes by the driver's unique name.
func (w *World) Attachless(v *Volume) (string, *model.Observation) {
	_, _, csi := model.ParseUniqueName(v.UniqueName)
	switch pv := v.PV; {
	case pv != nil && pv.Value().Spec.Local != nil:
		return "a local volume is not attached", Cite(*pv, "spec.local.path")
	case pv != nil && pv.Value().Spec.HostPath != nil:
		return "a directory of a host is not attached", Cite(*pv, "spec.hostPath.path")
	case v.UniqueName != "" && !csi:
		return inTreeHasNone, nil
	case pv != nil && v.UniqueName == "":
		if field := neverCSI(pv.Value()); field != "" {
			return inTreeHasNone, Cite(*pv, field)
		}
	}
	for _, d := range model.Newest(w.Snapshot.CSIDrivers) {
		if need := d.Value().Spec.AttachRequired; d.Value().Name == v.Driver && v.Driver != "" && need != nil && !*need {
			return fmt.Sprintf("the driver %s asks for no attach", v.Driver), Cite(d, "spec.attachRequired")
		}
	}
	return "", nil
}

// inTreeHasNone is the clause for volumes of plugins that are part of Kubernetes.
const inTreeHasNone = "a volume of a plugin of Kubernetes' own, or of a flexvolume, has no VolumeAttachment"

// neverCSI is the field of a PersistentVolume by which no CSI driver handles it; "" when one may. Volumes that the binder provisioned are
// marked once their plugin is migrated (pv.kubernetes.io/migrated-to, 1.17–1.36); those made by hand have no mark.
func neverCSI(pv *corev1.PersistentVolume) string {
	s := &pv.Spec
	switch {
	case s.ISCSI != nil:
		return "spec.iscsi.targetPortal"
	case s.FC != nil:
		return "spec.fc.lun"
	case s.FlexVolume != nil:
		return "spec.flexVolume.driver"
	case s.CSI != nil:
		return ""
	}
	by := pv.Annotations[provisionedBy]
	if strings.HasPrefix(by, "kubernetes.io/") && pv.Annotations[migratedTo] == "" {
		return `metadata.annotations["` + provisionedBy + `"]`
	}
	return ""
}

// The annotations by which the volume binder names who made a volume, and which driver handles it now.
const (
	provisionedBy = "pv.kubernetes.io/provisioned-by"
	migratedTo    = "pv.kubernetes.io/migrated-to"
)

// DetachedSince is the first proof that the volume left its node after an observation: a detach that went through, or the attachment
// gone. Nil when there is none, and when the observation names no known volume.
func (w *World) DetachedSince(o *model.Observation) *model.Observation {
	v := w.Volumes.Find(o.Volume)
	if v == nil || o.Last.IsZero() {
		return nil
	}
	left := Kinds(model.DetachSucceeded, model.VolumeMarkedDetached, model.AttachmentGone, model.AttacherDetached)
	return First(w.ByVolume[v], After(o.Last.At), func(d *model.Observation) bool {
		return left(d) && (d.Node == o.Node || d.Attachment != "" && d.Attachment == o.Attachment)
	})
}

// movedLately is how long before the collection an attach or a detach may still be under way: the controller waits two minutes for one.
const movedLately = 2 * time.Minute

// MovedLately reports that a volume was attached to a node, detached from it or asked to be shortly before the collection.
func (w *World) MovedLately(v *Volume, node string) bool {
	at := w.Axis.CapturedAt
	moves := Kinds(model.AttachStarted, model.AttachSucceeded, model.AttachmentCreated, model.AttachmentAttached, model.AttacherAttached,
		model.DetachStarted, model.DetachSucceeded, model.DetachForcedTimeout, model.DetachForcedTaint, model.AttacherDetached,
		model.VolumeMarkedDetached, model.DetachVerifiedSafe)
	return at != nil && First(w.ByVolume[v], After(at.Earliest.Add(-movedLately)), func(o *model.Observation) bool {
		return moves(o) && (o.Node == node || o.Node == "")
	}) != nil
}

// InUse cites the entry of a Node's status.volumesInUse for a volume; nil when there is none.
func (w *World) InUse(v *Volume, node string) *model.Observation {
	return w.nodeLists[entry{model.NodeVolumesInUse, v, node}]
}

// entry is that of a volume in one of the two lists of a Node's status.
type entry struct {
	kind   model.Kind
	volume *Volume
	node   string
}

// ListedAttached cites the entry of a Node's status.volumesAttached for a volume; nil when there is none.
func (w *World) ListedAttached(v *Volume, node string) *model.Observation {
	return w.nodeLists[entry{model.NodeVolumesAttached, v, node}]
}

// AttachedSince reports that the volume of an observation was attached after it.
func (w *World) AttachedSince(o *model.Observation) bool {
	if o.Last.IsZero() {
		return false
	}
	v, later := w.Volumes.Find(o.Volume), After(o.Last.At)
	if First(w.ByVolume[v], later, Kinds(model.AttachSucceeded, model.AttachmentAttached, model.AttacherAttached)) != nil {
		return true
	}
	return o.Attachment != "" && First(w.ByAttach[o.Attachment], later, Kinds(model.AttacherAttached, model.AttachmentAttached)) != nil
}
