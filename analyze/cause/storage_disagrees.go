package cause

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

func holderOrRefusal(c *wait.Case) bool { return c.Refused || needHolder.Met(c) }

// checkStorageDisagrees takes the cloud's own word, where the bundle has it, before what the refusals say.
func checkStorageDisagrees(c *wait.Case) Result {
	r, held := fromRefusals(c), c.CloudAttached()
	if held == nil || c.Resolved() {
		return r
	}
	if r.Verdict != "" {
		r.For, r.Verdict = append(r.For, held), model.Confirmed
		r.Missing = slices.DeleteFunc(r.Missing, func(m string) bool { return m == storageList })
		return r
	}
	gone := c.GoneRecorded()
	if !gone && (c.Attachment.Object != nil || !c.World.Listed("VolumeAttachment", "")) {
		return r
	}
	return Result{Verdict: model.Confirmed, Explains: fromUnmount(), For: append(witnesses(c.Began), held),
		Summary: fmt.Sprintf("Kubernetes has no attachment of the volume on %s any more, and the cloud has it on the machine of that node (%s).",
			c.From, held.Detail)}
}

// storageList is what would tell which machine has a volume.
const storageList = "the storage system's own list of attachments"

func fromRefusals(c *wait.Case) Result {
	if c.Refused {
		return refusedAlone(c)
	}
	if c.GoneRecorded() {
		return refusedAfter(c, c.Gone)
	}
	refused := c.RefusedElsewhere(facts.Instant{})
	if len(refused) == 0 || len(c.DetachErrors) > 0 || c.Attachment.Object != nil {
		return driftAfterAttach(c)
	}
	return refusedWithoutDetach(c, refused)
}

// refusedAfter judges refusals that came when Kubernetes counted the volume as detached.
func refusedAfter(c *wait.Case, gone facts.Instant) Result {
	refused := c.RefusedElsewhere(gone)
	if !lasts(c, gone.Latest, refused) {
		return driftAfterAttach(c)
	}
	r := Result{
		Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseAttach}, Since: gone.Earliest,
		For: append(witnesses(gone), sample(refused)...),
		Summary: fmt.Sprintf("The VolumeAttachment of %s was gone %s, "+
			"yet the storage refused the attach to %s because %s: %s.",
			c.From, atOrBetween(gone), toNode(c), inWords(refused, "another machine has the volume"), answerOf(refused)),
		Missing: []string{storageList},
	}
	if !slices.ContainsFunc(refused, c.FirstHand) {
		r.lacks(model.Likely, "the external-attacher's log: the controller repeats an error until the attacher has written another")
	}
	return r
}

// lasts reports that refusals went on for more than a moment: until a minute after a time, or still at the collection.
func lasts(c *wait.Case, since time.Time, refused []*model.Observation) bool {
	last := lastSeen(refused)
	if last.Sub(since) >= transient {
		return true
	}
	at := c.World.Axis.CapturedAt
	if c.Resolved() || at == nil {
		return false
	}
	return at.Earliest.Sub(since) >= transient && at.Earliest.Sub(last) <= upstream.OperationBackoffMax+upstream.CSITimeout
}

// fromUnmount are the phases from the release of the volume to its attach.
func fromUnmount() []model.PhaseID {
	return []model.PhaseID{model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach}
}

// toNode is the new node for a sentence.
func toNode(c *wait.Case) string { return cmp.Or(c.To, "an unknown node") }

// refusedWithoutDetach judges refused attaches without a trace of the detach, which comes first, in later versions also a failed one.
func refusedWithoutDetach(c *wait.Case, refused []*model.Observation) Result {
	r := Result{Explains: fromUnmount(), Since: refused[0].At.At, For: append(witnesses(c.Began), sample(refused)...)}
	v := c.World.Version
	listed := c.World.Listed("VolumeAttachment", "") && !c.Resolved()
	refusal := fmt.Sprintf("The storage refused the attach to %s because %s: %s", toNode(c),
		inWords(refused, "another machine has the volume"), answerOf(refused))
	switch {
	case !lasts(c, refused[0].At.At, refused):
		return Result{}
	case listed:
		r.Reasons = []string{"the bundle's list of VolumeAttachments has none of this volume on " + c.From}
		r.Summary = refusal + "; Kubernetes has no attachment on " + c.From + " any more."
		r.lacks(model.Likely, "how the attachment of "+c.From+" ended: the logs of the kube-controller-manager and the external-attacher")
	case v.Known() && !upstream.SecondAttachmentAfterFailedDetach(v):
		r.For = append(r.For, c.World.VersionO)
		r.Summary = fmt.Sprintf("%s. Kubernetes %s begins an attach only when it counts the volume as detached from %s.", refusal, v, c.From)
		r.lacks(model.Likely, "how the volume left "+c.From+": the kube-controller-manager's log")
	case !v.Known(), !c.World.LogAt(facts.ControllerManager, c.Began):
		r.Summary = refusal + "; the bundle does not show whether Kubernetes still had an attachment on " + c.From + "."
		r.lacks(model.Undecidable, "the list of VolumeAttachments, or the kube-controller-manager's log and version")
	default:
		return Result{} // a failed detach comes first in such versions: driver-detach-error
	}
	return r
}

// driftAfterAttach judges the attacher's complaint that the new attachment is attached and the back end does not know it.
func driftAfterAttach(c *wait.Case) Result {
	drift := facts.First(c.World.ByAttach[c.NewAttachmentName().Name], facts.After(c.Attached.Earliest), func(o *model.Observation) bool {
		return o.Kind == model.AttachmentDrift && strings.Contains(o.Detail, "status.attached=true, back end false")
	})
	if !c.Attached.Known() || drift == nil {
		return Result{}
	}
	if took, _ := hasPhase(c, model.PhaseMount); c.Ready.Known() && (took < transient || c.Ready.Before(wait.At(drift))) {
		return Result{} // the pod has its volume: what the driver lists is wrong, or was listed before the attach
	}
	r := Result{
		Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseMount}, Since: c.Attached.Earliest,
		For: append(witnesses(c.Attached), drift),
		Summary: fmt.Sprintf("The VolumeAttachment of %s says attached since %s, "+
			"and at %s the external-attacher found that the storage does not have the volume there.",
			c.To, clock(c.Attached), clock(wait.At(drift))),
	}
	if !c.Ready.Known() && c.NotReadyNow() == nil {
		r.lacks(model.Likely, "whether the new pod has its volume all the same: the status of that pod")
	}
	return r
}

// refusedAlone judges refusals without a Multi-Attach report: the controller counts the volume as detached, or as uncertain.
func refusedAlone(c *wait.Case) Result {
	refused, where := c.Refusals(), " to "
	if c.RefusedAt() == "mount" {
		where = " on "
	}
	r := Result{
		Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseAttach}, For: sample(refused),
		Summary: fmt.Sprintf("Kubernetes tries to %s the volume%s and the storage refuses, because %s: %s.",
			c.RefusedAt(), named(where, c.To), hasIt(refused), answerOf(refused)),
		Missing: []string{storageList},
	}
	if c.NotHere() {
		r.Summary = fmt.Sprintf("Kubernetes counts the volume as attached%s and mounts it, and the storage refuses, because by its records it is "+
			"not attached there: %s.", named(" to ", c.To), answerOf(refused))
	}
	switch a := c.Attachment.Object; {
	case a != nil && a.Value().Status.Attached:
		r.For = append(r.For, facts.Cite(*a, "status.attached"))
		r.Reasons = []string{"the VolumeAttachment of " + c.From + " still says attached, so that the storage is right to refuse"}
		r.Missing = append(r.Missing, "why Kubernetes tries a second attach: the access modes of the PersistentVolume, and the "+
			"kube-controller-manager's log, which has a failed detach or a new leader")
	case c.RefusedAt() == "mount":
		r.Explains = []model.PhaseID{model.PhaseMount}
	case c.World.Listed("VolumeAttachment", ""):
		r.Reasons = []string{"the bundle's list of VolumeAttachments has none of this volume that is attached to another node"}
	default:
		list := "the list of VolumeAttachments"
		if none, _ := c.World.Attachless(c.Volume); none != "" {
			list = "status.volumesAttached of the Nodes"
		}
		r.Missing = append(r.Missing, "that Kubernetes has let go of the volume, which is inferred from its trying to attach: "+list)
	}
	return r
}

// forgotten judges an attachment that a new leader does not know: the new attach is refused, and the old attachment not deleted.
func forgotten(c *wait.Case) Result {
	a := c.Attachment.Object
	if a == nil || c.DetachRequested.Known() {
		return Result{}
	}
	if a.Value().DeletionTimestamp != nil || a.Value().CreationTimestamp.After(c.Began.Earliest) {
		return Result{}
	}
	for _, f := range c.Failovers {
		refused := c.RefusedElsewhere(f)
		tried := c.NewAttachment.Before(f)
		if tried || len(refused) == 0 || !lasts(c, refused[0].At.At, refused) {
			continue
		}
		r := Result{
			Verdict: model.Likely, Explains: fromUnmount(), Since: f.Earliest, For: append(witnesses(f), sample(refused)...),
			Summary: fmt.Sprintf("A new leader of the kube-controller-manager took over at %s and did not count the volume as attached to %s: "+
				"it tries the attach to %s, which the storage refuses (%s), and has not asked for the deletion of the old VolumeAttachment.",
				clock(f), c.From, toNode(c), answerOf(refused)),
		}
		r.For = append(r.For, facts.Cite(*a, "metadata.creationTimestamp"), facts.Cite(*a, "status.attached"))
		uncertain := facts.First(c.World.ByVolume[c.Volume], facts.After(f.Earliest), func(o *model.Observation) bool {
			return o.Kind == model.VolumeUncertain && o.Node == c.From
		})
		if uncertain != nil {
			r.Verdict = model.Confirmed
			r.For = append(r.For, uncertain)
		} else {
			r.lacks(model.Likely, "the new leader's log from its start at verbosity 1, which would say that the attachment is uncertain to it")
		}
		return r
	}
	return Result{}
}

func holderOrTried(c *wait.Case) bool { return c.AttachTried() != nil || needHolder.Met(c) }

func checkAttachFailing(c *wait.Case) Result {
	tried := c.AttachTried() != nil
	errors := facts.Where(c.AttachErrors(), func(o *model.Observation) bool {
		if !isAnswer(o) || upstream.InUseElsewhere(o.Detail, c.To) || upstream.BeingDeleted(o.Detail) {
			return false
		}
		free := c.Gone.Known() || tried || upstream.AttachLimit(o.Detail) // the volume; of a full machine it does not matter
		return free && o.Last.At.After(c.Gone.At)
	})
	slices.SortStableFunc(errors, func(a, b *model.Observation) int { return a.At.At.Compare(b.At.At) })
	if len(errors) == 0 || len(c.RefusedElsewhere(facts.Instant{})) > 0 || !lasts(c, model.Later(errors[0].At.At, c.Gone.At), errors) {
		return Result{}
	}
	r := Result{Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseAttach}, Since: errors[0].At.At, For: append(witnesses(c.Gone), sample(errors)...)}
	r.Summary = fmt.Sprintf("The attach to %s was refused from %s %s: %s", toNode(c), model.TimeOfDay(errors[0].At.At),
		cmp.Or(words.If(c.Attached.Known(), "to "+clock(c.Attached)), "on"), answerOf(errors))
	switch {
	case c.Gone.Known():
		r.Summary += fmt.Sprintf("; %s had let the volume go at %s.", c.From, clock(c.Gone))
	case tried:
		r.Summary += "; the controller counted the volume on no other node then."
		r.lacks(model.Likely, "when "+cmp.Or(c.From, "the old node")+" had let the volume go: the logs of the kube-controller-manager and the external-attacher")
	default:
		r.Summary += "."
		r.lacks(model.Undecidable, "when "+cmp.Or(c.From, "the old node")+" had let the volume go: the logs of the kube-controller-manager and the external-attacher")
	}
	return r
}
