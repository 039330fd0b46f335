package reconstruct

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// AtCollection is the world with the objects of the newest collection only. Of a bundle that was collected twice, an
// object of the first collection may be gone by the second, and two objects of different collections never met.
func (w *World) AtCollection() *World {
	newest, ok := w.newestCollection()
	if !ok {
		return w
	}
	inputs := map[string]bool{}
	for _, in := range w.Snapshot.Inputs {
		if c := w.Snapshot.CollectionOf(in.Path); c == nil || c.Root == newest {
			inputs[in.Path] = true
		}
	}
	s := w.Snapshot.OfInputs(inputs)
	s.Lists = slices.DeleteFunc(slices.Clone(s.Lists), func(l model.Listed) bool { return l.Collection != "" && l.Collection != newest })
	now := *w
	now.Snapshot = s
	now.Pods, now.Nodes, now.Attachments = model.Newest(s.Pods), model.Newest(s.Nodes), model.Newest(s.VolumeAttachments)
	now.indexObjects()
	now.indexPods()
	now.takeInventory()
	return &now
}

// newestCollection is the newest of several collections that hold something of this cluster.
func (w *World) newestCollection() (string, bool) {
	present := map[string]bool{}
	for _, in := range w.Snapshot.Inputs {
		if in.Kind == model.InputManifests {
			if c := w.Snapshot.CollectionOf(in.Path); c != nil {
				present[c.Root] = true
			}
		}
	}
	if len(present) < 2 {
		return "", false
	}
	for _, c := range slices.Backward(w.Snapshot.Collections) {
		if present[c.Root] {
			return c.Root, true
		}
	}
	return "", false
}
