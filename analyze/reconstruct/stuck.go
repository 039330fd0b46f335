package reconstruct

import (
	"slices"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// stuckThere reports that an observation is the error of a detach, as a VolumeAttachment that somebody pasted keeps it: the volume
// is still there.
func stuckThere(o *model.Observation) bool {
	state := o.Source.Kind == model.SourceManifest || o.Source.Kind == model.SourceText && o.Age == nil
	return state && kinds(model.DetachFailed, model.AttachmentDetachError)(o)
}

// stuckDetaches are volumes of which a failing detach is all that is shown: evidence without pods, events and a controller's log
// could show no wait, and any wait would be for that detach.
func stuckDetaches(w *World) []*demand {
	if len(w.Pods) > 0 || w.LogCovers() || w.EventsCover() {
		return nil
	}
	var out []*demand
	for _, kind := range []model.Kind{model.AttachmentDetachError, model.DetachFailed} {
		for _, o := range w.byKind[kind] {
			v := w.Volumes.Find(o.Volume)
			if v == nil || o.At.IsZero() || !stuckThere(o) || slices.ContainsFunc(out, func(d *demand) bool { return d.volume == v }) {
				continue
			}
			out = append(out, &demand{volume: v, reports: []*model.Observation{o}, stuck: true})
		}
	}
	return out
}

// takenByForce are volumes that the controller detached by force under a name that a known error makes, where nothing could show
// that anybody waits for them.
func takenByForce(w *World) []*demand {
	if len(w.Pods) > 0 || w.EventsCover() {
		return nil
	}
	var out []*demand
	for _, o := range w.byKind[model.DetachForcedTimeout] {
		v := w.Volumes.Find(o.Volume)
		_, marked := upstream.BugOf(o.Volume.UniqueName)
		if v == nil || o.At.IsZero() || !marked || slices.ContainsFunc(out, func(d *demand) bool { return d.volume == v }) {
			continue
		}
		out = append(out, &demand{volume: v, reports: []*model.Observation{o}, taken: true})
	}
	return out
}

// DetachStuck are the errors of the detach from the old node that a pasted VolumeAttachment keeps; empty when something shows that
// it went through.
func (c *Case) DetachStuck() []*model.Observation {
	return where(c.World.byVolume[c.Volume], func(o *model.Observation) bool {
		return stuckThere(o) && (o.Node == "" || o.Node == c.From) && c.World.DetachedSince(o) == nil
	})
}
