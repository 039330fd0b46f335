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
	errors := slices.Concat(w.byKind[model.AttachmentDetachError], w.byKind[model.DetachFailed])
	return perVolume(w, where(errors, stuckThere), demand{stuck: true})
}

// perVolume makes a demand of the first statement about each volume.
func perVolume(w *World, list []*model.Observation, like demand) (out []*demand) {
	for _, o := range list {
		v := w.Volumes.Find(o.Volume)
		if v != nil && !o.At.IsZero() && !slices.ContainsFunc(out, func(d *demand) bool { return d.volume == v }) {
			d := like
			d.volume, d.reports = v, []*model.Observation{o}
			out = append(out, &d)
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
	return perVolume(w, where(w.byKind[model.DetachForcedTimeout], func(o *model.Observation) bool {
		_, marked := upstream.BugOf(o.Volume.UniqueName)
		return marked
	}), demand{taken: true})
}

// DetachStuck are the errors of the detach from the old node that a pasted VolumeAttachment keeps; empty when something shows that
// it went through.
func (c *Case) DetachStuck() []*model.Observation {
	return where(c.World.byVolume[c.Volume], func(o *model.Observation) bool {
		return stuckThere(o) && (o.Node == "" || o.Node == c.From) && c.World.DetachedSince(o) == nil
	})
}
