package check

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var claimNoClass = Check{
	ID: "claim-no-class", Severity: "warning",
	Title:  "A claim waits for a StorageClass that does not exist",
	Remedy: "Create the StorageClass, or make the claim anew with one that exists; the class of a claim that names one cannot be changed.",
	Doc: Doc{
		Means: `A claim without a volume is served by its class. When the class does not exist, or when the claim names none and no class is
the default, nothing acts on the claim until somebody creates the class or a volume that fits.`,
		DecidedBy: "A claim in phase Pending; a list of the StorageClasses without the one that it names, or without a default when it names none; and no PersistentVolume of that class.",
		LeftAlone: "Claims that name the class \"\": they ask for a volume made by hand. Claims whose class exists only as the name that volumes made by hand carry.",
		References: []string{
			"kubernetes pkg/controller/volume/persistentvolume/pv_controller.go syncUnboundClaim, 1.13–1.36",
			"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#class-1",
		},
	},
	Needs: []Need{needClaims, needClasses, needVolumeList},
	Look:  lookClaimNoClass,
}

func lookClaimNoClass(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	var out []Hit
	for _, p := range pendingClaims(w) {
		if p.why != noClass {
			continue
		}
		h := Hit{
			Objects: []model.Ref{p.Ref},
			Text:    fmt.Sprintf("Claim %s is Pending. It names no class, and none of the %s is the default.", p.Ref, words.Plural(len(w.Classes), "StorageClass", "StorageClasses")),
			Shown:   reconstruct.CiteAll(p.claim, "status.phase"),
			Remedy:  "Mark a class as default (kubectl annotate storageclass NAME storageclass.kubernetes.io/is-default-class=true). From Kubernetes 1.26 on the claim gets it afterwards; before, make the claim anew.",
		}
		if p.name != "" {
			h.Objects = append(h.Objects, classRef(p.name))
			h.Text = fmt.Sprintf("Claim %s is Pending. Its class %s does not exist, and no volume carries the name of that class.", p.Ref, p.name)
			h.Shown = reconstruct.CiteAll(p.claim, "spec.storageClassName", "status.phase")
			h.Remedy = fmt.Sprintf("Create StorageClass %s, or make claim %s anew with a class that exists (kubectl get storageclass).", p.name, p.Ref)
		} else if len(w.Classes) == 0 {
			h.Text = fmt.Sprintf("Claim %s is Pending. It names no class, and the cluster has no StorageClass.", p.Ref)
		}
		out = append(out, h)
	}
	return out
}
