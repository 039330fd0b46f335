package lanes

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// nodes are the lanes of the node that had the volume, and of the one that wants it.
func nodes(c *wait.Case) []*Lane {
	var out []*Lane
	add := func(name string, role model.LaneRole) {
		told := slices.DeleteFunc(toldOf(c.World, c.World.ByNode[name]), func(o *model.Observation) bool { return !slices.Contains(nodeKinds, o.Kind) })
		l := node(name, undated(c.World, told))
		l.Role = role
		if role == model.RoleOldNode {
			l.weighed(c)
		}
		out = append(out, l)
	}
	if c.From != "" {
		add(c.From, model.RoleOldNode)
	}
	if c.To != "" && c.To != c.From {
		add(c.To, model.RoleNewNode)
	}
	return out
}

// weighed takes the case's own moments of the loss, which were weighed from all sources and which the phases have.
func (l *Lane) weighed(c *wait.Case) {
	const near = 15 * time.Second
	for i := range l.States {
		s := &l.States[i]
		for word, own := range map[model.StateWord]facts.Instant{model.StateSilent: c.Heartbeat, model.StateNotReady: c.NotReady} {
			first := i == 0 || l.States[i-1].Word != word
			after := i == 0 || !own.At.Before(l.States[i-1].From.At)
			meets := after && s.From.At.Sub(own.At).Abs() < near
			if s.Word == word && first && meets {
				basis := s.From.Basis
				s.From = own
				s.From.Basis = own.Basis.Weaker(basis)
			}
		}
	}
	for i := range len(l.States) - 1 {
		l.States[i].To = facts.Instant{} // where the next one begins
	}
	l.close()
}

// nodeKinds are the kinds that tell a state of a node.
var nodeKinds = []model.Kind{model.NodeReady, model.NodeNotReady, model.NodeDeleted, model.NodeHeartbeat, model.NodeTainted, model.NodeCordoned,
	model.NodeOutOfService, model.NodeUntainted, model.NodeUncordoned}

// nodeNow is what is told of a node.
type nodeNow struct {
	ready model.StateWord // Ready, NotReady, deleted, or "" where nothing tells
	beat  facts.Instant
	marks []string
}

// node folds what is stated of a node.
func node(name string, told []*model.Observation) *Lane {
	l := &Lane{Object: model.Ref{Kind: "Node", Name: name}}
	var now nodeNow
	for _, o := range told {
		if o.Node == name && now.take(l, o) {
			l.say(now.state(wait.At(o)))
		}
	}
	return l
}

// take reports that a statement changes what is told of the node.
func (n *nodeNow) take(l *Lane, o *model.Observation) bool {
	switch o.Kind {
	case model.NodeReady:
		n.ready, n.beat = model.StateReady, facts.Instant{}
	case model.NodeNotReady:
		n.fallSilent(l)
		n.ready, n.beat = model.StateNotReady, facts.Instant{}
	case model.NodeDeleted:
		n.ready, n.marks = model.StateDeleted, nil
	case model.NodeHeartbeat:
		n.beat = wait.At(o)
		return n.ready == ""
	case model.NodeTainted:
		n.mark("tainted " + o.Detail)
	case model.NodeCordoned:
		n.mark("cordoned")
	case model.NodeOutOfService:
		if !n.outOfService() {
			n.mark("tainted out-of-service")
		}
	case model.NodeUntainted:
		n.marks = slices.DeleteFunc(slices.Clone(n.marks), func(m string) bool {
			taint, is := strings.CutPrefix(m, "tainted ")
			return is && strings.Contains(o.Detail, taint)
		})
	case model.NodeUncordoned:
		n.marks = slices.DeleteFunc(slices.Clone(n.marks), func(m string) bool { return m == "cordoned" })
	default:
		return false
	}
	return true
}

func (n *nodeNow) mark(word string) {
	if !slices.Contains(n.marks, word) {
		n.marks = append(slices.Clip(n.marks), word)
	}
}

func (n *nodeNow) outOfService() bool {
	return slices.ContainsFunc(n.marks, func(m string) bool {
		return strings.Contains(m, upstream.OutOfServiceTaint) || m == "tainted out-of-service"
	})
}

// fallSilent dates a loss back to the last sign of life since the node changed, after which its object said Ready still.
func (n *nodeNow) fallSilent(l *Lane) {
	if n.ready == model.StateNotReady || !n.beat.Known() {
		return
	}
	l.during(n.beat, facts.Instant{}, model.StateSilent, model.StateReady, model.StateAlive)
	for i := range l.States {
		if s := &l.States[i]; s.Word == model.StateSilent && !s.From.At.Before(n.beat.At) {
			s.Reported, s.From.Basis = string(n.ready), s.From.Basis.Weaker(model.Derived) // the loss tells it afterwards
		}
	}
}

func (n *nodeNow) state(from facts.Instant) State {
	s := State{Word: n.ready, Marks: n.marks, From: from}
	switch {
	case n.ready == model.StateDeleted:
	case n.outOfService():
		s.Word, s.Reported = model.StateOutOfService, string(n.ready)
	case n.ready == "":
		s.Word = model.StateAlive
	}
	return s
}
