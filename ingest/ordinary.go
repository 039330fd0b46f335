package ingest

import "github.com/volpost/volpost/model"

// ordinary reports whether every pod, volume and node of a healthy cluster makes statements of a kind, so that most of them
// concern no wait. When all statements together are too many, these are kept only of what somebody complained of.
func ordinary(k model.Kind) bool {
	switch k {
	case model.PodCreated, model.PodScheduled, model.PodSampled, model.PodSampledReady, model.PodReady, model.ReplicaCreated, model.ReplicaDeleted, model.WorkloadScaled,
		model.KubernetesEvent, model.ProvisionWaits, model.PodKilling,
		model.AttachStarted, model.AttachSucceeded, model.AttacherAttaching, model.AttacherAttached,
		model.DetachStarted, model.DetachSucceeded, model.DetachVerifiedSafe, model.DetachTimerStarted, model.AttacherDetaching, model.AttacherDetached,
		model.AttachmentCreated, model.AttachmentAttached, model.AttachmentSampled, model.AttachmentGone, model.VolumeMarkedDetached,
		model.NodeVolumesInUse, model.NodeVolumesAttached, model.VolumeBound:
		return true
	}
	return false
}

// standing reports whether a kind tells of a node or controller and complains of nothing: it is kept, and makes nothing else worth keeping.
func standing(k model.Kind) bool {
	switch k {
	case model.NodeHeartbeat, model.NodeReady, model.NodeRegistered, model.NodeSampledReady, model.NodeSampledNotReady, model.NodeSampledTaints, model.WaitsHidden,
		model.LeaderWaiting, model.LeaderAcquired, model.ControllerStarted, model.ProcessVersion, model.ProcessFlag, model.ProcessStarted, model.AttacherStarted:
		return true
	}
	return false
}
