package reconstruct

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// Move is how a volume that was taken from a lost node came into use elsewhere, when no wait was reported.
type Move struct {
	Pod   model.Ref
	Lost  *model.Observation // the last sign of the old node, or the first that it was not Ready
	Ready *model.Observation // Pod
}

// MovedAfter follows a detach from a lost node to the pod that was Ready with the volume elsewhere. False where a part of it is not shown.
func (w *World) MovedAfter(o *model.Observation) (Move, bool) {
	v := w.Volumes.Find(o.Volume)
	lost := w.lostBefore(o)
	if v == nil || lost == nil {
		return Move{}, false
	}
	attach := kinds(model.AttachStarted, model.AttachSucceeded)
	for _, a := range where(after(o.At.At).of(w.byVolume[v]), attach) {
		if a.Node == o.Node {
			return Move{}, false // it came back
		}
		for _, p := range slices.Concat([]model.Ref{a.Pod}, a.Pods) {
			if ready := first(w.byPod[p.String()], after(a.At.At), kinds(model.PodReady)); p.Name != "" && ready != nil {
				return Move{Pod: p, Lost: lost, Ready: ready}, true
			}
		}
	}
	return Move{}, false
}

// lostBefore is the beginning of the loss of a node that went on at an observation: its last renewal before, else the record itself.
func (w *World) lostBefore(o *model.Observation) *model.Observation {
	list := w.byNode[o.Node]
	lost := lastTransition(list, window{from: o.At.At.Add(-time.Hour), to: o.At.At})
	if lost == nil || first(list, window{from: lost.At.At, to: o.At.At}, and(kinds(model.NodeReady), isNode)) != nil {
		return nil
	}
	alive := last(list, window{from: lost.At.At.Add(-10 * time.Minute), to: lost.At.At}, func(h *model.Observation) bool {
		return h.Kind == model.NodeHeartbeat && h.Detail != "condition"
	})
	if alive != nil {
		return alive
	}
	return lost
}
