package reconstruct

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// Told is the first sentence in which an author says a thing that nothing in the evidence contradicts; nil for none. Of a node it has to be
// the one that held the volume, as far as either is named, and one that is not shown as Ready.
func (c *Case) Told(what string) *model.Observation {
	return find(c.World.byKind[model.AuthorSaid], func(o *model.Observation) bool {
		return strings.HasPrefix(o.Detail, what+": ") && (!ofNode(what) || c.mayBeHolder(o.Node) && !c.shownReady(o.Node, what))
	})
}

// Sentence is what an author wrote.
func Sentence(o *model.Observation) string {
	_, text, _ := strings.Cut(o.Detail, ": ")
	return text
}

// ofNode reports that a thing is said of the node that held the volume.
func ofNode(what string) bool {
	return slices.Contains([]string{model.SaidNodeOff, model.SaidNodeRemoved, model.SaidNodeReclaimed, model.SaidKubeletStopped}, what)
}

// mayBeHolder reports that a node that an author names may be the one that held the volume.
func (c *Case) mayBeHolder(node string) bool {
	return node == "" || !alikeName(node, c.To) && (c.From == "" || alikeName(node, c.From))
}

// alikeName reports that a person may mean a node by a name: it is its name, or a part of it.
func alikeName(said, node string) bool {
	return node != "" && (strings.EqualFold(said, node) || strings.HasPrefix(strings.ToLower(node), strings.ToLower(said)+"."))
}

// shownReady reports that the evidence shows the node as one that works, or the one that was removed as still there.
func (c *Case) shownReady(node, what string) bool {
	if c.From != "" {
		node = c.From
	}
	if node == "" {
		return false
	}
	_, there := c.World.Node(node)
	if r := c.World.Readiness(node); r.Known {
		return r.Ready
	}
	ready := last(c.World.byNode[node], window{}, kinds(model.NodeReady, model.NodeNotReady, model.NodeDeleted))
	return ready != nil && ready.Kind == model.NodeReady || there && what == model.SaidNodeRemoved
}
