package check

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// stuckTerminating names claims and volumes whose deletion waits for a finalizer, and for whom.
var stuckTerminating = Check{
	ID: "stuck-terminating", Severity: "warning",
	Title:  "A claim or a volume is being deleted and held by a finalizer",
	Remedy: "End what the finalizer waits for; a finalizer removed by hand leaves the disk, or an attachment, behind.",
	Doc: Doc{
		Means: `The object was deleted and waits for what its finalizers protect. A claim (kubernetes.io/pvc-protection) waits until no pod that has a node names
it, running or finished; no new pod that names it is scheduled meanwhile, and when the last pod goes, so does the claim, and with reclaim
policy Delete its data. A volume (kubernetes.io/pv-protection) waits for its claim, for the external-attacher while it is attached, and
for the external-provisioner to delete the disk.`,
		DecidedBy: "deletionTimestamp and finalizers; the pods that have a node and name the claim; the VolumeAttachments of the volume. Without a pod that holds it, five minutes after the deletion: the protection controller acts at once, and five minutes are the longest pause of a provisioner's next try (--retry-interval-max).",
		LeftAlone: "Deletions of the last five minutes, or at a time that nothing tells, when no pod holds the object. Pods themselves: see pod-terminating.",
		References: []string{
			"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection",
			"kubernetes pkg/controller/volume/pvcprotection/pvc_protection_controller.go podUsesPVC; pkg/controller/volume/pvprotection",
			"kubernetes-csi/external-attacher pkg/controller/csi_handler.go (finalizer external-attacher/DRIVER on the PersistentVolume)",
		},
	},
	Needs: []Need{needClaims, needVolumes},
	Look:  lookStuckTerminating,
}

func lookStuckTerminating(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	var out []Hit
	for _, c := range w.Claims {
		if c.Value().DeletionTimestamp != nil && len(c.Value().Finalizers) > 0 {
			if h, ok := claimHeld(w, c); ok {
				out = append(out, h)
			}
		}
	}
	attached := map[string][]attachment{}
	for _, a := range attachments(w, func(attachment) bool { return true }) {
		attached[a.pv] = append(attached[a.pv], a)
	}
	for _, pv := range w.PVs {
		if pv.Value().DeletionTimestamp != nil && len(pv.Value().Finalizers) > 0 {
			if h, ok := volumeHeld(w, pv, attached[pv.Ref.Name]); ok {
				out = append(out, h)
			}
		}
	}
	return out
}

// pvcProtection and pvProtection are the finalizers of the storage object in use protection.
const (
	pvcProtection = "kubernetes.io/pvc-protection"
	pvProtection  = "kubernetes.io/pv-protection"
)

func claimHeld(w *reconstruct.World, c claim) (Hit, bool) {
	h := Hit{Objects: []model.Ref{c.Ref}, Shown: reconstruct.CiteAll(c, "metadata.deletionTimestamp", "metadata.finalizers[0]")}
	var users []pod
	for _, p := range w.ClaimPods(c.Ref.Namespace, c.Ref.Name) {
		if p.Value().Spec.NodeName != "" {
			users = append(users, p)
		}
	}
	protected := slices.Contains(c.Value().Finalizers, pvcProtection)
	old := atLeast(w, *c.Value().DeletionTimestamp) >= provisionPatience
	switch {
	case protected && len(users) > 0:
		h.Objects = append(h.Objects, refsOfPods(users)...)
		for _, p := range first(users) {
			h.Shown = append(h.Shown, citeClaim(p, c.Ref.Name)...)
		}
		h.Text = fmt.Sprintf("Claim %s was deleted%s and is held by %s because %s: %s.", c.Ref, when(*c.Value().DeletionTimestamp), pvcProtection, words.Plural(len(users), "pod uses it", "pods use it"), words.List(podStates(users)))
		h.Remedy = "The deletion cannot be taken back. End the pods to let the claim go."
		if pv, ok := volumeOf(w, c.Value()); ok {
			h.Objects = append(h.Objects, pv.Ref)
			if pv.Value().Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete {
				h.Text += fmt.Sprintf(" When the last of them goes, so does the claim, and the data of %s with it (reclaim policy Delete).", pv.Ref.Name)
				h.Remedy = fmt.Sprintf("The deletion cannot be taken back. When the data are needed, keep the volume before the pods end: kubectl patch pv %s -p '{\"spec\":{\"persistentVolumeReclaimPolicy\":\"Retain\"}}'", word(pv.Ref.Name))
				h.Shown = append(h.Shown, reconstruct.CiteAll(pv, "spec.persistentVolumeReclaimPolicy")...)
			}
		}
	case !old:
		return Hit{}, false
	case protected && !w.Listed("Pod", c.Ref.Namespace):
		h.Text = fmt.Sprintf("Claim %s was deleted%s and is held by %s; the pods of the namespace are not in the bundle.", c.Ref, when(*c.Value().DeletionTimestamp), words.List(c.Value().Finalizers))
	case protected:
		h.Text = fmt.Sprintf("Claim %s was deleted%s and is still held by %s, although no pod with a node names it.", c.Ref, when(*c.Value().DeletionTimestamp), words.List(c.Value().Finalizers))
		h.Remedy = "Look for \"PVC protection\" in the log of the kube-controller-manager: it removes the finalizer."
	default:
		h.Text = fmt.Sprintf("Claim %s was deleted%s and is held by %s.", c.Ref, when(*c.Value().DeletionTimestamp), words.List(c.Value().Finalizers))
		h.Remedy = "Whoever set the finalizer has to remove it; its name tells who that is."
	}
	return h, true
}

// podStates names pods with what they are doing.
func podStates(list []pod) []string {
	var out []string
	for _, p := range list {
		state := string(p.Value().Status.Phase)
		if p.Value().DeletionTimestamp != nil {
			state = "Terminating"
		}
		out = append(out, fmt.Sprintf("%s (%s on %s)", p.Ref, state, p.Value().Spec.NodeName))
	}
	return out
}

// when is the time of a deletion, for a sentence.
func when(t metav1.Time) string {
	if t.IsZero() {
		return ""
	}
	return " at " + t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// volumeHeld says which of a volume's finalizers waits for what.
func volumeHeld(w *reconstruct.World, pv volume, attached []attachment) (Hit, bool) {
	if atLeast(w, *pv.Value().DeletionTimestamp) < provisionPatience {
		return Hit{}, false
	}
	h := Hit{Objects: []model.Ref{pv.Ref}, Shown: reconstruct.CiteAll(pv, "metadata.deletionTimestamp", "metadata.finalizers[0]", "status.phase")}
	var parts []string
	for i, f := range pv.Value().Finalizers {
		if i > 0 && i < maxShown {
			h.Shown = append(h.Shown, reconstruct.CiteAll(pv, fmt.Sprintf("metadata.finalizers[%d]", i))...)
		}
		parts = append(parts, f+" ("+waitsFor(f, pv, attached)+")")
	}
	for _, a := range first(attached) {
		h.Objects = append(h.Objects, a.Ref)
		h.Shown = append(h.Shown, reconstruct.CiteAll(*a.Object, "spec.nodeName", "status.attached")...)
	}
	h.Text = fmt.Sprintf("Volume %s was deleted%s and is held by %s.", pv.Ref.Name, when(*pv.Value().DeletionTimestamp), strings.Join(parts, ", "))
	return h, true
}

func waitsFor(finalizer string, pv volume, attached []attachment) string {
	switch {
	case finalizer == pvProtection && pv.Value().Spec.ClaimRef != nil && pv.Value().Status.Phase == corev1.VolumeBound:
		return "it is bound to claim " + pv.Value().Spec.ClaimRef.Namespace + "/" + pv.Value().Spec.ClaimRef.Name
	case finalizer == pvProtection:
		return "the kube-controller-manager removes it once the volume is not bound"
	case strings.HasPrefix(finalizer, "external-attacher/") && len(attached) > 0:
		return "it is attached: " + words.List(attachedTo(attached))
	case strings.HasPrefix(finalizer, "external-attacher/"):
		return "the external-attacher removes it once no VolumeAttachment names the volume"
	case strings.HasPrefix(finalizer, "external-provisioner."):
		return "the provisioner has not deleted the disk"
	}
	return "its owner has to remove it"
}

func attachedTo(list []attachment) []string {
	var out []string
	for _, a := range list {
		out = append(out, "to "+a.node())
	}
	return out
}
