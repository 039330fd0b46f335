package reconstruct

import (
	"time"

	"github.com/volpost/volpost/model"
)

// AttachErrors are the failures of the attach to the wanted node since the report, from the controller, the attacher and
// the object, in no particular order.
func (c *Case) AttachErrors() []*model.Observation {
	var out []*model.Observation
	after := window{from: c.Began.Earliest}
	if c.Attached.Known() {
		after.to = c.Attached.Latest
	}
	for _, o := range c.World.byVolume[c.Volume] {
		if o.Kind == model.AttachFailed && after.holds(o.At.At) && (o.Node == c.To || o.Node == "") {
			out = append(out, o)
		}
	}
	for _, o := range c.World.byAttach[c.next.Name] {
		if kinds(model.AttachmentAttachError, model.AttacherFailed)(o) && after.holds(o.At.At) {
			out = append(out, o)
		}
	}
	return unique(out)
}

// OtherVolumesFailing are failed detaches of other volumes between a time and the end of the wait whose text passes a
// test, one for each volume.
func (c *Case) OtherVolumesFailing(from time.Time, test func(string) bool) []*model.Observation {
	w := window{from: from}
	if c.Resolved() {
		w.to = c.Ended().Latest
	}
	var out []*model.Observation
	seen := map[*Volume]bool{c.Volume.Storage(): true}
	for _, o := range c.World.byKind[model.DetachFailed] {
		v := c.World.Volumes.Find(o.Volume).Storage()
		if v != nil && !seen[v] && w.holds(o.At.At) && test(o.Detail) {
			seen[v] = true
			out = append(out, o)
		}
	}
	return out
}
