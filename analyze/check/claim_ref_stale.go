package check

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// claimRefStale names volumes that are kept for an earlier claim of the same name, or for another than the one that asks.
var claimRefStale = Check{
	ID: "claim-ref-stale", Severity: "warning",
	Title:  "A volume is kept for another claim than the one that wants it",
	Remedy: "Clear the volume's claimRef, when the claim is to have its data.",
	Doc: Doc{
		Means: `A PersistentVolume belongs to the claim whose UID its claimRef has. A claim that was deleted and made anew has another UID: the volume stays
Released, and the new claim, which names the volume or has the name of the old one, does not get it.`,
		DecidedBy: "A claim in phase Pending that names a volume whose claimRef is of another claim or another UID; or a volume in phase Released whose claimRef names a claim that exists with another UID.",
		LeftAlone: "Volumes kept for a claim by name, without UID: that is how a claim is given a certain volume.",
		References: []string{
			"kubernetes pkg/controller/volume/persistentvolume/pv_controller.go syncVolume, syncUnboundClaim (\"already bound to a different claim\"), 1.13–1.36",
			"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reserving-a-persistentvolume",
		},
	},
	Needs: []Need{needClaims, needVolumes},
	Look:  lookClaimRefStale,
}

func lookClaimRefStale(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	var out []Hit
	for _, pv := range w.PVs {
		ref := pv.Value().Spec.ClaimRef
		if ref == nil || ref.UID == "" || pv.Value().DeletionTimestamp != nil {
			continue
		}
		c, ok := w.Claim(ref.Namespace, ref.Name)
		if !ok || c.Ref.UID == "" || c.Ref.UID == string(ref.UID) || c.Value().Spec.VolumeName != "" && c.Value().Spec.VolumeName != pv.Ref.Name {
			continue
		}
		if c.Value().Spec.VolumeName == "" && pv.Value().Status.Phase != "Released" {
			continue
		}
		out = append(out, Hit{
			Objects: []model.Ref{pv.Ref, c.Ref},
			Shown:   append(reconstruct.CiteAll(pv, "spec.claimRef.uid", "status.phase"), reconstruct.CiteAll(c, "metadata.uid", "spec.volumeName", "status.phase")...),
			Text: fmt.Sprintf("Volume %s (%s) is kept for a claim %s with UID %s. The claim of that name has UID %s: it was made anew and does not have the volume (phase %s).",
				pv.Ref.Name, pv.Value().Status.Phase, c.Ref, ref.UID, c.Ref.UID, c.Value().Status.Phase),
			Remedy: giveBack(pv.Ref.Name, c.Ref),
		})
	}
	for _, c := range w.Claims {
		if h, ok := takenByOther(w, c); ok {
			out = append(out, h)
		}
	}
	return out
}

// takenByOther is a claim that asks for the volume of another claim.
func takenByOther(w *reconstruct.World, c claim) (Hit, bool) {
	if c.Value().Status.Phase != "Pending" || c.Value().DeletionTimestamp != nil {
		return Hit{}, false
	}
	pv, ok := volumeOf(w, c.Value())
	if !ok || pv.Value().Spec.ClaimRef == nil {
		return Hit{}, false
	}
	ref := pv.Value().Spec.ClaimRef
	if ref.Namespace == c.Ref.Namespace && ref.Name == c.Ref.Name {
		return Hit{}, false
	}
	return Hit{
		Objects: []model.Ref{c.Ref, pv.Ref},
		Shown:   append(reconstruct.CiteAll(c, "spec.volumeName", "status.phase"), reconstruct.CiteAll(pv, "spec.claimRef.name", "spec.claimRef.namespace", "status.phase")...),
		Text:    fmt.Sprintf("Claim %s is Pending: it asks for volume %s, which is kept for claim %s/%s (phase %s).", c.Ref, pv.Ref.Name, ref.Namespace, ref.Name, pv.Value().Status.Phase),
		Remedy:  fmt.Sprintf("Make claim %s anew with another volume, or without spec.volumeName; the volume belongs to %s/%s.", c.Ref, ref.Namespace, ref.Name),
	}, true
}

func giveBack(pv string, c model.Ref) string {
	return fmt.Sprintf("keep the data first (kubectl patch pv %s -p '{\"spec\":{\"persistentVolumeReclaimPolicy\":\"Retain\"}}'), then free the volume for %s: kubectl patch pv %s --type=json -p '[{\"op\":\"remove\",\"path\":\"/spec/claimRef\"}]'", word(pv), c, word(pv))
}
