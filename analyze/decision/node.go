package decision

import (
	"cmp"
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

// unmountedByNode: a volume counts as mounted while the controller's copy of status.volumesInUse lists it; then it waits.
func unmountedByNode(c *wait.Case) answer {
	if c.From == "" {
		return says(model.Unknown, "Nothing in the bundle tells which node held the volume.")
	}
	if mounted := c.Seen(model.DetachStillMounted, c.From); len(mounted) > 0 {
		until := c.DetachRequested
		if c.TakenMounted().Mounted == model.True {
			until = facts.Instant{} // it was taken as it was
		}
		return answer{value: model.False, since: wait.At(mounted[0]), until: until, evidence: mounted,
			text: "The controller found the volume still mounted by " + c.From + "."}
	}
	listed, late := c.InUse(), c.StillMounted()
	switch {
	case late != nil && !c.Forced.Known():
		return says(model.False, fmt.Sprintf("The detach ended at %s, and the kubelet of %s had the volume mounted until %s: its Node did not list it as in use before.",
			clock(c.Gone.At), c.From, clock(late.At.At)), append(firstOf(c.UnmountTrouble()), late)...)
	case c.ForcedByTimeout() && len(c.DetachErrorsBefore(c.Forced.At)) == 0:
		return forcedMounted(c, listed)
	case listed != nil && !c.Resolved():
		return says(model.False, stillListed(c), append(firstOf(c.UnmountTrouble()), listed)...)
	case c.Forced.Known():
		evidence := append(slices.Clone(c.Forced.Witness), listed)
		return says(model.Unknown, "With the out-of-service taint the controller does not ask.", evidence...)
	case c.DeletedByOther() != nil:
		return deletedMounted(c, listed)
	case c.Released.Before(c.DetachRequested) && lostAtDetach(c):
		return says(model.Unknown, fmt.Sprintf("%s was not Ready when the detach was requested at %s; nothing shows whether it had reported the unmount, "+
			"or the detach was forced.", c.From, clock(c.DetachRequested.At)))
	case c.Released.Before(c.DetachRequested):
		return answer{value: model.False, until: c.DetachRequested, evidence: firstOf(c.UnmountTrouble()), text: reportedLate(c)}
	case c.DetachRequested.Known() && len(c.Seen(model.DetachVerifiedSafe, c.From)) > 0:
		return answer{value: model.True, since: c.DetachRequested, evidence: c.Seen(model.DetachVerifiedSafe, c.From),
			text: "The controller verified that the volume was safe to detach."}
	}
	return says(model.Unknown, "Neither the Node's status.volumesInUse of that time nor a line of the controller tells.")
}

// stillListed is why the volume counts as mounted at the collection.
func stillListed(c *wait.Case) string {
	if _, words := c.HeldMount(); words != "" {
		return fmt.Sprintf("%s cannot unmount the volume: %s. It still lists it in status.volumesInUse at the collection.", c.From, words)
	}
	return c.From + " still lists the volume in status.volumesInUse at the collection."
}

// reportedLate is why the unmount was not reported sooner; the detach, which began without force, proves that it was reported at last.
func reportedLate(c *wait.Case) string {
	at := clock(c.DetachRequested.At) + ", when the detach began without force."
	if _, words := c.HeldMount(); words != "" {
		return fmt.Sprintf("%s could not unmount the volume: %s. It reported the unmount shortly before %s", c.From, words, at)
	}
	return fmt.Sprintf("%s had not reported the unmount before %s A kubelet reports at most every 10 s.", c.From, at)
}

// forcedMounted returns where the controller logged a forced detach, a line that comes with every detach after six minutes.
func forcedMounted(c *wait.Case, listed *model.Observation) answer {
	const always = "The controller's words about force come with every detach after six minutes"
	taken := c.TakenMounted()
	evidence := append(append(slices.Clone(c.Forced.Witness), taken.Witness...), listed)
	switch taken.Mounted {
	case model.True:
		return says(model.False, fmt.Sprintf("%s had not reported the unmount: %s.", c.From, taken.Why), evidence...)
	case model.False:
		return answer{value: model.False, until: c.DetachRequested, evidence: evidence,
			text: fmt.Sprintf("%s reported the unmount only then: %s. %s.", c.From, taken.Why, always)}
	}
	return says(model.Unknown, always+"; the bundle does not show whether "+c.From+" had reported the unmount.", evidence...)
}

// deletedMounted returns where another than the controller deleted the VolumeAttachment; a lost node has reported nothing since.
func deletedMounted(c *wait.Case, listed *model.Observation) answer {
	const deleted = "Another actor than the controller deleted the VolumeAttachment"
	by := []*model.Observation{c.DeletedByOther(), listed}
	if listed != nil && c.NotReady.Known() && !c.BackReady.Known() {
		return says(model.False, c.From+" lists the volume in status.volumesInUse and has not been Ready since. "+deleted+" all the same.",
			append(by, c.NotReady.Witness...)...)
	}
	return says(model.Unknown, deleted+", which does not need the unmount; nothing tells whether "+c.From+" had reported it.", by...)
}

// timerElapsed: six minutes after the release, by the leader that saw it, a mounted volume may be detached by force.
func timerElapsed(c *wait.Case) answer {
	if c.ForcedByTimeout() && c.TakenMounted().Mounted == model.True {
		from := clock(c.Forced.At.Add(-upstream.MaxWaitForUnmount))
		return answer{value: model.False, until: c.Forced, evidence: c.Released.Witness,
			text: fmt.Sprintf("The six minutes ran from %s to %s, %s.", from, clock(c.Forced.At), timerCause(c, from))}
	}
	switch starts := "The timer starts when the old pod is released, which "; {
	case !c.Released.Known() && len(c.Mirrors) > 0:
		return says(model.False, starts+"it never was.", c.Mirrors...)
	case c.Before && countsNow(c):
		return says(model.False, starts+"it is not.", keeps(c)...)
	case !c.Released.Known() && (c.Resolved() || c.From == ""): // it may not have been recorded
		return says(model.Unknown, starts+"nothing in the bundle shows.")
	case !c.Released.Known():
		return says(model.False, starts+"nothing in the bundle shows.")
	}
	start, witness := c.Released.At, c.Released.Witness
	if f, ok := lastFailover(c); ok {
		start, witness = f.At, append(slices.Clone(f.Witness), c.Released.Witness...)
	} else if c.Released.Vague() {
		return vagueTimer(c)
	}
	end := start.Add(upstream.MaxWaitForUnmount)
	if stop := waitEnd(c); !stop.IsZero() && stop.Before(end) {
		return says(model.False, "The six minutes from "+clock(start)+" had not passed when the wait for the detach ended.", witness...)
	}
	return answer{value: model.True, since: facts.Instant{Moment: model.Between(end, end.Add(time.Second)), Witness: witness},
		text: fmt.Sprintf("The six minutes ran from %s to %s.", clock(start), clock(end))}
}

// vagueTimer returns when the release is known only by wide bounds.
func vagueTimer(c *wait.Case) answer {
	if stop := waitEnd(c); !stop.IsZero() && stop.Before(c.Released.Earliest.Add(upstream.MaxWaitForUnmount)) {
		return says(model.False, fmt.Sprintf("The old pod was released after %s, and six minutes from then had not passed "+
			"when the wait for the detach ended.", clock(c.Released.Earliest)), c.Released.Witness...)
	}
	return says(model.Unknown, "When the old pod was released is not known well enough.", c.Released.Witness...)
}

// timerCause is what started the timer.
func timerCause(c *wait.Case, start string) string {
	if f, _ := lastFailover(c); f.Before(c.Forced) && c.Forced.At.Sub(f.At) < upstream.MaxWaitForUnmount+30*time.Second {
		return "because a new leader took over at " + clock(f.At) + " and its timer starts from zero"
	}
	what := "the old pod was released"
	if pod := releasedPod(c); pod != "" {
		what = pod + " was removed"
	}
	return "because " + what + " at " + start + "; they count from the release of the pod, not from the loss of the node"
}

// releasedPod names the old pod whose removal is itself recorded near the start of the timer.
func releasedPod(c *wait.Case) string {
	start := c.Forced.At.Add(-upstream.MaxWaitForUnmount)
	for _, o := range c.Released.Witness {
		if o.Pod.Name != "" && o.At.At.Sub(start).Abs() < 2*time.Second {
			return "pod " + o.Pod.String()
		}
	}
	return ""
}

func lastFailover(c *wait.Case) (facts.Instant, bool) {
	for _, f := range slices.Backward(c.Failovers) {
		waits := !c.DetachRequested.Known() || f.At.Before(c.DetachRequested.At)
		if waits && c.Released.Known() && f.At.After(c.Released.At) {
			return f, true
		}
	}
	return facts.Instant{}, false
}

// waitEnd is when the wait for the detach to begin ended: its beginning, the end of the demand, or the collection.
func waitEnd(c *wait.Case) time.Time {
	if c.DetachRequested.Known() {
		return c.DetachRequested.At
	}
	if c.Resolved() {
		return c.Ended().At
	}
	if c.World.Axis.CapturedAt != nil {
		return c.World.Axis.CapturedAt.At
	}
	return time.Time{}
}

func clock(t time.Time) string { return model.TimeOfDay(t) }

// nodeUnhealthy: since 1.24.9 a forced detach by timeout needs the node to be other than Ready.
func nodeUnhealthy(c *wait.Case) answer {
	note := ""
	if v := c.World.Version; v.Known() && !upstream.ForceDetachAsksHealth(v) {
		note = fmt.Sprintf(" Kubernetes %s does not ask: before 1.24.9 the timeout alone forces the detach.", v)
	}
	if c.NotReady.Known() {
		return answer{value: model.True, since: c.NotReady, until: c.BackReady, text: c.From + " was not Ready." + note}
	}
	if lost := c.NodeSampledLost(); lost != nil {
		return says(model.True, c.From+" was not Ready at any scrape while the volume waited."+note, lost)
	}
	if listed := c.ListedNotReady(); listed != nil && !c.Resolved() {
		return says(model.True, c.From+" was not Ready when the list of nodes was printed; since when, it does not show."+note, listed)
	}
	if a := readyNode(c); a.value != "" {
		a.text += note
		return a
	}
	node, ok := c.World.Node(c.From)
	if !ok {
		if c.NodeGone.Known() {
			return answer{value: model.True, since: c.NodeGone,
				text: "The Node object of " + c.From + " was deleted; the controller takes a missing Node as unhealthy." + note}
		}
		return says(model.Unknown, "The bundle holds no Node object of "+cmp.Or(c.From, "the old node")+" and no record of its condition."+note)
	}
	cond, field := facts.ReadyCondition(node)
	if field == "" {
		return says(model.Unknown, "The Node object has no Ready condition."+note)
	}
	ev := facts.CiteAll(node, field+"status", field+"lastTransitionTime")
	if since := cond.LastTransitionTime; cond.Status == corev1.ConditionTrue && since.Time.Before(c.Began.At) {
		return says(model.False, c.From+" has been Ready since "+since.UTC().Format("2006-01-02 15:04:05")+"."+note, ev...)
	}
	return says(model.Unknown, "The Node's condition changed after the wait began; its value then is not recorded."+note, ev...)
}

// readyNode returns where something else than the Node's condition proves that it was Ready; zero where nothing does.
func readyNode(c *wait.Case) answer {
	if ready, _ := c.ReadyCondition(); ready || c.NodeGone.Known() {
		return answer{}
	}
	state, proof := c.OldNode()
	if state != wait.NodeReady {
		return answer{}
	}
	text := c.From + " was Ready while the volume waited."
	if slices.ContainsFunc(proof, func(o *model.Observation) bool {
		return o.Kind == model.DetachStarted || o.Kind == model.DetachVerifiedSafe
	}) {
		text = c.From + " worked: it had reported the unmount, without which the controller begins no detach but by force."
	}
	return says(model.False, text, proof...)
}

// outOfServiceTaint: with it the controller asks neither for the unmount nor for the timer.
func outOfServiceTaint(c *wait.Case) answer {
	if v := c.World.Version; v.Known() && upstream.OutOfServiceDetach(v) == upstream.Absent {
		return says(model.False, fmt.Sprintf("Kubernetes %s does not know the taint %s.", v, upstream.OutOfServiceTaint), c.World.VersionO)
	}
	if c.OutOfService.Known() {
		return answer{value: model.False, until: c.OutOfService, text: c.From + " did not carry the taint before."}.now(c)
	}
	if c.ForcedByTimeout() {
		return says(model.False, "The controller waited for the timeout, which it does not do for a tainted node.", c.Forced.Witness...)
	}
	if o := c.SampledThroughout(model.NodeSampledTaints); o != nil {
		if strings.Contains(o.Detail, upstream.OutOfServiceTaint) {
			return says(model.Unknown, c.From+" carried the taint at a scrape; since when, the metrics do not show.", o)
		}
		return says(model.False, c.From+" had other taints at every scrape while the volume waited, and not this one.", o)
	}
	tainted := func(t corev1.Taint) bool { return strings.HasPrefix(t.Key, upstream.OutOfServiceTaint) }
	if node, ok := c.World.Node(c.From); ok && !slices.ContainsFunc(node.Value().Spec.Taints, tainted) {
		text := c.From + " does not carry the taint at the collection" + words.If(c.Resolved(), ", and nothing shows that it did before")
		return says(model.False, text+".", facts.Cite(node, "metadata.name"))
	}
	return says(model.Unknown, "Nothing in the bundle tells the node's taints at that time.")
}

// now turns the answer to true when the taint was there from the beginning, and to unknown when it may have been.
func (a answer) now(c *wait.Case) answer {
	if o := c.OutOfService; o.Latest.Before(c.Began.Earliest) {
		return answer{value: model.True, since: o, text: c.From + " carried the taint."}
	} else if o.Earliest.Before(c.Began.Earliest) {
		return says(model.Unknown, fmt.Sprintf("%s carried the taint at the latest from %s on; the bundle does not show when it was set.",
			c.From, clock(o.Latest)), o.Witness...)
	}
	return a
}

// lostAtDetach reports that the old node was not Ready when the detach was requested, which no line of the controller tells more of.
func lostAtDetach(c *wait.Case) bool {
	lost := c.NotReady.Before(c.DetachRequested) && !c.BackReady.Before(c.DetachRequested) || c.ListedNotReady() != nil
	return lost && len(c.Seen(model.DetachStarted, c.From)) == 0
}
