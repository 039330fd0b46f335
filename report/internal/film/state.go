package film

import (
	"slices"
	"sort"
	"time"

	"github.com/volpost/volpost/model"
)

// State is what the report says of an instant.
type State struct {
	At       time.Time
	Phase    int // index of the incident's phase; -1 before the first, their number after the last
	Happened int // Events[:Happened] happened at the instant or before

	Holder      Holder
	Nodes       []Node // the old one, then the new one, as far as they are known
	Pods        []Pod  // the old ones, then the new ones
	Attachments []Attachment
	Waits       bool    // Multi-Attach was reported, and the volume is not attached where it is wanted
	Thinks      []Think // what the controller had to go by; empty while it had nothing to decide
	Timer       Timer
}

// Status is something that is so, since when, and its evidence.
type Status struct {
	Word     string // such as Ready or Terminating
	Since    model.Moment
	Evidence []string
}

// Holder is the node that has the volume, as Kubernetes had it; the storage back end may know better.
type Holder struct {
	Known bool
	Node  string // "" when no node has it
}

// At is the state at an instant.
func (f *Film) At(t time.Time) State {
	if t.After(f.To) {
		t = f.To
	}
	s := State{At: t, Phase: f.phaseAt(t)}
	s.Happened = sort.Search(len(f.Events), func(i int) bool { return f.Events[i].At.At.After(t) })
	if t.Equal(f.To) {
		s.Happened = len(f.Events) // the end is known no more exactly
	}
	s.Waits = f.waits(t)
	s.Attachments = f.attachmentsAt(t, s.Happened)
	s.Holder = f.holder(t, s.Happened, s.Attachments)
	for _, name := range f.nodes {
		s.Nodes = append(s.Nodes, f.nodeAt(name, s.Happened))
	}
	s.Pods = f.podsAt(t, s.Happened, s.Waits)
	if s.Waits || f.early() && !t.Before(f.Zero) {
		s.Thinks = thinks(f.Incident.WhyNotDetached, t)
	}
	s.Timer = f.timer(t, s.Happened)
	return s
}

// phaseAt is the incident's phase at an instant: an incident that was open at the collection stays in its last one.
func (f *Film) phaseAt(t time.Time) int {
	i := PhaseAt(f.Incident.Phases, t)
	if i == len(f.Incident.Phases) && f.Incident.Span.Open {
		return i - 1
	}
	return i
}

// waits reports whether the volume is wanted on the new node and has been refused there.
func (f *Film) waits(t time.Time) bool {
	m := f.Incident.MultiAttach
	if t.Before(m.Began.At) || f.early() {
		return false
	}
	if m.Ended != nil {
		return t.Before(m.Ended.At)
	}
	return f.Incident.Span.Open // else the demand ended at an unknown time
}

// early reports that the film ends before an attach was requested.
func (f *Film) early() bool { return f.Incident.Kind == model.KindBeforeMultiAttach }

func (e *Event) status(word string) *Status { return &Status{word, e.At, e.Evidence} }

// about reports whether an event names an object of a kind.
func (e *Event) about(kind, name string) bool {
	return slices.ContainsFunc(e.About, func(r model.Ref) bool { return r.Kind == kind && r.Name == name })
}
