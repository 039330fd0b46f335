package check

import (
	"cmp"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var deletePolicy = Check{
	ID: "delete-policy", Severity: "info",
	Title:  "Volumes of StatefulSets are deleted with their claims",
	Remedy: "For volumes that must outlive a deleted claim: kubectl patch pv NAME -p '{\"spec\":{\"persistentVolumeReclaimPolicy\":\"Retain\"}}'",
	Doc: Doc{
		Means: `The reclaim policy of these volumes is Delete: whoever deletes a claim, or its namespace, deletes the data. That is the usual default. It is a warning where the StatefulSet deletes its claims by itself when it is
deleted or scaled down (persistentVolumeClaimRetentionPolicy).`,
		DecidedBy: "PersistentVolumes with persistentVolumeReclaimPolicy Delete, bound to claims that are named TEMPLATE-STATEFULSET-NUMBER after a volumeClaimTemplate of a StatefulSet.",
		LeftAlone: "Claims of other workloads; StatefulSets whose volumes are retained.",
		References: []string{
			"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaim-policy",
			"https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#persistentvolumeclaim-retention",
		},
	},
	Needs: []Need{needKind("StatefulSet", "the StatefulSets", "kubectl get statefulsets -A -o yaml"), needClaims, needVolumes},
	Look:  lookDeletePolicy,
}

// setVolumes are the volumes with policy Delete of one StatefulSet.
type setVolumes struct {
	set     model.Object[*appsv1.StatefulSet]
	volumes []volume
}

func lookDeletePolicy(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	var out []Hit
	var usual []setVolumes
	for _, s := range deletable(w) {
		if r := s.set.Value().Spec.PersistentVolumeClaimRetentionPolicy; r != nil && (r.WhenDeleted == appsv1.DeletePersistentVolumeClaimRetentionPolicyType || r.WhenScaled == appsv1.DeletePersistentVolumeClaimRetentionPolicyType) {
			out = append(out, selfDeleting(s))
			continue
		}
		usual = append(usual, s)
	}
	for _, g := range grouped(usual, func(s setVolumes) string { return s.volumes[0].Value().Spec.StorageClassName }) {
		out = append(out, deleted(w, g))
	}
	return out
}

// deleted is the finding for the StatefulSets of one class.
func deleted(w *reconstruct.World, g []setVolumes) Hit {
	name := g[0].volumes[0].Value().Spec.StorageClassName
	var h Hit
	var sets []string
	n := 0
	if c, ok := w.Class(name); ok {
		h.Objects, h.Shown = []model.Ref{c.Ref}, reconstruct.CiteAll(c, "reclaimPolicy")
	}
	for i, s := range g {
		sets = append(sets, s.set.Ref.String())
		n += len(s.volumes)
		h.Objects = append(h.Objects, s.set.Ref)
		if i < maxShown {
			h.Shown = append(h.Shown, reconstruct.CiteAll(s.volumes[0], "spec.persistentVolumeReclaimPolicy")...)
		}
	}
	owners := "StatefulSet " + sets[0]
	if len(sets) > 1 {
		owners = fmt.Sprintf("%d StatefulSets (%s)", len(sets), words.List(sets))
	}
	h.Text = fmt.Sprintf("The reclaim policy of %s of class %s, of %s, is Delete: whoever deletes a claim deletes its data.",
		words.Plural(n, "volume", "volumes"), cmp.Or(name, "none"), owners)
	return h
}

func selfDeleting(s setVolumes) Hit {
	r := s.set.Value().Spec.PersistentVolumeClaimRetentionPolicy
	var when []string
	if r.WhenDeleted == appsv1.DeletePersistentVolumeClaimRetentionPolicyType {
		when = append(when, "deleted")
	}
	if r.WhenScaled == appsv1.DeletePersistentVolumeClaimRetentionPolicyType {
		when = append(when, "scaled down")
	}
	h := Hit{
		Severity: "warning", Objects: []model.Ref{s.set.Ref},
		Shown: append(reconstruct.CiteAll(s.set, "spec.persistentVolumeClaimRetentionPolicy.whenDeleted", "spec.persistentVolumeClaimRetentionPolicy.whenScaled"),
			reconstruct.CiteAll(s.volumes[0], "spec.persistentVolumeReclaimPolicy")...),
		Text: fmt.Sprintf("StatefulSet %s deletes its claims when it is %s, and the reclaim policy of %s is Delete: the data go with them.", s.set.Ref, strings.Join(when, " or "), words.Plural(len(s.volumes), "of its volumes", "of its volumes")),
	}
	for _, pv := range s.volumes {
		h.Objects = append(h.Objects, pv.Ref)
	}
	return h
}

// deletable are the StatefulSets with volumes of policy Delete, in the order of their names.
func deletable(w *reconstruct.World) []setVolumes {
	of := map[string][]volume{} // by namespace/template-set
	for _, c := range w.Claims {
		pv, ok := volumeOf(w, c.Value())
		i := strings.LastIndexByte(c.Ref.Name, '-')
		if !ok || i < 0 || !digits(c.Ref.Name[i+1:]) || pv.Value().Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimDelete {
			continue
		}
		key := c.Ref.Namespace + "/" + c.Ref.Name[:i]
		of[key] = append(of[key], pv)
	}
	var out []setVolumes
	for _, set := range w.StatefulSets {
		s := setVolumes{set: set}
		for _, t := range set.Value().Spec.VolumeClaimTemplates {
			s.volumes = append(s.volumes, of[set.Ref.Namespace+"/"+t.Name+"-"+set.Ref.Name]...)
		}
		if len(s.volumes) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
