package check

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var claimNoVolume = Check{
	ID: "claim-no-volume", Severity: "warning",
	Title:  "A claim waits for a PersistentVolume made by hand",
	Remedy: "Create a PersistentVolume that fits the claim, or free one.",
	Doc: Doc{
		Means: `No provisioner serves the claim: its class has none (kubernetes.io/no-provisioner), or it asks for a volume without class, or for
one volume by name. It stays Pending until an Available PersistentVolume has its class, its access modes, its volume mode, its
labels and at least its size.`,
		DecidedBy: "A claim in phase Pending of such a class, and no Available PersistentVolume in the list that has all of these; or a volume that the claim names and that is not in the list.",
		LeftAlone: "Claims that an Available volume fits: they may be bound the next moment. Claims of a class that waits for the first pod, while no pod is scheduled.",
		References: []string{
			"k8s.io/component-helpers storage/volume/pv_helpers.go FindMatchingVolume (kubernetes 1.19–1.36)",
			"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding",
		},
	},
	Needs: []Need{needClaims, needVolumeList, needClasses},
	Look:  lookClaimNoVolume,
}

// fitBudget bounds the comparisons of claims with volumes: clusters have few volumes made by hand, hostile bundles many.
const fitBudget = 2_000_000

func lookClaimNoVolume(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	free, held := freeVolumes(w)
	budget := fitBudget
	var out []Hit
	for _, p := range pendingClaims(w) {
		switch p.why {
		case namesVolume:
			name := p.Value().Spec.VolumeName
			if _, ok := w.PV(name); !ok {
				out = append(out, Hit{
					Objects: []model.Ref{p.Ref, volumeRef(name)}, Shown: reconstruct.CiteAll(p.claim, "spec.volumeName", "status.phase"),
					Text:   fmt.Sprintf("Claim %s is Pending: it asks for PersistentVolume %s, which does not exist.", p.Ref, name),
					Remedy: fmt.Sprintf("Create PersistentVolume %s, or make claim %s anew without spec.volumeName.", name, p.Ref),
				})
			}
		case handMade:
			if budget -= len(free[p.name]); budget < 0 {
				return out
			}
			if why, fits := p.noneFits(free[p.name], held[p.name]); !fits {
				out = append(out, p.unserved(why))
			}
		}
	}
	return out
}

func (p waiting) unserved(why string) Hit {
	of := "of no class"
	refs := []model.Ref{p.Ref}
	if p.name != "" {
		of = "of class " + p.name
		refs = append(refs, classRef(p.name))
	}
	shown := reconstruct.CiteAll(p.claim, "spec.storageClassName", "status.phase", "spec.resources.requests.storage")
	if p.class.Value() != nil {
		shown = append(shown, reconstruct.CiteAll(p.class, "provisioner")...)
	}
	return Hit{
		Objects: refs, Shown: shown,
		Text: fmt.Sprintf("Claim %s is Pending: it asks for a volume %s, which no provisioner makes, and %s.", p.Ref, of, why),
	}
}

// freeVolumes are the Available volumes by class, and how many others each class has.
func freeVolumes(w *reconstruct.World) (free map[string][]volume, held map[string]int) {
	free, held = map[string][]volume{}, map[string]int{}
	for _, pv := range w.PVs {
		class := pv.Value().Spec.StorageClassName
		if pv.Value().Status.Phase == corev1.VolumeAvailable && pv.Value().DeletionTimestamp == nil {
			free[class] = append(free[class], pv)
		} else {
			held[class]++
		}
	}
	return free, held
}

// noneFits says why no volume is for the claim.
func (p waiting) noneFits(free []volume, held int) (string, bool) {
	if len(free) == 0 {
		if held == 0 {
			return "there is none", false
		}
		return fmt.Sprintf("none is Available (%s)", words.Plural(held, "other exists", "others exist")), false
	}
	var misfits []string
	for _, pv := range free {
		why := misfit(p.Value(), pv.Value())
		if why == "" {
			return "", true
		}
		if len(misfits) < maxNamed {
			misfits = append(misfits, pv.Ref.Name+" "+why)
		}
	}
	if more := len(free) - len(misfits); more > 0 {
		misfits = append(misfits, fmt.Sprintf("%d more do not fit either", more))
	}
	return "no Available one fits: " + strings.Join(misfits, "; "), false
}

// misfit says why a volume is not for a claim; "" when it may be.
func misfit(c *corev1.PersistentVolumeClaim, pv *corev1.PersistentVolume) string {
	want, has := c.Spec.Resources.Requests[corev1.ResourceStorage], pv.Spec.Capacity[corev1.ResourceStorage]
	if ref := pv.Spec.ClaimRef; ref != nil && (ref.Namespace != c.Namespace || ref.Name != c.Name || ref.UID != "" && ref.UID != c.UID) {
		return "is kept for " + ref.Namespace + "/" + ref.Name
	}
	if has.Cmp(want) < 0 {
		return fmt.Sprintf("is too small (%s, asked for %s)", has.String(), want.String())
	}
	for _, m := range c.Spec.AccessModes {
		if !slices.Contains(pv.Spec.AccessModes, m) {
			return "does not admit " + string(m)
		}
	}
	if mode(c.Spec.VolumeMode) != mode(pv.Spec.VolumeMode) {
		return "is of mode " + string(mode(pv.Spec.VolumeMode))
	}
	if s, err := metav1.LabelSelectorAsSelector(c.Spec.Selector); c.Spec.Selector != nil && (err != nil || !s.Matches(labels.Set(pv.Labels))) {
		return "does not have the labels that the claim selects"
	}
	return ""
}

// mode is Filesystem where nothing is said.
func mode(m *corev1.PersistentVolumeMode) corev1.PersistentVolumeMode {
	if m == nil {
		return corev1.PersistentVolumeFilesystem
	}
	return *m
}
