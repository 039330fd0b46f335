package cause

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

var driverDetachError = Cause{
	ID:    "driver-detach-error",
	Title: "The driver fails to detach",
	Doc: Doc{
		Symptom: "The VolumeAttachment of the old node has a deletionTimestamp and stays, with a detachError.",
		Mechanism: `The external-attacher calls ControllerUnpublishVolume and retries with a back-off of up to five minutes. Since Kubernetes
1.26.10, 1.27.7, 1.28.3 and 1.29.0 the first failure makes the old attachment uncertain, so that the controller creates
the VolumeAttachment of the new node while the old one still exists; attach and detach then alternate. After the
back end has healed, the back-offs of attacher, controller and kubelet add minutes.`,
		DecidedBy:  "status.detachError of the old VolumeAttachment, the attacher's errors, or the controller's failed detach operations, from the driver.",
		RefutedBy:  "The errors are only the controller's time-outs while the attacher was silent; or the detach never began.",
		WhatHelped: "Repairing what the error names; restarting the attacher to reset its back-off afterwards.",
		References: []string{"kubernetes PR 120595", "kubernetes-csi/external-attacher pkg/controller"},
	},
	Needs: []Need{needHolder},
	Check: checkDriverDetachError,
}

func checkDriverDetachError(c *reconstruct.Case) Result {
	errors := driverErrors(c)
	if !c.DetachRequested.Known() || len(errors) == 0 {
		return refusedByBackEnd(c)
	}
	r := Result{
		Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseDetach, model.PhaseAttach},
		For: append(witnesses(c.DetachRequested, c.Gone), sample(errors)...),
	}
	r.Summary = fmt.Sprintf("The detach from %s was requested at %s and failed: %s", c.From, clock(c.DetachRequested), shorten(driverText(errors), 160))
	if c.Gone.Known() {
		r.Summary += fmt.Sprintf(". It succeeded at %s", clock(c.Gone))
	}
	if c.NewAttachment.Known() && (!c.Gone.Known() || c.NewAttachment.At.Before(c.Gone.At)) && upstream.SecondAttachmentAfterFailedDetach(c.World.Version) {
		r.For = append(r.For, c.NewAttachment.Witness...)
		r.Summary += fmt.Sprintf("; meanwhile, at %s, the controller created a second VolumeAttachment", clock(c.NewAttachment))
	}
	r.Summary += "."
	return r
}

// refusedByBackEnd covers bundles without the detach's own errors: the controller tried to attach to the new node, and
// the driver refused. A version that attaches before the old attachment is gone does so only after a failed detach.
func refusedByBackEnd(c *reconstruct.Case) Result {
	refused := c.AttachRefused()
	if len(refused) == 0 || c.DetachBegun() || !upstream.SecondAttachmentAfterFailedDetach(c.World.Version) {
		return Result{}
	}
	return Result{
		Verdict: model.Undecidable, Explains: []model.PhaseID{model.PhaseDetach, model.PhaseAttach}, For: sample(refused),
		Summary: fmt.Sprintf("The driver refused the attach to %s from %s on: %s. Kubernetes %s tries it only after a detach from %s has failed or timed out; which of the two, the bundle does not tell.",
			c.To, refused[0].At.At.UTC().Format("15:04:05"), shorten(refused[0].Detail, 160), c.World.Version, c.From),
		Missing: []string{"the errors of the detach itself: the logs of the kube-controller-manager and the external-attacher, or the VolumeAttachment of that time"},
	}
}

// driverErrors leaves out the controller's own time-out, which says only that the attacher gave no answer.
func driverErrors(c *reconstruct.Case) []*model.Observation {
	var out []*model.Observation
	for _, o := range c.DetachErrors {
		if !isTimeout(o.Detail) {
			out = append(out, o)
		}
	}
	return out
}

// driverText is the driver's own answer: what stands behind the wrapping of the components that pass it on.
func driverText(errors []*model.Observation) string {
	for _, o := range errors {
		if _, answer, ok := strings.Cut(o.Detail, "rpc error: "); ok {
			return answer
		}
	}
	text := errors[0].Detail
	if _, answer, ok := strings.Cut(text, "\" : "); ok {
		return answer
	}
	return text
}

// timeouts are the texts of the controller's wait for a VolumeAttachment, by version (csi_attacher.go).
var timeouts = []string{"timed out waiting for external-attacher", "etachment timeout for volume", "Detach timeout for volume", "Attach timeout for volume"}

func isTimeout(text string) bool {
	for _, t := range timeouts {
		if strings.Contains(text, t) {
			return true
		}
	}
	return false
}

// sample keeps the first and the last of many.
func sample(list []*model.Observation) []*model.Observation {
	if len(list) <= 4 {
		return list
	}
	return append(list[:3:3], list[len(list)-1])
}

func shorten(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}
