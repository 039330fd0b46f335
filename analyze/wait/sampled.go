package wait

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// sampledWaits are the waits that metrics show and no report names: at a scrape a pod waits on one node for its containers, while the
// volume of its claim is attached on another node only. A volume of unknown access modes gives one only when the attach to the pod's node
// is not even begun for two scrapes.
func sampledWaits(w *facts.World, reported []*Case) (out []*Case) {
	for _, o := range w.ByKind[model.PodWaiting] {
		node := o.Node
		if node == "" {
			node = nodeOfPods(w, []model.Ref{o.Pod}, o.Last.At)
		}
		for _, v := range w.Used[o.Pod.String()] {
			if node == "" || !w.Users[v].Has(o.Pod) {
				continue
			}
			if c := sampledWait(w, v, node, o); c != nil && !reportedWait(w, reported, c) && !joined(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// sampledWait is the wait of a pod for a volume on a node; nil when no scrape shows the volume elsewhere meanwhile.
func sampledWait(w *facts.World, v *facts.Volume, node string, o *model.Observation) *Case {
	if v.Many() {
		return nil
	}
	for _, a := range w.ByVolume[v] { // the first: one that was made anew meanwhile did not begin the wait
		if elsewhere := a.Node != "" && a.Node != node; !elsewhere || !facts.AttachedIn(a) || !facts.FromMetric(a) {
			continue
		}
		from, to := model.Later(o.At.Latest, a.At.Latest), o.Last.Earliest
		gone := facts.First(w.ByAttach[a.Attachment], facts.After(a.At.At), facts.Kinds(model.AttachmentGone))
		if gone != nil && gone.Source.Kind != model.SourceMetric && gone.At.Earliest.Before(to) {
			to = gone.At.Earliest // the samples end by themselves, at a step that is as old as the one that shows the pod
		}
		if a.Last.Latest.Before(to) {
			to = a.Last.Latest
		}
		if to.Before(from) || attachedOn(w, v, node, from) {
			continue
		}
		if !v.Exclusive() && !refused(w, v, o, node, from, to) {
			continue
		}
		return &Case{Volume: v, To: node, From: a.Node, fresh: refsOf(o.Pod), Reports: []*model.Observation{o}, Sampled: true,
			Began: sampledBegin(w, node, o, a, from)}
	}
	return nil
}

// refused reports that the metrics go on to show the wait while no attachment of the volume to the node is made, which the controller
// makes at once for a volume that several nodes may have.
func refused(w *facts.World, v *facts.Volume, o *model.Observation, node string, from, to time.Time) bool {
	atOnce := max(30*time.Second, 2*interval(w, o))
	made := facts.And(facts.Kinds(model.AttachmentCreated, model.AttachmentAttached, model.AttachmentSampled), onNode(node))
	return to.Sub(from) >= atOnce && facts.Last(w.ByVolume[v], facts.Before(from.Add(atOnce)), made) == nil
}

// attachedOn reports that the volume was attached on a node at a time, too.
func attachedOn(w *facts.World, v *facts.Volume, node string, at time.Time) bool {
	a := facts.Last(w.ByVolume[v], facts.Before(at), facts.And(facts.AttachedIn, onNode(node)))
	return a != nil && facts.First(w.ByAttach[a.Attachment], facts.During(a.At.At, at), facts.Kinds(model.AttachmentGone)) == nil
}

// sampledBegin is when the wait began: when the pod got its node, or the volume was attached elsewhere if that was later; not after the
// first scrape that shows both, which stands for it where the samples begin in the middle of the wait.
func sampledBegin(w *facts.World, node string, o, attached *model.Observation, seenAt time.Time) facts.Instant {
	witness := []*model.Observation{o, attached}
	of := func(kind model.Kind) *model.Observation {
		return facts.Last(w.ByPod[o.Pod.String()], facts.Before(seenAt), func(s *model.Observation) bool {
			here := s.Node == node || kind == model.PodCreated
			return here && s.Kind == kind && s.Pod.Is(o.Pod)
		})
	}
	var from time.Time // the wait is not older
	if attached.Kind == model.AttachmentAttached {
		from = attached.At.Earliest
	}
	m := model.Moment{At: seenAt, Latest: seenAt, Basis: model.Derived}
	if scheduled := of(model.PodScheduled); scheduled != nil {
		witness = append(witness, scheduled)
		from = model.Later(from, scheduled.At.Earliest)
		m.At = model.Later(from, scheduled.At.At)
	} else if created := of(model.PodCreated); created != nil {
		witness = append(witness, created)
		from = model.Later(from, created.At.Earliest)
	}
	if m.Earliest = from; from.IsZero() {
		m.Earliest = model.Earlier(seenAt, time.Date(2017, time.December, 15, 0, 0, 0, 0, time.UTC)) // 1.9 brought VolumeAttachments
		return derived(m.As(model.Assumed),
			"the metrics begin while a pod waits on one node for a volume that is attached on another: since when is not known", witness...)
	}
	return derived(m, "a pod waits on one node for a volume that is attached on another: the metrics show both at one scrape", witness...)
}

// reportMargin is how far a report may lie outside of the samples that show its wait.
const reportMargin = 2 * time.Minute

// reportedWait reports that reports name the wait, or that a log covers its beginning, in which the controller had nothing to report.
func reportedWait(w *facts.World, reported []*Case, c *Case) bool {
	near := facts.During(c.Began.Earliest.Add(-reportMargin), c.Reports[0].Last.Latest.Add(facts.SampleSlack))
	for _, r := range reported {
		if r.Volume == c.Volume && slices.ContainsFunc(r.Reports, func(o *model.Observation) bool { return near.Holds(o.At.At) }) {
			r.samples = append(r.samples, c.Reports...)
			return true
		}
	}
	return w.LogAt(facts.ControllerManager, c.Began)
}

// joined adds a wait to an earlier one of the volume on the node that had not ended: other containers, or another pod.
func joined(all []*Case, c *Case) bool {
	for _, e := range slices.Backward(all) {
		ended := e.Reports[len(e.Reports)-1].Last.At.Before(c.Began.Earliest.Add(-facts.SampleSlack))
		if same := e.Volume == c.Volume && e.To == c.To && e.From == c.From; same && !ended {
			e.Reports = append(e.Reports, c.Reports...)
			e.fresh.Add(c.fresh.List...)
			return true
		}
	}
	return false
}

// usersOn are the pods that metrics show to have used the volume on a node and to be there still at a time.
func usersOn(w *facts.World, v *facts.Volume, node string, at time.Time) []model.Ref {
	var users facts.Refs
	for _, s := range v.Same() {
		users.Add(w.Users[s].List...)
	}
	return slices.DeleteFunc(users.List, func(p model.Ref) bool {
		return facts.Last(w.ByPod[p.String()], facts.Before(at), facts.And(facts.Kinds(model.PodScheduled, model.PodSampled), facts.OfPod(p), onNode(node))) == nil
	})
}

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
