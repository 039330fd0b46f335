package check

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model/words"
)

func lookHandleShared(w *facts.World, cases []*wait.Case, hit func(Hit)) {
	for _, v := range w.Volumes.All {
		once := v.SharesHandle() && v == v.Storage()
		if !once || v.Driver == "" || !attachRequired(w, v.Driver) {
			continue
		}
		var list []*facts.Volume
		single := false
		for _, s := range v.Same() {
			if s.PV == nil && (s.PersistentVolume == "" || w.Listed("PersistentVolume", "")) {
				continue // gone
			}
			list, single = append(list, s), single || exclusiveVolume(s)
		}
		if len(list) > 1 && single {
			hit(ofOneHandle(cases, list))
		}
	}
}

// ofOneHandle is the finding for some PersistentVolumes.
func ofOneHandle(cases []*wait.Case, list []*facts.Volume) Hit {
	var h Hit
	var names []string
	bound := 0
	for i, v := range list {
		h.Objects = append(h.Objects, volumeRef(v.PersistentVolume))
		if v.Claim.Name != "" {
			h.Objects = append(h.Objects, claimRef(v.Claim))
		}
		phase := corev1.VolumeBound // as far as is known
		if v.PV != nil {
			phase = v.PV.Value().Status.Phase
		}
		if phase == corev1.VolumeBound || phase == "" && v.Claim.Name != "" {
			bound++
		}
		names = append(names, v.PersistentVolume+claimText(v))
		if i < maxShown && v.PV != nil {
			h.Shown = append(h.Shown, facts.CiteAll(*v.PV, "spec.csi.volumeHandle", "spec.claimRef.name")...)
		}
	}
	h.Objects = withoutRepeats(h.Objects)
	h.Text = fmt.Sprintf("PersistentVolumes %s name one volume of the storage, %s of %s: to the attach/detach controller they are one, "+
		"which one node at a time may have.", words.List(names), list[0].Handle, list[0].Driver)
	if bound < 2 {
		h.Severity = "info"
	}
	if apart := waitsApart(cases, list); apart != "" {
		h.Severity = ""
		h.Text += " " + apart
	}
	if deleted := deleteTogether(list); deleted != "" {
		h.Text += fmt.Sprintf(" The reclaim policy of %s is Delete: deleting its claim deletes the data of all.", deleted)
	}
	return h
}

// claimText says for which claim a volume is, and in which phase when that is not the ordinary one.
func claimText(v *facts.Volume) string {
	claim, phase := words.If(v.Claim.Name != "", "claim "+v.Claim.String()), ""
	if v.PV != nil && v.PV.Value().Status.Phase != corev1.VolumeBound {
		phase = string(v.PV.Value().Status.Phase)
	}
	text := claim + words.If(claim != "" && phase != "", ", ") + phase
	return words.If(text != "", " ("+text+")")
}

// deleteTogether names the first volume with which the storage of all is deleted; "" when there is none.
func deleteTogether(list []*facts.Volume) string {
	for _, v := range list {
		if v.PV != nil && v.PV.Value().Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete {
			return v.PersistentVolume
		}
	}
	return ""
}

// waitsApart is about an incident whose old and new pods use different PersistentVolumes; "" when there is none.
func waitsApart(cases []*wait.Case, list []*facts.Volume) string {
	for _, c := range cases {
		if c.Volume.Storage() != list[0].Storage() || len(c.NewPods) == 0 {
			continue
		}
		for _, p := range c.OldPods {
			if other := c.OtherVolumeOf(p); other != nil {
				const unknown = "a node that is not known"
				return fmt.Sprintf("So pod %s waited on %s for %s, while %s on %s had it through %s.",
					c.NewPods[0], cmp.Or(c.To, unknown), c.Volume.Key(), p, cmp.Or(c.From, unknown), other.Key())
			}
		}
	}
	return ""
}
