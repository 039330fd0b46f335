package film

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// Node is a node at an instant. What is nil was not reported by then.
type Node struct {
	Name  string
	Ready *Status   // Ready, NotReady or deleted
	Heard *Status   // when it was last heard of
	Marks []*Status // taints, and cordoned, in the words of the timeline without the node's name
}

// nodeAt folds what the first events report of a node.
func (f *Film) nodeAt(name string, happened int) Node {
	n := Node{Name: name}
	for e := range f.About(model.Ref{Kind: "Node", Name: name}, 0, happened) {
		switch e.Kind {
		case model.NodeReady:
			n.ready(e, "Ready")
		case model.NodeNotReady:
			n.ready(e, "NotReady")
		case model.NodeDeleted:
			n.Ready = e.status("deleted")
		case model.NodeHeartbeat:
			n.Heard = e.status("heard of")
		case model.NodeTainted, model.NodeCordoned:
			n.mark(e)
		case model.NodeOutOfService:
			n.outOfService(e)
		case model.NodeUntainted, model.NodeUncordoned:
			n.unmark(e)
		}
	}
	return n
}

// ready keeps the beginning of a state that is reported several times.
func (n *Node) ready(e *Event, word string) {
	if n.Ready == nil || n.Ready.Word != word {
		n.Ready = e.status(word)
	}
}

func (n *Node) mark(e *Event) {
	word := strings.TrimPrefix(e.Text, "Node "+n.Name+" is ")
	word = strings.TrimPrefix(word, "Node "+n.Name+" was ")
	if !slices.ContainsFunc(n.Marks, func(m *Status) bool { return m.Word == word }) {
		n.Marks = append(n.Marks, e.status(word))
	}
}

// outOfService takes the controller's word for the taint, unless the taint itself was reported.
func (n *Node) outOfService(e *Event) {
	if !slices.ContainsFunc(n.Marks, func(m *Status) bool { return strings.Contains(m.Word, "out-of-service") }) {
		n.Marks = append(n.Marks, e.status("tainted out-of-service"))
	}
}

// unmark takes away what an event says is gone: it names the taint, or it is the cordon.
func (n *Node) unmark(e *Event) {
	n.Marks = slices.DeleteFunc(n.Marks, func(m *Status) bool {
		taint, isTaint := strings.CutPrefix(m.Word, "tainted ")
		taint, _, _ = strings.Cut(taint, " ") // who set it
		return e.Kind == model.NodeUncordoned && !isTaint || e.Kind == model.NodeUntainted && isTaint && strings.Contains(e.Text, taint)
	})
}
