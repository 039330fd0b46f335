package wait

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// inferred are the actions that no source reports and the evidence proves all the same. Who did them stays unknown.
func inferred(c *Case) []Action {
	if c.From == "" {
		return nil
	}
	node := model.Ref{Kind: "Node", Name: c.From}
	gone := Action{What: DeletedNode, Object: node, At: c.NodeGone, ByPerson: model.Unknown}
	if len(c.NotInCloud()) > 0 || slices.ContainsFunc(c.NodeGone.Witness, func(o *model.Observation) bool { return upstream.AnnouncesNodeDeletion(o.Component) }) {
		gone.By, gone.ByPerson = cloudController, model.False
	}
	out := []Action{{What: TaintedOutOfService, Object: node, At: c.OutOfService, ByPerson: model.Unknown}, gone}
	return slices.DeleteFunc(slices.Concat(out, forceDeletion(c), sampledRemoval(c), attachmentDeletions(c), scalings(c)), func(a Action) bool {
		return c.World.Unordered(append(slices.Clip(a.At.Witness), c.Began.Witness...))
	})
}

// forceDeletion derives that a user deleted the old pod by force: its object was gone while its node was unreachable, and it was not
// pod GC: the controller's log, which reaches over that time, has no line of it; or metrics show no taint for which pod GC acts.
func forceDeletion(c *Case) []Action {
	if o := c.RemovedMounted(); o != nil {
		at := derived(o.At, "the kubelet saw the object gone while it had the volume mounted for the pod", o)
		return []Action{{What: ForceDeletedPod, Object: c.OldPods[0], At: at, ByPerson: model.Unknown}}
	}
	if !c.vanished() || c.RemovedByGC() != nil || !c.unreachableAt(c.Released) {
		return nil
	}
	absent, witness := c.oldPodGone()
	if !absent || !c.World.LogAt(facts.ControllerManager, c.Released) || c.mayBeCollected() {
		if witness = c.sampledGone(); witness == nil || c.OutOfService.Known() {
			return nil
		}
	}
	at := derived(c.Released.Moment, "the pod's object went away while its node was unreachable, and not by pod GC",
		slices.Concat(c.Released.Witness, c.NotReady.Witness, witness)...)
	return []Action{{What: ForceDeletedPod, Object: c.OldPods[0], At: at, ByPerson: model.Unknown}}
}

// vanished reports that the object of the only old pod, which had not finished, went away after its node was lost, and while that was there.
func (c *Case) vanished() bool {
	if len(c.OldPods) != 1 {
		return false
	}
	ended := c.OldPodFinished.Known() || c.NodeGone.Known()
	return c.NotReady.Known() && c.Released.Known() && !ended
}

// mayBeCollected reports that pod GC may have ended the old pod: its node was tainted by then, and the log has no work of pod GC on another
// pod, beside which its silence on this one would mean something.
func (c *Case) mayBeCollected() bool {
	taintedBy := c.OutOfService.Known() && !c.OutOfService.Earliest.After(c.Released.Latest)
	return taintedBy && facts.Find(c.World.ByKind[model.PodForceDeleting], fromLog) == nil
}

// unreachableAt reports that at an instant the controller had set the old node's Ready to Unknown, and it came back later, if at all: a
// kubelet that tells of a new boot reaches the API server again.
func (c *Case) unreachableAt(i facts.Instant) bool {
	back := c.BackReady.Known() && !c.BackReady.Earliest.After(i.Latest)
	if back || !c.NotReady.Latest.Before(i.Earliest) {
		return false
	}
	return !c.rebootedIn(facts.During(c.NotReady.Earliest, i.Latest)) && c.unknownReady(c.ofNode(), facts.Before(i.Latest))
}

// oldPodGone reports that the old pod's object went away: its name was given again, or the bundle lists the pods without it.
func (c *Case) oldPodGone() (bool, []*model.Observation) {
	p := c.OldPods[0]
	if c.Created.Known() && slices.ContainsFunc(c.NewPods, func(n model.Ref) bool { return n.Namespace == p.Namespace && n.Name == p.Name }) {
		return true, c.Created.Witness
	}
	late := c.BackReady.Known() && !(c.Forced.Known() && c.Forced.Before(c.BackReady)) // the kubelet may have ended it
	if _, ok := c.World.Pod(p); ok || late || !c.World.Listed("Pod", p.Namespace) {
		return false, nil
	}
	return true, nil
}

// sampledGone quotes what shows by metrics that the old pod went away while its node had taints, and not that of out-of-service; else nil.
func (c *Case) sampledGone() []*model.Observation {
	gone, taint := facts.Find(c.Released.Witness, facts.And(facts.Kinds(model.PodGone), facts.FromMetric)), c.sampledTaint(c.Released)
	if gone == nil || taint == nil {
		return nil
	}
	return []*model.Observation{gone, taint}
}

// sampledTaint quotes a taint of the old node that metrics show to have come before a time: then they would show others, too.
func (c *Case) sampledTaint(i facts.Instant) *model.Observation {
	return facts.Last(c.ofNode(), facts.Before(i.Earliest), facts.And(facts.Kinds(model.NodeTainted), facts.FromMetric))
}

// attachmentDeletions derive that another than the attach/detach controller deleted the blocking VolumeAttachment: its sync found the
// volume detached, and it had begun no detach; or the old pod still counted as a user, so that it began none.
func attachmentDeletions(c *Case) []Action {
	var out []Action
	for _, l := range c.Lives {
		at := l.DeletionRequested
		if l.ByHand != model.True || c.Attachment.Name == "" || !at.Known() {
			continue
		}
		rule, witness := "the old pod still counted as a user, so that the controller began no detach", at.Witness
		if o := c.foundDetached(l.held); o != nil {
			rule, witness = "the controller's sync found the attachment gone, and it had begun no detach", append(slices.Clip(witness), o)
		}
		out = append(out, c.deletedAttachment(derived(at.Moment, rule, witness...)))
	}
	return out
}

// deletedAttachment is the deletion of the blocking VolumeAttachment, by an unknown actor.
func (c *Case) deletedAttachment(at facts.Instant) Action {
	return Action{What: DeletedAttachment, Object: model.Ref{Kind: "VolumeAttachment", Name: c.Attachment.Name}, At: at, ByPerson: model.Unknown}
}

// sampledRemoval derives from metrics that a user deleted the blocking VolumeAttachment: it was gone while its node was unreachable and
// not tainted out of service, and the old pod was there still or had been for less than the six minutes before.
func sampledRemoval(c *Case) []Action {
	explained := slices.ContainsFunc([]facts.Instant{c.DetachRequested, c.NodeGone, c.OutOfService, c.OldPodFinished}, facts.Instant.Known)
	if explained || c.Attachment.Name == "" || !c.Gone.Known() {
		return nil
	}
	taint := c.sampledTaint(c.Gone)
	switch {
	case !c.unreachableAt(c.Gone), taint == nil || !facts.FromMetric(c.Gone.Witness[0]),
		c.Released.Known() && !c.Gone.Latest.Before(c.Released.Earliest.Add(upstream.MaxWaitForUnmount)),
		!c.Released.Known() && !c.sampledOldPods():
		return nil
	}
	return []Action{c.deletedAttachment(derived(model.Between(c.Gone.Earliest.Add(-PhaseMargin), c.Gone.Latest),
		"the attachment was gone from an unreachable node before the controller would have detached by force",
		append(slices.Concat(c.Gone.Witness, c.Released.Witness), taint)...))}
}

// sampledOldPods reports that metrics show every old pod; its end they would show, too.
func (c *Case) sampledOldPods() bool {
	return len(c.OldPods) > 0 && !slices.ContainsFunc(c.OldPods, func(p model.Ref) bool {
		return facts.Find(c.World.ByPod[p.String()], facts.And(facts.OfPod(p), facts.FromMetric, facts.Kinds(model.PodScheduled, model.PodSampled))) == nil
	})
}

// DeletedByOther is the record by which another than the attach/detach controller deleted the blocking VolumeAttachment: the request in
// the audit log, or the controller's own finding; else nil. Such a deletion proves nothing of the old pod, nor of the unmount.
func (c *Case) DeletedByOther() *model.Observation {
	o := facts.Find(c.DetachRequested.Witness, facts.And(facts.Kinds(model.AttachmentDeletionRequested), facts.FromAudit))
	if o == nil {
		return c.FoundDetached()
	}
	return only(o, !upstream.IsAttachDetachController(o.Actor))
}

// FoundDetached is the controller's line that its sync found the volume no longer attached to the old node, when the log reaches back to
// the beginning of the wait and has no detach by the controller: then another deleted the attachment. Nil otherwise.
func (c *Case) FoundDetached() *model.Observation {
	return c.foundDetached(c.held)
}

// foundDetached is the same for the time of any life of the attachment.
func (c *Case) foundDetached(held facts.Window) *model.Observation {
	list := c.said()
	o := facts.First(list, held, facts.And(facts.Kinds(model.VolumeMarkedDetached), onNode(c.From)))
	if o == nil || !c.World.LogReaches(o, c.Began.At) {
		return nil
	}
	detach := facts.Kinds(model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint, model.DetachVerifiedSafe,
		model.DetachSafetySkipped, model.DetachSucceeded, model.DetachFailed)
	begun := facts.First(list, facts.During(held.From, o.At.At), facts.And(detach, onNode(c.From)))
	unseen := func(f facts.Instant) bool { return f.At.Before(o.At.At) && !c.World.LogReaches(o, f.Earliest) }
	return only(o, begun == nil && !slices.ContainsFunc(c.Failovers, unseen))
}

// replicaStep is one change of a ReplicaSet's number of replicas, as the Deployment controller's event has it.
type replicaStep struct {
	at         model.Moment
	witness    *model.Observation
	replicaSet string
	from, to   int // from is -1 where the wording has none
}

// together bounds how far apart the Deployment controller scales several ReplicaSets for one change of the Deployment.
const together = 2 * time.Second

// scalings derive that the Deployment itself was scaled: to zero and back, when no ReplicaSet was left with pods and one that had just
// lost its pods got them again, which no rollout does; and up or down, when its only ReplicaSet grew or shrank.
func scalings(c *Case) []Action {
	if c.Workload == nil || c.Workload.Kind != "Deployment" {
		return nil
	}
	steps, count := c.steps()
	var out []Action
	var zero *replicaStep
	var emptied []string // the ReplicaSets that went to zero together
	for i := range steps {
		s := &steps[i]
		if s.to > 0 && zero != nil && slices.Contains(emptied, s.replicaSet) {
			out = append(out, c.scaling(zero), c.scaling(s))
		} else if resized := s.from > 0 && s.to > 0 && s.to != s.from; resized && len(count) == 1 {
			out = append(out, c.scaling(s))
		}
		count[s.replicaSet] = s.to
		if s.to > 0 {
			zero, emptied = nil, nil
			continue
		}
		if i > 0 && s.at.At.Sub(steps[i-1].at.At) > together {
			emptied = nil
		}
		emptied = append(emptied, s.replicaSet)
		if zero == nil && !slices.ContainsFunc(slices.Collect(maps.Values(count)), func(n int) bool { return n != 0 }) {
			zero = s
		}
	}
	return slices.DeleteFunc(out, func(a Action) bool { return !c.spans(a.At.Witness[0].At) && !c.spans(a.At.Witness[0].Last) })
}

func (c *Case) scaling(s *replicaStep) Action {
	return Action{
		What: Scaled, Object: model.Ref{Kind: "Deployment", Namespace: c.Workload.Namespace, Name: c.Workload.Name},
		At:       derived(s.at.Widen(time.Second, 0), "the Deployment's ReplicaSets changed as in no rollout", s.witness),
		ByPerson: model.Unknown, Detail: "scaled to " + words.Count(s.to, "replica"),
	}
}

// steps are the changes of the Deployment's ReplicaSets by time, and the replicas before the first; none when an event stands for several.
func (c *Case) steps() (steps []replicaStep, count map[string]int) {
	count = map[string]int{}
	for _, n := range c.World.ReplicasOf[c.Workload.String()] {
		if rs := c.World.ReplicaSets[n].Value(); rs.Spec.Replicas != nil && *rs.Spec.Replicas > 0 {
			count[rs.Name] = int(*rs.Spec.Replicas)
		}
	}
	steps = scaleSteps(c.World, *c.Workload)
	for _, s := range slices.Backward(steps) { // the first of each ReplicaSet wins
		count[s.replicaSet] = max(s.from, 0)
		if s.from < 0 && s.to == 0 {
			count[s.replicaSet] = 1
		}
	}
	return steps, count
}

// scaleSteps are the changes of a Deployment's ReplicaSets by time; none when an event stands for more than two.
func scaleSteps(w *facts.World, deployment model.Ref) (steps []replicaStep) {
	for _, o := range w.ByWorkload[deployment.Key()] {
		if o.Kind != model.WorkloadScaled || o.Source.Kind != model.SourceEvent {
			continue
		}
		s, read := readStep(o)
		if !read || o.Count > 2 || o.At.IsZero() {
			return nil
		}
		steps = append(steps, s)
		if o.Count == 2 {
			s.at = o.Last
			steps = append(steps, s)
		}
	}
	slices.SortStableFunc(steps, func(a, b replicaStep) int {
		return cmp.Or(a.at.At.Compare(b.at.At), a.to-b.to) // a change to zero comes before what replaces it
	})
	return steps
}

// replicaText is "Scaled down replica set db-5d9 from 1 to 0", older "Scaled up replica set db-5d9 to 1", "to 0 from 1" (1.25–1.29).
var replicaText = regexp.MustCompile(` replica set (\S+) (?:from (\d{1,9}) to (\d{1,9})|to (\d{1,9})(?: from (\d{1,9}))?)$`)

func readStep(o *model.Observation) (replicaStep, bool) {
	m := replicaText.FindStringSubmatch(o.Detail)
	if m == nil {
		return replicaStep{}, false
	}
	s := replicaStep{at: o.At, witness: o, replicaSet: m[1], from: -1}
	s.to, _ = strconv.Atoi(m[3] + m[4])
	if from := m[2] + m[5]; from != "" {
		s.from, _ = strconv.Atoi(from)
	}
	return s, true
}
