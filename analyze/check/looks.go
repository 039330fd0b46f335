package check

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// reported is true of incidents that the controller reported. Of others only metrics show the wait.
func reported(in model.Incident) bool { return in.MultiAttach.Reports > 0 }

// open is true of incidents that had not ended at the collection.
func open(in model.Incident) bool { return in.Span.Open }

// openForLong is true of open incidents whose pod has surely waited on its node for as long as the check pod-not-starting asks for.
func openForLong(in model.Incident) bool {
	return open(in) && in.Kind != model.KindBeforeMultiAttach && in.MultiAttach.Began.Until(in.Span.To).Min >= startPatience.Seconds()
}

// with is true of incidents that have one of some causes for certain or likely.
func with(causes ...string) func(model.Incident) bool {
	return func(in model.Incident) bool {
		return slices.ContainsFunc(in.Causes, func(c model.Cause) bool {
			return c.Verdict != model.Undecidable && slices.Contains(causes, c.ID)
		})
	}
}

// openWith is both.
func openWith(causes ...string) func(model.Incident) bool {
	has := with(causes...)
	return func(in model.Incident) bool { return open(in) && has(in) }
}

// oldPodRemains is true of an open incident whose controller still counts the old pod: the operand is false without an end.
func oldPodRemains(in model.Incident) bool {
	return open(in) && slices.ContainsFunc(in.WhyNotDetached, func(o model.Operand) bool {
		return o.Operand == "old-pod-released" && o.Value == model.False && o.Until == nil
	})
}

// volumesWithoutAttachment finds volumes without a VolumeAttachment: in-tree plugins, local disks, drivers with attachRequired false.
func volumesWithoutAttachment(w *reconstruct.World) answer {
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

func expansionForbidden(w *reconstruct.World) answer {
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
