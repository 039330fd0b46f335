package reconstruct

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// RemovedByGC is pod GC's removal of an old pod before the volume was attached again: it removes pods of deleted nodes and
// of nodes with the out-of-service taint. Nil when nothing records one.
func (c *Case) RemovedByGC() *model.Observation {
	w := window{from: c.lastHeld(), to: c.Attached.At}
	return first(c.about(c.OldPods), w, kinds(model.PodForceDeleting, model.PodForceDeleted, model.PodOrphaned))
}

// LogReaches reports whether the log that holds an observation, or another log of the same container, begins before a
// time, so that its silence between the two means something.
func (w *World) LogReaches(o *model.Observation, t time.Time) bool {
	in := w.inputs[o.Input]
	return in != nil && slices.ContainsFunc(append([]*model.Input{in}, w.logsOf[containerOf(in)]...), func(in *model.Input) bool {
		return in.From != nil && !in.From.After(t)
	})
}

func (w *World) indexInputs() {
	for n := range w.Axis.Inputs {
		in := &w.Axis.Inputs[n]
		w.inputs[in.Path] = in
		w.logs.add(in.Component, in)
		w.logsOf.add(containerOf(in), in)
	}
}

// containerOf names the container that wrote a log, "" when that is not known.
func containerOf(in *model.Input) string {
	if in.Pod == "" {
		return ""
	}
	return in.Namespace + "/" + in.Pod + "/" + in.Container
}
