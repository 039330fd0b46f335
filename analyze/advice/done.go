package advice

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/decision"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// wording is how an action of the case is told: in words, as which remedy, and as which act of the replay.
type wording struct {
	text, remedy string
	kind         replay.ActKind
}

var wordings = map[wait.ActionKind]wording{
	wait.ForceDeletedPod:     {"pod %s was deleted by force", "force-delete-pod", replay.ForceDeletePod},
	wait.DeletedPod:          {"pod %s was deleted", "delete-old-pod", replay.DeletePod},
	wait.RefusedEviction:     {"the eviction of pod %s was refused, as it would violate a disruption budget", "", ""},
	wait.EvictedPod:          {"pod %s was evicted", "delete-old-pod", replay.DeletePod},
	wait.DeletedAttachment:   {"VolumeAttachment %s was deleted", "delete-volume-attachment", replay.DeleteAttachment},
	wait.EditedAttachment:    {"VolumeAttachment %s was edited, of which its driver learns nothing: %s", "", ""},
	wait.RemovedFinalizer:    {"the finalizer of VolumeAttachment %s was removed", "remove-attachment-finalizer", replay.RemoveFinalizer},
	wait.TaintedOutOfService: {"node %s was tainted out-of-service", "out-of-service-taint", replay.TaintOutOfService},
	wait.RemovedOutOfService: {"the out-of-service taint was removed from node %s", "", ""},
	wait.TaintedNoExecute:    {"node %s was tainted %s, which evicted its pods", "", replay.DeletePod},
	wait.DeletedNode:         {"Node %s was deleted", "delete-node", replay.DeleteNode},
	wait.Cordoned:            {cordoned, "", ""},
	wait.Uncordoned:          {"node %s was uncordoned", "", ""},
	wait.Scaled:              {"%s was %s", "scale-to-zero", replay.ScaleDown},
	wait.ChangedTemplate:     {"the pod template of %s was changed, which began a rollout", "", ""},
	wait.ChangedStrategy:     {"", "recreate-strategy", replay.StopOldPods},
	wait.Paused:              {"the rollout of %s was %s", "", ""},
	wait.Restarted:           {"a rollout restart of %s was requested", "", ""},
	wait.RolledBack:          {"the rollout of %s was taken back (undone): the old template again", "rollout-undo", replay.EndDemand},
	wait.StartedAttacher:     {"an external-attacher started", "restart-attacher", replay.RestartAttacher},
	wait.StoppedMachine:      {"the cloud was asked to stop machine %s", "fence-node", ""},
	wait.StartedMachine:      {"the cloud was asked to start machine %s", "repair-node", ""},
	wait.Typed:               {"the command “%s” %s", "", ""},
	wait.DetachedDisk:        {"the cloud was asked to detach disk %s, not by way of its VolumeAttachment", "fix-backend-detach", ""},
}

const cordoned = "node %s was cordoned"

// act is an act of people, scripts or controllers, on the way to its words.
type act struct {
	model.DoneAct
	kind replay.ActKind
	at   float64 // seconds of the scenario
	// fixed says that its effect follows from what it is, and not from a replay.
	fixed bool
}

// done are the acts of an incident in the order of time. What the control loops do by themselves is no act: phases tell it.
func done(i *remedy.Incident, l *evidence.Ledger) []act {
	var out []act
	for _, a := range i.Scenario.Actions {
		if d, known := wordings[a.What]; known && !loop(a) && concerns(i, a) {
			out = append(out, told(i, a, d, l))
		}
	}
	out = append(out, observed(i, l)...)
	slices.SortStableFunc(out, func(a, b act) int { return cmp.Compare(a.at, b.at) })
	for n := range out {
		out[n].weigh(i)
	}
	last(out)
	return drains(i, out)
}

// drainTakes is the longest time, in seconds, from the cordon with which a drain begins to the deletion of the pod.
const drainTakes = 120.0

// drains joins the cordon of a live node and the deletion of its pod that follows: a drain, which began the move and is no answer to it.
func drains(i *remedy.Incident, acts []act) []act {
	deleted := i.Scenario.Deleted
	n := slices.IndexFunc(acts, func(a act) bool { return a.What == fmt.Sprintf(cordoned, i.Case.From) })
	if n < 0 || i.Lost() || !deleted.Known() {
		return acts
	}
	drain := &acts[n]
	if later := deleted.Best - drain.at; later < -1 || later > drainTakes {
		return acts
	}
	drain.What = fmt.Sprintf("node %s was cordoned and the old pod deleted, as a drain does, which began the move", i.Case.From)
	if i.HasCause(model.CauseSharedClaim) { // its pods could not stay together
		drain.Effect = model.ActCaused
	}
	return slices.DeleteFunc(acts, func(a act) bool {
		part := a.kind == replay.DeletePod && a.Effect == model.ActCaused && a.at >= drain.at-1
		if part {
			drain.Evidence = append(drain.Evidence, a.Evidence...)
		}
		return part
	})
}

// loop reports that an action is what a control loop of Kubernetes does by rule, after what happened.
func loop(a wait.Action) bool {
	return a.By == "taint eviction" || a.By == "pod GC" || strings.HasPrefix(a.By, "the controller of ")
}

// concerns reports that an action is on the side that held the volume, or on the workload: not on what came of it.
func concerns(i *remedy.Incident, a wait.Action) bool {
	if a.What == wait.TaintedNoExecute && !evicts(i, a) {
		return false // it found no pod of the volume
	}
	if a.What == wait.Typed || a.What == wait.EditedAttachment || i.Case.Beside(a) {
		return true
	}
	switch a.Object.Kind {
	case "Node":
		return a.Object.Name == i.Case.From
	case "Pod":
		return slices.ContainsFunc(i.Case.OldPods, a.Object.Is) || len(i.Case.OldPods) == 0 && i.Case.NamedAgain(a.Object)
	case "VolumeAttachment":
		return a.Object.Name == i.Case.Attachment.Name || cutOff(i, a)
	}
	if a.What == wait.StartedAttacher {
		if away, scaled := i.Case.AttacherAway(); scaled && away.To.Known() {
			return false // what scaled it up is the act
		}
		return interrupts(i, a) || i.Scenario.Fault.AttacherUntil > 0 && math.Abs(seconds(i, a.At.At)-i.Scenario.Fault.AttacherUntil) < 5
	}
	switch a.What {
	case wait.StoppedMachine, wait.StartedMachine:
		return i.Case.OnOldMachine(a)
	case wait.DetachedDisk: // the driver asks only after the VolumeAttachment was deleted
		asked := i.Case.DetachRequested
		return !asked.Known() || a.At.Before(asked)
	}
	return true
}

// evicts reports that a pod of the volume was evicted as soon as a taint was set.
func evicts(i *remedy.Incident, a wait.Action) bool {
	evicted := i.Case.TaintEviction()
	return evicted != nil && !evicted.At.Latest.Before(a.At.Earliest) && !evicted.At.Earliest.After(a.At.Latest.Add(atOnce))
}

// cutOff reports that an act deleted the VolumeAttachment of the attach itself, which failed for it.
func cutOff(i *remedy.Incident, a wait.Action) bool {
	return a.What == wait.DeletedAttachment && a.Object.Name != i.Case.Attachment.Name &&
		slices.ContainsFunc(i.Case.AttachErrors(), func(o *model.Observation) bool {
			return upstream.BeingDeleted(o.Detail) && !o.Last.At.Before(a.At.Earliest)
		})
}

// told puts an action into words.
func told(i *remedy.Incident, a wait.Action, d wording, l *evidence.Ledger) act {
	text := d.text
	switch {
	case a.What == wait.RolledBack || i.Case.TakenBack(a):
		d = wordings[wait.RolledBack]
		text = fmt.Sprintf(d.text, subject(a.Object))
	case a.What == wait.ChangedStrategy:
		of := "the strategy of " + subject(a.Object) + " was changed"
		text = cmp.Or(strings.Replace(a.Detail, "strategy changed", of, 1), of)
	case a.What == wait.Scaled:
		text = fmt.Sprintf(text, subject(a.Object), a.Detail)
		if d.kind = replay.ScaleDown; !strings.Contains(a.Detail, " 0 ") {
			d.kind, d.remedy = replay.ScaleUp, ""
		}
		if d.remedy == "" && i.Case.EndedWait(a) {
			d.kind, d.remedy = replay.EndDemand, words.If(i.HasCause(model.CauseSharedClaim), "single-writer-replicas")
		}
	case a.What == wait.ChangedTemplate || a.What == wait.Restarted:
		text = fmt.Sprintf(text, subject(a.Object))
	case a.What == wait.Paused:
		text = fmt.Sprintf(text, subject(a.Object), strings.TrimPrefix(a.Detail, "rollout "))
	case a.What == wait.EditedAttachment:
		text = fmt.Sprintf(text, a.Object, a.Detail)
	case a.What == wait.TaintedNoExecute:
		text = fmt.Sprintf(text, a.Object, a.Detail)
	case a.What == wait.Typed:
		text = fmt.Sprintf(text, a.Detail, i.Case.Outcome(a.At.Witness...))
	case interrupts(i, a):
		text, d = interrupted, wording{}
	case strings.Contains(text, "%s"):
		text = fmt.Sprintf(text, a.Object.String())
	}
	out := act{kind: d.kind, at: seconds(i, a.At.At)}
	out.What, out.At, out.Effect = text, l.Moment(a.At), model.ActNone
	out.Evidence = l.Observations(a.At.Witness)
	if a.What == wait.ForceDeletedPod && i.Stopped(out.at) != model.True {
		out.What += " though nothing showed that its containers had stopped"
	}
	if a.What == wait.DeletedAttachment && i.Stopped(out.at) != model.True {
		out.What += ", which detaches the disk though nothing showed that the machine of " + cmp.Or(i.Case.From, "the old node") + " was off (data risk)" + freed(i.Case, a)
	}
	out.settle(i, a)
	if d.remedy != "" {
		out.Remedy = &d.remedy
	}
	if a.By != "" {
		out.By = &a.By
	}
	return out
}

// freed is from when to when a volume was free whose deleted VolumeAttachment the controller created again; "" where that is not known.
func freed(c *wait.Case, a wait.Action) string {
	for n, l := range c.Lives[:max(len(c.Lives), 1)-1] {
		again, known := c.Lives[n+1].Created, l.Gone.Known() && l.Gone.Latest.Sub(l.Gone.Earliest) <= wait.PhaseMargin
		if l.ByHand == model.True && known && !l.Gone.Latest.Before(a.At.Earliest) {
			return "; it was free from " + model.TimeOfDay(l.Gone.At) + " to " + model.TimeOfDay(again.At)
		}
	}
	return ""
}

const interrupted = "the external-attacher was started again in the middle of the detach"

// interrupts reports that an attacher that had begun the detach was gone, and another started.
func interrupts(i *remedy.Incident, a wait.Action) bool {
	start := i.Case.Interrupted()
	return a.What == wait.StartedAttacher && start != nil && slices.Contains(a.At.Witness, start)
}

// subject names a workload with its kind, where that is known.
func subject(r model.Ref) string { return strings.TrimSpace(r.Kind + " " + r.String()) }

// settle says what an act came to where records show it: they stand before a replay.
func (a *act) settle(i *remedy.Incident, done wait.Action) {
	c := i.Case
	removed := done.What == wait.RemovedFinalizer || done.What == wait.DeletedAttachment && c.Gone.At.Sub(done.At.At) < atOnce
	switch {
	case cutOff(i, done):
		a.What = fmt.Sprintf("VolumeAttachment %s, which the attach waited for, was deleted", done.Object)
		a.Effect, a.fixed = model.ActLengthened, true
	case done.What == wait.Typed || done.What == wait.EditedAttachment || c.Beside(done):
		a.fixed = true
	case c.EndedWait(done):
		a.Effect, a.fixed = model.ActEnded, true
	case removed && c.Erased() && len(c.RefusedElsewhere(c.Gone)) > 0:
		a.What = fmt.Sprintf("VolumeAttachment %s was removed without a detach", done.Object)
		a.Effect, a.fixed = model.ActLengthened, true
	}
}

// atOnce bounds how long after the request an attachment without a finalizer is gone.
const atOnce = 2 * time.Second

// last leaves the end of the wait to the newest of several acts without which it would not have ended: the others were needed, too.
func last(acts []act) {
	ended := false
	for n := range slices.Backward(acts) {
		if acts[n].Effect == model.ActEnded && ended {
			acts[n].Effect = model.ActShortened
		}
		ended = ended || acts[n].Effect == model.ActEnded
	}
}

// weigh says what an act came to, by the replay without it.
func (a *act) weigh(i *remedy.Incident) {
	if a.fixed {
		return
	}
	a.Effect = model.ActNone
	plan, both := i.Done.Without(a.kind), i.Done.First(replay.ForceDeletePod) <= i.Done.First(replay.DeleteAttachment)
	if a.kind == replay.ForceDeletePod && both { // the deletion of the attachment without it would be another act, a race
		plan = plan.Without(replay.DeleteAttachment)
	}
	if a.kind == replay.StartKubelet {
		plan.Set.StaysAway = true
	} else if !slices.ContainsFunc(i.Done.Acts, func(p replay.Act) bool { return p.Kind == a.kind }) {
		a.Effect = unplayed(i, a)
		return
	}
	with, without := i.Asis, i.Scenario.Predict(plan)
	_, ended := i.End()
	races := a.kind == replay.DeleteAttachment
	lost := races && i.Scenario.RaceLost
	settled := both && ended // the pod was deleted, too, and the wait is over
	switch {
	case lost && !i.Case.Resolved() && !with.Ready.Known():
		a.Effect = model.ActRace
	case i.Misfit() != "":
		a.Effect = model.ActNone
	case twoWriters(i, a):
		a.Effect = model.ActRiskedData
		a.worth(with, without)
	case startsTimer(i, a, with):
		a.Effect = model.ActStarted
		a.worth(with, without)
	case !with.Ready.Known():
		a.Effect = model.ActNone
	case races && with.Race && !settled:
		a.Effect = model.ActRace
		a.worth(with, without)
	case !without.Ready.Known() && ended:
		a.Effect = model.ActEnded
	default:
		a.worth(with, without)
	}
}

// worth writes down what an act saved, where both replays end.
func (a *act) worth(with, without replay.Prediction) {
	if !with.Ready.Known() || !without.Ready.Known() {
		return
	}
	by := with.Less(without)
	a.Saved = remedy.Tenths(by)
	switch {
	case a.Effect != model.ActNone:
	case by.Best >= remedy.Noticeable:
		a.Effect = model.ActShortened
	case by.Best <= -remedy.Noticeable:
		a.Effect = model.ActLengthened
	}
}

// forces are the acts that take a volume from its node by force.
var forces = []replay.ActKind{replay.ForceDeletePod, replay.DeleteNode, replay.DeleteAttachment, replay.TaintOutOfService}

// twoWriters reports that an act took the volume by force from a machine that ran on.
func twoWriters(i *remedy.Incident, a *act) bool {
	w, taken := decision.Integrity(i.Case)
	return taken && w.RanOn && slices.Contains(forces, a.kind)
}

// startsTimer reports that the controller's six minutes began with an act, and that nothing shortened them.
func startsTimer(i *remedy.Incident, a *act, with replay.Prediction) bool {
	if a.kind != replay.ForceDeletePod && a.kind != replay.DeleteNode {
		return false
	}
	shortened := min(i.Done.First(replay.TaintOutOfService), i.Done.First(replay.DeleteAttachment))
	ran := with.Typic.DetachAt-with.Typic.Released >= 300 || !with.Ready.Known()
	return ran && math.IsInf(shortened, 1)
}

// unplayed is the effect of an act that the replay does not have: it came before the wait, and may have caused it.
func unplayed(i *remedy.Incident, a *act) model.ActEffect {
	begins := a.at <= i.Scenario.Reported+2
	switch a.kind {
	case replay.DeletePod, replay.ScaleDown:
		if begins && !i.Lost() {
			return model.ActCaused
		}
	case replay.ForceDeletePod, replay.TaintOutOfService:
		if !i.Lost() && takenAlive(i) {
			return model.ActRiskedData
		}
	case replay.DeleteNode:
		if begins && i.Case.DeletedAlive() {
			return model.ActCaused
		}
	case replay.ScaleUp:
		if begins && i.HasCause(model.CauseSharedClaim) {
			return model.ActCaused
		}
	case replay.RestartAttacher:
		return model.ActEnded
	case "":
		rolls := strings.Contains(a.What, "began a rollout") || strings.Contains(a.What, "rollout restart")
		if begins && rolls && i.Rollout() {
			return model.ActCaused
		}
	}
	return model.ActNone
}

// takenAlive reports that the volume was taken by force from a node that was Ready.
func takenAlive(i *remedy.Incident) bool {
	if i.Lost() {
		return false
	}
	state, _ := i.Case.OldNode()
	return state == wait.NodeReady && slices.ContainsFunc(i.Scenario.Actions, func(a wait.Action) bool {
		own := a.Object.Name == i.Case.From || slices.ContainsFunc(i.Case.OldPods, a.Object.Is)
		taken := a.What == wait.TaintedOutOfService && i.Case.TaintLifted() == nil || a.What == wait.ForceDeletedPod && i.Case.Forced.Known()
		return own && taken && !loop(a)
	})
}
