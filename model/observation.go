package model

import (
	"cmp"
	"slices"
)

// Variant is which of the two Multi-Attach texts a source has.
type Variant string

// UsedByPods: a pod object that uses the volume still exists on the other node. ExclusivelyAttached: none does, and the
// detach is pending. It is the state at the first report only (reconciler.go reportMultiAttachError, 1.13–1.36).
const (
	UsedByPods          Variant = "used-by-pods"
	ExclusivelyAttached Variant = "exclusively-attached"
	UnknownVariant      Variant = "unknown"
)

// Observation is one thing that happened or was so, as one source states it. Fields that the source does not give are empty.
type Observation struct {
	Kind      Kind
	At        Moment
	Floating  bool   // the source has neither year nor zone: At is in year 0, as if UTC, until the clocks are resolved
	Count     int    // how often the source says it, at least 1
	Last      Moment // when it says it last; equals At when Count is 1
	Age       *Range // seconds from At to the collection of its file, when the source shows an age; nil otherwise
	LastAge   *Range // the same of Last
	Component string // who says it, such as kube-controller-manager, external-attacher, kubelet
	Input     string // path of the Input that holds it
	Cluster   string // that it is of, where its Input holds several

	Object     Ref      // the object of an Event or manifest; zero for log lines
	Pod        Ref      // the pod acted on or waiting
	Pods       []Ref    // Multi-Attach: the pods that hold the volume; attach: the pods that want it
	Node       string   // the node acted on: where an attach goes, from where a detach goes, which wants the volume in a Multi-Attach
	Holders    []string // Multi-Attach, attach failed: the nodes that hold the volume
	Volume     VolumeID
	Claim      Ref    // PersistentVolumeClaim, when the source names it
	Attachment string // VolumeAttachment name
	Attacher   string // CSI driver, when the source names it apart from the volume
	Owner      Ref    // workload that the source names as the pod's owner or as the actor
	Variant    Variant
	Access     []string // access modes of the PersistentVolume, when a log line dumps it
	Detail     string   // error text, taint, version, flag, phase: see the Kind
	Actor      string   // audit: the user whose request it was, such as system:serviceaccount:kube-system:attachdetach-controller
	Agent      string   // audit: the client, such as kubectl/v1.34.3; manifest: the field manager; log, event: the program of the act

	AllNamespaces bool // a Listing is of all of them

	Source Source
	Quote  Quote
}

// Compare orders observations by time, then by place: equal inputs give equal timelines in whatever order they were read.
func (o *Observation) Compare(p *Observation) int {
	// Most differ in time; the rest is costly.
	if c := o.At.At.Compare(p.At.At); c != 0 {
		return c
	}
	if c := cmp.Or(
		cmp.Compare(o.Source.Path, p.Source.Path),
		cmp.Compare(o.Source.Line, p.Source.Line),
		cmp.Compare(o.Source.Field, p.Source.Field),
		cmp.Compare(o.Kind, p.Kind),
		cmp.Compare(o.Volume.UniqueName, p.Volume.UniqueName),
		cmp.Compare(o.Node, p.Node),
	); c != 0 {
		return c
	}
	return cmp.Compare(o.Pod.Key(), p.Pod.Key())
}

// SortObservations orders a list by Compare; equals keep their order. It sorts pointers, since an observation is large.
func SortObservations(list []Observation) {
	order := make([]*Observation, len(list))
	for i := range list {
		order[i] = &list[i]
	}
	if slices.IsSortedFunc(order, (*Observation).Compare) {
		return
	}
	slices.SortStableFunc(order, (*Observation).Compare)
	sorted := make([]Observation, len(list))
	for i, o := range order {
		sorted[i] = *o
	}
	copy(list, sorted)
}
