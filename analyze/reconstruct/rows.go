package reconstruct

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// A row of kubectl get and a field of kubectl describe tell a state at the time of their printing. They have no time of their own: of
// several about one thing, the newest counts.

// stateOf are the things that a row without a time tells a state of, each with the kinds of which the newest ends the others.
var stateOf = []struct {
	kinds []model.Kind
	of    func(*model.Observation) model.Ref
}{
	{[]model.Kind{model.NodeReady, model.NodeNotReady}, func(o *model.Observation) model.Ref { return model.Ref{Kind: "Node", Name: o.Node} }},
	{[]model.Kind{model.PodReady, model.PodNotReady, model.PodDeletionRequested, model.PodFinished},
		func(o *model.Observation) model.Ref {
			return model.Ref{Kind: "Pod", Namespace: o.Pod.Namespace, Name: o.Pod.Name}
		}},
	{[]model.Kind{model.AttachmentAttached, model.AttachmentPending},
		func(o *model.Observation) model.Ref { return model.Ref{Kind: "VolumeAttachment", Name: o.Attachment} }},
}

// printedState is the thing that a row without a time tells the state of; zero for everything else.
func printedState(o *model.Observation) model.Ref {
	if !o.At.IsZero() && !pendingRow(o) || o.Age != nil || o.Source.Kind != model.SourceText {
		return model.Ref{}
	}
	for _, s := range stateOf {
		if slices.Contains(s.kinds, o.Kind) {
			return s.of(o)
		}
	}
	return model.Ref{}
}

// fileLine is a line of a file.
type fileLine struct {
	path string
	line int
}

// OfNode are the statements about a node, ordered by time. The list is shared and must not be changed.
func (w *World) OfNode(name string) []*model.Observation { return w.byNode[name] }

// OfAttachment are those about the VolumeAttachments of a name.
func (w *World) OfAttachment(name string) []*model.Observation { return w.byAttach[name] }

// Outdated reports that a newer row about the same thing ends what a row tells.
func (w *World) Outdated(o *model.Observation) bool { return w.outdated[o] }

// outdated are the rows that a newer one about the same thing ends: further down in the same text, or with a greater age of the thing.
func outdated(s *model.Snapshot, all []model.Observation) map[*model.Observation]bool {
	aged := map[fileLine]*model.Range{}
	for i := range s.Aged {
		a := &s.Aged[i]
		aged[fileLine{a.Input, a.Source.Line}] = &a.Age
	}
	rows := index[model.Ref, *model.Observation]{}
	for i := range all {
		if ref := printedState(&all[i]); ref.Name != "" {
			rows.add(ref, &all[i])
		}
	}
	out := map[*model.Observation]bool{}
	olderCopies(all, out)
	ageOf := func(o *model.Observation) *model.Range { return aged[fileLine{o.Input, o.Source.Line}] }
	for ref, list := range rows {
		byAge := ref.Kind == "Node" || ref.Kind == "Pod" && !comesBack(ref) // a name that came back begins its age anew
		newest := map[string]*model.Observation{}                           // of each text
		for _, o := range list {
			if n := newest[o.Input]; n == nil || o.Source.Line > n.Source.Line {
				newest[o.Input] = o
			}
		}
		var latest *model.Range // the greatest age that a text shows
		for _, o := range newest {
			if a := ageOf(o); byAge && a != nil && (latest == nil || a.Min > latest.Min) {
				latest = a
			}
		}
		for _, o := range list {
			n := newest[o.Input]
			a := ageOf(n)
			out[o] = o.Source.Line < n.Source.Line && o.Kind != n.Kind || a != nil && latest != nil && a.Max < latest.Min
		}
	}
	return out
}

// olderCopies marks what one text shows twice with two ages: it was printed twice, and the greater age is of the later printing, from
// which the ages of the text count back.
func olderCopies(all []model.Observation, out map[*model.Observation]bool) {
	type fact struct {
		input, pod, attachment, detail string
		kind                           model.Kind
		volume                         model.VolumeID
	}
	newest := map[fact]*model.Observation{}
	for i := range all {
		o := &all[i]
		if o.Age == nil || o.Source.Kind != model.SourceText || o.Pod.Name == "" && o.Attachment == "" {
			continue
		}
		f := fact{o.Input, o.Pod.Name, o.Attachment, o.Detail, o.Kind, o.Volume}
		switch n := newest[f]; {
		case n == nil:
			newest[f] = o
		case o.Source.Line > n.Source.Line && o.Age.Min > n.Age.Max:
			out[n], newest[f] = true, o
		case n.Source.Line > o.Source.Line && n.Age.Min > o.Age.Max:
			out[o] = true
		}
	}
}

// listedPod is a pod as pasted rows and descriptions show it.
type listedPod struct {
	ref    model.Ref
	node   *model.Observation // where it is
	state  *model.Observation // nil when none is told
	since  *model.Observation // its creation or its scheduling, dated by an age
	owner  model.Ref
	claims []model.Ref
	uses   []*model.Observation // the claims
	none   bool                 // it names no claim
}

// listedPods are the pods of pasted texts, in the order in which they stand there.
func listedPods(w *World) []*listedPod {
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
		if o.Source.Kind == model.SourceText && o.Pod.Name != "" && !w.outdated[o] {
			get(o.Pod).take(o)
		}
	}
	return out
}

func (p *listedPod) take(o *model.Observation) {
	if o.Owner.Name != "" {
		p.owner = o.Owner
	}
	switch {
	case printedState(o).Name != "" || o.Kind == model.PodDeletionRequested:
		if again := p.state != nil && o.Kind == model.PodNotReady && o.Detail == ""; !again { // the condition Ready says less than a STATUS
			p.state = o
		}
	case o.Kind == model.PodUses && o.Claim.Name == "":
		p.none = true
	case o.Kind == model.PodUses:
		p.claims, p.uses = append(p.claims, o.Claim), append(p.uses, o)
	case (o.Kind == model.PodCreated || o.Kind == model.PodScheduled) && !o.At.IsZero():
		if p.since == nil || o.At.At.After(p.since.At.At) {
			p.since = o
		}
	}
	if o.Kind == model.PodScheduled && o.Node != "" && p.node == nil {
		p.node = o
	}
}

// goes reports that the pod is being deleted; waits that it has a node and none of its containers is made.
func (p *listedPod) goes() bool {
	return p.node != nil && p.state != nil && p.state.Kind == model.PodDeletionRequested
}
func (p *listedPod) waits() bool {
	return p.node != nil && p.state != nil && p.state.Kind == model.PodNotReady && notMade(p.state.Detail) && !p.none
}

// replaces reports that a waiting pod takes the place of one that is being deleted, and so names its claim: both name one, or both are
// of one ReplicaSet or Deployment by their owner or names. A DaemonSet's pods are bound to their nodes, a StatefulSet's have each its own.
func (p *listedPod) replaces(old *listedPod) bool {
	namespace := p.ref.Namespace == old.ref.Namespace || p.ref.Namespace == "" || old.ref.Namespace == ""
	if !namespace || p.ref.Name == old.ref.Name || old.none || p.owner.Kind == "DaemonSet" || old.owner.Kind == "DaemonSet" {
		return false
	}
	if len(p.claims) > 0 && len(old.claims) > 0 {
		return p.sharedClaim(old).Name != ""
	}
	replicas := p.owner.Kind == "ReplicaSet" || old.owner.Kind == "ReplicaSet"
	return sameDeployment(p.ref.Name, old.ref.Name) || replicas && sameReplicas(p.ref.Name, old.ref.Name)
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
	return p.since != nil && p.since.Age != nil && p.since.Age.Min >= d.Seconds()-1
}

// listedWaits are the waits that pasted rows alone show: a pod waits for its containers on a node, and the pod whose place it takes is
// Terminating on another, or its volume is attached to another. The objects of the pods, and reports of the wait, tell more.
func listedWaits(w *World, reported map[*Volume][]*demand) []*demand {
	all := listedPods(w)
	var out []*demand
	for _, p := range all {
		known := slices.ContainsFunc(w.Pods, func(o model.Object[*corev1.Pod]) bool { return o.Ref.Name == p.ref.Name })
		if !p.waits() || known || w.reportedFor(p.ref, reported) {
			continue
		}
		old := slices.IndexFunc(all, func(o *listedPod) bool { return o.goes() && o.node.Node != p.node.Node && p.replaces(o) })
		var d *demand
		if old >= 0 {
			d = w.pairWaits(p, all[old])
		} else {
			d = w.attachmentWaits(p)
		}
		if d != nil {
			out = append(out, d)
		}
	}
	return out
}

// reportedFor reports that a wait of a pod is known otherwise.
func (w *World) reportedFor(pod model.Ref, reported map[*Volume][]*demand) bool {
	for _, list := range reported {
		for _, d := range list {
			if slices.ContainsFunc(d.pods.list, func(r model.Ref) bool { return r.Name == pod.Name }) || len(d.pods.list) == 0 {
				return true
			}
		}
	}
	return false
}

// pairWaits is the wait of a pod beside the one whose place it takes; nil where its volume has come, admits several nodes, or is none.
func (w *World) pairWaits(p, old *listedPod) *demand {
	v, held := w.volumeOfPair(p, old)
	enough := withoutAVolume
	if held != nil || len(p.claims) > 0 {
		enough = ordinaryMove
	}
	if many(v) || w.attachedTo(v, p.node.Node) != nil || !p.waitedFor(enough) {
		return nil
	}
	d := w.listedWait(p, v, old.node.Node, old.state, held)
	d.olds = refsOf(old.ref)
	return d
}

// attachmentWaits is the wait of a pod whose claim's volume a row shows on another node; nil where none does.
func (w *World) attachmentWaits(p *listedPod) *demand {
	for _, claim := range p.claims {
		v := w.volumeOfClaim(claim)
		if v == nil || many(v) || w.attachedTo(v, p.node.Node) != nil || !p.waitedFor(ordinaryMove) {
			continue
		}
		if held := w.attachedElsewhere(v, p.node.Node); held != nil {
			return w.listedWait(p, v, held.Node, held)
		}
	}
	return nil
}

func (w *World) listedWait(p *listedPod, v *Volume, from string, shows ...*model.Observation) *demand {
	witness := append([]*model.Observation{p.since, p.state}, slices.DeleteFunc(shows, func(o *model.Observation) bool { return o == nil })...)
	return &demand{volume: v, node: p.node.Node, pods: refsOf(p.ref), from: from, listed: true, reports: []*model.Observation{p.since},
		began: derived(p.since.At, listedWaitsRule, witness...)}
}

// many reports that a volume is known to admit several nodes.
func many(v *Volume) bool {
	exclusive, known := v.Exclusive()
	return known && !exclusive
}

// volumeOfPair is the volume that a waiting pod wants: of its claim; else the only one that a row shows attached to the old pod's node.
// One without a name stands for what nothing names.
func (w *World) volumeOfPair(p, old *listedPod) (v *Volume, held *model.Observation) {
	claims := p.claims
	if shared := p.sharedClaim(old); shared.Name != "" {
		claims = []model.Ref{shared}
	}
	for _, claim := range claims {
		if v := w.volumeOfClaim(claim); v != nil {
			return v, w.attachedTo(v, old.node.Node)
		}
	}
	named := map[*Volume]*model.Observation{}
	for _, o := range w.byNode[old.node.Node] {
		if o.Kind == model.AttachmentAttached && o.Source.Kind == model.SourceText && w.Volumes.Find(o.Volume) != nil {
			named[w.Volumes.Find(o.Volume)] = o
		}
	}
	if len(named) == 1 {
		for v, o := range named {
			if v.Claim.Name == "" || len(claims) == 0 {
				return v, o
			}
		}
	}
	if len(claims) == 1 {
		return &Volume{Claim: claims[0]}, nil
	}
	return &Volume{}, nil
}

// volumeOfClaim is the volume that a claim is bound to. A row may lack the namespace.
func (w *World) volumeOfClaim(claim model.Ref) *Volume {
	if v := w.Volumes.OfClaim(claim.Namespace, claim.Name); v != nil {
		return v
	}
	i := slices.IndexFunc(w.Volumes.All, func(v *Volume) bool {
		return v.Claim.Name == claim.Name && (v.Claim.Namespace == "" || claim.Namespace == "")
	})
	if i < 0 {
		return nil
	}
	return w.Volumes.All[i]
}

// attachedTo is the row of a VolumeAttachment that is attached to a node; nil without one.
func (w *World) attachedTo(v *Volume, node string) *model.Observation {
	return find(w.byVolume[v], and(shownAttached, onNode(node)))
}

func (w *World) attachedElsewhere(v *Volume, node string) *model.Observation {
	return find(w.byVolume[v], func(o *model.Observation) bool { return shownAttached(o) && o.Node != "" && o.Node != node })
}

// shownAttached tests for a row of a VolumeAttachment that is attached.
func shownAttached(o *model.Observation) bool {
	return o.Kind == model.AttachmentAttached && o.Source.Kind == model.SourceText
}
