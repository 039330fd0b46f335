package cause

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// slowly is how long a pod may take to stop without that being the cause: the default grace period, and 15 s of the kubelet's work.
const slowly = 45 * time.Second

func checkSlowStop(c *wait.Case) Result {
	if r := ranOnForced(c); r.Verdict != "" {
		return r
	}
	asked, released := c.DeletionRequested, c.Released
	if !asked.Known() || c.Variant == model.ExclusivelyAttached || slices.ContainsFunc(wait.Actions(c), byForce) {
		return Result{}
	}
	if lostBefore(c) || c.NodeGone.Known() || c.RemovedByGC() != nil {
		return Result{}
	}
	r := Result{Explains: []model.PhaseID{model.PhaseRelease}, For: append(witnesses(asked, released), c.PreStopFailures()...)}
	if !released.Known() || released.Earliest.Sub(asked.Latest) <= slowly || !stopShown(c) {
		return Result{}
	}
	r.Summary = fmt.Sprintf("The old pod, whose deletion was requested at %s, took %s to stop%s.",
		clock(asked), words.Duration(released.At.Sub(asked.At)), whySlow(c))
	r.Verdict = model.Confirmed
	if state, proof := c.OldNode(); state == wait.NodeReady {
		r.For = append(r.For, proof...)
	} else {
		r.lacks(model.Undecidable, "whether "+c.From+" was Ready meanwhile: the Node")
	}
	return r
}

// ranOnForced is a pod that was deleted by force on a node that works: that hastens nothing, as its volume stays mounted until it has ended.
func ranOnForced(c *wait.Case) Result {
	gone := c.RemovedMounted()
	if gone == nil || c.Forced.Known() {
		return Result{}
	}
	until := c.RanUntil(wait.At(gone))
	if !until.Known() || until.Earliest.Sub(gone.At.Latest) <= slowly {
		return Result{}
	}
	return Result{
		Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseUnmountWait}, For: append(witnesses(until), gone),
		Summary: fmt.Sprintf("The old pod was deleted by force at %s, and %s worked: its container took until %s to end, and the volume stayed mounted for it.",
			model.TimeOfDay(gone.At.At), c.From, clock(until)),
	}
}

// byForce reports that a pod was deleted by force: then nothing shows how long it took to stop.
func byForce(a wait.Action) bool { return a.What == wait.ForceDeletedPod }

// whySlow says what made the end slow, as far as the bundle shows it.
func whySlow(c *wait.Case) string {
	if len(c.PreStopFailures()) > 0 {
		return ": its preStop hook did not return within the grace period"
	}
	if grace, ok := gracePeriod(c); ok {
		return " (its grace period is " + words.Duration(grace) + ")"
	}
	return ""
}

// stopShown reports that the release is known by the end of the old pod's containers, and not by that of its object, which the kubelet
// keeps until it has unmounted the volumes, nor by that of an unmount, which may have failed before.
func stopShown(c *wait.Case) bool {
	ended := facts.Kinds(model.ContainerDied, model.PodFinished)
	return len(c.PreStopFailures()) > 0 || slices.ContainsFunc(c.Released.Witness, ended)
}

// gracePeriod is how long an old pod may take to stop: its own, or that of its replacement, which has the same template. False where no
// copy of either is in the bundle.
func gracePeriod(c *wait.Case) (time.Duration, bool) {
	for _, pod := range c.World.Held(slices.Concat(c.OldPods, c.NewPods)) {
		if s := pod.Value().Spec.TerminationGracePeriodSeconds; s != nil {
			return time.Duration(*s) * time.Second, true
		}
	}
	return 0, false
}

// overdue is how far past the grace period counts as not finishing.
const overdue = 10 * time.Second

func checkOldPodNotFinished(c *wait.Case) Result {
	if !c.DeletionRequested.Known() || c.Variant == model.ExclusivelyAttached {
		return Result{}
	}
	r := Result{Explains: []model.PhaseID{model.PhaseRelease}, For: witnesses(c.DeletionRequested)}
	if c.Before {
		r.Explains = []model.PhaseID{model.PhaseReplacement, model.PhaseScheduling} // the release is still to come
	}
	for _, ref := range c.OldPods {
		pod, ok := c.World.Pod(ref)
		if ok && pod.Value().DeletionTimestamp != nil && stuck(c, pod) {
			r.Verdict = model.Confirmed
			r.For = append(r.For, facts.Cite(pod, "metadata.deletionTimestamp"), running(pod))
			r.Summary = fmt.Sprintf("%s should have been gone by %s and its status still shows a running container.",
				ref, pod.Value().DeletionTimestamp.UTC().Format("15:04:05"))
			return r
		}
	}
	if d, _ := hasPhase(c, model.PhaseRelease); d > overdue && c.Released.Known() && lostBefore(c) {
		r.Verdict = model.Likely
		r.For = append(r.For, witnesses(c.Released)...)
		r.Summary = fmt.Sprintf("The old pod, whose deletion was requested at %s, counted as a user of the volume until %s: "+
			"its kubelet could not confirm its end.",
			clock(c.DeletionRequested), strings.TrimPrefix(atOrBetween(c.Released), "at "))
		return r
	}
	return Result{}
}

func stuck(c *wait.Case, pod model.Object[*corev1.Pod]) bool {
	at := c.World.Axis.CapturedAt
	return at != nil && at.At.After(pod.Value().DeletionTimestamp.Add(overdue)) && running(pod) != nil
}

func running(pod model.Object[*corev1.Pod]) *model.Observation {
	for i, s := range pod.Value().Status.ContainerStatuses {
		if s.State.Running != nil {
			return facts.Cite(pod, fmt.Sprintf("status.containerStatuses[%d].state.running.startedAt", i))
		}
	}
	return nil
}

// atOrBetween names an instant as an adverb.
func atOrBetween(i facts.Instant) string {
	if i.Latest.Sub(i.Earliest) <= overdue {
		return "at " + clock(i)
	}
	return fmt.Sprintf("some time between %s and %s", model.TimeOfDay(i.Earliest), model.TimeOfDay(i.Latest))
}

// slowMove is the longest ordinary move from release to attach: the unmount is reported every 10 s, slow drivers take a minute per call.
// longStop is the longest until the detach begins where no deletion of the old pod is seen, which would explain it: a pod has 30 s to end by
// default.
const (
	slowMove = 90 * time.Second
	longStop = time.Minute
)

// quickMove is how long a move takes whose old pod ends at once: the kubelet reports an unmount every 10 s. A taint on a lost node, or the
// deletion of its VolumeAttachment, takes hardly longer (12 s and 18 s in recordings).
const quickMove = 10 * time.Second

func checkHandover(c *wait.Case) Result {
	forced := c.Forced.Known() || c.OutOfService.Known()
	if !c.Attached.Known() || forced || lost(c) {
		return Result{}
	}
	wait := c.Attached.At.Sub(c.Began.At)
	if refused := c.RefusedElsewhere(facts.Instant{}); len(refused) > 0 && lasts(c, refused[0].At.At, refused) {
		return Result{}
	}
	if wait >= upstream.MaxWaitForUnmount || c.RemovedByGC() != nil {
		return Result{}
	}
	if unmountFailsForLong(c) || failsForLong(c) {
		return Result{}
	}
	r := Result{Verdict: model.Likely, For: witnesses(c.Began, c.DetachRequested, c.Attached)}
	when := words.Duration(wait) + " after"
	if most := c.Attached.Latest.Sub(c.Began.Earliest); wait < time.Second && most > quickMove { // two ages that are equal
		when = "within " + words.Duration(most) + " of"
	}
	r.Summary = fmt.Sprintf("An ordinary move: the volume was detached%s and attached to %s %s the report",
		words.If(c.From != "", " from "+c.From), toNode(c), when)
	safe := c.Seen(model.DetachVerifiedSafe, c.From)
	normal := len(c.Seen(model.DetachStarted, c.From)) > 0 && upstream.ForcedDetachHasOwnLine(c.World.Version)
	if c.From != "" && (normal || len(safe) > 0) {
		r.Verdict = model.Confirmed
		r.For = append(r.For, safe...)
		r.Summary += ", without force."
	} else {
		r.Summary += "; nothing shows that it was forced."
		r.Missing = append(r.Missing, "the kube-controller-manager's line that the volume was verified as safe to detach")
	}
	evicted := c.TaintEviction()
	switch {
	case (c.Thin() || c.Late()) && wait > transient, c.Replaced() && wait > quickMove && r.Verdict == model.Likely:
		r.lacks(model.Undecidable, "whether the old node was lost and somebody freed the volume, "+
			"which takes as long as a pod that ends slowly: the Node, and what was done")
	case evicted != nil && r.Verdict == model.Likely:
		r.Against = append(r.Against, evicted)
		r.lacks(model.Undecidable, "which taint evicted the old pod, of a lost node or one that frees its volumes: the taints of the Node then")
	}
	if slow := SlowCall(c.Phases); slow != "" {
		r.Summary += " " + words.Capital(slow) + "."
		if len(c.Tries()) == 0 {
			r.lacks(model.Undecidable, controllersWouldSay(c, "whether the driver was asked all that time"))
		}
	}
	if asked := c.DeletionRequested; asked.Known() && asked.Earliest.Sub(c.Began.Latest) >= releasePatience {
		r.lacks(model.Undecidable, "why the old pod was asked to go only "+words.Duration(asked.At.Sub(c.Began.At))+
			" after the report: the workload, with its strategy, and what was done to it")
	}
	if held, limit, whose := heldLong(c, r.Verdict); held > limit {
		r.lacks(model.Undecidable, whose("what held the volume for "+words.Duration(held)))
	}
	if len(c.DetachErrors) > 0 {
		r.For = append(r.For, sample(c.DetachErrors)...)
		r.Summary += " A failed try of the detach delayed it by less than a minute."
	}
	return r
}

// slowCall is how long a driver's detach or attach takes at most where nothing is wrong with it.
const slowCall = time.Minute

// SlowCall says which call of the driver took longer than any ordinary one, and how long; "" when none did.
func SlowCall(phases []model.Phase) string {
	for _, p := range phases {
		if took := p.To.At.Sub(p.From.At); (p.ID == model.PhaseDetach || p.ID == model.PhaseAttach) && took > slowCall {
			return fmt.Sprintf("its %s took %s, and ordinary drivers take a minute at most", p.ID, words.Duration(took))
		}
	}
	return ""
}

// heldLong is how long a move took without an explanation, how long an ordinary one takes, and the source that would say what held it.
func heldLong(c *wait.Case, v model.Verdict) (held, limit time.Duration, whose func(what string) string) {
	from := c.Began.At
	if c.Released.Known() {
		// Where only bounds are known, the old pod may have held it all the time.
		from = model.Earlier(c.Released.At, model.Later(from, c.Released.Earliest))
	}
	if c.DetachRequested.Known() && (v == model.Confirmed || c.DetachRequested.At.Sub(from) > slowMove) {
		limit = longStop
		if c.DeletionRequested.Known() {
			limit = slowMove
		}
		return c.DetachRequested.At.Sub(from), limit, func(what string) string { return kubeletWouldSay(c, what) }
	}
	return c.Attached.At.Sub(from), slowMove, func(what string) string { return controllersWouldSay(c, what) }
}

// unmountFailsForLong reports failed unmounts of the old kubelet, further apart than an ordinary one takes.
func unmountFailsForLong(c *wait.Case) bool {
	trouble := c.UnmountTrouble()
	if len(trouble) == 0 {
		return false
	}
	first, last := trouble[0].At.At, trouble[0].Last.At
	for _, o := range trouble {
		first, last = model.Earlier(first, o.At.At), model.Later(last, o.Last.At)
	}
	return last.Sub(first) >= unmountPatience
}

// failsForLong reports that failed detaches held the volume up for longer than the first retries take.
func failsForLong(c *wait.Case) bool {
	if len(c.DetachErrors) == 0 {
		return false
	}
	f := failures(c, upstream.FaultDriver, upstream.FaultCloud, upstream.FaultNoPV)
	return len(f.errors) < len(c.DetachErrors) || f.now || f.most >= transient
}

func checkUnknown(c *wait.Case) Result {
	r := Result{Verdict: model.Undecidable, For: witnesses(c.Began)}
	const doesNotTell = "; the bundle does not tell "
	r.Summary = pick([]row{
		{c.Refused, "The storage refused the " + c.RefusedAt() + " from " + clock(c.Began) + " on" + doesNotTell + "why for most of the wait."},
		{c.Taken, "The controller began to take the volume from its node by force" + doesNotTell + "why nobody had reported its unmount."},
		{c.Stuck, "The detach of the volume fails" + doesNotTell + "why, nor whether a pod waits for it."},
		{c.Late(), fmt.Sprintf("%s was scheduled at %s, and its VolumeAttachment was created at %s"+doesNotTell+"what kept the volume until then.",
			wait.PodNames(c.NewPods), clock(c.Began), clock(c.NewAttachment))},
		{c.Shown, fmt.Sprintf("Pod %s is bound to %s and waits for its containers, and its volume is attached to %s"+doesNotTell+
			"what kept it there for most of the wait.", wait.PodNames(c.NewPods), c.To, c.From)},
		{c.Listed && len(c.NewPods) == 0, fmt.Sprintf("The VolumeAttachment for %s is not attached while that for %s is; "+
			"what was collected does not tell why.", c.To, c.From)},
		{c.ShownThen(model.PodNotReady) != nil, fmt.Sprintf("%s waited for its containers on %s, and runs by a later row; what was printed does "+
			"not tell what kept its volume.", wait.PodNames(c.NewPods), c.To)},
		{c.Listed, fmt.Sprintf("%s waits for its containers on %s; what was printed does not tell what keeps its volume.", wait.PodNames(c.NewPods), c.To)},
		{c.Sampled, fmt.Sprintf("Metrics show a pod on %s that waits from %s on for a volume attached on %s; "+
			"they do not tell what kept it there for most of the wait.", c.To, clock(c.Began), c.From)},
		{true, "Multi-Attach was reported at " + clock(c.Began) + doesNotTell + "what kept the volume for most of the wait."},
	})
	if fails := c.AttachFails(); len(fails) > 0 {
		r.For = append(r.For, fails[len(fails)-1])
		r.Summary += " An attach failed with: " + answerOf(fails[len(fails)-1:]) + "."
	}
	for _, o := range c.LostNodes() {
		r.For = append(r.For, o)
		r.Reasons = append(r.Reasons, fmt.Sprintf("%s was not Ready, but nothing ties it to the volume", o.Node))
	}
	_, there := c.World.Node(c.From)
	for _, lacks := range []row{
		{c.From == "", "which node held the volume: a VolumeAttachment list" +
			words.If(!c.World.LogAt(facts.ControllerManager, c.Began), ", or the kube-controller-manager's log")},
		{!c.PodsInBundle(), "the pods that use the claim, with their status"},
		{!there, "the Node object of the node that held the volume"},
		{!c.World.HasLog(facts.ControllerManager), "the kube-controller-manager's log of the time"},
	} {
		if lacks.is {
			r.Missing = append(r.Missing, lacks.says)
		}
	}
	if len(r.Missing) == 0 {
		r.Missing = append(r.Missing, "the kubelet's log of the node that held the volume")
	}
	return r
}
