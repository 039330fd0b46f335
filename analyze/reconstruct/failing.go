package reconstruct

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// AttachErrors are the failures of the attach to the wanted node since the report, from the controller, the attacher and
// the object, in no particular order.
func (c *Case) AttachErrors() []*model.Observation {
	while := window{from: c.Began.Earliest, to: c.Attached.Latest}
	failed := kinds(model.AttachmentAttachError, model.AttacherFailed)
	return unique(slices.Concat(where(c.World.byVolume[c.Volume], func(o *model.Observation) bool {
		return o.Kind == model.AttachFailed && while.holds(o.At.At) && (o.Node == c.To || o.Node == "")
	}), where(c.World.byAttach[c.next.Name], func(o *model.Observation) bool { return failed(o) && while.holds(o.At.At) })))
}

// OtherVolumesFailing are failed detaches of other volumes between a time and the end of the wait whose text passes a
// test, one for each volume.
func (c *Case) OtherVolumesFailing(from time.Time, test func(string) bool) []*model.Observation {
	w := window{from: from, to: c.Ended().Latest}
	seen := map[*Volume]bool{nil: true, c.Volume.Storage(): true}
	return where(c.World.byKind[model.DetachFailed], func(o *model.Observation) bool {
		v := c.World.Volumes.Find(o.Volume).Storage()
		if seen[v] || !w.holds(o.At.At) || !test(o.Detail) {
			return false
		}
		seen[v] = true
		return true
	})
}
