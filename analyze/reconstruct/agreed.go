package reconstruct

import (
	"time"

	"github.com/volpost/volpost/model"
)

// Agreed are the samples of metrics that say what a log, an event or an object says with a finer time.
func (w *World) Agreed(o *model.Observation) []*model.Observation { return w.agreed[o] }

// disagreeFor is how long the samples have to go on to show the contrary, on both sides: the exporter may lag, and a state may
// come back between two scrapes.
const disagreeFor = 2 * time.Minute

// contrary are the states of which every scrape would show that a statement is not so.
var contrary = []struct {
	said  []model.Kind
	state model.Kind
	key   func(*model.Observation) string
}{
	{[]model.Kind{model.AttachmentGone, model.AttacherDetached}, model.AttachmentAttached, func(o *model.Observation) string { return o.Attachment }},
	{[]model.Kind{model.NodeNotReady}, model.NodeSampledReady, func(o *model.Observation) string { return o.Node }},
	{[]model.Kind{model.PodGone, model.PodForceDeleted}, model.PodSampledReady, func(o *model.Observation) string { return o.Pod.UID }},
}

// Disagreements are the statements of logs, events and objects in the middle of stretches in which every scrape of the metrics
// shows the contrary, with those: that an attachment was gone, a node not Ready, or a pod gone.
func (w *World) Disagreements() map[*model.Observation]*model.Observation {
	out := map[*model.Observation]*model.Observation{}
	for _, c := range contrary {
		states := map[string][]*model.Observation{}
		for _, s := range w.byKind[c.state] {
			if key := c.key(s); key != "" && fromMetric(s) {
				states[key] = append(states[key], s)
			}
		}
		for _, kind := range c.said {
			for _, o := range w.byKind[kind] {
				if fromMetric(o) || o.At.IsZero() {
					continue
				}
				if s := find(states[c.key(o)], func(s *model.Observation) bool { return w.contradicts(s, o) }); s != nil {
					out[o] = s
				}
			}
		}
	}
	return out
}

// contradicts reports that a sampled state goes on through the time of a statement. An attachment that was made again may have
// been away between two scrapes: it contradicts only when it is known when it was made, and that is before.
func (w *World) contradicts(s, o *model.Observation) bool {
	if !s.At.Latest.Before(o.At.Earliest.Add(-disagreeFor)) || !s.Last.Earliest.After(o.At.Latest.Add(disagreeFor)) {
		return false
	}
	if o.Attachment == "" {
		return true
	}
	made := func(in window) bool {
		return first(w.byAttach[o.Attachment], in, kinds(model.AttachmentCreated, model.AttacherAttaching, model.AttachStarted)) != nil
	}
	return made(before(o.At.Earliest)) && !made(window{from: o.At.Earliest, to: s.Last.Latest})
}
