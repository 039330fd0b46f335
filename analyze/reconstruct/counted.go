package reconstruct

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// CountedFailures are the failed detaches that the controller's own metrics count for the volume's driver while the wait lasted,
// one for each stretch of them. They name no volume: another one of the driver may be meant.
func (c *Case) CountedFailures() []*model.Observation {
	return where(c.countedOperations(), func(o *model.Observation) bool { return strings.HasPrefix(o.Detail, "volume_detach fail") })
}

// countedOperations are the attaches and detaches of the volume's driver that metrics count from the beginning of the wait to
// its end.
func (c *Case) countedOperations() []*model.Observation {
	return where(c.World.byKind[model.StorageOperationsCounted], func(o *model.Observation) bool {
		return c.Volume.Driver != "" && o.Attacher == c.Volume.Driver && c.during(o)
	})
}

// during reports that what metrics count may lie in the wait.
func (c *Case) during(o *model.Observation) bool {
	return !o.Last.Latest.Before(c.Began.Earliest) && !o.At.Earliest.After(c.end().Latest)
}

// OperationsAreCounted reports that the controller's counters for the volume's driver are there from the release of the old pod
// to the end of the wait, so that a detach that they do not count did not end.
func (c *Case) OperationsAreCounted() bool {
	return slices.ContainsFunc(c.World.byKind[model.OperationsSampled], func(o *model.Observation) bool {
		return o.Attacher == c.Volume.Driver && c.Volume.Driver != "" && !o.At.At.After(c.Released.Latest) && c.lastedToEnd(o)
	})
}

// CountedForce is a forced detach that the controller's metrics count while the wait lasted; nil without one.
func (c *Case) CountedForce() *model.Observation {
	return find(c.World.byKind[model.ForcedDetachesCounted], c.during)
}

// SecondAttachment reports that the VolumeAttachment of the wanted node was made while that of the old node still existed.
func (c *Case) SecondAttachment() bool {
	if !c.NewAttachment.Known() {
		return false
	}
	if c.Gone.Known() {
		return c.NewAttachment.Latest.Add(time.Second).Before(c.Gone.Earliest)
	}
	return !c.NewAttachment.At.Before(c.Began.At)
}

// Spacing is how far apart counted events lay on average; 0 for a single one.
func Spacing(o *model.Observation) time.Duration {
	if o.Count < 2 {
		return 0
	}
	return o.Last.At.Sub(o.At.At) / time.Duration(o.Count-1)
}
