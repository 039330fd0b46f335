package facts

import (
	"slices"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

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
