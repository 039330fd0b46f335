package clock

import (
	"path"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// lag is how much later than a happening a source states it.
type lag struct{ least, most time.Duration }

// side says where beyond its lag a statement may lie all the same.
type side int

const (
	neither side = iota
	later        // what is stated late may be stated later still
	earlier      // what ends by a happening may have ended long before
)

func (l lag) side() side {
	if l.weight() >= exactly {
		return neither
	}
	if l.least <= -10*time.Second {
		return earlier
	}
	return later
}

// What a happening counts that two records put at an instant, and one of which a record may be seconds late.
const (
	exactly = 120 // which many numbers divide: a happening that several record counts once
	about   = exactly / 2
)

func (l lag) weight() int {
	if l.most-l.least <= 3*time.Second {
		return exactly
	}
	return about
}

// Lags that many rows have, all measured in recordings of Kubernetes 1.23 to 1.36, with room for a busy machine.
var (
	atOnce   = lag{0, time.Second}
	soon     = lag{0, 3 * time.Second}
	whilePod = lag{0, 130 * time.Second} // the kubelet's exponential back-off of a mount, 2m2s at most
)

// row says which happening a kind of statement records, and how late. A row with sources is of these only, and one without of no metric.
type row struct {
	kind    model.Kind
	sources []model.SourceKind
	what    string
	about   func(*model.Observation, handles) string // whom it happened to; "" for nothing
	lag     lag
}

var (
	inLog      = []model.SourceKind{model.SourceLog}
	inObject   = []model.SourceKind{model.SourceManifest, model.SourceAudit}
	inEvent    = []model.SourceKind{model.SourceEvent}
	inMetric   = []model.SourceKind{model.SourceMetric}
	inMessages = []model.SourceKind{model.SourceLog, model.SourceEvent, model.SourceText}
)

// rows are the happenings that two sources or more record.
var rows = []row{
	// The controller writes the line and the Event within 0.1 s.
	{model.MultiAttach, inMessages, "report", onVolume, atOnce},
	{model.AttachSucceeded, inMessages, "attach", onVolume, atOnce},
	{model.PodEvictionDecided, nil, "eviction", onPod, atOnce},
	{model.PodNotReady, inMessages, "pod not ready", onPod, atOnce},
	{model.NodeNotReady, inMessages, "node lost", byController, atOnce},
	// A node that its kubelet first said to be unwell was lost later: the condition changes again, and nothing is reported.
	{model.NodeNotReady, inObject, "node lost", byController, lag{-3 * time.Second, time.Second}},
	{model.NodeNotReady, nil, "node unwell", byKubelet, soon},
	{model.LeaderAcquired, nil, "lead", onLease, atOnce},
	{model.PodScheduled, nil, "binding", onPod, atOnce},
	{model.PodCreated, nil, "pod created", onPod, atOnce},
	{model.ReplicaCreated, nil, "pod created", onPod, atOnce},
	{model.NodeReady, []model.SourceKind{model.SourceManifest, model.SourceEvent}, "node ready", onNode, soon},

	// The controller creates and deletes the VolumeAttachment in the call that the line begins; the attacher hears of it by its watch.
	// It also attaches anew what is attached, when it is not certain of that.
	{model.AttachStarted, inLog, "attachment created", onAttachment, lag{-4 * time.Second, 0}},
	{model.AttachmentCreated, inObject, "attachment created", onAttachment, lag{}},
	{model.AttacherAttaching, inLog, "attachment created", onAttachment, lag{0, 10 * time.Second}},
	{model.DetachStarted, inLog, "attachment deleted", onAttachment, lag{-time.Second, 0}},
	{model.DetachForcedTimeout, inLog, "attachment deleted", onAttachment, lag{-time.Second, 0}},
	{model.DetachForcedTaint, inLog, "attachment deleted", onAttachment, lag{-time.Second, 0}},
	{model.AttachmentDeletionRequested, inObject, "attachment deleted", byDetach, lag{}},
	{model.AttacherDetaching, inLog, "attachment deleted", onAttachment, lag{0, 10 * time.Second}},
	{model.AttacherAttached, inLog, "attached", onAttachment, lag{-time.Second, 0}},
	{model.AttachmentAttached, nil, "attached", onAttachment, atOnce},
	{model.AttachSucceeded, inLog, "attached", onAttachment, lag{0, 5 * time.Second}},
	{model.AttacherDetached, inLog, "detached", onAttachment, lag{-time.Second, 0}},
	{model.AttachmentGone, nil, "detached", onAttachment, atOnce},
	{model.DetachSucceeded, inLog, "detached", onAttachment, soon},

	// The controller taints a node at once, and before 1.34 up to 5 s later.
	{model.NodeTainted, inObject, "node lost", ofLostNode, lag{-time.Second, 7 * time.Second}},
	{model.NodeHeartbeat, nil, "last renewal", ofLease, lag{-time.Second, time.Second}},

	// What began between two samples, or what the API server dated.
	{model.PodCreated, inMetric, "pod created", onPod, atOnce},
	{model.PodScheduled, inMetric, "binding", onPod, atOnce},
	{model.AttachmentCreated, inMetric, "attachment created", onAttachment, atOnce},
	{model.AttachmentAttached, inMetric, "attached", onAttachment, atOnce},
	{model.AttachmentGone, inMetric, "detached", onAttachment, atOnce},
	{model.NodeTainted, inMetric, "node lost", ofLostNode, lag{-time.Second, 7 * time.Second}},

	// A kubelet's own records.
	{model.PodRunning, inLog, "container seen", onPod, lag{0, 4 * time.Second}},
	{model.KubernetesEvent, inEvent, "container started", ofStart, lag{-2 * time.Second, 2 * time.Second}},
	{model.KubeletStarted, inLog, "kubelet started", onNode, soon},
	{model.KubernetesEvent, inEvent, "kubelet started", ofStarting, atOnce},
	{model.AttachSucceeded, inEvent, "seen attached", onVolumeOnce, lag{}},
	{model.AttachSeen, inLog, "seen attached", onVolumeOnce, whilePod},
}

// byKind are the rows of each kind.
var byKind = func() map[model.Kind][]row {
	out := map[model.Kind][]row{}
	for _, r := range rows {
		out[r.kind] = append(out[r.kind], r)
	}
	return out
}()

func onPod(o *model.Observation, _ handles) string {
	if o.Pod.Name == "" {
		return ""
	}
	return o.Pod.Namespace + "/" + o.Pod.Name
}

func onNode(o *model.Observation, _ handles) string { return o.Node }

// byController and byKubelet are the node of a condition that the one or the other set: a kubelet that comes back may say of its own that
// it was not well, minutes after the controller found it lost.
func byController(o *model.Observation, _ handles) string {
	if s, _ := sourceOf(o); s.Writer == Control {
		return o.Node
	}
	return ""
}

func byKubelet(o *model.Observation, h handles) string {
	if byController(o, h) == "" {
		return o.Node
	}
	return ""
}

func onVolume(o *model.Observation, h handles) string { return h.volume(o) }

func onVolumeOnce(o *model.Observation, h handles) string { return h.volume(o) + "|" + o.Pod.Name }

// onLease is the leadership of the controller manager: other leases have leaders of their own.
func onLease(o *model.Observation, _ handles) string {
	if o.Source.Kind == model.SourceManifest {
		return "kube-system/kube-controller-manager"
	}
	return o.Detail
}

func onAttachment(o *model.Observation, h handles) string { return h.attachment(o) }

// byDetach leaves out the deletion by another than the controller, whose own comes later, or never.
func byDetach(o *model.Observation, h handles) string {
	if o.Actor != "" && !upstream.IsAttachDetachController(o.Actor) {
		return ""
	}
	return onAttachment(o, h)
}

// ofLostNode is the node of a taint that the node controller sets when it is lost.
func ofLostNode(o *model.Observation, _ handles) string {
	if strings.HasPrefix(o.Detail, "node.kubernetes.io/unreachable") || strings.HasPrefix(o.Detail, "node.kubernetes.io/not-ready") {
		return o.Node
	}
	return ""
}

// ofLease is the node whose last renewal is stated: by the controller that missed the next, or by its Lease while it is lost.
func ofLease(o *model.Observation, h handles) string {
	if o.Detail == "condition" || o.Source.Kind == model.SourceManifest && !h.lost[o.Node] {
		return ""
	}
	return o.Node
}

// ofStart is the pod of which a container was started. Another of its name is another.
func ofStart(o *model.Observation, _ handles) string {
	if o.Detail != "Started" || o.Component != "kubelet" {
		return ""
	}
	return o.Object.UID
}

// ofStarting is the node whose kubelet says that it starts.
func ofStarting(o *model.Observation, _ handles) string {
	if o.Detail != "Starting" || o.Component != "kubelet" {
		return ""
	}
	return o.Node
}

// handles know the volumes' names in the storage, of which the names of VolumeAttachments are made.
type handles struct {
	of     map[string]model.VolumeID // by PersistentVolume
	driver map[string]string         // by handle
	lost   map[string]bool           // nodes whose Ready condition is Unknown
}

// lostNodes are the nodes whose Ready is Unknown.
func lostNodes(s *model.Snapshot) map[string]bool {
	lost := map[string]bool{}
	for _, n := range s.Nodes {
		for _, c := range n.Value().Status.Conditions {
			lost[n.Ref.Name] = lost[n.Ref.Name] || c.Type == corev1.NodeReady && c.Status == corev1.ConditionUnknown
		}
	}
	return lost
}

func handlesOf(s *model.Snapshot, all []model.Observation) handles {
	h := handles{map[string]model.VolumeID{}, map[string]string{}, lostNodes(s)}
	for _, pv := range s.PersistentVolumes {
		if csi := pv.Value().Spec.CSI; csi != nil {
			h.of[pv.Ref.Name] = model.VolumeID{Driver: csi.Driver, Handle: csi.VolumeHandle, PersistentVolume: pv.Ref.Name}
			h.driver[csi.VolumeHandle] = csi.Driver
		}
	}
	for i := range all {
		if v := all[i].Volume; v.PersistentVolume != "" && v.Handle != "" && v.Driver != "" {
			h.of[v.PersistentVolume], h.driver[v.Handle] = v, v.Driver
		}
	}
	return h
}

// volume names the volume of a statement by its handle where that is known: not all sources name the PersistentVolume.
func (h handles) volume(o *model.Observation) string {
	if v, ok := h.of[o.Volume.PersistentVolume]; ok && o.Volume.Handle == "" {
		return v.Handle
	}
	if o.Volume.Handle != "" {
		return o.Volume.Handle
	}
	return o.Volume.PersistentVolume
}

// attachment is the name of the VolumeAttachment that a statement is about. A driver calls nodes by the last part of a path.
func (h handles) attachment(o *model.Observation) string {
	if o.Attachment != "" {
		return o.Attachment
	}
	handle := h.volume(o)
	if h.driver[handle] == "" || o.Node == "" {
		return ""
	}
	return model.AttachmentName(handle, h.driver[handle], path.Base(o.Node))
}
