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

	Holder  Holder
	Objects []Object // in the order of the incident's lanes
	Waits   bool     // Multi-Attach was reported, and the volume is not attached where it is wanted
	Freed   bool     // the old pods do not count as users of the volume any more
	Thinks  []Think  // what the controller had to go by; empty while it had nothing to decide
	Timer   Timer
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
	s.Objects = f.objectsAt(t)
	s.Holder = f.holder(s)
	s.Freed = f.freed(t)
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

// about reports whether an event names an object of a kind.
func (e *Event) about(kind, name string) bool {
	return slices.ContainsFunc(e.About, func(r model.Ref) bool { return r.Kind == kind && r.Name == name })
}
