package view

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// graphIndex finds objects and relations of the report's graph. A cluster has tens of thousands, and each incident asks for
// a few.
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
		for _, i := range g.named[nameKey(r.Kind, r.Namespace, r.Name)] {
			n := v.Graph.Nodes[i]
			if r.Is(model.Ref{Kind: n.Kind, Namespace: n.Namespace, Name: n.Name, UID: n.UID}) {
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
