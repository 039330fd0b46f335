package analyze

import (
	"context"
	"fmt"

	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/lanes"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// graph is the objects of the incidents and how they hang together.
type graph struct {
	nodes map[string]model.GraphNode
	edges map[model.GraphEdge]bool
	// Of which the chain is in it: pods that share claims would each bring all others again.
	chained map[model.Ref]bool
}

func newGraph() *graph {
	return &graph{nodes: map[string]model.GraphNode{}, edges: map[model.GraphEdge]bool{}, chained: map[model.Ref]bool{}}
}

// again reports that the chain of an object is in the graph, and enters it.
func (g *graph) again(of model.Ref) bool {
	was := g.chained[of]
	g.chained[of] = true
	return was
}

func graphOf(w *facts.World, cases []*wait.Case, of [][]*lanes.Lane, findings []model.Finding) model.Graph {
	g := newGraph()
	for i, c := range cases {
		g.addCase(c, of[i])
	}
	if len(cases) == 0 {
		g.addFindings(w, findings)
	}
	return g.sorted()
}

// sorted are the objects and relations in the order of their identifiers.
func (g *graph) sorted() model.Graph {
	byPlace := func(a, b model.GraphEdge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Relation, b.Relation))
	}
	byID := func(a, b model.GraphNode) int { return cmp.Compare(a.ID, b.ID) }
	return model.Graph{
		Nodes: append([]model.GraphNode{}, slices.SortedFunc(maps.Values(g.nodes), byID)...),
		Edges: append([]model.GraphEdge{}, slices.SortedFunc(maps.Keys(g.edges), byPlace)...),
	}
}

// add enters an object; what is known stays when a second incident names it.
func (g *graph) add(ref model.Ref, in bool, state string) string {
	id := ref.Key() + words.If(ref.UID != "" && ref.Kind == "Pod", "@"+ref.UID)
	n, ok := g.nodes[id]
	if !ok {
		n = model.GraphNode{ID: id, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name, UID: ref.UID, Presence: model.Reconstructed}
	}
	if in {
		n.Presence = model.InSnapshot
	}
	if state != "" {
		n.State = state
	}
	g.nodes[id] = n
	return id
}

func (g *graph) link(from, to, relation string) {
	if from != "" && to != "" {
		g.edges[model.GraphEdge{From: from, To: to, Relation: relation}] = true
	}
}

func (g *graph) addCase(c *wait.Case, of []*lanes.Lane) {
	now := map[model.Ref]string{} // what the objects of the wait are at last
	for _, l := range of {
		now[l.Object] = lastState(l)
	}
	volume := g.addVolume(c.Volume)
	claim := g.addClaim(c.World, c.Volume, volume)
	from, to := g.addNode(c.World, c.From, now[nodeRef(c.From)]), g.addNode(c.World, c.To, now[nodeRef(c.To)])
	g.addAttachment(c, c.Attachment, now, volume, from)
	if c.NewAttachment.Known() {
		g.addAttachment(c, c.NewAttachmentName(), now, volume, to)
	}
	g.addPods(c, c.OldPods, c.NewPods, now, claim, from)
	g.addPods(c, c.NewPods, nil, now, claim, to)
}

// lastState is what an object is as its lane ends. What blocked stands out in a picture, with the time until which it did.
func lastState(l *lanes.Lane) string {
	last := l.Last()
	if l.Role == model.RoleBlocking {
		return lastOfBlocking(l, last.Word)
	}
	switch {
	case last.To.Known(), last.Word == model.StatePending: // a pod that was only heard of as it began
		return ""
	case last.Word == model.StateAttached && last.From.Known():
		return "attached " + model.TimeOfDay(last.From.At)
	}
	return string(last.Word)
}

func lastOfBlocking(l *lanes.Lane, last model.StateWord) string {
	if last != model.StateAttached && last != model.StateGone {
		return "blocking"
	}
	if n := slices.IndexFunc(l.States, func(s lanes.State) bool { return s.Word == model.StateGone && s.From.Known() }); n >= 0 {
		return "blocked until " + model.TimeOfDay(l.States[n].From.At)
	}
	return "blocked"
}

func (g *graph) addVolume(v *facts.Volume) string {
	return g.add(model.Ref{Kind: "PersistentVolume", Name: volumeName(v.VolumeID)}, v.PV != nil, "")
}

// addAttachment adds an attachment of a wait, with the PersistentVolume that it names: of a shared handle it may be another than the case's.
func (g *graph) addAttachment(c *wait.Case, a wait.Attachment, now map[model.Ref]string, volume, node string) {
	if a.Name == "" {
		return
	}
	ref := model.Ref{Kind: "VolumeAttachment", Name: a.Name}
	id := g.add(ref, a.Object != nil, now[ref])
	if a.Object == nil || a.Object.Value().Spec.Source.PersistentVolumeName == nil {
		volume = words.If(!c.Volume.SharesHandle(), volume)
	} else {
		for _, v := range c.Volume.Same() {
			if v != c.Volume && v.PersistentVolume == *a.Object.Value().Spec.Source.PersistentVolumeName {
				volume = g.addVolume(v)
			}
		}
	}
	g.link(id, volume, "attaches")
	g.link(id, node, "to node")
}

// addClaim adds the claim of a volume.
func (g *graph) addClaim(w *facts.World, v *facts.Volume, volume string) string {
	if v.Claim.Name == "" {
		return ""
	}
	_, in := w.Claim(v.Claim.Namespace, v.Claim.Name)
	claim := g.add(claimRef(v.Claim.Namespace, v.Claim.Name), in, "")
	g.link(claim, volume, "bound to")
	return claim
}

func claimRef(namespace, name string) model.Ref {
	return model.Ref{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name}
}

// addOwner adds the workload that owns a pod.
func (g *graph) addOwner(w *facts.World, owner model.Ref, pod string) {
	owner.UID = ""
	g.link(g.add(owner, facts.Has(w, owner), ""), pod, "owns")
}

// addNode adds a node, in a state that it is in without an object.
func (g *graph) addNode(w *facts.World, name, state string) string {
	if name == "" {
		return ""
	}
	_, ok := w.Node(name)
	if word, _ := w.NodeNow(name); ok || state == "" {
		state = string(word)
	}
	return g.add(nodeRef(name), ok, state)
}

func nodeRef(name string) model.Ref { return model.Ref{Kind: "Node", Name: name} }

// addPods adds the pods of one side. An old pod of which no UID is known is not the object that a later pod of its name has.
func (g *graph) addPods(c *wait.Case, pods, later []model.Ref, now map[model.Ref]string, claim, node string) {
	for _, p := range pods {
		obj, ok := c.World.Pod(p)
		ok = ok && (p.UID != "" || !slices.ContainsFunc(later, obj.Ref.Is))
		state := now[p]
		if ok {
			p = obj.Ref
			state = podState(obj.Value())
		} else if c.World.Listed("Pod", p.Namespace) {
			state = "gone"
		}
		id, uses := g.add(p, ok, state), claim
		if other := c.OtherVolumeOf(p); other != nil {
			uses = g.addClaim(c.World, other, g.addVolume(other))
		}
		g.link(id, uses, "uses")
		g.link(id, node, "on")
		if owner, ok := c.OwnerOf(p); ok {
			g.addOwner(c.World, owner, id)
		}
	}
}

func podState(p *corev1.Pod) string {
	if p.DeletionTimestamp != nil {
		return "Terminating"
	}
	if ready, _ := facts.PodCondition(p, corev1.PodReady); ready.Status == corev1.ConditionTrue {
		return "Ready"
	}
	return string(p.Status.Phase)
}

// Chain is what hangs together with a pod or a claim: owner, pod, claim, volume, attachment and node, as the objects of the bundle say,
// and what an incident says beside them. Without a name it is all of the bundle. It is an error when nothing of that name is there.
// When ctx is done, it ends with what is known by then.
func Chain(ctx context.Context, s *model.Snapshot, of model.Ref) (*model.Chain, error) {
	b := newBounds(Options{}, 1)
	g := newGraph()
	for _, p := range split(s) {
		w := facts.NewWorld(p.snapshot)
		g.addChains(w, of)
		for _, c := range b.cases(ctx, w) {
			if of.Name == "" || c.Volume.Claim.Is(of) || slices.ContainsFunc(slices.Concat(c.OldPods, c.NewPods), of.Is) {
				g.addCase(c, lanes.Of(c))
			}
		}
	}
	if len(g.nodes) == 0 && of.Name != "" {
		return nil, fmt.Errorf("the bundle has no %s %s", of.Kind, of)
	}
	return masked(&model.Chain{Graph: g.sorted(), Problems: b.cutShort(s.Problems)}), nil
}

// addChains adds what hangs together with the requested objects.
func (g *graph) addChains(w *facts.World, of model.Ref) {
	for _, p := range w.Pods {
		if of.Name != "" && !of.Is(p.Ref) {
			continue
		}
		claims := facts.ClaimsOf(p.Value())
		if of.Name == "" && len(claims) == 0 {
			continue
		}
		g.addPod(w, p)
		for _, name := range claims {
			g.addClaimChain(w, p.Ref.Namespace, name)
		}
	}
	for _, c := range w.Claims {
		if of.Is(c.Ref) || of.Name == "" {
			g.addClaimChain(w, c.Ref.Namespace, c.Ref.Name)
		}
	}
}

// findingChains is how many chains a report without an incident shows: where the first findings' objects hang, not a map of the cluster.
const findingChains = 3

// addFindings adds the chains of the first objects that findings name and that are part of one.
func (g *graph) addFindings(w *facts.World, findings []model.Finding) {
	chains := 0
	shown := map[model.Ref]bool{} // findings by the hundred can name the same objects by the hundred
	for _, f := range findings {
		for _, of := range f.Objects {
			if shown[of] || chains == findingChains {
				continue
			}
			shown[of] = true
			before := len(g.edges)
			switch of.Kind {
			case "Pod", "PersistentVolumeClaim":
				g.addChains(w, of)
			case "PersistentVolume":
				g.addVolumeChain(w, of.Name)
			case "VolumeAttachment":
				for n, a := range w.Attachments {
					if a.Ref.Name == of.Name {
						pv, _ := w.Attached(n)
						g.addVolumeChain(w, pv)
					}
				}
			}
			chains += b2i(len(g.edges) > before)
		}
	}
}

// addVolumeChain adds a volume with what hangs together with its claim, or, without one, its attachments alone.
func (g *graph) addVolumeChain(w *facts.World, name string) {
	if v := w.Volumes.Find(model.VolumeID{PersistentVolume: name}); v != nil && v.Claim.Name != "" {
		g.addClaimChain(w, v.Claim.Namespace, v.Claim.Name)
	} else if v != nil {
		g.addAttachments(w, v)
	}
}

// addPod adds a pod with its owner, its node, and what it uses.
func (g *graph) addPod(w *facts.World, p model.Object[*corev1.Pod]) {
	if g.again(p.Ref) {
		return
	}
	id := g.add(p.Ref, true, podState(p.Value()))
	g.link(id, g.addNode(w, p.Value().Spec.NodeName, ""), "on")
	if owner := w.TopOwner(p); owner != p.Ref {
		g.addOwner(w, owner, id)
	}
	for _, name := range facts.ClaimsOf(p.Value()) {
		_, in := w.Claim(p.Ref.Namespace, name)
		g.link(id, g.add(claimRef(p.Ref.Namespace, name), in, ""), "uses")
	}
}

// addClaimChain adds a claim with all of its pods, its volume, and the volume's attachments with their nodes.
func (g *graph) addClaimChain(w *facts.World, namespace, name string) {
	ref := claimRef(namespace, name)
	if g.again(ref) {
		return
	}
	object, in := w.Claim(namespace, name)
	state, volume := "", ""
	if in {
		state, volume = string(object.Value().Status.Phase), object.Value().Spec.VolumeName
	}
	claim := g.add(ref, in, state)
	for _, p := range w.ClaimPods(namespace, name) {
		g.addPod(w, p)
	}
	v := w.Volumes.OfClaim(namespace, name)
	if v == nil && volume != "" {
		v = w.Volumes.Find(model.VolumeID{PersistentVolume: volume})
	}
	if v == nil || volume != "" && v.PersistentVolume != volume {
		if volume != "" {
			g.link(claim, g.add(model.Ref{Kind: "PersistentVolume", Name: volume}, false, ""), "bound to")
		}
		return
	}
	g.link(claim, g.addAttachments(w, v), "bound to")
}

// addAttachments adds a volume with its attachments and their nodes.
func (g *graph) addAttachments(w *facts.World, v *facts.Volume) string {
	id := g.addVolume(v)
	for _, a := range w.AttachmentsOf(v) {
		va := a.Value()
		state := words.If(!va.Status.Attached, "not ") + "attached"
		if va.DeletionTimestamp != nil {
			state = "being deleted"
		}
		at := g.add(model.Ref{Kind: "VolumeAttachment", Name: va.Name}, true, state)
		g.link(at, id, "attaches")
		g.link(at, g.addNode(w, va.Spec.NodeName, ""), "to node")
	}
	return id
}
