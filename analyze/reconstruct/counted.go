package reconstruct

import (
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
	end := c.Span.To.Latest
	if c.Resolved() {
		end = c.Ended().Latest
	}
	return where(c.World.byKind[model.StorageOperationsCounted], func(o *model.Observation) bool {
		return c.Volume.Driver != "" && o.Attacher == c.Volume.Driver && !o.Last.Latest.Before(c.Began.Earliest) && !o.At.Earliest.After(end)
	})
}

// OperationsAreCounted reports that the controller's counters for the volume's driver are there from the release of the old pod
// to the end of the wait, so that a detach that they do not count did not end.
func (c *Case) OperationsAreCounted() bool {
	for _, o := range c.World.byKind[model.OperationsSampled] {
		if o.Attacher == c.Volume.Driver && c.Volume.Driver != "" && !o.At.At.After(c.Released.Latest) && c.lastedToEnd(o) {
			return true
		}
	}
	return false
}

// CountedForce is a forced detach that the controller's metrics count while the wait lasted; nil without one.
func (c *Case) CountedForce() *model.Observation {
	end := c.Span.To.Latest
	if c.Resolved() {
		end = c.Ended().Latest
	}
	for _, o := range c.World.byKind[model.ForcedDetachesCounted] {
		if !o.Last.Latest.Before(c.Began.Earliest) && !o.At.Earliest.After(end) {
			return o
		}
	}
	return nil
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
