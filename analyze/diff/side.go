// Package diff compares two collections of one cluster: VolumeAttachments, incidents with their phases, and answers of the inspection. It
// aligns by volume, node and time, and concludes nothing from what a side does not cover.
package diff

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// Side is what one collection shows.
type Side struct {
	Report      *model.Report
	Kind        string            // bundle or report
	Nodes       map[string]string // name → UID, "" when not known; for lookup only
	Attachments []model.AttachmentState
	// Listed says that a VolumeAttachment that is not among Attachments did not exist at the collection.
	Listed bool
}

// OfBundle is the side of a bundle, with its report.
func OfBundle(w *facts.World, r *model.Report) *Side {
	w = w.AtCollection()
	s := &Side{Report: r, Kind: "bundle", Nodes: map[string]string{}, Listed: w.Listed("VolumeAttachment", "")}
	for _, n := range w.Nodes {
		s.Nodes[n.Ref.Name] = n.Ref.UID
	}
	for i := range w.Attachments {
		s.Attachments = append(s.Attachments, stateOf(w, w.Attachments[i]))
	}
	s.sort()
	return s
}

// OfReport is the side of a report alone, which knows only the VolumeAttachments of its incidents that the bundle held.
func OfReport(r *model.Report) *Side {
	s := &Side{Report: r, Kind: "report", Nodes: map[string]string{}}
	node, volume := map[string]string{}, map[string]string{}
	names := map[string]model.GraphNode{}
	for _, n := range r.Graph.Nodes {
		names[n.ID] = n
		if n.Kind == "Node" && n.Presence == model.InSnapshot {
			s.Nodes[n.Name] = n.UID
		}
	}
	for _, e := range r.Graph.Edges {
		switch to := names[e.To]; to.Kind {
		case "Node":
			node[e.From] = to.Name
		case "PersistentVolume":
			volume[e.From] = to.Name
		}
	}
	for _, n := range r.Graph.Nodes {
		if n.Kind == "VolumeAttachment" && n.Presence == model.InSnapshot {
			s.Attachments = append(s.Attachments, model.AttachmentState{
				Name: n.Name, UID: cmp.Or(n.UID, uidOf(r, n.Name)), Volume: volume[n.ID], Node: node[n.ID], Attached: model.Unknown,
				Claim: claimOf(r, volume[n.ID]),
			})
		}
	}
	s.sort()
	return s
}

// uidOf is the UID of an incident's blocking VolumeAttachment.
func uidOf(r *model.Report, name string) string {
	for _, in := range r.Incidents {
		if b := in.BlockingAttachment; b.Name != nil && *b.Name == name && b.UID != "" {
			return b.UID
		}
	}
	return ""
}

func claimOf(r *model.Report, volume string) *model.Ref {
	for _, in := range r.Incidents {
		if in.Volume.PersistentVolume == volume && volume != "" {
			return in.Volume.Claim
		}
	}
	return nil
}

func (s *Side) sort() {
	slices.SortStableFunc(s.Attachments, func(a, b model.AttachmentState) int {
		return cmp.Or(cmp.Compare(a.Volume, b.Volume), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
	})
}

// stateOf is a VolumeAttachment of a bundle.
func stateOf(w *facts.World, o model.Object[*storagev1.VolumeAttachment]) model.AttachmentState {
	place := o.Source()
	a := model.AttachmentState{Name: o.Ref.Name, UID: o.Ref.UID, Node: o.Value().Spec.NodeName, Attached: model.False, Place: &place}
	if o.Value().Status.Attached {
		a.Attached = model.True
	}
	if t := o.Value().CreationTimestamp; !t.IsZero() {
		m := model.WholeSecond(t.Time)
		a.Created = &m
	}
	if t := o.Value().DeletionTimestamp; t != nil {
		m := model.WholeSecond(t.Time)
		a.DeletionRequested = &m
	}
	for _, e := range []*storagev1.VolumeError{o.Value().Status.AttachError, o.Value().Status.DetachError} {
		if e != nil {
			a.Error = e.Message
		}
	}
	if pv := o.Value().Spec.Source.PersistentVolumeName; pv != nil {
		a.Volume = *pv
		if object, ok := w.PV(*pv); ok {
			a.Claim = claimRef(object.Value().Spec.ClaimRef)
		}
	} else if inline := o.Value().Spec.Source.InlineVolumeSpec; inline != nil && inline.CSI != nil {
		a.Volume = model.UniqueCSIName(inline.CSI.Driver, inline.CSI.VolumeHandle)
	}
	return a
}

func claimRef(r *corev1.ObjectReference) *model.Ref {
	if r == nil || r.Name == "" {
		return nil
	}
	return &model.Ref{Kind: "PersistentVolumeClaim", Namespace: r.Namespace, Name: r.Name}
}

// captured is when the side was collected, as an interval. A time that is only assumed counts for nothing.
func (s *Side) captured() *model.Moment {
	if m := s.Report.Bundle.CapturedAt; m != nil && !m.IsZero() && m.Basis != model.Assumed {
		return m
	}
	return nil
}

// digest is a side as the result names it.
func (s *Side) digest() model.DiffSide {
	b := s.Report.Bundle
	return model.DiffSide{
		Name: b.Root, Kind: s.Kind, CapturedAt: b.CapturedAt, CapturedHow: b.CapturedHow, StandIn: b.StandIn,
		KubernetesVersion: b.KubernetesVersion, Status: s.Report.Verdict.Status,
		Identities: b.Identities, Nodes: len(s.Nodes), Attachments: len(s.Attachments), AttachmentsListed: s.Listed,
		Incidents: len(s.Report.Incidents),
	}
}
