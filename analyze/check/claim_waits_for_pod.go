package check

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var claimWaitsForPod = Check{
	ID: "claim-waits-for-pod", Severity: "info",
	Title:  "A claim waits for its first pod",
	Remedy: "Start a pod that uses the claim; the volume is made where the pod is scheduled.",
	Doc: Doc{
		Means: `The class binds with WaitForFirstConsumer: the volume is made once a pod that uses the claim has been given a node. Until then the claim is
Pending, and that is no fault. When pods use it and none is scheduled, the scheduler's reason is what to look at.`,
		DecidedBy: "A claim in phase Pending whose class has volumeBindingMode WaitForFirstConsumer, without the annotation by which the scheduler names the node.",
		LeftAlone: "Claims for which a node was chosen, or of which a provisioner reported an error: see claim-not-provisioned.",
		References: []string{
			"https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode",
			"kubernetes pkg/controller/volume/persistentvolume/pv_controller.go emitEventForUnboundDelayBindingClaim, 1.19–1.36",
		},
	},
	Needs: []Need{needClaims, needClasses},
	Look:  lookClaimWaitsForPod,
}

func lookClaimWaitsForPod(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	var out []Hit
	for _, p := range pendingClaims(w) {
		if p.why != waitsForPod {
			continue
		}
		h := Hit{
			Objects: []model.Ref{p.Ref, p.class.Ref},
			Shown:   append(reconstruct.CiteAll(p.claim, "status.phase"), reconstruct.CiteAll(p.class, "volumeBindingMode")...),
			Text:    fmt.Sprintf("Claim %s is Pending: class %s makes the volume once a pod that uses it is scheduled", p.Ref, p.class.Ref.Name),
		}
		users := activePods(w.ClaimPods(p.Ref.Namespace, p.Ref.Name))
		switch {
		case len(users) == 0 && !w.Listed("Pod", p.Ref.Namespace):
			h.Text += "; the pods of the namespace are not in the bundle."
		case len(users) == 0:
			h.Text += ", and no pod uses the claim."
		default:
			h = p.unscheduled(h, users)
		}
		out = append(out, h)
	}
	return out
}

// unscheduled adds why the scheduler places none of the pods.
func (p waiting) unscheduled(h Hit, users []pod) Hit {
	h.Objects = append(h.Objects, refsOfPods(first(users))...)
	for _, u := range users {
		for i, c := range u.Value().Status.Conditions {
			if c.Type != corev1.PodScheduled || c.Status != corev1.ConditionFalse {
				continue
			}
			h.Severity = "warning"
			h.Text += fmt.Sprintf(", and %s is not: %s", u.Ref, shorten(c.Message))
			h.Remedy = fmt.Sprintf("Remove what keeps pod %s from being scheduled; the claim follows.", u.Ref)
			h.Shown = append(h.Shown, reconstruct.CiteAll(u, fmt.Sprintf("status.conditions[%d].message", i))...)
			return h
		}
	}
	h.Text += fmt.Sprintf("; nothing tells how the scheduler decided about %s.", words.List(namesOfPods(users)))
	h.Shown = append(h.Shown, reconstruct.CiteAll(users[0], "metadata.name")...)
	return h
}

// activePods leaves out the pods that have ended.
func activePods(list []pod) []pod {
	var out []pod
	for _, p := range list {
		if !finished(p) {
			out = append(out, p)
		}
	}
	return out
}
