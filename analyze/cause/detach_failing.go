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

// transient is how long a detach may fail in an ordinary move: the attacher retries after one second, two, four and so on.
const transient = time.Minute

// failing is a stretch of failed detaches that have one kind of fault in common.
type failing struct {
	errors      []*model.Observation // in the order of time
	since       time.Time
	least, most time.Duration // bounds of how long they held the detach up
	now         bool          // the collection still found the detach failing
}

// failures finds the failed detaches with one of some faults, and for how long they kept the volume.
func failures(c *wait.Case, faults ...upstream.Fault) failing {
	f, fault := failing{}, upstream.FaultDriver
	worded := slices.ContainsFunc(c.DetachErrors, func(o *model.Observation) bool { return o.Detail != "" })
	for _, o := range slices.SortedStableFunc(slices.Values(c.DetachErrors), (*model.Observation).Compare) {
		if o.At.IsZero() || o.Detail == "" && worded {
			continue // "Saved detach error" has its text in another line
		}
		if !upstream.HoldsBack(o.Detail) {
			fault = upstream.DetachFault(o.Detail)
		}
		if slices.Contains(faults, fault) {
			f.errors = append(f.errors, o)
		}
	}
	if len(f.errors) == 0 || !c.DetachRequested.Known() {
		return failing{}
	}
	f.since = failingSince(c, f.errors)
	last := lastSeen(f.errors)
	least, most := last, last
	switch {
	case c.Gone.Known():
		// The attacher tries again after five minutes at the latest: a longer silence has another reason.
		least = model.Later(last, model.Earlier(c.Gone.Earliest, last.Add(upstream.AttacherRetryMax+upstream.AttacherCallTimeout)))
		most = model.Later(last, c.Gone.Latest)
	case stillDeleting(c):
		f.now = true
		least, most = model.Later(last, c.World.Axis.CapturedAt.Earliest), model.Later(last, c.World.Axis.CapturedAt.Latest)
	case c.Resolved():
		most = model.Later(last, c.Ended().Latest)
	case c.World.Axis.CapturedAt != nil:
		most = model.Later(last, c.World.Axis.CapturedAt.Latest)
		f.now = most.Sub(last) <= upstream.AttacherRetryMax
	}
	f.least, f.most = least.Sub(f.since), most.Sub(f.since)
	return f
}

// failingSince is the first failure; the object keeps the last alone: without a log the failing is assumed to begin with the request.
func failingSince(c *wait.Case, errors []*model.Observation) time.Time {
	if slices.ContainsFunc(errors, func(o *model.Observation) bool {
		return o.Source.Kind == model.SourceLog || o.Source.Kind == model.SourceAudit
	}) {
		return errors[0].At.At
	}
	return model.Earlier(errors[0].At.At, c.DetachRequested.At)
}

// lastSeen is when the last of some observations was made.
func lastSeen(list []*model.Observation) (last time.Time) {
	for _, o := range list {
		last = model.Later(last, model.Later(o.At.At, o.Last.At))
	}
	return last
}

// verdict of failures as the reason of the wait; empty when they held the volume up for too short a time to matter.
func (f failing) verdict() model.Verdict {
	if len(f.errors) == 0 {
		return ""
	}
	if f.now || f.least >= transient {
		return model.Confirmed
	}
	if f.most >= transient {
		return model.Likely
	}
	return ""
}

// stillDeleting reports that the collection found the blocking VolumeAttachment, being deleted.
func stillDeleting(c *wait.Case) bool {
	a := c.Attachment.Object
	found := a != nil && c.World.Axis.CapturedAt != nil
	return found && a.Value().DeletionTimestamp != nil && !c.AttachmentIsLater()
}

// affected are the phases that failing detaches lengthen; the attach is one when it was tried in between and held back afterwards.
func affected(c *wait.Case) []model.PhaseID {
	divided := c.Gone.Known() && c.Gone.Latest.Sub(c.Gone.Earliest) <= transient
	if divided && !secondAttachment(c) && len(c.AttachErrors()) == 0 {
		return []model.PhaseID{model.PhaseDetach}
	}
	return []model.PhaseID{model.PhaseDetach, model.PhaseAttach}
}

// secondAttachment reports that the new VolumeAttachment was created while the old one existed.
func secondAttachment(c *wait.Case) bool {
	return c.NewAttachment.Known() && (!c.Gone.Known() || c.NewAttachment.At.Before(c.Gone.At))
}

// answerOf is what the driver or the cloud said, on one line.
func answerOf(errors []*model.Observation) string {
	for _, mark := range []string{"rpc error: ", ""} {
		for _, o := range errors {
			if text := strings.TrimRight(upstream.Answer(o.Detail), ". \n"); strings.Contains(o.Detail, mark) && (mark != "" || text != "") {
				return strings.TrimSuffix(upstream.Excerpt(text, 160), ", Message:") // googleapi ends so where there is none
			}
		}
	}
	return "its error text is not in the bundle" // "Saved detach error" says only that there was one
}

// sample keeps the first and the last of many.
func sample(list []*model.Observation) []*model.Observation {
	if len(list) <= 4 {
		return list
	}
	return append(list[:3:3], list[len(list)-1])
}

func checkDriverDetachError(c *wait.Case) Result {
	if r := countedErrors(c); r.Verdict != "" {
		return r
	}
	faults := []upstream.Fault{upstream.FaultDriver}
	if stillReady(c) {
		faults = append(faults, upstream.FaultInstance) // the machine is there; a driver that does not find it is wrong
	}
	f := failures(c, faults...)
	if len(f.errors) == 0 {
		return refusedByBackEnd(c)
	}
	return detachFails(c, f, "")
}

// detachFails is the result of a failing detach; maker introduces the error, "" when the driver words it.
func detachFails(c *wait.Case, f failing, maker string) Result {
	r := Result{Verdict: f.verdict(), Since: f.since}
	if r.Verdict == "" {
		return Result{}
	}
	r.Explains = affected(c)
	r.For = append(witnesses(c.DetachRequested, c.Gone), sample(f.errors)...)
	r.Summary = fmt.Sprintf("The detach from %s was requested %s and failed: %s%s",
		c.From, atOrBetween(c.DetachRequested), maker, answerOf(f.errors))
	if !slices.ContainsFunc(f.errors, func(o *model.Observation) bool { return !upstream.HoldsBack(o.Detail) }) {
		r.Summary = fmt.Sprintf("The detach from %s was requested %s and took long: the driver answered further calls that it was at work on it",
			c.From, atOrBetween(c.DetachRequested))
	}
	if up := c.Interrupted(); up != nil {
		r.For = append(r.For, up)
		r.Summary += ". The external-attacher was started again at " + model.TimeOfDay(up.At.At)
	}
	r.Summary += words.If(c.Gone.Known(), fmt.Sprintf(". It succeeded %s", atOrBetween(c.Gone)))
	if secondAttachment(c) && upstream.SecondAttachmentAfterFailedDetach(c.World.Version) {
		r.For = append(r.For, c.NewAttachment.Witness...)
		r.Summary += fmt.Sprintf("; meanwhile, at %s, the controller created a second VolumeAttachment", clock(c.NewAttachment))
	}
	r.Summary += "."
	if r.Verdict == model.Likely {
		r.lacks(model.Likely, "what became of the detach after "+model.TimeOfDay(lastSeen(f.errors))+
			": the later part of the external-attacher's log")
	}
	return r
}

// refusedByBackEnd covers bundles without the detach's errors: an attach beside the old attachment follows a failed detach.
func refusedByBackEnd(c *wait.Case) Result {
	refused := c.AttachRefused()
	silent := slices.ContainsFunc(c.AttachErrors(), func(o *model.Observation) bool { return !isAnswer(o) })
	if silent || len(refused) == 0 || !upstream.SecondAttachmentAfterFailedDetach(c.World.Version) {
		return Result{}
	}
	if len(c.DetachErrors) > 0 || c.DetachBegun() || c.Gone.Known() {
		return Result{} // they tell the detach
	}
	if len(c.Failovers) > 0 {
		return Result{}
	}
	return Result{
		Verdict: model.Undecidable, Explains: []model.PhaseID{model.PhaseDetach, model.PhaseAttach}, For: sample(refused),
		Summary: fmt.Sprintf("The driver refused the attach to %s from %s on: %s. "+
			"Kubernetes %s tries it only after a detach from %s has failed or timed out; the bundle does not show which.",
			c.To, model.TimeOfDay(refused[0].At.At), words.Clip(refused[0].Detail, 160), c.World.Version, c.From),
		Missing: []string{"the errors of the detach itself: " +
			"the logs of the kube-controller-manager and the external-attacher, or the VolumeAttachment of that time"},
	}
}

func checkCloudDetachFailing(c *wait.Case) Result {
	f := failures(c, upstream.FaultCloud)
	if len(f.errors) == 0 {
		return Result{}
	}
	return detachFails(c, f, upstream.CloudOf(upstream.Answer(f.errors[0].Detail))+" answered: ")
}

// A failing detach by metrics alone: the controller counts failed detaches of the driver, and has made a second attachment, which it does
// only when it no longer waits for the unmount. A detach that the attacher answers with an error is tried again within seconds; one
// without an answer fails after two minutes (csi_attacher.go, since 1.14.9).
const (
	answeredWithin  = time.Minute
	answeredAtLeast = 3
	unanswered      = 100 * time.Second
)

// countedFailure is the counted failure of the wait; nil when other sources than metrics show the wait, or without a second attachment.
func countedFailure(c *wait.Case) *model.Observation {
	list := c.CountedFailures()
	if !c.Sampled || c.DetachRequested.Known() {
		return nil
	}
	if !c.SecondAttachment() || len(list) == 0 {
		return nil
	}
	return slices.MaxFunc(list, func(a, b *model.Observation) int { return cmp.Compare(a.Count, b.Count) })
}

// countedErrors is the result of a detach that fails again and again, by metrics alone.
func countedErrors(c *wait.Case) Result {
	o := countedFailure(c)
	if o == nil || o.Count < answeredAtLeast || spacing(o) > answeredWithin {
		return Result{}
	}
	return counted(c, o, max(spacing(o), time.Second),
		" on average, and created the second attachment at "+clock(c.NewAttachment)+" while the first still existed",
		"what the driver answered: the external-attacher's log, or status.detachError of the VolumeAttachment")
}

// countedSilence is the result of a detach that is not carried out, by metrics alone.
func countedSilence(c *wait.Case) Result {
	o := countedFailure(c)
	if o == nil || o.Count < 2 || spacing(o) < unanswered {
		return Result{}
	}
	return counted(c, o, spacing(o), ": it gives up waiting for the external-attacher after two minutes each time",
		"the external-attacher's log of that time")
}

func counted(c *wait.Case, o *model.Observation, spacing time.Duration, how, missing string) Result {
	return Result{
		Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseDetach, model.PhaseAttach}, Since: o.At.Earliest,
		Summary: fmt.Sprintf("The controller counted %d failed detaches of driver %s, %s apart%s.",
			o.Count, o.Attacher, words.Duration(spacing), how),
		For:     append([]*model.Observation{o}, witnesses(c.NewAttachment, c.Gone)...),
		Reasons: []string{"the counter names no volume: another one of the driver may be meant"}, Missing: []string{missing},
	}
}

// sampledUnmount is a missing unmount by metrics alone: pod gone, node Ready at every scrape, no failed detach counted.
func sampledUnmount(c *wait.Case, waited time.Duration) Result {
	node := c.NodeSampledReady()
	if !c.Sampled || node == nil || waited < sampledPatience {
		return Result{}
	}
	if len(c.CountedFailures()) > 0 || c.SecondAttachment() && !c.Gone.Known() {
		return Result{} // the detach failed
	}
	r := Result{
		Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseUnmountWait}, For: append(witnesses(c.Released), node),
		Summary: fmt.Sprintf("The old pod was gone at %s, and %s, which was Ready at every scrape, kept the volume for %s; ",
			clock(c.Released), c.From, words.Duration(waited)),
		Missing: []string{"status.volumesInUse of " + c.From + ", or its kubelet's log, which would say what holds the mount"},
	}
	if c.OperationsAreCounted() {
		r.Summary += "no failed detach of the driver was counted"
	} else { // the counters of a controller that took over begin anew
		r.Summary += "metrics do not show whether the unmount or the detach failed"
		r.lacks(model.Undecidable, "the kube-controller-manager's counters of storage operations")
	}
	if f := c.CountedForce(); f != nil {
		r.For = append(r.For, f)
		r.Summary += "; a forced detach was counted at its end"
	}
	r.Summary += "."
	return r
}

// sampledPatience is how long a detach without an answer takes to be counted as failed, with a minute for the scrapes and the unmount.
const sampledPatience = 3 * time.Minute

func checkPVDeletedFirst(c *wait.Case) Result {
	name, cite := attachmentPV(c)
	if f := failures(c, upstream.FaultNoPV); len(f.errors) > 0 {
		return notFound(c, f, name)
	}
	if name == "" || !stillDeleting(c) || answered(c) {
		return Result{}
	}
	if c.World.Axis.CapturedAt.Earliest.Sub(c.DetachRequested.Latest) < transient {
		return Result{}
	}
	if _, exists := c.World.PV(name); exists {
		return Result{}
	}
	r := Result{Explains: []model.PhaseID{model.PhaseDetach}, For: append(witnesses(c.DetachRequested), cite)}
	r.Summary = fmt.Sprintf("The VolumeAttachment of %s is being deleted since %s and names PersistentVolume %s, ",
		c.From, clock(c.DetachRequested), name)
	if c.World.Listed("PersistentVolume", "") {
		r.Reasons = []string{"PersistentVolume " + name + " is not in the bundle's list of all"}
		r.Summary += "which does not exist; without it the external-attacher cannot call the storage."
		r.lacks(model.Likely, "the external-attacher's log, which would say that it does not find the PersistentVolume")
	} else if name != c.Volume.PersistentVolume {
		r.Summary += "the claim's volume is " + c.Volume.PersistentVolume + " now; the bundle does not show whether the former still exists."
		r.lacks(model.Undecidable, "the list of PersistentVolumes, or the external-attacher's log")
	} else {
		return Result{}
	}
	return r
}

// notFound judges the attacher's own words. An older PersistentVolume of that name in the bundle speaks against them.
func notFound(c *wait.Case, f failing, name string) Result {
	r := Result{Verdict: f.verdict(), Explains: affected(c), Since: f.since}
	r.For = append(witnesses(c.DetachRequested, c.Gone), sample(f.errors)...)
	if r.Verdict == "" {
		return Result{}
	}
	r.Summary = fmt.Sprintf("The detach from %s was requested %s, and the external-attacher never called the storage: "+
		"it did not find the PersistentVolume (%s).",
		c.From, atOrBetween(c.DetachRequested), answerOf(f.errors))
	pv, exists := c.World.PV(name)
	if exists && pv.Value().CreationTimestamp.Time.Before(f.errors[0].At.At) {
		r.Verdict = model.Likely
		r.Against = append(r.Against, facts.Cite(pv, "metadata.creationTimestamp"))
	}
	if r.Verdict == model.Likely {
		r.Missing = append(r.Missing, "when the PersistentVolume was deleted: an audit log")
	}
	return r
}

// attachmentPV is the PersistentVolume that the blocking VolumeAttachment names, with the quote; "" when the bundle does
// not hold the object. It differs from the volume's own when the PersistentVolume was made anew under another name.
func attachmentPV(c *wait.Case) (string, *model.Observation) {
	a := c.Attachment.Object
	if a == nil || c.AttachmentIsLater() || a.Value().Spec.Source.PersistentVolumeName == nil {
		return "", nil
	}
	return *a.Value().Spec.Source.PersistentVolumeName, facts.Cite(*a, "spec.source.persistentVolumeName")
}

// spacing is how far apart counted events lay on average; 0 for a single one.
func spacing(o *model.Observation) time.Duration {
	if o.Count < 2 {
		return 0
	}
	return o.Last.At.Sub(o.At.At) / time.Duration(o.Count-1)
}
