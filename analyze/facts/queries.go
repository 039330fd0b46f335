package facts

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// HasLog reports whether the bundle holds a log of a component.
func (w *World) HasLog(component string) bool {
	return slices.ContainsFunc(w.Logs[component], func(in *model.Input) bool { return in.Records > 0 })
}

// minCovered is the shortest stretch of a log that counts as covering a time: a pasted line or two covers nothing.
const minCovered = time.Minute

// LogCovers reports whether a log of the kube-controller-manager shows attaches or detaches over some time: then its silence counts.
func (w *World) LogCovers() bool {
	active := map[string]bool{}
	for _, k := range []model.Kind{model.AttachStarted, model.AttachSucceeded, model.DetachStarted, model.DetachSucceeded,
		model.ControllerStarted} {
		for _, o := range w.ByKind[k] {
			active[o.Input] = active[o.Input] || o.Source.Kind == model.SourceLog && o.Component == "kube-controller-manager"
		}
	}
	return slices.ContainsFunc(w.Axis.Inputs, func(in model.Input) bool {
		ends := in.From != nil && in.To != nil
		return ends && active[in.Path] && in.To.Sub(*in.From) >= minCovered
	})
}

// EventsCover reports whether the bundle lists the Events of a namespace with some about pods, as reports are; one Event covers nothing.
func (w *World) EventsCover() bool {
	return slices.ContainsFunc(w.Axis.Observations, func(o model.Observation) bool {
		return o.Source.Kind == model.SourceEvent && o.Object.Kind == "Pod" && w.Listed("Event", o.Object.Namespace)
	})
}
