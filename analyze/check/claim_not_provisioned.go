package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var claimNotProvisioned = Check{
	ID: "claim-not-provisioned", Severity: "warning",
	Title:  "A claim waits for its provisioner",
	Remedy: "Look at the log of the provisioner (kubectl logs of the CSI controller, container csi-provisioner).",
	Doc: Doc{
		Means: `The claim's class has a provisioner, which has to make the volume: it reports an error, or nothing is seen of it. Errors of quota and
of zones do not end by themselves.`,
		DecidedBy: `A claim in phase Pending with an Event ProvisioningFailed; or, without one, a claim that has been Pending for five minutes at least. Five minutes are
the longest pause between two tries of external-provisioner (--retry-interval-max).`,
		LeftAlone: "Claims whose class waits for the first pod, before the scheduler has chosen a node; claims younger than five minutes without an error.",
		References: []string{
			"https://github.com/kubernetes-csi/external-provisioner#command-line-options",
			"kubernetes pkg/controller/volume/persistentvolume/pv_controller.go provisionClaimOperationExternal, 1.13–1.36",
		},
	},
	Needs: []Need{needClaims, needClasses, needCollectionTime},
	Look:  lookClaimNotProvisioned,
}

func lookClaimNotProvisioned(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	drivers := registered(w)
	var out []Hit
	for _, p := range pendingClaims(w) {
		if p.why != provisioning {
			continue
		}
		provisioner := p.class.Value().Provisioner
		h := Hit{
			Objects: []model.Ref{p.Ref, p.class.Ref},
			Shown:   slices.Concat(reconstruct.CiteAll(p.claim, "status.phase", "spec.storageClassName"), reconstruct.CiteAll(p.class, "provisioner")),
		}
		if failed := p.lastError(w); failed != nil {
			h.Text = fmt.Sprintf("Claim %s is Pending: %s cannot make its volume. %s: %s", p.Ref, provisioner, times(failed), shorten(failed.Detail))
			h.Remedy, h.Shown = remedyOf(failed.Detail, p, provisioner), append(h.Shown, failed)
			out = append(out, h)
			continue
		}
		if atLeast(w, p.Value().CreationTimestamp) < provisionPatience {
			continue
		}
		h.Text = fmt.Sprintf("Claim %s was made %s and is Pending; nothing tells that %s has tried to make its volume.", p.Ref, ago(w, p.Value().CreationTimestamp), provisioner)
		if w.Listed("CSINode", "") && !drivers[provisioner] && !strings.HasPrefix(provisioner, "kubernetes.io/") {
			h.Text += " No node has registered a CSI driver of that name."
		}
		if waits := p.lastEvent(w, model.ProvisionWaits); waits != nil {
			h.Shown = append(h.Shown, waits)
		}
		h.Shown = append(h.Shown, reconstruct.CiteAll(p.claim, "metadata.creationTimestamp")...)
		h.Remedy = fmt.Sprintf("Check that the provisioner %s runs and watches (kubectl get pods -A; the log of its container csi-provisioner; kubectl get lease -A for its leader).", provisioner)
		out = append(out, h)
	}
	return out
}

// registered are the CSI drivers that some node has.
func registered(w *reconstruct.World) map[string]bool {
	out := map[string]bool{}
	for _, n := range w.CSINodes {
		for _, d := range n.Value().Spec.Drivers {
			out[d.Name] = true
		}
	}
	return out
}

// times says how often and when an Event was last seen.
func times(o *model.Observation) string {
	if o.Last.IsZero() {
		return fmt.Sprintf("Reported %s", words.Plural(o.Count, "time", "times"))
	}
	return fmt.Sprintf("Reported %s, last at %s", words.Plural(o.Count, "time", "times"), model.Stamp(o.Last.At))
}

// quotaWords are in the errors of clouds that refuse for want of quota or capacity.
var quotaWords = []string{"quota", "limitexceeded", "limit exceeded", "resourceexhausted", "out of space", "insufficient", "no space left", "capacity"}

// remedyOf is by what the error names.
func remedyOf(detail string, p waiting, provisioner string) string {
	text := strings.ToLower(detail)
	switch {
	case slices.ContainsFunc(quotaWords, func(word string) bool { return strings.Contains(text, word) }):
		return fmt.Sprintf("Raise the quota or free capacity behind StorageClass %s (%s), or ask for less in claim %s; the provisioner tries again by itself.", p.class.Ref.Name, provisioner, p.Ref)
	case strings.Contains(text, "topology") || strings.Contains(text, "zone"):
		return fmt.Sprintf("Compare allowedTopologies of StorageClass %s with the zones of the nodes that the pod may run on (kubectl get storageclass %s -o yaml; kubectl get nodes -L topology.kubernetes.io/zone).", p.class.Ref.Name, word(p.class.Ref.Name))
	}
	return fmt.Sprintf("Repair what the error names; the provisioner %s tries again by itself.", provisioner)
}
