package wait

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// listedPod is a pod as pasted rows and descriptions show it.
type listedPod struct {
	ref    model.Ref
	node   *model.Observation // where it is
	state  *model.Observation // nil when none is told
	since  *model.Observation // its creation or its scheduling, dated by an age
	then   *model.Observation // its creation by an older row
	owner  model.Ref
	claims []model.Ref
	uses   []*model.Observation // the claims
	none   bool                 // it names no claim
}

// listedPods are the pods of pasted texts, in the order in which they stand there: as they are by the newest rows, or as they were before.
func listedPods(w *facts.World, before bool) []*listedPod {
	var out []*listedPod
	of := map[string][]*listedPod{} // by name
	get := func(ref model.Ref) *listedPod {
		for _, p := range of[ref.Name] {
			if p.ref.Namespace == ref.Namespace || p.ref.Namespace == "" || ref.Namespace == "" {
				p.ref.Namespace = cmp.Or(p.ref.Namespace, ref.Namespace)
				return p
			}
		}
		p := &listedPod{ref: model.PodRef(ref.Namespace, ref.Name, "")}
		of[ref.Name], out = append(of[ref.Name], p), append(out, p)
		return p
	}
	for i := range w.Axis.Observations {
		o := &w.Axis.Observations[i]
		if o.Source.Kind != model.SourceText || o.Pod.Name == "" {
			continue
		}
		state := facts.PrintedState(o).Name != ""
		if p := get(o.Pod); w.Outdated(o) == (before && state) {
			p.take(o)
		} else if before && o.Kind == model.PodCreated {
			p.then = o
		}
	}
	return out
}

func (p *listedPod) take(o *model.Observation) {
	if o.Owner.Name != "" {
		p.owner = o.Owner
	}
	switch {
	case facts.PrintedState(o).Name != "" || o.Kind == model.PodDeletionRequested:
		if again := p.state != nil && o.Kind == model.PodNotReady && o.Detail == ""; !again { // the condition Ready says less than a STATUS
			p.state = o
		}
	case o.Kind == model.PodUses && o.Claim.Name == "":
		p.none = true
	case o.Kind == model.PodUses:
		p.claims, p.uses = append(p.claims, o.Claim), append(p.uses, o)
	case o.Kind == model.PodCreated, o.Kind == model.PodScheduled:
		if p.since == nil || o.At.At.After(p.since.At.At) {
			p.since = o
		}
	}
	if o.Kind == model.PodScheduled && o.Node != "" && p.node == nil {
		p.node = o
	}
}

// goes reports that the pod is being deleted; waits that it has a node and none of its containers is made.
func (p *listedPod) goes() bool { return p.is(model.PodDeletionRequested) }

func (p *listedPod) waits() bool {
	return p.is(model.PodNotReady) && notMade(p.state.Detail) && !p.none
}

func (p *listedPod) is(state model.Kind) bool {
	return p.node != nil && p.state != nil && p.state.Kind == state
}

// replaces reports that a waiting pod takes the place of one that is being deleted, and so names its claim: both name one, or both are
// of one ReplicaSet or Deployment by their owner or names. A DaemonSet's pods are bound to their nodes, a StatefulSet's have each its own.
func (p *listedPod) replaces(old *listedPod) bool {
	bound := p.owner.Kind == "DaemonSet" || old.owner.Kind == "DaemonSet" || p.ref.Name == old.ref.Name
	if bound || old.none || !oneNamespace(p.ref, old.ref) {
		return false
	}
	if len(p.claims) > 0 && len(old.claims) > 0 {
		return p.sharedClaim(old).Name != ""
	}
	replicas := p.owner.Kind == "ReplicaSet" || old.owner.Kind == "ReplicaSet"
	return sameDeployment(p.ref.Name, old.ref.Name) || replicas && SameReplicas(p.ref.Name, old.ref.Name)
}

func (p *listedPod) sharedClaim(old *listedPod) model.Ref {
	for _, c := range p.claims {
		if slices.ContainsFunc(old.claims, func(o model.Ref) bool { return o.Name == c.Name }) {
			return c
		}
	}
	return model.Ref{}
}

// Waits shorter than these may be those of an ordinary move, or for an image where nothing shows a volume.
const (
	ordinaryMove    = time.Minute
	withoutAVolume  = 2 * time.Minute
	listedWaitsRule = "the row shows how long ago the pod was created, and it waits for its containers since"
)

// waitedFor reports that the pod had waited for some time when it was printed.
func (p *listedPod) waitedFor(d time.Duration) bool {
	since := cmp.Or(p.then, p.since)
	return p.since != nil && since.Age != nil && since.Age.Min >= d.Seconds()-1
}

// listedWaits are the waits that pasted rows alone show: a pod waits for its containers on a node, and the pod whose place it takes is
// Terminating on another, or its volume is attached to another. The objects of the pods, and reports of the wait, tell more. Rows that
// newer ones end show the waits of the past, of pods that run by now.
func listedWaits(w *facts.World, others byStorage) []*Case {
	now := listedPods(w, false)
	runs := func(p *listedPod) bool {
		return slices.ContainsFunc(now, func(n *listedPod) bool { return n.ref == p.ref && n.is(model.PodReady) })
	}
	return append(listedAmong(w, now, others, (*listedPod).waits),
		listedAmong(w, listedPods(w, true), others, func(p *listedPod) bool { return p.waits() && runs(p) })...)
}

func listedAmong(w *facts.World, all []*listedPod, others byStorage, waits func(*listedPod) bool) (out []*Case) {
	for _, p := range all {
		known := slices.ContainsFunc(w.Pods, func(o model.Object[*corev1.Pod]) bool { return o.Ref.Name == p.ref.Name })
		if !waits(p) || known || reportedFor(p.ref, others) {
			continue
		}
		old := slices.IndexFunc(all, func(o *listedPod) bool { return o.goes() && o.node.Node != p.node.Node && p.replaces(o) })
		var c *Case
		if old >= 0 {
			c = pairWaits(w, p, all[old])
		} else {
			c = attachmentWaits(w, p)
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out
}

// reportedFor reports that a wait of a pod is known otherwise.
func reportedFor(pod model.Ref, others byStorage) bool {
	for _, list := range others {
		if slices.ContainsFunc(list, func(c *Case) bool {
			return len(c.fresh.List) == 0 || slices.ContainsFunc(c.fresh.List, func(r model.Ref) bool { return r.Name == pod.Name })
		}) {
			return true
		}
	}
	return false
}

// pairWaits is the wait of a pod beside the one whose place it takes; nil where its volume has come, admits several nodes, or is none.
func pairWaits(w *facts.World, p, old *listedPod) *Case {
	v, held := volumeOfPair(w, p, old)
	enough := withoutAVolume
	if held != nil || len(p.claims) > 0 {
		enough = ordinaryMove
	}
	if v.Many() || attachedTo(w, v, p.node.Node) != nil || !p.waitedFor(enough) {
		return nil
	}
	c := listedWait(p, v, old.node.Node, old.state, held, lostBefore(w, old))
	c.OldPods = []model.Ref{old.ref}
	return c
}

// lostBefore is the row that showed the node of a pod as not Ready, as the pod's own a newer one has ended; nil for none.
func lostBefore(w *facts.World, old *listedPod) *model.Observation {
	for i := range w.Axis.Observations {
		o := &w.Axis.Observations[i]
		if o.Kind == model.NodeNotReady && o.Node == old.node.Node && w.Outdated(o) && w.Outdated(old.state) {
			return o
		}
	}
	return nil
}

// ShownThen is what older rows, which newer ones have ended, showed of the wait that they alone show; nil for nothing.
func (c *Case) ShownThen(kind model.Kind) *model.Observation {
	return facts.Find(c.Began.Witness, func(o *model.Observation) bool { return c.Listed && o.Kind == kind && c.World.Outdated(o) })
}

// DeletionShown reports that a pasted row or description shows the deletion of the blocking VolumeAttachment, from a node that is Ready: what is
// waited for is the detach, and not the unmount.
func (c *Case) DeletionShown() bool {
	shown := func(o *model.Observation) bool { return o.Source.Kind == model.SourceText && !typed(o) }
	return !c.Resolved() && c.ListedReady() && slices.ContainsFunc(c.DetachRequested.Witness, shown)
}

// attachmentWaits is the wait of a pod whose claim's volume a row shows on another node; nil where none does.
func attachmentWaits(w *facts.World, p *listedPod) *Case {
	if !p.waitedFor(ordinaryMove) {
		return nil
	}
	for _, claim := range append(p.claims, ordinalClaims(w, p)...) {
		v := volumeOfClaim(w, claim)
		if v == nil || v.Many() {
			continue
		}
		if held := heldElsewhere(w, v, p.node.Node); held != nil {
			return listedWait(p, v, held.Node, held)
		}
	}
	return nil
}

// ordinalClaims are the claims that have the name which a StatefulSet gives those of a pod that names none here: <template>-<pod>.
func ordinalClaims(w *facts.World, p *listedPod) (out []model.Ref) {
	for _, v := range w.Volumes.All {
		own := strings.HasSuffix(v.Claim.Name, "-"+p.ref.Name) && oneNamespace(v.Claim, p.ref)
		if own && len(p.claims) == 0 && Ordinal(p.ref.Name) {
			out = append(out, v.Claim)
		}
	}
	return out
}

func listedWait(p *listedPod, v *facts.Volume, from string, shows ...*model.Observation) *Case {
	return &Case{Volume: v, To: p.node.Node, From: from, fresh: refsOf(p.ref), Listed: true, Reports: []*model.Observation{p.since},
		Began: derived(p.since.At, listedWaitsRule, append([]*model.Observation{cmp.Or(p.then, p.since), p.state}, shows...)...)}
}

// volumeOfPair is the volume that a waiting pod wants: of its claim; else the only one that a row shows attached to the old pod's node.
// One without a name stands for what nothing names.
func volumeOfPair(w *facts.World, p, old *listedPod) (v *facts.Volume, held *model.Observation) {
	claims := p.claims
	if shared := p.sharedClaim(old); shared.Name != "" {
		claims = []model.Ref{shared}
	}
	for _, claim := range claims {
		if v := volumeOfClaim(w, claim); v != nil {
			return v, attachedTo(w, v, old.node.Node)
		}
	}
	named := map[*facts.Volume]*model.Observation{}
	for _, o := range facts.Where(w.ByNode[old.node.Node], shownAttached) {
		if v := w.Volumes.Find(o.Volume); v != nil {
			named[v] = o
		}
	}
	for v, o := range named {
		if len(named) == 1 && (v.Claim.Name == "" || len(claims) == 0) {
			return v, o
		}
	}
	v = &facts.Volume{}
	if len(claims) == 1 {
		v.Claim = claims[0]
	}
	return v, nil
}

// volumeOfClaim is the volume that a claim is bound to. A row may lack the namespace.
func volumeOfClaim(w *facts.World, claim model.Ref) *facts.Volume {
	if v := w.Volumes.OfClaim(claim.Namespace, claim.Name); v != nil {
		return v
	}
	i := slices.IndexFunc(w.Volumes.All, func(v *facts.Volume) bool {
		return v.Claim.Name == claim.Name && (v.Claim.Namespace == "" || claim.Namespace == "")
	})
	if i < 0 {
		return nil
	}
	return w.Volumes.All[i]
}

// attachedTo is the row of a VolumeAttachment that is attached to a node; nil without one.
func attachedTo(w *facts.World, v *facts.Volume, node string) *model.Observation {
	return facts.Find(w.ByVolume[v], facts.And(shownAttached, onNode(node)))
}

// shownAttached tests for a row of a VolumeAttachment that is attached.
func shownAttached(o *model.Observation) bool {
	return o.Kind == model.AttachmentAttached && o.Source.Kind == model.SourceText
}

// twoNodeWaits are the waits that two VolumeAttachments of one volume show by themselves: one node has it, and the attachment of another
// has not been attached for some time. Where a pod, a report or a refusal tells of the wait, that tells more.
func twoNodeWaits(w *facts.World, others byStorage) (out []*Case) {
	if w.LogCovers() || w.EventsCover() || len(w.Pods) > 0 {
		return nil
	}
	w = w.AtCollection()
	for _, v := range w.Volumes.All {
		if v != v.Storage() || w.ManyNodes(v) || len(others[v]) > 0 {
			continue
		}
		if c := twoNodeWait(w, v); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// twoNodeWait is the wait of the node whose attachment is not attached; nil unless one other node has the volume.
func twoNodeWait(w *facts.World, v *facts.Volume) *Case {
	held, pending := w.AttachmentStates(v)
	if len(held) != 1 || len(pending) != 1 {
		return nil
	}
	to := pending[0].Node
	if to == "" || to == held[0].Node {
		return nil
	}
	made := pending[0]
	if c := facts.Find(w.ByVolume[v], facts.And(facts.Kinds(model.AttachmentCreated), onNode(to))); c != nil && !c.At.IsZero() {
		made = c
	}
	at := w.Axis.CapturedAt
	dated := at != nil && w.Axis.CapturedHow != model.CollectedNewest // else nothing tells how old it was
	young := made.Kind == model.AttachmentCreated && dated && at.Earliest.Sub(made.At.Latest) < ordinaryMove
	if made.At.IsZero() || young {
		return nil
	}
	const rule = "the VolumeAttachment of one node is not attached while that of another is, and the volume is for one"
	return &Case{Volume: v, To: to, From: held[0].Node, Listed: true, Reports: []*model.Observation{made},
		Began: derived(made.At, rule, made, pending[0], held[0])}
}
