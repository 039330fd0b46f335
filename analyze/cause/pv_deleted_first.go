package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

var pvDeletedFirst = Cause{
	ID: "pv-deleted-first", Title: "The PersistentVolume was deleted before the detach",
	Label: "PersistentVolume deleted first", Group: "PersistentVolume deleted before its detach from %s",
	Needs: []Need{needHolder}, Check: checkPVDeletedFirst,
}

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
