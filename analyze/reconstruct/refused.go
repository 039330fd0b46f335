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
