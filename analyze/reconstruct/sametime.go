package reconstruct

import (
	"time"

	"github.com/volpost/volpost/model"
)

// sameBreath is how far apart the controller's line about a wait and its event may lie for both to be of one report: 28 µs
// in a public incident, at most 0.1 s in the recordings.
const sameBreath = 200 * time.Millisecond

// joinReports ties a unique name to a PersistentVolume where nothing else does: the line of the reconciler names the one,
// the event the other, and they are written one after the other for the same pod. Where more than one would fit, none is
// tied.
func (vs *Volumes) joinReports(observations []model.Observation) {
	var lines, events []*model.Observation
	for i := range observations {
		o := &observations[i]
		if o.Kind != model.MultiAttach || o.At.IsZero() || o.Floating {
			continue
		}
		v := vs.Find(o.Volume)
		switch {
		case v == nil:
		case v.PersistentVolume == "":
			lines = append(lines, o)
		case v.UniqueName == "":
			events = append(events, o)
		}
	}
	for _, l := range lines {
		if e, ok := only(l, events); ok {
			if back, ok := only(e, lines); ok && back.Volume == l.Volume {
				vs.add(model.VolumeID{PersistentVolume: e.Volume.PersistentVolume, UniqueName: l.Volume.Complete().UniqueName})
			}
		}
	}
}

// only finds the one volume of the others that was reported in the same breath for the same pod.
func only(o *model.Observation, others []*model.Observation) (*model.Observation, bool) {
	var found *model.Observation
	for _, p := range others {
		if p.At.At.Sub(o.At.At).Abs() > sameBreath || o.Pod.Name == "" || !o.Pod.Is(p.Pod) {
			continue
		}
		if found != nil && found.Volume != p.Volume {
			return nil, false
		}
		found = p
	}
	return found, found != nil
}
