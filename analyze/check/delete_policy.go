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
	ID: "delete-policy", Severity: "info", Title: "Volumes of StatefulSets are deleted with their claims",
	Remedy: `For volumes that must outlive a deleted claim: kubectl patch pv NAME -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`,
	Means: `The reclaim policy of these volumes is Delete, the usual default: whoever deletes a claim, or its namespace, deletes the data.
It is a warning where the StatefulSet deletes its claims when it is deleted or scaled down (persistentVolumeClaimRetentionPolicy).`,
	DecidedBy: "Volumes of policy Delete, of claims named TEMPLATE-STATEFULSET-NUMBER after a volumeClaimTemplate of a StatefulSet.",
	LeftAlone: "Claims of other workloads; StatefulSets whose volumes are retained.",
	References: []string{"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaim-policy",
		"https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#persistentvolumeclaim-retention"},
	Needs: []Need{needStatefulSets, needClaims, needVolumes}, Look: lookDeletePolicy,
}

// setVolumes are the volumes with policy Delete of one StatefulSet.
type setVolumes struct {
	set     model.Object[*appsv1.StatefulSet]
	volumes []volume
}

func (s setVolumes) class() string { return s.volumes[0].Value().Spec.StorageClassName }

// cite quotes the policy of one of the volumes.
func (s setVolumes) cite() []*model.Observation {
	return reconstruct.CiteAll(s.volumes[0], "spec.persistentVolumeReclaimPolicy")
}

func lookDeletePolicy(w *reconstruct.World, _ []*reconstruct.Case, hit func(Hit)) {
	var usual []setVolumes
	for _, s := range deletable(w) {
		var when []string
		if r := s.set.Value().Spec.PersistentVolumeClaimRetentionPolicy; r != nil {
			const deletes = appsv1.DeletePersistentVolumeClaimRetentionPolicyType
			when = only([]string{words.If(r.WhenDeleted == deletes, "deleted"), words.If(r.WhenScaled == deletes, "scaled down")},
				func(s string) bool { return s != "" })
		}
		if len(when) == 0 {
			usual = append(usual, s)
			continue
		}
		const policy = "spec.persistentVolumeClaimRetentionPolicy."
		hit(Hit{
			Severity: "warning", Objects: append([]model.Ref{s.set.Ref}, each(s.volumes, refOf)...),
			Shown: append(reconstruct.CiteAll(s.set, policy+"whenDeleted", policy+"whenScaled"), s.cite()...),
			Text: fmt.Sprintf("StatefulSet %s deletes its claims when it is %s, and the reclaim policy of %d of its volumes is Delete: the data "+
				"go with them.", s.set.Ref, strings.Join(when, " or "), len(s.volumes)),
		})
	}
	for _, g := range grouped(usual, setVolumes.class) {
		hit(deleted(w, g))
	}
}

// deleted is the finding for the StatefulSets of one class.
func deleted(w *reconstruct.World, g []setVolumes) Hit {
	var h Hit
	if c, ok := w.Class(g[0].class()); ok {
		h.Objects, h.Shown = []model.Ref{c.Ref}, reconstruct.CiteAll(c, "reclaimPolicy")
	}
	n := 0
	for _, s := range g {
		n += len(s.volumes)
		h.Objects = append(h.Objects, s.set.Ref)
	}
	h.Shown = append(h.Shown, quoted(g, setVolumes.cite)...)
	h.Text = fmt.Sprintf("The reclaim policy of %s of class %s, of %s, is Delete: whoever deletes a claim deletes its data.",
		words.Count(n, "volume"),
		cmp.Or(g[0].class(), "none"), several("StatefulSet", "StatefulSets", each(g, func(s setVolumes) string { return s.set.Ref.String() })))
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
