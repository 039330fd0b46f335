// Package diff compares two collections of one cluster: VolumeAttachments, incidents with their phases, and faults. It
// aligns by volume, node and time, and concludes nothing from what a side does not cover.
package diff

import (
	"cmp"
	"slices"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// Side is what one collection shows.
type Side struct {
	report      *model.Report
	kind        string            // bundle or report
	nodes       map[string]string // name → UID, "" when not known; for lookup only
	attachments []*model.AttachmentState
	// listed says that a VolumeAttachment that is not among attachments did not exist at the collection.
	listed bool
}

// OfBundle is the side of a bundle, with its report.
func OfBundle(w *facts.World, r *model.Report) *Side {
	w = w.AtCollection()
	s := &Side{report: r, kind: "bundle", nodes: map[string]string{}, listed: w.Listed("VolumeAttachment", "")}
	for _, n := range w.Nodes {
		s.nodes[n.Ref.Name] = n.Ref.UID
	}
	for _, a := range w.Attachments {
		s.attachments = append(s.attachments, stateOf(w, a))
	}
	s.sort()
	return s
}

// OfReport is the side of a report alone, which knows only the VolumeAttachments of its incidents that the bundle held.
func OfReport(r *model.Report) *Side {
	s := &Side{report: r, kind: "report", nodes: map[string]string{}}
	names, at := map[string]model.GraphNode{}, map[string]*model.AttachmentState{}
	for _, n := range r.Graph.Nodes {
		names[n.ID] = n
		if n.Kind == "Node" && n.Presence == model.InSnapshot {
			s.nodes[n.Name] = n.UID
		}
		if n.Kind == "VolumeAttachment" && n.Presence == model.InSnapshot {
			at[n.ID] = &model.AttachmentState{Name: n.Name, UID: n.UID, Attached: model.Unknown}
			s.attachments = append(s.attachments, at[n.ID])
		}
	}
	for _, e := range r.Graph.Edges {
		if a, to := at[e.From], names[e.To]; a != nil && to.Kind == "Node" {
			a.Node = to.Name
		} else if a != nil && to.Kind == "PersistentVolume" {
			a.Volume = to.Name
		}
	}
	for _, a := range s.attachments {
		for _, in := range r.Incidents {
			if b := in.BlockingAttachment; b.Name != nil && *b.Name == a.Name {
				a.UID = cmp.Or(a.UID, b.UID)
			}
			if in.Volume.PersistentVolume == a.Volume && a.Volume != "" {
				a.Claim = cmp.Or(a.Claim, in.Volume.Claim)
			}
		}
	}
	s.sort()
	return s
}

// sort orders the attachments. A name that a side has twice counts once.
func (s *Side) sort() {
	slices.SortStableFunc(s.attachments, func(a, b *model.AttachmentState) int {
		return cmp.Or(cmp.Compare(a.Volume, b.Volume), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
	})
	seen := map[string]bool{}
	s.attachments = slices.DeleteFunc(s.attachments, func(a *model.AttachmentState) bool {
		was := seen[a.Name]
		seen[a.Name] = true
		return was
	})
}

// stateOf is a VolumeAttachment of a bundle.
func stateOf(w *facts.World, o model.Object[*storagev1.VolumeAttachment]) *model.AttachmentState {
	va := o.Value()
	a := &model.AttachmentState{Name: o.Ref.Name, UID: o.Ref.UID, Node: va.Spec.NodeName, Attached: model.False, Place: new(o.Source())}
	if va.Status.Attached {
		a.Attached = model.True
	}
	if t := va.CreationTimestamp; !t.IsZero() {
		a.Created = new(model.WholeSecond(t.Time))
	}
	if t := va.DeletionTimestamp; t != nil {
		a.DeletionRequested = new(model.WholeSecond(t.Time))
	}
	for _, e := range []*storagev1.VolumeError{va.Status.AttachError, va.Status.DetachError} {
		if e != nil {
			a.Error = e.Message
		}
	}
	if pv := va.Spec.Source.PersistentVolumeName; pv != nil {
		a.Volume = *pv
		if object, ok := w.PV(*pv); ok && object.Value().Spec.ClaimRef != nil && object.Value().Spec.ClaimRef.Name != "" {
			claim := object.Value().Spec.ClaimRef
			a.Claim = &model.Ref{Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name}
		}
	} else if inline := va.Spec.Source.InlineVolumeSpec; inline != nil && inline.CSI != nil {
		a.Volume = model.UniqueCSIName(inline.CSI.Driver, inline.CSI.VolumeHandle)
	}
	return a
}

// captured is when the side was collected, as an interval. A time that is only assumed counts for nothing.
func (s *Side) captured() *model.Moment {
	if m := s.report.Bundle.CapturedAt; m != nil && !m.IsZero() && m.Basis != model.Assumed {
		return m
	}
	return nil
}

// faults are the findings that somebody has to look at.
func (s *Side) faults() []model.Finding {
	return slices.DeleteFunc(slices.Clone(s.report.Findings), func(f model.Finding) bool { return f.Severity == string(model.Info) })
}

// digest is a side as the result names it.
func (s *Side) digest() model.DiffSide {
	b := s.report.Bundle
	return model.DiffSide{
		Name: b.Root, Kind: s.kind, CapturedAt: b.CapturedAt, CapturedHow: b.CapturedHow, StandIn: b.StandIn,
		KubernetesVersion: b.KubernetesVersion, Status: s.report.Verdict.Status,
		Identities: b.Identities, Nodes: len(s.nodes), Attachments: len(s.attachments), AttachmentsListed: s.listed,
		Incidents: len(s.report.Incidents),
	}
}
