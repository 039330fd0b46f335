package check

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// resized reports that a claim's file system is known to have grown since an observation: the claim is in the bundle and
// does not wait for it, or the kubelet's event says so.
func resized(w *reconstruct.World, o *model.Observation) bool {
	if o.Claim.Name == "" {
		return false
	}
	if c, ok := w.Claim(o.Claim.Namespace, o.Claim.Name); ok && (o.Claim.UID == "" || o.Claim.UID == c.Ref.UID) {
		return expansion{claim: c}.condition(corev1.PersistentVolumeClaimFileSystemResizePending) < 0
	}
	for _, e := range w.ClaimEvents(o.Claim) {
		if e.Kind == model.KubernetesEvent && e.Detail == "FileSystemResizeSuccessful" && !o.Last.IsZero() && e.Last.At.After(o.Last.At) {
			return true
		}
	}
	return false
}

// placedSince reports that a pod that could not be placed has a node by now, or is gone from a list of all.
func placedSince(w *reconstruct.World, o *model.Observation) bool {
	if p, ok := w.Pod(o.Pod); ok {
		return p.Value().Spec.NodeName != ""
	}
	return w.Listed("Pod", o.Pod.Namespace) || w.NewestOf(o.Pod, model.PodScheduled) != nil
}
