package facts

import (
	"slices"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// FromAudit tests for what the API server itself logged.
func FromAudit(o *model.Observation) bool { return o.Source.Kind == model.SourceAudit }

// OfPod tests for what is about a pod, by its UID too.
func OfPod(p model.Ref) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return o.Pod.Is(p) }
}

// CloudKinds are the kinds by which a cloud speaks of its machines and disks, under names of its own.
var CloudKinds = []model.Kind{model.MachineRunning, model.MachineOff, model.MachineStartRequested, model.MachineStopRequested,
	model.DiskAttached, model.DiskFree, model.DiskAttachRequested, model.DiskDetachRequested}

// ByCloud reports that an observation is a cloud's own statement: it belongs to the bundle's story only as that of a case.
func ByCloud(o *model.Observation) bool { return slices.Contains(CloudKinds, o.Kind) }

// IsAttacher reports that a request was sent by an external-attacher: its program says so, or the same user with the same
// program has written the status of a VolumeAttachment, which only the attacher does.
func (w *World) IsAttacher(o *model.Observation) bool {
	if upstream.ActorOf(o.Actor, o.Agent).Name == upstream.ExternalAttacher {
		return true
	}
	return o.Actor != "" && slices.ContainsFunc(w.ByKind[model.AttachmentAttached], func(a *model.Observation) bool {
		return FromAudit(a) && a.Actor == o.Actor && a.Agent == o.Agent
	})
}

// Family is what the names of a workload's pods have in common: the Deployment, or the name that comes again.
func Family(pod model.Ref) string {
	if deployment, ok := DeploymentName(pod.Name); ok {
		return pod.Namespace + "/" + deployment + "/"
	}
	return pod.Namespace + "/" + pod.Name
}

// FromMetric tests for samples.
func FromMetric(o *model.Observation) bool { return o.Source.Kind == model.SourceMetric }

// StorageRefuses reports a storage that refuses because another machine has the volume, or a mount because the mounting one has it not.
func StorageRefuses(o *model.Observation, node string) bool {
	return upstream.InUseElsewhere(o.Detail, node) || o.Kind == model.MountFailed && upstream.NotHere(o.Detail)
}

// StuckThere reports the error of a detach, as a VolumeAttachment that was pasted keeps it: the volume is still there.
func StuckThere(o *model.Observation) bool {
	state := o.Source.Kind == model.SourceManifest || o.Source.Kind == model.SourceText && o.Age == nil
	return state && Kinds(model.DetachFailed, model.AttachmentDetachError)(o)
}
