package wait

import (
	"cmp"
	"iter"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// reportSlack is how far the log line and the event of one report may lie apart: the event may carry a whole second.
const reportSlack = 1500 * time.Millisecond

// mostWaits is how many waits of one volume are made out, the newest: each statement about the volume may belong to each of them.
const mostWaits = 50

// Beyond is how many waits of a volume are too many to be made out.
type Beyond struct {
	Volume *facts.Volume
	Waits  int
}

// byStorage are waits by the storage of their volume.
type byStorage = facts.Index[*facts.Volume, *Case]

// demands are the waits of a world, not filled in yet: the Multi-Attach reports, grouped, and what else shows a wait, each where nothing
// before it does. It also returns those that are too many for one volume.
func demands(w *facts.World) (out []*Case, more []Beyond) {
	of := map[*facts.Volume][]*Case{}
	for _, o := range w.ByKind[model.MultiAttach] {
		v := wantedBy(w, o)
		if v == nil || o.At.IsZero() {
			continue
		}
		node, pods := wanting(w, o)
		c := openDemand(w, of[v], node, pods, o)
		if c == nil {
			c = &Case{Volume: v}
			of[v], out = append(of[v], c), append(out, c)
		}
		c.add(o, node, pods)
	}
	waits := sampledWaits(w, out)
	for _, further := range []func(*facts.World, byStorage) []*Case{shownWaits, refusedWaits, beforeWaits, lateWaits, listedWaits, twoNodeWaits} {
		known := byStorage{}
		for _, c := range slices.Concat(out, waits) {
			known.Add(c.Volume.Storage(), c)
		}
		waits = append(waits, further(w, known)...)
	}
	if len(out)+len(waits) == 0 && w.Snapshot.CapturedAt == nil { // of a collection a finding reports them
		waits = append(stuckDetaches(w), takenByForce(w)...)
	}
	if len(waits) > 0 {
		out = append(out, waits...)
		slices.SortStableFunc(out, func(a, b *Case) int { return a.start().Compare(b.start()) })
	}
	return withinMost(out)
}

// withinMost leaves out the oldest waits of a volume that has too many.
func withinMost(all []*Case) (out []*Case, more []Beyond) {
	waits, left := map[*facts.Volume]int{}, map[*facts.Volume]int{}
	for _, c := range all {
		waits[c.Volume]++
	}
	for _, c := range all {
		if left[c.Volume]+mostWaits >= waits[c.Volume] {
			out = append(out, c)
			continue
		}
		if left[c.Volume]++; left[c.Volume]+mostWaits == waits[c.Volume] {
			more = append(more, Beyond{c.Volume, left[c.Volume]})
		}
	}
	return out, more
}

// claimed are the pods of the bundle, each with the volumes of its claims.
func claimed(w *facts.World) iter.Seq2[model.Object[*corev1.Pod], *facts.Volume] {
	return func(yield func(model.Object[*corev1.Pod], *facts.Volume) bool) {
		for i, p := range w.Pods {
			for n, claim := range w.PodClaims[i] {
				again := slices.Contains(w.PodClaims[i][:n], claim)
				if v := w.Volumes.OfClaim(p.Ref.Namespace, claim); v != nil && !again && !yield(p, v) {
					return
				}
			}
		}
	}
}

// start is the best estimate of when a wait began that is not filled in yet.
func (c *Case) start() time.Time {
	if c.Began.Known() {
		return c.Began.At
	}
	return c.Reports[0].At.At
}

// wanting are the pods that wait by a report, and their node: the event's pod, or those that the log line dumps.
func wanting(w *facts.World, o *model.Observation) (node string, pods []model.Ref) {
	if o.Pod.Name != "" {
		pods = []model.Ref{o.Pod}
	} else if o.Object.Kind == "Pod" {
		pods = []model.Ref{o.Object}
	}
	if o.Node != "" && o.Kind != model.AttachFailed {
		return o.Node, pods
	}
	return cmp.Or(nodeOfPods(w, pods, o.At.At), o.Node), pods // an error may have the driver's name of the machine
}

func (c *Case) add(o *model.Observation, node string, pods []model.Ref) {
	if c.To == "" {
		c.To = node
	}
	c.Reports = append(c.Reports, o)
	c.fresh.Add(pods...)
}

// reportedVariant is that of the first report which has one.
func (c *Case) reportedVariant() model.Variant {
	for _, o := range c.Reports {
		if o.Variant == model.UsedByPods || o.Variant == model.ExclusivelyAttached {
			return o.Variant
		}
	}
	return model.UnknownVariant
}

// openDemand finds the wait that a further report belongs to, nil for none: the same volume on the same node, not satisfied since. The
// controller reports once per demand and leader: a second report means a new leader, or the second record of the first.
func openDemand(w *facts.World, all []*Case, node string, pods []model.Ref, o *model.Observation) *Case {
	for _, c := range slices.Backward(all[max(0, len(all)-mostWaits):]) {
		newest := c.Reports[len(c.Reports)-1]
		belongs := c.To == node
		if c.To == "" || node == "" {
			// One names the pod alone and the other the node alone, or both name neither, within the life of an Event: nothing shows that
			// they are two.
			halves := (len(pods) == 0) != (len(c.fresh.List) == 0) && (node == "") == (len(pods) > 0) && c.To != node
			neither := node == c.To && len(pods)+len(c.fresh.List) == 0 && slices.Equal(o.Pods, newest.Pods)
			soon := o.At.Earliest.Sub(newest.At.Latest) <= facts.EventLife
			belongs = sameReport(newest, o) || c.fresh.HasAny(pods) || halves || neither && soon
		}
		if !belongs {
			continue
		}
		satisfied := facts.First(w.ByVolume[c.Volume], facts.During(newest.At.Latest, o.At.At), func(a *model.Observation) bool {
			anywhere := c.To == "" && len(c.fresh.List) == 0
			here := anywhere || a.Node == c.To || a.Node == "" && c.fresh.Has(a.Pod)
			return here && a.Kind == model.AttachSucceeded
		})
		others := len(c.fresh.List) > 0 && len(pods) > 0 && !c.fresh.HasAny(pods)
		if satisfied != nil || others && ended(w, c.fresh.List, newest.At.Latest, o.At.At) {
			return nil
		}
		return c
	}
	return nil
}

// ended reports that every pod of a wait was deleted in the window.
func ended(w *facts.World, pods []model.Ref, from, to time.Time) bool {
	deleted := facts.Kinds(model.PodDeletionRequested, model.ReplicaDeleted, model.PodGone, model.PodKilling)
	return !slices.ContainsFunc(pods, func(p model.Ref) bool {
		return facts.First(w.ByPod[p.String()], facts.During(from, to), deleted) == nil
	})
}

// sameReport reports that two observations may be of one report: their times touch. Pasted ones without a time do, and show no second wait.
func sameReport(a, b *model.Observation) bool {
	return a == b || a.At.Earliest.Add(-reportSlack).Before(b.At.Latest) && b.At.Earliest.Before(a.At.Latest.Add(reportSlack))
}

// Reported counts the distinct reports. What metrics show of a wait is none.
func (c *Case) Reported() int {
	n := 0
	var newest *model.Observation
	for _, o := range c.Reports {
		if o.Kind == model.MultiAttach && (newest == nil || !sameReport(newest, o)) {
			n++
			newest = o
		}
	}
	return n
}

// nodeOfPods is where pods were scheduled, as known at a time: by the object, by records, or by a pasted table or description.
func nodeOfPods(w *facts.World, pods []model.Ref, at time.Time) string {
	for _, p := range pods {
		obj, ok := w.Pod(p)
		if ours := ok && (p.UID != "" || !obj.Value().CreationTimestamp.After(at)); ours && obj.Value().Spec.NodeName != "" {
			return obj.Value().Spec.NodeName
		}
		own := w.ByPod[p.String()]
		placed := func(o *model.Observation) bool { return o.Node != "" }
		scheduled := facts.Last(own, facts.Before(at.Add(time.Second)),
			facts.And(facts.Kinds(model.PodScheduled, model.PodSampled), placed, facts.OfPod(p)))
		if scheduled == nil {
			own = slices.Concat(own, w.ByPod[p.Name]) // a row may lack the namespace
			timeless := func(o *model.Observation) bool { return o.At.IsZero() }
			scheduled = facts.Find(own, facts.And(facts.Kinds(model.PodScheduled), timeless, placed))
		}
		if scheduled == nil { // the kubelet that mounts for it since then is that of its node
			scheduled = facts.First(own, facts.After(at), facts.And(facts.Kinds(model.MountFailed), byKubelet, placed, facts.OfPod(p)))
		}
		if scheduled != nil {
			return scheduled.Node
		}
	}
	return ""
}

func refsOf(list ...model.Ref) facts.Refs {
	var out facts.Refs
	out.Add(list...)
	return out
}
