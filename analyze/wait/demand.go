package wait

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// demand is a volume wanted on a node, with the reports that it had to wait.
type demand struct {
	volume  *facts.Volume
	node    string
	pods    facts.Refs
	reports []*model.Observation
	sampled []*model.Observation // metrics that show the wait besides the reports

	// Of a wait that metrics or objects alone show: the node that held the volume, and when it began.
	from     string
	began    facts.Instant
	shown    bool // by objects
	inferred bool // no source ties from to the volume

	listed bool       // by pasted rows
	olds   facts.Refs // the pods whose place the waiting ones take, of a wait that rows show

	refused bool // the back end refuses the attach: the reports are its refusals
	stuck   bool // no wait is shown: the reports are the errors of a detach, for which any wait would be
	taken   bool // no wait is shown: the report is a detach by force that has the mark of a known error

	// Of a wait in which no attach was requested yet: what shows the volume on the node of the pod whose deletion is the report.
	held *model.Observation
}

// reportSlack is how far the log line and the event of one report may lie apart: the event may carry a whole second.
const reportSlack = 1500 * time.Millisecond

// mostWaits is how many waits of one volume are made out, the newest: each statement about the volume may belong to each of them.
const mostWaits = 50

// Beyond is how many waits of a volume are too many to be made out.
type Beyond struct {
	Volume *facts.Volume
	Waits  int
}

// demands groups the Multi-Attach reports of a world. It also returns those that are too many for one volume.
func demands(w *facts.World) (out []*demand, more []Beyond) {
	of := map[*facts.Volume]*queue{}
	for _, o := range w.ByKind[model.MultiAttach] {
		v := wantedBy(w, o)
		if v == nil || o.At.IsZero() {
			continue
		}
		pods := wanting(o)
		node := o.Node
		if node == "" {
			node = nodeOfPods(w, pods, o.At.At)
		}
		if of[v] == nil {
			of[v] = &queue{at: map[string]int{}}
		}
		n := openDemand(w, of[v], v, node, pods, o)
		if n < 0 {
			n = len(of[v].all)
			d := &demand{volume: v, node: node}
			of[v].all, out = append(of[v].all, d), append(out, d)
		}
		of[v].all[n].add(o, node, pods)
		of[v].placed(n)
	}
	waits := sampledWaits(w, out)
	for _, further := range []func(*facts.World, map[*facts.Volume][]*demand) []*demand{shownWaits, refusedWaits, beforeWaits, lateWaits,
		listedWaits, twoNodeWaits} {
		waits = append(waits, further(w, byStorage(slices.Concat(out, waits)))...)
	}
	if len(out)+len(waits) == 0 && w.Snapshot.CapturedAt == nil { // of a collection a finding reports them
		waits = append(stuckDetaches(w), takenByForce(w)...)
	}
	if len(waits) > 0 {
		out = append(out, waits...)
		slices.SortStableFunc(out, func(a, b *demand) int { return a.start().Compare(b.start()) })
	}
	return withinMost(out)
}

// withinMost leaves out the oldest demands of a volume that has too many.
func withinMost(all []*demand) (out []*demand, more []Beyond) {
	waits, left := map[*facts.Volume]int{}, map[*facts.Volume]int{}
	for _, d := range all {
		waits[d.volume]++
	}
	for _, d := range all {
		if left[d.volume]+mostWaits >= waits[d.volume] {
			out = append(out, d)
			continue
		}
		if left[d.volume]++; left[d.volume]+mostWaits == waits[d.volume] {
			more = append(more, Beyond{d.volume, left[d.volume]})
		}
	}
	return out, more
}

// queue are the demands of a volume in the order in which they were opened.
type queue struct {
	all     []*demand
	at      map[string]int // the newest of each node, in all
	unknown []int          // those of which no node is known, in all
}

// placed notes where a demand has its place.
func (q *queue) placed(n int) {
	if node := q.all[n].node; node != "" {
		q.at[node] = max(q.at[node], n)
	} else if len(q.unknown) == 0 || q.unknown[len(q.unknown)-1] < n {
		q.unknown = append(q.unknown, n)
	}
}

// candidates are the demands that a report for a node may belong to, the newest first: the last one of that node. Where the node of
// either is not known, pods and times decide, of the last few.
func (q *queue) candidates(node string) []int {
	var out []int
	if node == "" {
		for n := len(q.all) - 1; n >= max(0, len(q.all)-mostWaits); n-- {
			out = append(out, n)
		}
		return out
	}
	out = append(out, q.unknown[max(0, len(q.unknown)-mostWaits):]...)
	if n, ok := q.at[node]; ok {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b int) int { return b - a })
	return out
}

// byStorage are demands by the storage of their volume.
func byStorage(list []*demand) facts.Index[*facts.Volume, *demand] {
	out := facts.Index[*facts.Volume, *demand]{}
	for _, d := range list {
		out.Add(d.volume.Storage(), d)
	}
	return out
}

// start is the best estimate of when the demand began.
func (d *demand) start() time.Time {
	if d.began.Known() {
		return d.began.At
	}
	return d.reports[0].At.At
}

// wanting are the pods that wait: the event's pod, or the pods that the log line dumps.
func wanting(o *model.Observation) []model.Ref {
	if o.Pod.Name != "" {
		return []model.Ref{o.Pod}
	}
	if o.Object.Kind == "Pod" {
		return []model.Ref{o.Object}
	}
	return nil
}

func (d *demand) add(o *model.Observation, node string, pods []model.Ref) {
	if d.node == "" {
		d.node = node
	}
	d.reports = append(d.reports, o)
	d.pods.Add(pods...)
}

// variant is that of the first report which has one.
func (d *demand) variant() model.Variant {
	o := facts.Find(d.reports, func(o *model.Observation) bool {
		return o.Variant == model.UsedByPods || o.Variant == model.ExclusivelyAttached
	})
	if o == nil {
		return model.UnknownVariant
	}
	return o.Variant
}

// openDemand finds the demand that a further report belongs to, -1 for none: the same volume on the same node, not satisfied since. The
// controller reports once per demand and leader: a second report means a new leader, or the second record of the first.
func openDemand(w *facts.World, q *queue, v *facts.Volume, node string, pods []model.Ref, o *model.Observation) int {
	for _, n := range q.candidates(node) {
		d := q.all[n]
		newest := d.reports[len(d.reports)-1]
		belongs := d.node == node
		if d.node == "" || node == "" {
			belongs = sameReport(newest, o) || d.pods.HasAny(pods)
		}
		if !belongs {
			continue
		}
		satisfied := facts.First(w.ByVolume[v], facts.During(newest.At.Latest, o.At.At), func(a *model.Observation) bool {
			here := a.Node == d.node || a.Node == "" && d.pods.Has(a.Pod)
			return here && a.Kind == model.AttachSucceeded
		})
		if satisfied != nil {
			return -1
		}
		others := len(d.pods.List) > 0 && len(pods) > 0 && !d.pods.HasAny(pods)
		if others && ended(w, d.pods.List, newest.At.Latest, o.At.At) {
			return -1
		}
		return n
	}
	return -1
}

// ended reports that every pod of a demand was deleted in the window.
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
