package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// Claims of which only Events and logs tell: with the object in the bundle, claim-not-provisioned and expansion-stuck know the step.

func lookToldUnprovisioned(w *facts.World, _ []*reconstruct.Case, hit func(Hit)) {
	told(w, hit, "No volume is created for it, so that its pod is not scheduled", func(o *model.Observation) bool {
		lasts := o.Kind == model.ProvisionWaits && o.Last.At.Sub(o.At.At) > provisionPatience
		return (o.Kind == model.ProvisionFailed || lasts) && w.Volumes.OfClaim(o.Claim.Namespace, o.Claim.Name) == nil
	}, "ProvisioningSucceeded")
}

func lookToldUnexpanded(w *facts.World, _ []*reconstruct.Case, hit func(Hit)) {
	told(w, hit, "The volume, or its file system, keeps its old size",
		func(o *model.Observation) bool { return o.Kind == model.ResizeFailed }, "FileSystemResizeSuccessful")
}

// told gathers the records of one error about claims, or volumes of pods, that are not in the bundle and that no later Event ends.
func told(w *facts.World, hit func(Hit), says string, test func(*model.Observation) bool, end string) {
	ended := only(w.Observed(model.KubernetesEvent), func(o *model.Observation) bool { return o.Detail == end })
	list := only(slices.Concat(w.Observed(model.ProvisionFailed), w.Observed(model.ProvisionWaits), w.Observed(model.ResizeFailed)),
		func(o *model.Observation) bool {
			return test(o) && o.Source.Kind != model.SourceManifest && !known(w, o) && !slices.ContainsFunc(ended, func(e *model.Observation) bool {
				return e.Object.Name == subjectOf(o).Name && !e.Last.IsZero() && e.Last.At.After(o.Last.At)
			})
		})
	for _, g := range grouped(list, func(o *model.Observation) string { return subjectOf(o).Key() + " " + masked(faultOf(o)) }) {
		hit(Hit{
			Objects: affected(w, g), Shown: ends(g),
			Text: fmt.Sprintf("%s: %s. %s. It is not Multi-Attach.", subject(w, g), strings.TrimRight(shorten(errorOf(g[0])), ". "), says),
		})
	}
}

// known reports that the claim that is told of, or that the pod's volume is bound to, is in the bundle.
func known(w *facts.World, o *model.Observation) bool {
	claim := o.Claim
	if v := w.Volumes.Find(o.Volume); claim.Name == "" && v != nil {
		claim = v.Claim
	}
	_, there := w.Claim(claim.Namespace, claim.Name)
	return there || listedSomewhere(w, "PersistentVolumeClaim")
}

// subjectOf is what an error of a volume is about: the claim, else the pod.
func subjectOf(o *model.Observation) model.Ref {
	if o.Claim.Name != "" {
		return o.Claim
	}
	return o.Pod
}
