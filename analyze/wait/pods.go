package wait

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// fillNewPods finds when the new pod was created and scheduled.
func fillNewPods(c *Case) {
	fresh, by := c.about(c.NewPods), facts.Before(c.Began.Latest)
	// The name alone may also stand for the predecessor: only the newest records before the report count.
	anyOfName := len(c.NewPods) > 0 && (c.NewPods[0].UID == "" || c.nameComesBack())
	records := func(ks ...model.Kind) facts.Instant {
		w := by
		if o := facts.Last(fresh, by, facts.Kinds(ks...)); o != nil && anyOfName {
			w.From = o.At.At.Add(-2 * time.Second)
		}
		return corroborate(time.Second, all(fresh, w, facts.Kinds(ks...))...)
	}
	c.Created, c.Scheduled = records(model.PodCreated, model.ReplicaCreated), records(model.PodScheduled)
}

// fillDeletion finds when the deletion of the old pods was requested, and when they finished by their own records.
func fillDeletion(c *Case) {
	old := c.about(c.OldPods)
	c.DeletionRequested = deletionRequested(c, old)
	c.OldPodFinished = lastOfPods(c.OldPods, old, model.PodFinished)
}

// OldPodsGone is when the last of the old pods was seen to be gone; unknown while one of them has no record of it.
func (c *Case) OldPodsGone() facts.Instant {
	return lastOfPods(c.OldPods, c.about(c.OldPods), model.PodGone, model.PodForceDeleted)
}

func all(list []*model.Observation, w facts.Window, test func(*model.Observation) bool) []facts.Instant {
	return facts.Each(facts.Where(w.Of(list), test), seen)
}

// deletionRequested is when the API accepted the deletion of the old pod. An own record beats a consequence: the kubelet's Killing event
// comes within a second on a live node, and a ReplicaSet creates the replacement within milliseconds (lab-measured).
func deletionRequested(c *Case, old []*model.Observation) facts.Instant {
	if c.Before {
		return c.ownDeletion(old)
	}
	w := facts.After(c.Began.At.Add(-causalWindow))
	if c.Created.Known() && c.nameComesBack() {
		w.To = c.Created.Latest // a StatefulSet's pod: what comes later is about the new incarnation
	}
	if direct := all(old, w, facts.Kinds(model.PodDeletionRequested, model.PodEvictionDecided, model.ReplicaDeleted)); len(direct) > 0 {
		near := slices.DeleteFunc(direct, func(i facts.Instant) bool { return i.At.Sub(direct[0].At) > 2*time.Second })
		return c.carriedOut(corroborate(time.Second, near...))
	}
	// The kubelet of a lost node learns of the deletion only when it is back.
	if killing := facts.First(old, w, facts.Kinds(model.PodKilling)); killing != nil && !c.lostAt(seen(killing)) {
		return c.beforeKilling(killing)
	}
	return facts.Instant{}
}

// ownDeletion is the deletion by which a wait before an attach began, with its other records, but for an earlier pod of the name.
func (c *Case) ownDeletion(old []*model.Observation) facts.Instant {
	i := c.Began
	near := facts.During(i.Earliest.Add(-evictionQueue), i.Latest.Add(evictionQueue))
	i.Witness = unique(slices.Concat(i.Witness, facts.Where(near.Of(old), facts.Kinds(model.PodDeletionRequested, model.PodEvictionDecided))))
	return i
}

// evictionQueue bounds how long a decided eviction waits for its call: up to 2.7 s for 15 evictions of one node in a recording.
const evictionQueue = 10 * time.Second

// carriedOut narrows a decided eviction to the deletion: logged before the call, and a ReplicaSet replaces the pod within milliseconds.
func (c *Case) carriedOut(decided facts.Instant) facts.Instant {
	if !decided.Known() || decided.Witness[0].Kind != model.PodEvictionDecided {
		return decided
	}
	if !c.Created.Known() || !c.ownedBy("Deployment") {
		m := decided.Moment.Widen(0, evictionQueue)
		if c.Began.Latest.After(decided.At) && c.Began.Latest.Before(m.Latest) && c.Variant == model.UsedByPods {
			m = model.Between(decided.Earliest, c.Began.Latest)
		}
		return derived(m, "the decision is logged before the call, which may queue", decided.Witness...)
	}
	if wait := c.Created.At.Sub(decided.At); wait < 0 || wait > evictionQueue {
		return decided
	}
	m := model.Moment{At: c.Created.At, Earliest: decided.Earliest, Latest: c.Created.Latest, Basis: model.Derived}
	return derived(m, "between the decision and the replacement, which a ReplicaSet creates within milliseconds of the deletion",
		append(decided.Witness, c.Created.Witness...)...)
}

// killSettle bounds how far the kubelet's Killing event lies behind the deletion on a live node.
const killSettle = 2 * time.Second

func (c *Case) beforeKilling(killing *model.Observation) facts.Instant {
	if c.ownedBy("Deployment") && c.Created.Known() && c.Created.At.Sub(killing.At.At).Abs() < killSettle {
		m := c.Created.Moment.Widen(upstream.EventSettle, 0)
		m.Basis = model.Derived
		return derived(m, "a ReplicaSet creates the replacement within milliseconds of the deletion", append(c.Created.Witness, killing)...)
	}
	return derived(killing.At.Widen(killSettle, 0), "the kubelet stops containers within two seconds of the deletion", killing)
}

// lastOfPods is when the last of some pods reached a state; unknown while one of them has no record of it.
func lastOfPods(pods []model.Ref, list []*model.Observation, ks ...model.Kind) facts.Instant {
	var latest facts.Instant
	for _, p := range pods {
		o := facts.First(list, facts.Window{}, facts.And(facts.OfPod(p), facts.Kinds(ks...)))
		if o == nil {
			return facts.Instant{}
		}
		if o.At.At.After(latest.At) {
			latest = seen(o)
		}
	}
	return latest
}

// fillReleased finds when the controller stopped counting the old pods as users of the volume, or by when they are gone.
func fillReleased(c *Case) {
	reported, byTimer := released(c)
	c.Released, c.releasedByTimer = c.releasedByKubelet(reported), byTimer
	if !c.Released.Known() {
		c.GoneBy = c.goneByAbsence()
	}
}

// released is when the controller stopped counting the old pods as users: the object was gone, the pod had finished, or was being deleted
// with every container stopped (IsPodTerminated, volume/util, 1.13–1.36); and whether it is counted back from the forced detach.
func released(c *Case) (i facts.Instant, byTimer bool) {
	if i := releasedByTimer(c); i.Known() {
		return i, false
	}
	old := c.about(c.OldPods)
	// The object of a pod that is deleted without grace goes away at once, unless finalizers hold it.
	graceless := facts.Where(old, func(o *model.Observation) bool { return o.Detail == graceless && requested(o) })
	direct := either(
		lastOfPods(c.OldPods, old, model.PodGone, model.PodForceDeleted, model.PodFinished, model.PodContainersStopped),
		lastOfPods(c.OldPods, graceless, model.PodDeletionRequested),
		seen(c.RemovedMounted()),
		c.collected(lastOfPods(c.OldPods, old, model.PodForceDeleting)))
	forced := c.notAfterReport(releasedByForce(c))
	if direct.Known() && (!forced.Known() || facts.During(forced.Earliest.Add(-sameRelease), forced.Latest.Add(sameRelease)).Holds(direct.At)) {
		return direct, false
	}
	if forced.Known() {
		return forced, true
	}
	return releasedByBounds(c), false
}

// sameRelease is how far two accounts of one release lie apart.
const sameRelease = 10 * time.Second

// graceless is the Detail of a deletion with a grace period of zero.
const graceless = "grace 0s"

// collectSettle bounds how long pod GC's forced deletion takes from its line on: it marks the pod Failed first.
const collectSettle = 5 * time.Second

// collected is the release by pod GC, from its line to the end of the deletion.
func (c *Case) collected(deleting facts.Instant) facts.Instant {
	if !deleting.Known() {
		return deleting
	}
	m := deleting.Moment.Widen(0, collectSettle)
	if c.DetachRequested.Known() && c.DetachRequested.At.After(m.At) {
		m.Latest = model.Earlier(m.Latest, c.DetachRequested.Latest)
	}
	return derived(m, "pod GC deleted the pod by force", deleting.Witness...)
}

// finishedBefore derives that the old pod had finished, as at a graceful shutdown: else no release comes before its deletion
// (IsPodTerminated, volume/util).
func finishedBefore(c *Case) facts.Instant {
	asked := c.DeletionRequested
	before := c.Released.Known() && asked.Known() && c.Released.Latest.Before(asked.Earliest)
	if !before || c.OldPodFinished.Known() {
		return c.OldPodFinished
	}
	return derived(c.Released.Moment, "the pod released the volume before its deletion, which it can only by finishing",
		append(c.Released.Witness, asked.Witness...)...)
}

// notAfterReport uses what the report says: exclusively attached means that the release had come before it.
func (c *Case) notAfterReport(i facts.Instant) facts.Instant {
	mayBeBefore := i.Known() && i.At.After(c.Began.At) && !i.Earliest.After(c.Began.At)
	if !mayBeBefore || c.Variant != model.ExclusivelyAttached {
		return i
	}
	i.At, i.Latest = c.Began.At, c.Began.Latest
	i.Witness = append(i.Witness, c.Began.Witness...)
	return i
}

// releasedByTimer reads the controller's own line: the timer starts in the first loop after the release.
func releasedByTimer(c *Case) facts.Instant {
	w := facts.During(c.lastHeld(), c.Ended().At)
	o := facts.First(c.said(), w, facts.And(facts.Kinds(model.DetachTimerStarted), onNode(c.From)))
	if o == nil {
		return facts.Instant{}
	}
	return derived(o.At.Widen(upstream.ReconcilerLoop, 0), "the controller starts the timer within 0.1 s of the release", o)
}

// releasedByForce goes back six minutes from a forced detach by timeout. From a node that works the detach comes with the report.
func releasedByForce(c *Case) facts.Instant {
	if !c.ForcedByTimeout() || len(c.DetachErrorsBefore(c.Forced.At)) > 0 ||
		slices.ContainsFunc(c.Failovers, func(f facts.Instant) bool { return f.At.Before(c.Forced.At) }) {
		return facts.Instant{}
	}
	if ready, _ := c.readyAt(c.Forced); ready {
		return facts.Instant{}
	}
	m := c.Forced.Moment.Shift(-upstream.MaxWaitForUnmount).Widen(forceSettle, 0)
	gone := c.NodeGone.Known() || len(c.LookedUpInVain()) > 0
	if !gone && !c.lostAt(c.Forced) && !c.onTime() {
		return c.releasedSixBefore(m)
	}
	return derived(m, "the forced detach comes "+words.Duration(upstream.MaxWaitForUnmount)+" after the release", c.Forced.Witness...)
}

// releasedSixBefore bounds the release where nothing is known of the node: the six minutes had passed by then.
func (c *Case) releasedSixBefore(m model.Moment) facts.Instant {
	from := c.Began.Earliest
	if c.Variant != model.UsedByPods || m.Latest.Before(from) {
		from = model.Earlier(c.lastHeld(), m.Earliest)
	}
	return derived(model.Between(from, m.Latest), "the controller says that six minutes had passed since the release", c.Forced.Witness...)
}

// forceSettle is how much longer than six minutes the forced detach took in the recordings: up to 1.3 s with 25 volumes.
const forceSettle = 1300 * time.Millisecond

// releasedByBounds knows only that the release lies before the detach began and after a report that names a pod.
func releasedByBounds(c *Case) facts.Instant {
	if c.Variant == model.ExclusivelyAttached {
		return c.releasedBeforeReport()
	}
	start, end := c.usedUntil()
	if other := c.DeletedByOther(); other != nil {
		return c.releasedBesides(start, other)
	}
	if !end.Known() || end.At.Before(start.At) {
		return facts.Instant{}
	}
	return derived(model.Between(start.Earliest, end.Latest), "the report names a pod as user, and the detach needs its release",
		append(start.Witness, end.Witness...)...)
}

// releasedBeforeReport bounds the release by a report that says exclusively attached.
func (c *Case) releasedBeforeReport() facts.Instant {
	if c.Created.Known() && c.ownedBy("StatefulSet") {
		return derived(c.Created.Moment.Widen(upstream.EventSettle, 0), "a StatefulSet creates the pod only when the old object is gone",
			c.Created.Witness...)
	}
	m := c.Began.Moment
	m.Earliest = c.lastHeld()
	if asked := c.DeletionRequested; asked.Known() {
		m = model.Between(asked.Earliest, m.Latest)
	}
	return derived(m, "the report says exclusively attached", slices.Concat(c.DeletionRequested.Witness, c.Began.Witness)...)
}

// usedUntil bounds the release by the last report that names a pod as user, or its hook that fails, and by the detach or the first report that names none.
func (c *Case) usedUntil() (start, end facts.Instant) {
	start = c.Began
	begun := facts.Kinds(model.DetachStarted, model.DetachVerifiedSafe)
	free := func(o *model.Observation) bool { return o.Variant == model.ExclusivelyAttached }
	end = earliest(c.DetachRequested, seen(facts.First(c.said(), facts.After(c.lastHeld()), facts.And(begun, onNode(c.From)))),
		seen(facts.Find(c.Reports, free)))
	for _, o := range c.Reports {
		if free(o) {
			break
		}
		if o.Variant == model.UsedByPods {
			start = seen(o)
		}
	}
	for _, o := range c.PreStopFailures() { // its containers run until then
		end = either(end, c.Attached)
		if o.Last.At.After(start.At) && (!end.Known() || o.Last.At.Before(end.At)) {
			start = facts.Instant{Moment: o.Last, Witness: []*model.Observation{o}}
		}
	}
	return start, end
}

// releasedBesides bounds the release where another than the controller deleted the attachment. A pod that still counts as a user when
// the volume is attached elsewhere is reported as waiting for it.
func (c *Case) releasedBesides(start facts.Instant, deletion *model.Observation) facts.Instant {
	logged := c.Attached.Known() && c.World.LogAt(facts.ControllerManager, c.Attached) && c.World.LogCovers()
	if !logged || facts.First(c.said(), facts.After(c.Began.Latest), facts.And(facts.Kinds(model.MultiAttach), onNode(c.From))) != nil {
		return facts.Instant{}
	}
	const rule = "the report names a pod as user, and none was reported as waiting on the old node when the volume was attached elsewhere"
	return derived(model.Between(start.Earliest, c.Attached.Latest), rule, append(slices.Clip(start.Witness), deletion)...)
}

// lastHeld is a time from which the volume was held on the old node without interruption until the wait.
func (c *Case) lastHeld() time.Time {
	if o := facts.Last(c.said(), facts.Before(c.Began.At), facts.And(facts.Kinds(model.AttachSucceeded), onNode(c.From))); o != nil {
		return o.At.At
	}
	return c.Began.At.Add(-causalWindow)
}
