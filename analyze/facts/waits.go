package facts

import (
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// StorageRefuses reports a storage that refuses because another machine has the volume, or a mount because the mounting one has it not.
func StorageRefuses(o *model.Observation, node string) bool {
	return upstream.InUseElsewhere(o.Detail, node) || o.Kind == model.MountFailed && upstream.NotHere(o.Detail)
}

// StuckThere reports the error of a detach, as a VolumeAttachment that was pasted keeps it: the volume is still there.
func StuckThere(o *model.Observation) bool {
	state := o.Source.Kind == model.SourceManifest || o.Source.Kind == model.SourceText && o.Age == nil
	return state && Kinds(model.DetachFailed, model.AttachmentDetachError)(o)
}
