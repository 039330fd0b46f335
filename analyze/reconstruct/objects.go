package reconstruct

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/model"
)

// indexObjects makes objects findable by name: a cluster has too many pods and attachments to look through for each
// question.
func (w *World) indexObjects() {
	w.nodeAt, w.podsAt = byName(w.Nodes), make(map[string][]int, len(w.Pods))
	w.podsOn = make(map[string][]int, len(w.Nodes))
	w.attachAt, w.listed = make(map[string][]int, len(w.Attachments)), make(map[model.Listed]bool, len(w.Snapshot.Lists))
	for i, p := range w.Pods {
		if n := p.Value().Spec.NodeName; n != "" {
			w.podsOn[n] = append(w.podsOn[n], i)
		}
		w.podsAt[p.Ref.String()] = append(w.podsAt[p.Ref.String()], i)
	}
	w.attachName = make(map[string]int, len(w.Attachments))
	for i, a := range w.Attachments {
		w.attachName[a.Value().Name] = i
		if pv := a.Value().Spec.Source.PersistentVolumeName; pv != nil {
			w.attachAt[*pv] = append(w.attachAt[*pv], i)
		}
	}
	for _, l := range w.Snapshot.Lists {
		l.Cluster, l.Collection = "", ""
		w.listed[l] = true
	}
}

// Node returns the newest copy of a Node; of two that had the name one after the other, the later.
func (w *World) Node(name string) (model.Object[*corev1.Node], bool) {
	return found(w.Nodes, w.nodeAt, name)
}

// Pod returns the newest copy of a pod; with a UID only that incarnation.
func (w *World) Pod(ref model.Ref) (model.Object[*corev1.Pod], bool) {
	for _, i := range w.podsAt[ref.String()] {
		if w.Pods[i].Ref.Is(ref) {
			return w.Pods[i], true
		}
	}
	return model.Object[*corev1.Pod]{}, false
}

// AttachmentOf returns the VolumeAttachment of a volume on a node, when the bundle holds it. Its name tells it also when it
// refers to an earlier PersistentVolume of the same handle.
func (w *World) AttachmentOf(v *Volume, node string) (model.Object[*storagev1.VolumeAttachment], bool) {
	for _, a := range w.AttachmentsOf(v) {
		if a.Value().Spec.NodeName == node {
			return a, true
		}
	}
	if v.Handle != "" && v.Driver != "" {
		if i, ok := w.attachName[model.AttachmentName(v.Handle, v.Driver, node)]; ok && w.Attachments[i].Value().Spec.NodeName == node {
			return w.Attachments[i], true
		}
	}
	return model.Object[*storagev1.VolumeAttachment]{}, false
}

// AttachmentsOf are the VolumeAttachments of a volume in the bundle.
func (w *World) AttachmentsOf(v *Volume) []model.Object[*storagev1.VolumeAttachment] {
	var out []model.Object[*storagev1.VolumeAttachment]
	for _, i := range w.attachAt[v.PersistentVolume] {
		out = append(out, w.Attachments[i])
	}
	return out
}

// Listed reports whether the bundle holds a list of a kind that would show an object of the namespace.
func (w *World) Listed(kind, namespace string) bool {
	return w.listed[model.Listed{Kind: kind}] || namespace != "" && w.listed[model.Listed{Kind: kind, Namespace: namespace}]
}

// NewestOf is the last observation of some kinds about a pod; nil when there is none.
func (w *World) NewestOf(pod model.Ref, ks ...model.Kind) *model.Observation {
	return last(w.byPod[pod.String()], window{}, func(o *model.Observation) bool {
		return kinds(ks...)(o) && (pod.UID == "" || o.Pod.UID == "" || pod.UID == o.Pod.UID)
	})
}
