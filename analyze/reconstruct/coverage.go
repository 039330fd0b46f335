package reconstruct

import (
	"time"

	"github.com/volpost/volpost/model"
)

// RemovedByGC is pod GC's removal of an old pod before the volume was attached again: it removes pods of deleted nodes and
// of nodes with the out-of-service taint. Nil when nothing records one.
func (c *Case) RemovedByGC() *model.Observation {
	w := window{from: c.lastHeld()}
	if c.Attached.Known() {
		w.to = c.Attached.At
	}
	return first(c.about(c.OldPods), w, kinds(model.PodForceDeleting, model.PodForceDeleted, model.PodOrphaned))
}

// LogReaches reports whether the log that holds an observation, or another log of the same container, begins before a
// time, so that its silence between the two means something.
func (w *World) LogReaches(o *model.Observation, t time.Time) bool {
	var own model.Input
	for _, in := range w.Axis.Inputs {
		if in.Path == o.Input {
			own = in
		}
	}
	for _, in := range w.Axis.Inputs {
		same := in.Path == own.Path || own.Pod != "" && in.Pod == own.Pod && in.Namespace == own.Namespace && in.Container == own.Container
		if same && in.From != nil && !in.From.After(t) {
			return true
		}
	}
	return false
}
