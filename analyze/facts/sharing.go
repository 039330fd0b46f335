package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// ManyNodes reports that a volume is for several nodes, by its modes or, where nothing tells these, by its driver's name.
func (w *World) ManyNodes(v *Volume) bool { return v.Many() || w.SharedByDriver(v) }

// AttachmentStates are what says of each VolumeAttachment of a volume that it is attached, or not: its object, else the newest row.
func (w *World) AttachmentStates(v *Volume) (held, pending []*model.Observation) {
	objects := map[string]bool{}
	for _, a := range w.AttachmentsOf(v) {
		objects[a.Value().Spec.NodeName] = true
		field, to := "spec.nodeName", &pending
		if a.Value().Status.Attached {
			field, to = "status.attached", &held
		}
		if o := Cite(a, field); o != nil {
			o.Node = a.Value().Spec.NodeName
			*to = append(*to, o)
		}
	}
	for _, o := range w.ByVolume[v] {
		if o.Source.Kind != model.SourceText || o.Node == "" || objects[o.Node] {
			continue
		}
		same := func(p *model.Observation) bool { return p.Node == o.Node }
		if o.Kind == model.AttachmentAttached && !slices.ContainsFunc(held, same) {
			held = append(held, o)
		} else if o.Kind == model.AttachmentPending && !slices.ContainsFunc(pending, same) {
			pending = append(pending, o)
		}
	}
	return held, pending
}

// sharing are words in the names of drivers whose volumes many nodes mount.
var sharing = []string{"nfs", "smb", "cephfs", "efs", "file", "fsx", "lustre", "beegfs", "gluster"}

// SharedByDriver reports a volume whose access modes nothing shows, of a driver that is one for many nodes by its name.
func (w *World) SharedByDriver(v *Volume) bool {
	name := DriverOf(w, v)
	return len(v.Access) == 0 && slices.ContainsFunc(sharing, func(s string) bool { return strings.Contains(name, s) })
}

// DriverOf is the driver of a volume by its objects, else by what a row of its VolumeAttachment says; "" where nothing shows it.
func DriverOf(w *World, v *Volume) string {
	name := v.Driver
	for _, o := range w.ByVolume[v] {
		name = cmp.Or(name, o.Attacher)
	}
	return name
}
