package reconstruct

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// refusalLasts is for how long a back end may refuse an attach as part of an ordinary move: it takes its time to detach.
const refusalLasts = time.Minute

// refusedWaits are the waits in which Kubernetes has let go of a volume and its back end has not: an attach is refused because
// another machine has the volume, no VolumeAttachment of another node is known, and the controller did not report Multi-Attach.
// Refusals that an attach followed within a minute were an ordinary move.
func refusedWaits(w *World, others map[*Volume][]*demand) []*demand {
	own := map[*Volume][]*demand{}
	var out []*demand
	for _, kind := range []model.Kind{model.AttachFailed, model.AttachmentAttachError, model.AttacherFailed} {
		for _, o := range w.byKind[kind] {
			v := w.Volumes.Find(o.Volume)
			if v == nil || o.At.IsZero() || len(others[v.Storage()]) > 0 {
				continue
			}
			node, pods := o.Node, wanting(o)
			if node == "" {
				node = nodeOfPods(w, pods, o.At.At)
			}
			if !upstream.InUseElsewhere(o.Detail, node) || heldElsewhere(w, v, node) != nil {
				continue
			}
			i := slices.IndexFunc(own[v], func(d *demand) bool { return d.node == node || d.node == "" || node == "" })
			if i < 0 {
				d := &demand{volume: v, node: node, refused: true}
				i, own[v], out = len(own[v]), append(own[v], d), append(out, d)
			}
			own[v][i].add(o, node, pods)
		}
	}
	for _, d := range out {
		slices.SortStableFunc(d.reports, (*model.Observation).Compare)
	}
	return slices.DeleteFunc(out, func(d *demand) bool { return passed(w, d) })
}

// passed reports that the volume was attached soon after the first refusal.
func passed(w *World, d *demand) bool {
	began := d.reports[0].At.At
	return first(w.byVolume[d.volume], window{from: began, to: began.Add(refusalLasts)}, kinds(model.AttachSucceeded, model.AttacherAttached)) != nil
}

// Refusals are the refused attaches of a case that they alone show.
func (c *Case) Refusals() []*model.Observation {
	return where(c.Reports, func(*model.Observation) bool { return c.Refused })
}

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
