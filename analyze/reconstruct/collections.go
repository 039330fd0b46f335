package reconstruct

import (
	"slices"
	"strings"

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
		if c := innermost(w.Snapshot.Collections, in.Path); c == "" || c == newest {
			inputs[in.Path] = true
		}
	}
	s := w.Snapshot.OfInputs(inputs)
	s.Lists = listsOf(w.Snapshot, s)
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
			present[innermost(w.Snapshot.Collections, in.Path)] = true
		}
	}
	delete(present, "")
	if len(present) < 2 {
		return "", false
	}
	for _, c := range slices.Backward(w.Snapshot.Collections) {
		if present[c] {
			return c, true
		}
	}
	return "", false
}

// innermost is the longest of some directories that holds a path; empty when none does.
func innermost(dirs []string, path string) string {
	best := ""
	path = strings.ReplaceAll(path, "!", "/") // members of an archive lie in it as in a directory
	for _, d := range dirs {
		if (d == "." || strings.HasPrefix(path, d+"/")) && (best == "" || best == "." || d != "." && len(d) > len(best)) {
			best = d
		}
	}
	return best
}

// listsOf are the lists of a bundle as far as the newest collection can have made them: where it has no object of a kind
// and an older one has, it may not have asked for any.
func listsOf(whole, newest *model.Snapshot) []model.Listed {
	all, now := held(whole), held(newest)
	return slices.DeleteFunc(slices.Clone(whole.Lists), func(l model.Listed) bool { return all[l] && !now[l] })
}

// held are the kinds and namespaces of which a snapshot has objects; a kind with namespaces counts also as a whole.
func held(s *model.Snapshot) map[model.Listed]bool {
	out := map[model.Listed]bool{}
	hold(out, s.Nodes)
	hold(out, s.Pods)
	hold(out, s.PersistentVolumes)
	hold(out, s.PersistentVolumeClaims)
	hold(out, s.Namespaces)
	hold(out, s.VolumeAttachments)
	hold(out, s.CSINodes)
	hold(out, s.CSIDrivers)
	hold(out, s.StorageClasses)
	hold(out, s.Leases)
	hold(out, s.Deployments)
	hold(out, s.ReplicaSets)
	hold(out, s.StatefulSets)
	hold(out, s.DaemonSets)
	hold(out, s.Jobs)
	return out
}

func hold[T any](out map[model.Listed]bool, list []model.Object[T]) {
	for _, o := range list {
		out[model.Listed{Kind: o.Ref.Kind}] = true
		out[model.Listed{Kind: o.Ref.Kind, Namespace: o.Ref.Namespace}] = true
	}
}
