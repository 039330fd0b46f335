package check

import (
	"fmt"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var immediateBinding = Check{
	ID: "immediate-binding", Severity: "info",
	Title:  "A class of volumes that are bound to a place binds immediately",
	Remedy: "Use a class with volumeBindingMode WaitForFirstConsumer for new claims; the mode of a class cannot be changed.",
	Doc: Doc{
		Means: `With volumeBindingMode Immediate the volume is made when the claim is, in a zone that the provisioner picks. A pod that for another reason
cannot run in that zone, or that has two such volumes in two zones, is never scheduled.`,
		DecidedBy:  "A class with volumeBindingMode Immediate or none, of which a bound volume has a required node affinity that at least one Node does not satisfy.",
		LeftAlone:  "Classes without volumes, and classes whose volumes every node can reach.",
		References: []string{"https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode"},
	},
	Needs: []Need{needClasses, needVolumes, needNodes},
	Look:  lookImmediateBinding,
}

func lookImmediateBinding(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	topology := reconstruct.NewTopology(w)
	placed := map[string][]volume{}
	for _, pv := range boundVolumes(w) {
		if name := pv.Value().Spec.StorageClassName; name != "" && pv.Value().Spec.NodeAffinity != nil && len(topology.OfVolume(pv.Value())) < len(w.Nodes) {
			placed[name] = append(placed[name], pv)
		}
	}
	var out []Hit
	for _, c := range w.Classes {
		mode := c.Value().VolumeBindingMode
		if list := placed[c.Ref.Name]; len(list) > 0 && (mode == nil || *mode == storagev1.VolumeBindingImmediate) {
			out = append(out, Hit{
				Objects: []model.Ref{c.Ref, list[0].Ref},
				Shown:   append(reconstruct.CiteAll(c, "volumeBindingMode", "provisioner"), affinityEvidence(list[0])...),
				Text: fmt.Sprintf("StorageClass %s makes volumes at once, and %s of it can be reached from some nodes only (%s: nodes with %s).",
					c.Ref.Name, words.Plural(len(list), "volume", "volumes"), list[0].Ref.Name, affinityText(list[0].Value())),
			})
		}
	}
	return out
}
