package reconstruct

import "github.com/volpost/volpost/model"

// AttachedSince reports that the volume of an observation was attached after it.
func (w *World) AttachedSince(o *model.Observation) bool {
	if o.Last.IsZero() {
		return false
	}
	if v := w.Volumes.Find(o.Volume); v != nil && first(w.byVolume[v], after(o.Last.At), kinds(model.AttachSucceeded, model.AttachmentAttached, model.AttacherAttached)) != nil {
		return true
	}
	return o.Attachment != "" && first(w.byAttach[o.Attachment], after(o.Last.At), kinds(model.AttacherAttached, model.AttachmentAttached)) != nil
}
