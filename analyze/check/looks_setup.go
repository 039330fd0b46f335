package check

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// volumesWithoutAttachment finds volumes without a VolumeAttachment: in-tree plugins, local disks, drivers with attachRequired false.
func volumesWithoutAttachment(w *facts.World) answer {
	skip := map[string]bool{}
	for _, d := range model.Newest(w.Snapshot.CSIDrivers) {
		skip[d.Ref.Name] = !deref(d.Value().Spec.AttachRequired, true)
	}
	var found seen
	for _, pv := range w.PVs {
		if csi := pv.Value().Spec.CSI; (csi == nil || skip[csi.Driver]) && !migrated(pv.Value()) {
			addObject(&found, pv.Ref.Name, pv, "metadata.name", "spec.csi.driver")
		}
	}
	for _, v := range w.Volumes.All { // those that only lines and Events name
		if why, shown := w.Attachless(v); v.PV == nil && why != "" && v.Key() != "" {
			found.add(v.Key(), shown)
		}
	}
	return found.yes(words.Count(len(found.names), "volume") +
		" of an in-tree plugin, a local disk or a driver that needs no attachment (%s): VolumeAttachments say nothing of them.")
}

// migrated reports that an in-tree volume is handled by a CSI driver, and so has a VolumeAttachment.
func migrated(pv *corev1.PersistentVolume) bool {
	return pv.Annotations["pv.kubernetes.io/migrated-to"] != ""
}

func expansionForbidden(w *facts.World) answer {
	used := map[string]int{}
	for _, pv := range boundVolumes(w) {
		used[pv.Value().Spec.StorageClassName]++
	}
	var found seen
	for _, c := range w.Classes {
		if used[c.Ref.Name] > 0 && !deref(c.Value().AllowVolumeExpansion, false) {
			addObject(&found, fmt.Sprintf("%s (%s)",
				c.Ref.Name, words.Count(used[c.Ref.Name], "volume")), c, "metadata.name", "allowVolumeExpansion")
		}
	}
	return found.yes("allowVolumeExpansion is not true of %s.")
}
