package check

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// claimLost names claims whose volume object went away under them.
var claimLost = Check{
	ID: "claim-lost", Severity: "critical",
	Title:  "A claim has lost its PersistentVolume",
	Remedy: "Find out whether the volume still exists in the back end before anything else is done.",
	Doc: Doc{
		Means: `The claim was bound to a PersistentVolume that no longer exists, so that no new pod can use it. The data may still be in the back end: a
PersistentVolume that was deleted by hand, its finalizers removed, leaves the disk behind.`,
		DecidedBy:  "A claim in phase Lost. With a list of the PersistentVolumes: also a claim in phase Bound to one that the list does not hold.",
		LeftAlone:  "Claims that are being deleted; claims in phase Bound when the PersistentVolumes were not listed.",
		References: []string{"kubernetes pkg/controller/volume/persistentvolume/pv_controller.go syncBoundClaim (ClaimLost), 1.13–1.36"},
	},
	Needs: []Need{needClaims},
	Look:  lookClaimLost,
}

func lookClaimLost(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	var out []Hit
	for _, c := range w.Claims {
		name := c.Value().Spec.VolumeName
		if c.Value().DeletionTimestamp != nil || name == "" {
			continue
		}
		_, there := w.PV(name)
		h := Hit{
			Objects: []model.Ref{c.Ref, volumeRef(name)},
			Remedy:  fmt.Sprintf("Look for the disk of %s in the storage back end; if it is there, create the PersistentVolume again with reclaim policy Retain and a claimRef to %s.", name, c.Ref),
		}
		switch {
		case c.Value().Status.Phase == corev1.ClaimLost && there:
			h.Text = fmt.Sprintf("Claim %s is Lost: the PersistentVolume that it was bound to, %s, was gone. One of that name exists, and it is not the same.", c.Ref, name)
		case c.Value().Status.Phase == corev1.ClaimLost:
			h.Text = fmt.Sprintf("Claim %s is Lost: PersistentVolume %s, which it was bound to, is gone.", c.Ref, name)
		case c.Value().Status.Phase == corev1.ClaimBound && !there && w.Listed("PersistentVolume", ""):
			h.Severity = "warning"
			h.Remedy = fmt.Sprintf("Look again (kubectl get pv %s). When it is gone: %s", word(name), h.Remedy)
			h.Text = fmt.Sprintf("Claim %s says that it is bound to PersistentVolume %s, which the list of volumes does not hold. Lists taken one after the other can miss a volume made in between.", c.Ref, name)
		default:
			continue
		}
		h.Shown = reconstruct.CiteAll(c, "status.phase", "spec.volumeName")
		out = append(out, h)
	}
	return out
}
