package wait

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// lastedToEnd reports that a sampled state lasted until the end of the wait: its last sample lies two scrapes before, at most.
func (c *Case) lastedToEnd(o *model.Observation) bool {
	return !o.Last.At.Before(c.end().Earliest.Add(-2 * max(time.Minute, interval(c.World, o))))
}

// MetricsEnd is the last sample of a wait that metrics alone show, when they end inside of it; zero for others.
func (c *Case) MetricsEnd() (end time.Time) {
	if !c.Sampled || c.Resolved() || c.World.Snapshot.CapturedAt != nil {
		return end
	}
	for _, o := range facts.Where(c.Reports, c.lastedToEnd) {
		end = model.Later(end, o.Last.At)
	}
	return end
}

// interval is the distance of two samples of the source of a statement; 0 when it is not known.
func interval(w *facts.World, o *model.Observation) time.Duration {
	if n := slices.IndexFunc(w.Snapshot.Metrics, func(m model.MetricSource) bool { return m.Input == o.Input }); n >= 0 {
		return w.Snapshot.Metrics[n].Interval
	}
	return 0
}

// NodeSampledReady quotes metrics by which the old node was Ready at every scrape of the wait; else nil.
func (c *Case) NodeSampledReady() *model.Observation {
	return only(c.SampledThroughout(model.NodeSampledReady), !c.NotReady.Known())
}

// NodeSampledLost quotes metrics by which the old node was not Ready at any scrape from before the wait until its end; else nil.
func (c *Case) NodeSampledLost() *model.Observation {
	if c.From == "" || c.NotReady.Known() {
		return nil
	}
	return facts.Find(c.ofNode(), func(o *model.Observation) bool {
		before := o.Kind == model.NodeSampledNotReady && !o.At.At.After(c.Began.Latest)
		return before && (!c.Resolved() || c.lastedToEnd(o))
	})
}

// SampledThroughout is what metrics show of the old node at every scrape from the beginning of the wait to its end; nil for nothing.
func (c *Case) SampledThroughout(kind model.Kind) *model.Observation {
	return facts.First(c.ofNode(), facts.Before(c.Began.Latest), func(o *model.Observation) bool {
		return o.Kind == kind && c.lastedToEnd(o)
	})
}

// OneDeployment reports that an old and a new pod are of one Deployment, by their names or by those of their ReplicaSets.
func (c *Case) OneDeployment() bool {
	for _, p := range c.OldPods {
		for _, n := range c.NewPods {
			if p.Namespace == n.Namespace && (sameDeployment(p.Name, n.Name) || c.siblings(p, n)) {
				return true
			}
		}
	}
	return false
}

// siblings reports that metrics name two ReplicaSets as the owners of two pods, which differ in the hash only.
func (c *Case) siblings(a, b model.Ref) bool {
	x, y := c.sampledOwner(a), c.sampledOwner(b)
	if x.Kind != "ReplicaSet" || y.Kind != "ReplicaSet" || x.Name == y.Name {
		return false
	}
	return alike(x.Name, y.Name, func(string) bool { return true })
}

func (c *Case) sampledOwner(p model.Ref) model.Ref {
	owned := func(o *model.Observation) bool { return o.Owner.Name != "" }
	o := facts.Find(c.World.ByPod[p.String()], facts.And(facts.OfPod(p), owned, facts.Kinds(model.PodSampledReady, model.PodWaiting)))
	if o == nil {
		return model.Ref{}
	}
	return o.Owner
}

// servedOn is how long an old pod has to stay Ready after the wait began to have had no reason to go: twice the default grace.
const servedOn = time.Minute

// OldPodsSampledReady quotes metrics by which every old pod went on to be Ready for a minute after the wait had begun; else nil.
func (c *Case) OldPodsSampledReady() (out []*model.Observation) {
	for _, p := range c.OldPods {
		o := facts.Last(c.World.ByPod[p.String()], facts.Before(c.Began.Latest), func(o *model.Observation) bool {
			return o.Kind == model.PodSampledReady && o.Pod.Is(p) && !o.Last.At.Before(c.Began.Latest.Add(servedOn))
		})
		if o == nil {
			return nil
		}
		out = append(out, o)
	}
	return out
}

// CountedFailures are the failed detaches that the controller's own metrics count for the volume's driver while the wait lasted, one for
// each stretch. They name no volume: another of the driver may be meant.
func (c *Case) CountedFailures() []*model.Observation {
	return facts.Where(c.World.ByKind[model.StorageOperationsCounted], func(o *model.Observation) bool {
		ours := c.Volume.Driver != "" && o.Attacher == c.Volume.Driver
		return ours && c.during(o) && strings.HasPrefix(o.Detail, "volume_detach fail")
	})
}

// during reports that what metrics count may lie in the wait.
func (c *Case) during(o *model.Observation) bool {
	return !o.Last.Latest.Before(c.Began.Earliest) && !o.At.Earliest.After(c.end().Latest)
}

// OperationsAreCounted reports that the controller's counters for the volume's driver are there from the release of the old pod to the
// end of the wait: a detach that they do not count did not end.
func (c *Case) OperationsAreCounted() bool {
	return c.Volume.Driver != "" && slices.ContainsFunc(c.World.ByKind[model.OperationsSampled], func(o *model.Observation) bool {
		return o.Attacher == c.Volume.Driver && !o.At.At.After(c.Released.Latest) && c.lastedToEnd(o)
	})
}

// CountedForce is a forced detach that the controller's metrics count while the wait lasted; nil without one.
func (c *Case) CountedForce() *model.Observation {
	return facts.Find(c.World.ByKind[model.ForcedDetachesCounted], c.during)
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
