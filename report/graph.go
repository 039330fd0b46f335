package report

import (
	"fmt"

	"github.com/volpost/volpost/model"
)

// How much of a graph is drawn. A picture with more is a tangle, and Graphviz's time grows faster than its size.
const (
	graphIncidents = 8
	graphNodes     = 80
	graphEdges     = 240
)

// picture is the part of the object graph that one drawing shows. Note says what it leaves out.
type picture struct {
	Nodes []model.GraphNode
	Edges []model.GraphEdge
	Note  string
}

// pictureOf draws the objects around each of the incidents; without incident, the whole graph.
func (v *view) pictureOf(incidents []*incidentView) picture {
	keep := map[string]bool{}
	note := ""
	if len(incidents) == 0 {
		for _, n := range v.Graph.Nodes {
			keep[n.ID] = true
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
func (v *view) cut(keep map[string]bool, note string) picture {
	p := picture{Note: note}
	drawn, left := map[string]bool{}, 0
	for _, n := range v.Graph.Nodes {
		switch {
		case !keep[n.ID] || drawn[n.ID]:
		case len(p.Nodes) == graphNodes:
			left++
		default:
			drawn[n.ID] = true
			p.Nodes = append(p.Nodes, n)
		}
	}
	leftEdges := 0
	for _, e := range v.Graph.Edges {
		switch {
		case !drawn[e.From] || !drawn[e.To]:
		case len(p.Edges) == graphEdges:
			leftEdges++
		default:
			p.Edges = append(p.Edges, e)
		}
	}
	if left+leftEdges > 0 {
		p.Note += fmt.Sprintf(" %s and %s are left out of the drawing.", count(left, "object"), count(leftEdges, "relation"))
	}
	return p
}

// reach adds the objects around an incident's volume to keep: its claim and attachments, their pods and nodes, the pods'
// owners. It walks away from the volume only, so that one node does not pull in every other volume that it holds.
func (v *view) reach(in *incidentView, keep map[string]bool) {
	level := map[string]int{}
	kind := map[string]string{}
	var queue []string
	for _, n := range v.Graph.Nodes {
		level[n.ID], kind[n.ID] = distance(n.Kind), n.Kind
		if concerns(in, n) && !keep[n.ID] {
			keep[n.ID] = true
		}
		if keep[n.ID] && concerns(in, n) {
			queue = append(queue, n.ID)
		}
	}
	next := map[string][]string{}
	for _, e := range v.Graph.Edges {
		next[e.From] = append(next[e.From], e.To)
		next[e.To] = append(next[e.To], e.From)
	}
	seen := map[string]bool{}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		for _, to := range next[id] {
			if away(kind[id], kind[to], level[id], level[to]) {
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
func away(from, to string, fromLevel, toLevel int) bool {
	if fromLevel == 3 && toLevel == 3 {
		return from != "Node" && to != "Node"
	}
	return toLevel > fromLevel && !(from == "VolumeAttachment" && to == "Pod")
}

// concerns reports whether an object is named by the incident itself.
func concerns(in *incidentView, n model.GraphNode) bool {
	switch n.Kind {
	case "PersistentVolume":
		return n.Name != "" && n.Name == in.Volume.PersistentVolume
	case "VolumeAttachment":
		return in.BlockingAttachment.Name != nil && n.Name == *in.BlockingAttachment.Name
	case "Node":
		return n.Name != "" && (n.Name == in.From.Node || n.Name == in.To.Node)
	}
	ref := model.Ref{Kind: n.Kind, Namespace: n.Namespace, Name: n.Name, UID: n.UID}
	if c := in.Volume.Claim; c != nil && c.Is(ref) {
		return true
	}
	for _, pods := range [][]model.Ref{in.From.Pods, in.To.Pods} {
		for _, p := range pods {
			if p.Is(ref) {
				return true
			}
		}
	}
	return false
}
