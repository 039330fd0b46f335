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
	n, ok := w.inputs[o.Input]
	return ok && slices.ContainsFunc(append([]int{n}, w.logsOf[containerOf(&w.Axis.Inputs[n])]...), func(same int) bool {
		from := w.Axis.Inputs[same].From
		return from != nil && !from.After(t)
	})
}

func (w *World) indexInputs() {
	w.inputs, w.logsOf = make(map[string]int, len(w.Axis.Inputs)), map[string][]int{}
	w.logs = map[string][]*model.Input{}
	for n := range w.Axis.Inputs {
		in := &w.Axis.Inputs[n]
		w.inputs[in.Path] = n
		if in.Component != "" {
			w.logs[in.Component] = append(w.logs[in.Component], in)
		}
		if key := containerOf(in); key != "" {
			w.logsOf[key] = append(w.logsOf[key], n)
		}
	}
}

// containerOf names the container that wrote a log, "" when that is not known.
func containerOf(in *model.Input) string {
	if in.Pod == "" {
		return ""
	}
	return in.Namespace + "/" + in.Pod + "/" + in.Container
}
