package analyze

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
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

func graphOf(cases []*wait.Case) model.Graph {
	g := newGraph()
	for _, c := range cases {
		g.addCase(c)
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

func (g *graph) addCase(c *wait.Case) {
	volume := g.addVolume(c.Volume)
	claim := g.addClaim(c, c.Volume, volume)
	from, to := g.addNode(c.World, c.From, words.If(c.NodeGone.Known(), "deleted")), g.addNode(c.World, c.To, "")
	if c.Attachment.Name != "" {
		a := g.add(model.Ref{Kind: "VolumeAttachment", Name: c.Attachment.Name}, c.Attachment.Object != nil, blockerState(c))
		g.link(a, g.attached(c, c.Attachment, volume), "attaches")
		g.link(a, from, "to node")
	}
	if next := c.NewAttachmentName(); next.Name != "" && c.NewAttachment.Known() {
		a := g.add(model.Ref{Kind: "VolumeAttachment", Name: next.Name}, next.Object != nil, attachedState(c))
		g.link(a, g.attached(c, next, volume), "attaches")
		g.link(a, to, "to node")
	}
	g.addPods(c, c.OldPods, c.NewPods, claim, from)
	g.addPods(c, c.NewPods, nil, claim, to)
}

func (g *graph) addVolume(v *facts.Volume) string {
	return g.add(model.Ref{Kind: "PersistentVolume", Name: volumeName(v.VolumeID)}, v.PV != nil, "")
}

// attached is the PersistentVolume that an attachment names: of a shared handle it may be another than the case's.
func (g *graph) attached(c *wait.Case, a wait.Attachment, volume string) string {
	if a.Object == nil || a.Object.Value().Spec.Source.PersistentVolumeName == nil {
		if c.Volume.SharesHandle() {
			return ""
		}
		return volume
	}
	name := *a.Object.Value().Spec.Source.PersistentVolumeName
	for _, v := range c.Volume.Same() {
		if v != c.Volume && v.PersistentVolume == name {
			return g.addVolume(v)
		}
	}
	return volume
}

func (g *graph) addClaim(c *wait.Case, v *facts.Volume, volume string) string {
	if v.Claim.Name == "" {
		return ""
	}
	_, in := c.World.Claim(v.Claim.Namespace, v.Claim.Name)
	ref := v.Claim
	ref.Kind, ref.UID = "PersistentVolumeClaim", ""
	claim := g.add(ref, in, "")
	g.link(claim, volume, "bound to")
	return claim
}

// addNode adds a node, in a state that it is in without an object.
func (g *graph) addNode(w *facts.World, name, state string) string {
	if name == "" {
		return ""
	}
	node, ok := w.Node(name)
	if ok {
		state = nodeState(node.Value())
	}
	return g.add(nodeRef(name), ok, state)
}

func nodeRef(name string) model.Ref { return model.Ref{Kind: "Node", Name: name} }

func nodeState(n *corev1.Node) string {
	for _, cond := range n.Status.Conditions {
		if cond.Type == corev1.NodeReady && cond.Status != corev1.ConditionTrue {
			return "NotReady"
		}
	}
	return "Ready"
}

// addPods adds the pods of one side. An old pod of which no UID is known is not the object that a later pod of its name has.
func (g *graph) addPods(c *wait.Case, pods, later []model.Ref, claim, node string) {
	for _, p := range pods {
		obj, ok := c.World.Pod(p)
		ok = ok && (p.UID != "" || !slices.ContainsFunc(later, obj.Ref.Is))
		state := words.If(c.World.Listed("Pod", p.Namespace), "gone")
		if ok {
			p = obj.Ref
			state = podState(obj.Value())
		}
		id, uses := g.add(p, ok, state), claim
		if other := c.OtherVolumeOf(p); other != nil {
			uses = g.addClaim(c, other, g.addVolume(other))
		}
		g.link(id, uses, "uses")
		g.link(id, node, "on")
		if owner, ok := c.OwnerOf(p); ok {
			owner.UID = ""
			g.link(g.add(owner, workloadHeld(c.World.Snapshot, owner), ""), id, "owns")
		}
	}
}

func podState(p *corev1.Pod) string {
	if p.DeletionTimestamp != nil {
		return "Terminating"
	}
	for _, cond := range p.Status.Conditions {
		if cond.Type == corev1.PodReady && cond.Status == corev1.ConditionTrue {
			return "Ready"
		}
	}
	return string(p.Status.Phase)
}

func workloadHeld(s *model.Snapshot, owner model.Ref) bool {
	switch owner.Kind {
	case "Deployment":
		return holds(s.Deployments, owner)
	case "StatefulSet":
		return holds(s.StatefulSets, owner)
	case "ReplicaSet":
		return holds(s.ReplicaSets, owner)
	case "DaemonSet":
		return holds(s.DaemonSets, owner)
	case "Job":
		return holds(s.Jobs, owner)
	}
	return false
}

func holds[T any](list []model.Object[T], ref model.Ref) bool {
	return slices.ContainsFunc(list, func(o model.Object[T]) bool { return o.Ref.Is(ref) })
}

func blockerState(c *wait.Case) string {
	if c.Gone.Known() {
		return "blocked until " + model.TimeOfDay(c.Gone.At)
	}
	if c.Resolved() {
		return "blocked"
	}
	return "blocking"
}

func attachedState(c *wait.Case) string {
	if c.Attached.Known() {
		return "attached " + model.TimeOfDay(c.Attached.At)
	}
	return "not attached"
}
