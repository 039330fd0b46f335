package facts

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/model"
)

// target is what a VolumeAttachment attaches.
type target struct {
	pv, node string // pv is empty for an inline volume
}

// indexObjects makes objects findable by name, and looks once at each pod and attachment, of which a cluster has many.
func (w *World) indexObjects() {
	w.takeInventory()
	w.PodsOn, w.PodClaims, w.podNode = map[string][]int{}, make([][]string, len(w.Pods)), make([]string, len(w.Pods))
	for i, p := range w.Pods {
		pod := p.Value()
		w.PodsOn[pod.Spec.NodeName] = append(w.PodsOn[pod.Spec.NodeName], i)
		w.PodClaims[i], w.podNode[i] = ClaimsOf(pod), pod.Spec.NodeName
		for _, name := range w.PodClaims[i] {
			key := p.Ref.Namespace + "/" + name
			w.claimPods[key] = append(w.claimPods[key], i)
		}
	}
	w.attachAt, w.attachTo = map[string][]int{}, map[target]int{}
	w.targets, w.inOrder = make([]target, len(w.Attachments)), make([]int, len(w.Attachments))
	for i, a := range w.Attachments {
		w.inOrder[i] = i
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
	slices.SortStableFunc(w.inOrder, func(a, b int) int {
		x, y := w.targets[a], w.targets[b]
		return cmp.Or(cmp.Compare(x.pv, y.pv), cmp.Compare(x.node, y.node), cmp.Compare(w.Attachments[a].Ref.Name, w.Attachments[b].Ref.Name))
	})
	w.listed = map[model.Listed]bool{}
	for _, l := range w.Snapshot.Lists {
		w.listed[model.Listed{Kind: l.Kind, Namespace: l.Namespace}] = true
	}
}

// PodsWithClaims are the pods that name a claim and pass a test.
func (w *World) PodsWithClaims(test func(model.Object[*corev1.Pod]) bool) (out []model.Object[*corev1.Pod]) {
	for i, p := range w.Pods {
		if len(w.PodClaims[i]) > 0 && test(p) {
			out = append(out, p)
		}
	}
	return out
}

// PodsWithoutNode are the pods that no node was chosen for.
func (w *World) PodsWithoutNode() []model.Object[*corev1.Pod] { return Picked(w.Pods, w.PodsOn[""]) }

// AttachmentsInOrder are the places in Attachments, ordered by volume and node; their names are hashes.
func (w *World) AttachmentsInOrder() []int { return w.inOrder }

// Attached is what the VolumeAttachment at a place of Attachments attaches: a PersistentVolume, "" for an inline one, and the node.
func (w *World) Attached(place int) (pv, node string) {
	return w.targets[place].pv, w.targets[place].node
}

// Node returns the newest copy of a Node; of two that had the name one after the other, the later.
func (w *World) Node(name string) (model.Object[*corev1.Node], bool) {
	return Found(w, w.Nodes, model.Ref{Kind: "Node", Name: name})
}

// ProviderID is by what the cloud knows a node's machine, by the Node, or a row or field of it; "" where nothing shows it.
func (w *World) ProviderID(node string) string {
	if n, ok := w.Node(node); ok {
		return n.Value().Spec.ProviderID
	}
	for _, o := range w.ByKind[model.ObjectShown] {
		if id, is := strings.CutPrefix(o.Detail, "providerID="); is && o.Object.Kind == "Node" && o.Object.Name == node {
			return id
		}
	}
	return ""
}

// Pod returns the newest copy of a pod; with a UID only that incarnation.
func (w *World) Pod(ref model.Ref) (pod model.Object[*corev1.Pod], ok bool) {
	for _, i := range w.at[ref.Key()] {
		if i < len(w.Pods) && w.Pods[i].Ref.Is(ref) {
			return w.Pods[i], true
		}
	}
	return pod, false
}

// AttachmentOf returns the VolumeAttachment of a volume on a node; by its name also that of an earlier PersistentVolume of the handle.
func (w *World) AttachmentOf(v *Volume, node string) (found model.Object[*storagev1.VolumeAttachment], ok bool) {
	for _, s := range v.Same() {
		if i, ok := w.attachTo[target{s.PersistentVolume, node}]; ok {
			return w.Attachments[i], true
		}
	}
	found, ok = Found(w, w.Attachments, model.Ref{Kind: "VolumeAttachment", Name: model.AttachmentName(v.Handle, v.Driver, node)})
	known := v.Handle != "" && v.Driver != ""
	return found, ok && known && found.Value().Spec.NodeName == node
}

// AttachmentsOf are the VolumeAttachments of a volume in the bundle, under any PersistentVolume of its handle.
func (w *World) AttachmentsOf(v *Volume) (out []model.Object[*storagev1.VolumeAttachment]) {
	for _, s := range v.Same() {
		out = append(out, Picked(w.Attachments, w.attachAt[s.PersistentVolume])...)
	}
	return out
}

// Listed reports whether the bundle holds a list of a kind that would show an object of the namespace.
func (w *World) Listed(kind, namespace string) bool {
	return w.listed[model.Listed{Kind: kind}] || namespace != "" && w.listed[model.Listed{Kind: kind, Namespace: namespace}]
}

// Held are the pods of a list that the bundle holds.
func (w *World) Held(pods []model.Ref) []model.Object[*corev1.Pod] {
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
	return Last(w.ByPod[pod.String()], Window{}, And(OfPod(pod), Kinds(ks...)))
}

// Cite makes a field of an object quotable like an observation without a time: the state at collection; nil when the file lacks it.
func Cite[T any](o model.Object[T], field string) *model.Observation {
	src, quote := o.SourceOf(field)
	if quote.Text == "" {
		return nil
	}
	return &model.Observation{Kind: model.KubernetesEvent, Object: o.Ref, Input: o.Input, Count: 1, Source: src, Quote: quote}
}

// CiteAll makes those of some fields quotable that the file has.
func CiteAll[T any](o model.Object[T], fields ...string) []*model.Observation {
	var out []*model.Observation
	for _, f := range fields {
		if c := Cite(o, f); c != nil {
			out = append(out, c)
		}
	}
	return out
}
