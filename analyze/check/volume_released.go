package check

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var volumeReleased = Check{
	ID: "volume-released", Severity: "info",
	Title:  "A volume is left over from a deleted claim",
	Remedy: "Decide whether its data are needed; then delete the volume, or clear its claimRef to use it again.",
	Doc: Doc{
		Means: `The claim is gone. With reclaim policy Retain the volume keeps its data in phase Released and serves no other claim until its claimRef is
removed. With policy Delete it should have gone too: then deleting it in the back end does not succeed. Failed means that reclaiming it failed.`,
		DecidedBy: "A PersistentVolume in phase Released or Failed. A volume to be deleted counts once it has been Released for five minutes at least, or when an Event reports the error.",
		LeftAlone: "Volumes with policy Delete that were Released less than five minutes before the collection, or at a time that nothing tells, when no error is reported: their deletion may be under way.",
		References: []string{
			"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming",
			"https://github.com/kubernetes-csi/external-provisioner#command-line-options (--retry-interval-max, 5 minutes)",
			"https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/persistent-volume-v1/ (lastPhaseTransitionTime, 1.28 and later)",
		},
	},
	Needs: []Need{needVolumes},
	Look:  lookVolumeReleased,
}

func lookVolumeReleased(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	failures := map[string]*model.Observation{}
	for _, o := range w.OfKind(model.ReclaimFailed) {
		failures[o.Volume.PersistentVolume] = o
	}
	var out []Hit
	for _, pv := range w.PVs {
		phase := pv.Value().Status.Phase
		if pv.Value().DeletionTimestamp != nil || phase != corev1.VolumeReleased && phase != corev1.VolumeFailed {
			continue
		}
		if h, ok := leftOver(w, pv, failures[pv.Ref.Name]); ok {
			out = append(out, h)
		}
	}
	return out
}

// leftOver says in which way a volume is left over.
func leftOver(w *reconstruct.World, pv volume, failure *model.Observation) (Hit, bool) {
	was, refs := "a claim", []model.Ref{pv.Ref}
	if ref := pv.Value().Spec.ClaimRef; ref != nil {
		was = "claim " + ref.Namespace + "/" + ref.Name
		refs = append(refs, model.Ref{Kind: "PersistentVolumeClaim", Namespace: ref.Namespace, Name: ref.Name, UID: string(ref.UID)})
	}
	h := Hit{Objects: refs, Shown: reconstruct.CiteAll(pv, "status.phase", "spec.persistentVolumeReclaimPolicy", "spec.claimRef.name", "status.message")}
	if failure != nil {
		h.Shown = append(h.Shown, failure)
	}
	policy := pv.Value().Spec.PersistentVolumeReclaimPolicy
	switch {
	case pv.Value().Status.Phase == corev1.VolumeFailed || failure != nil:
		h.Severity = "warning"
		h.Text = fmt.Sprintf("Volume %s of %s, which is gone, could not be reclaimed (policy %s): %s", pv.Ref.Name, was, policy, reclaimError(pv.Value(), failure))
		h.Remedy = fmt.Sprintf("Remove what the error names (a VolumeAttachment of %s, for one); the deletion is tried again by itself.", pv.Ref.Name)
	case policy == corev1.PersistentVolumeReclaimDelete:
		since := pv.Value().Status.LastPhaseTransitionTime
		if since == nil || atLeast(w, *since) < provisionPatience {
			return Hit{}, false
		}
		h.Severity = "warning"
		h.Shown = append(h.Shown, reconstruct.CiteAll(pv, "status.lastPhaseTransitionTime")...)
		h.Text = fmt.Sprintf("Volume %s of %s, which is gone, was to be deleted and is still Released; it became so %s.", pv.Ref.Name, was, ago(w, *since))
		h.Remedy = fmt.Sprintf("Look at the log of the provisioner for %s (container csi-provisioner of the CSI controller), and for a VolumeAttachment of it.", pv.Ref.Name)
	default:
		h.Text = fmt.Sprintf("Volume %s is Released with policy %s: %s is gone, the data are kept, and no other claim can have the volume.", pv.Ref.Name, policy, was)
		h.Remedy = fmt.Sprintf("When the data are not needed, delete it (kubectl delete pv %s) and the disk in the back end. To use it again: kubectl patch pv %s --type=json -p '[{\"op\":\"remove\",\"path\":\"/spec/claimRef\"}]'; the next claim that it fits then gets it with its data.", word(pv.Ref.Name), word(pv.Ref.Name))
	}
	return h, true
}

func reclaimError(pv *corev1.PersistentVolume, failure *model.Observation) string {
	if failure != nil {
		return shorten(failure.Detail)
	}
	if pv.Status.Message == "" {
		return "the reason is not recorded."
	}
	return shorten(pv.Status.Message)
}
