package reconstruct

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// twoNodeWaits are the waits that two VolumeAttachments of one volume show by themselves: one node has it, and the attachment of another
// has not been attached for some time. Where a pod, a report or a refusal tells of the wait, that tells more.
func twoNodeWaits(w *World, others map[*Volume][]*demand) []*demand {
	if w.LogCovers() || w.EventsCover() || len(w.Pods) > 0 {
		return nil
	}
	var out []*demand
	w = w.AtCollection()
	for _, v := range w.Volumes.All {
		if len(others[v.Storage()]) > 0 || many(v) || w.sharedByDriver(v) || v != v.Storage() {
			continue
		}
		if d := w.twoNodeWait(v); d != nil {
			out = append(out, d)
		}
	}
	return out
}

// twoNodeWait is the wait of the node whose attachment is not attached; nil unless one other node has the volume.
func (w *World) twoNodeWait(v *Volume) *demand {
	held, pending := w.attachmentStates(v)
	if len(held) != 1 || len(pending) != 1 || held[0].Node == pending[0].Node || pending[0].Node == "" {
		return nil
	}
	made := pending[0]
	if c := find(w.byVolume[v], and(kinds(model.AttachmentCreated), onNode(made.Node))); c != nil && !c.At.IsZero() {
		made = c
	}
	at := w.Axis.CapturedAt
	dated := at != nil && w.Axis.CapturedHow != model.CollectedNewest // else nothing tells how old it was
	young := made.Kind == model.AttachmentCreated && dated && at.Earliest.Sub(made.At.Latest) < ordinaryMove
	if made.At.IsZero() || young {
		return nil
	}
	const rule = "the VolumeAttachment of one node is not attached while that of another is, and the volume is for one"
	return &demand{volume: v, node: pending[0].Node, from: held[0].Node, listed: true, reports: []*model.Observation{made},
		began: derived(made.At, rule, made, pending[0], held[0])}
}

// ShownAttached are what shows a volume attached, its objects and the newest rows, each with its node, and whether it is known to be for
// one. Nothing of a volume that is for several, by its modes or by its driver's name.
func (w *World) ShownAttached(v *Volume) (held []*model.Observation, exclusive bool) {
	if w.ManyNodes(v) || v != v.Storage() {
		return nil, false
	}
	held, _ = w.attachmentStates(v)
	exclusive, _ = v.Exclusive()
	return held, exclusive
}

// ManyNodes reports that a volume is for several nodes, by its modes or, where nothing tells these, by its driver's name.
func (w *World) ManyNodes(v *Volume) bool { return many(v) || w.sharedByDriver(v) }

// attachmentStates are what says of each VolumeAttachment of a volume that it is attached, or not: its object, else the newest row.
func (w *World) attachmentStates(v *Volume) (held, pending []*model.Observation) {
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
	for _, o := range w.byVolume[v] {
		if o.Source.Kind != model.SourceText || o.Node == "" || objects[o.Node] {
			continue
		}
		same := func(p *model.Observation) bool { return p.Node == o.Node }
		switch {
		case o.Kind == model.AttachmentAttached && !slices.ContainsFunc(held, same):
			held = append(held, o)
		case o.Kind == model.AttachmentPending && !slices.ContainsFunc(pending, same):
			pending = append(pending, o)
		}
	}
	return held, pending
}

// sharing are words in the names of drivers whose volumes many nodes mount.
var sharing = []string{"nfs", "smb", "cephfs", "efs", "file", "fsx", "lustre", "beegfs", "gluster"}

// sharedByDriver reports a volume whose access modes nothing shows, of a driver that is one for many nodes by its name.
func (w *World) sharedByDriver(v *Volume) bool {
	if _, known := v.Exclusive(); known {
		return false
	}
	name := v.Driver
	for _, o := range w.byVolume[v] {
		if name == "" {
			name = o.Attacher
		}
	}
	return slices.ContainsFunc(sharing, func(s string) bool { return strings.Contains(name, s) })
}
