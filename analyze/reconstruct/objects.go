package reconstruct

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/model"
)

// target is what a VolumeAttachment attaches.
type target struct {
	pv, node string // pv is empty for an inline volume
}

// indexObjects makes objects findable by name, and looks once at each pod and attachment: a cluster has too many to go through all
// for each question.
func (w *World) indexObjects() {
	w.nodeAt, w.podsAt = byName(w.Nodes), make(map[string][]int, len(w.Pods))
	w.unplaced = nil
	w.podsOn, w.claims = make(map[string][]int, len(w.Nodes)), make([][]string, len(w.Pods))
	w.attachAt, w.listed = make(map[string][]int, len(w.Attachments)), make(map[model.Listed]bool, len(w.Snapshot.Lists))
	for i, p := range w.Pods {
		pod := p.Value()
		if n := pod.Spec.NodeName; n != "" {
			w.podsOn[n] = append(w.podsOn[n], i)
		} else {
			w.unplaced = append(w.unplaced, i)
		}
		w.podsAt[p.Ref.String()] = append(w.podsAt[p.Ref.String()], i)
		w.claims[i] = ClaimsOf(pod)
	}
	w.attachName, w.attachTo = make(map[string]int, len(w.Attachments)), make(map[target]int, len(w.Attachments))
	w.targets = make([]target, len(w.Attachments))
	for i, a := range w.Attachments {
		w.attachName[a.Ref.Name] = i
		spec := &a.Value().Spec
		w.targets[i].node = spec.NodeName
		if pv := spec.Source.PersistentVolumeName; pv != nil {
			w.targets[i].pv = *pv
			w.attachAt[*pv] = append(w.attachAt[*pv], i)
			if _, ok := w.attachTo[w.targets[i]]; !ok {
				w.attachTo[w.targets[i]] = i
			}
		}
	}
	w.inOrder = make([]int, len(w.Attachments))
	for i := range w.inOrder {
		w.inOrder[i] = i
	}
	slices.SortStableFunc(w.inOrder, func(a, b int) int {
		x, y := w.targets[a], w.targets[b]
		return cmp.Or(cmp.Compare(x.pv, y.pv), cmp.Compare(x.node, y.node), cmp.Compare(w.Attachments[a].Ref.Name, w.Attachments[b].Ref.Name))
	})
	for _, l := range w.Snapshot.Lists {
		l.Cluster, l.Collection = "", ""
		w.listed[l] = true
	}
}

// PodsWithClaims are the pods that name a claim.
func (w *World) PodsWithClaims() (out []model.Object[*corev1.Pod]) {
	for i, p := range w.Pods {
		if len(w.claims[i]) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// PodsWithoutNode are the pods that no node was chosen for.
func (w *World) PodsWithoutNode() []model.Object[*corev1.Pod] { return picked(w.Pods, w.unplaced) }

// AttachmentsInOrder are the places in Attachments, ordered by volume and node; their names are hashes.
func (w *World) AttachmentsInOrder() []int { return w.inOrder }

// Attached is what the VolumeAttachment at a place of Attachments attaches: the PersistentVolume, or "" for an inline volume, and
// the node.
func (w *World) Attached(place int) (pv, node string) {
	return w.targets[place].pv, w.targets[place].node
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
	for _, s := range v.Same() {
		if i, ok := w.attachTo[target{s.PersistentVolume, node}]; ok {
			return w.Attachments[i], true
		}
	}
	if v.Handle != "" && v.Driver != "" {
		if i, ok := w.attachName[model.AttachmentName(v.Handle, v.Driver, node)]; ok && w.targets[i].node == node {
			return w.Attachments[i], true
		}
	}
	return model.Object[*storagev1.VolumeAttachment]{}, false
}

// AttachmentsOf are the VolumeAttachments of a volume in the bundle, under any PersistentVolume of its handle.
func (w *World) AttachmentsOf(v *Volume) (out []model.Object[*storagev1.VolumeAttachment]) {
	for _, s := range v.Same() {
		out = append(out, picked(w.Attachments, w.attachAt[s.PersistentVolume])...)
	}
	return out
}

// Listed reports whether the bundle holds a list of a kind that would show an object of the namespace.
func (w *World) Listed(kind, namespace string) bool {
	return w.listed[model.Listed{Kind: kind}] || namespace != "" && w.listed[model.Listed{Kind: kind, Namespace: namespace}]
}

// held are the pods of a list that the bundle holds.
func (w *World) held(pods []model.Ref) []model.Object[*corev1.Pod] {
	var out []model.Object[*corev1.Pod]
	for _, ref := range pods {
		if p, ok := w.Pod(ref); ok {
			out = append(out, p)
		}
	}
	return out
}

// NewestOf is the last observation of some kinds about a pod; nil when there is none.
func (w *World) NewestOf(pod model.Ref, ks ...model.Kind) *model.Observation {
	return last(w.byPod[pod.String()], window{}, func(o *model.Observation) bool {
		return kinds(ks...)(o) && (pod.UID == "" || o.Pod.UID == "" || pod.UID == o.Pod.UID)
	})
}
