package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// How much of a graph is drawn. A picture with more is a tangle, and Graphviz's time grows faster than its size.
const (
	graphIncidents = 8
	GraphNodes     = 80
	GraphEdges     = 240
)

// Picture is the part of the object graph that one drawing shows. Note says what it leaves out.
type Picture struct {
	Nodes []model.GraphNode
	Edges []model.GraphEdge
	Note  string
	Links map[string]string // object's id → anchor that its drawing leads to; for lookup only
}

// PictureInZone draws the objects around all incidents, with the zone of their times if it is not UTC.
func (v *View) PictureInZone() Picture {
	p := v.PictureOf(v.Incident)
	if v.Walls != nil {
		p.Note += " " + v.Times()
	}
	return p
}

// ChainPicture draws the objects of a chain.
func ChainPicture(c *model.Chain) Picture {
	p := New(&model.Report{Graph: c.Graph}).PictureOf(nil)
	for _, problem := range c.Problems {
		p.Note += " " + words.Capital(problem.Message) + "."
	}
	return p
}

// DrawsFindings says that the graph is of the findings' objects: there is no incident, and two objects at least hang together.
func (v *View) DrawsFindings() bool {
	return len(v.Incident) == 0 && len(v.Findings) > 0 && len(v.Graph.Edges) > 0
}

// FindingsTree is that graph for a terminal: generated names are shortened, so that its lines are not wider than a screen.
func (v *View) FindingsTree() []string {
	if !v.DrawsFindings() {
		return nil
	}
	g := model.Graph{Nodes: slices.Clone(v.Graph.Nodes), Edges: v.Graph.Edges}
	for i := range g.Nodes {
		if g.Nodes[i].Kind == "VolumeAttachment" || g.Nodes[i].Kind == "PersistentVolume" {
			g.Nodes[i].Name = ShortID(g.Nodes[i].Name)
		}
	}
	return strings.Split(strings.TrimSuffix(Tree(g), "\n"), "\n")
}

// PictureOf draws the objects around each of the incidents; without incident, the whole graph.
func (v *View) PictureOf(incidents []*IncidentView) Picture {
	keep := map[int]bool{}
	note := ""
	if len(incidents) == 0 {
		for _, i := range v.graphIndex().place {
			keep[i] = true
		}
	}
	for i, in := range incidents {
		if i == graphIncidents {
			note = fmt.Sprintf("The first %d of %d incidents are drawn.", i, len(incidents))
			break
		}
		v.reach(in, keep)
	}
	return v.cut(keep, note)
}

// cut takes the kept objects and the relations between them, in the report's order and up to the limits.
func (v *View) cut(keep map[int]bool, note string) Picture {
	p, index := Picture{Note: note}, v.graphIndex()
	kept := slices.Sorted(maps.Keys(keep))
	drawn := map[int]bool{}
	for _, i := range kept[:min(len(kept), GraphNodes)] {
		drawn[i] = true
		p.Nodes = append(p.Nodes, v.Graph.Nodes[i])
	}
	relations := map[int]bool{}
	for i := range drawn {
		if v.Graph.Nodes[i].Kind == "Node" {
			continue // no relation has two nodes
		}
		for _, e := range index.edges[i] {
			if drawn[index.ends[e][0]] && drawn[index.ends[e][1]] {
				relations[e] = true
			}
		}
	}
	list := slices.Sorted(maps.Keys(relations))
	p.Edges = Each(list[:min(len(list), GraphEdges)], func(e int) model.GraphEdge { return v.Graph.Edges[e] })
	if left, leftEdges := len(kept)-len(p.Nodes), len(list)-len(p.Edges); left+leftEdges > 0 {
		p.Note += fmt.Sprintf(" %s and %s are left out of the drawing.", words.Count(left, "object"), words.Count(leftEdges, "relation"))
	}
	return p
}

// reach adds the objects around an incident's volume. It walks away from the volume, so that a node does not pull in all its others.
func (v *View) reach(in *IncidentView, keep map[int]bool) {
	index := v.graphIndex()
	queue := index.concerned(v, in)
	for _, i := range queue {
		keep[i] = true
	}
	seen := map[int]bool{}
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		if seen[from] {
			continue
		}
		seen[from] = true
		if v.Graph.Nodes[from].Kind == "Node" {
			continue // nothing lies beyond, and it can have thousands of relations
		}
		for _, e := range index.edges[from] {
			to := index.ends[e][0] + index.ends[e][1] - from
			if other := v.Graph.Nodes[to]; other.Kind == "Pod" && other.State == "gone" && !keep[to] {
				continue // of another wait
			}
			if away(v.Graph.Nodes[from].Kind, v.Graph.Nodes[to].Kind) {
				keep[to] = true
				queue = append(queue, to)
			}
		}
	}
}

// distance of a kind from the volume.
func distance(kind string) int {
	switch kind {
	case "PersistentVolume":
		return 0
	case "PersistentVolumeClaim", "VolumeAttachment":
		return 1
	case "Pod":
		return 2
	}
	return 3
}

// away reports whether a relation leads away from the volume, or from an owner to the owner's owner.
func away(from, to string) bool {
	fromLevel, toLevel := distance(from), distance(to)
	if fromLevel == 3 && toLevel == 3 {
		return from != "Node" && to != "Node"
	}
	return toLevel > fromLevel && !(from == "VolumeAttachment" && to == "Pod")
}

// Blocks reports whether an object is the attachment that keeps the volume, or kept it.
func Blocks(n model.GraphNode) bool {
	return n.Kind == "VolumeAttachment" && (n.State == blocking || strings.HasPrefix(n.State, blocked))
}

// StateText is an object's state in the picture; the blocker's stands out by its capitals.
func StateText(n model.GraphNode) string {
	if !Blocks(n) {
		return words.Shorten(words.OneLine(n.State), LabelColumns)
	}
	if n.State == blocking {
		return "BLOCKS THE VOLUME"
	}
	return "BLOCKED THE VOLUME" + words.Shorten(words.OneLine(strings.TrimPrefix(n.State, blocked)), LabelColumns)
}

// The states of the VolumeAttachment that keeps the volume, or that kept it; the second can go on with a time.
const (
	blocking = "blocking"
	blocked  = "blocked"
)

// LabelColumns is the longest name that is drawn in full; a VolumeAttachment's has 68 characters.
const LabelColumns = 30

// LayerKinds() are the kinds of objects from those that owners own to the node, as a drawing and a tree have them.
func LayerKinds() []string {
	return []string{"Pod", "PersistentVolumeClaim", "PersistentVolume", "VolumeAttachment", "Node"}
}

// graphIndex finds objects and relations: a cluster has tens of thousands, and each incident asks for a few.
type graphIndex struct {
	place map[string]int   // id → place in Graph.Nodes; of an id that comes twice, the first
	named map[string][]int // nameKey → places
	edges [][]int          // of each object the places of its relations in Graph.Edges
	ends  map[int][2]int   // of each relation whose both objects are known their places
}

// graphIndex makes the index when the first picture asks for it.
func (v *View) graphIndex() *graphIndex {
	if v.graph != nil {
		return v.graph
	}
	index := &graphIndex{place: map[string]int{}, named: map[string][]int{}, edges: make([][]int, len(v.Graph.Nodes)), ends: map[int][2]int{}}
	for i, n := range v.Graph.Nodes {
		if _, again := index.place[n.ID]; again {
			continue
		}
		index.place[n.ID] = i
		key := nameKey(n.Kind, n.Namespace, n.Name)
		index.named[key] = append(index.named[key], i)
	}
	for e, edge := range v.Graph.Edges {
		from, known := index.place[edge.From]
		to, both := index.place[edge.To]
		if !known || !both {
			continue
		}
		index.ends[e] = [2]int{from, to}
		index.edges[from] = append(index.edges[from], e)
		if to != from {
			index.edges[to] = append(index.edges[to], e)
		}
	}
	v.graph = index
	return index
}

// nameKey finds an object without its UID.
func nameKey(kind, namespace, name string) string { return kind + "\x00" + namespace + "\x00" + name }

// concerned are the objects that the incident itself names, in the report's order.
func (g *graphIndex) concerned(v *View, in *IncidentView) []int {
	var out []int
	add := func(r model.Ref) {
		if r.Name == "" {
			return
		}
		same := g.named[nameKey(r.Kind, r.Namespace, r.Name)]
		exact := slices.ContainsFunc(same, func(i int) bool { return v.Graph.Nodes[i].UID == r.UID })
		for _, i := range same {
			n := v.Graph.Nodes[i]
			if in.Cluster != "" && !strings.HasPrefix(n.ID, in.Cluster+"/") {
				continue // another cluster's, of the same name
			}
			if n.UID == r.UID || !exact && r.Is(model.Ref{Kind: n.Kind, Namespace: n.Namespace, Name: n.Name, UID: n.UID}) {
				out = append(out, i)
			}
		}
	}
	add(model.Ref{Kind: "PersistentVolume", Name: in.Volume.PersistentVolume})
	if name := in.BlockingAttachment.Name; name != nil {
		add(model.Ref{Kind: "VolumeAttachment", Name: *name})
	}
	add(model.Ref{Kind: "Node", Name: in.From.Node})
	add(model.Ref{Kind: "Node", Name: in.To.Node})
	if c := in.Volume.Claim; c != nil {
		add(*c)
	}
	for _, p := range slices.Concat(in.From.Pods, in.To.Pods) {
		add(p)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
