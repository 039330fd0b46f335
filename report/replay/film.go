package replay

import (
	"slices"
	"sort"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// film is one incident: at answers its state at an instant, and for one after To as for To. It concludes nothing: a state is that of the
// object's lane, else unknown. A moment counts from its best estimate, and each state carries the moment since when it holds.
type film struct {
	Incident *model.Incident
	Zero     time.Time    // T+0, the first Multi-Attach report, or what the incident's kind has in its place, or model.T
	From, To time.Time    // the stretch that the phases tile
	First    time.Time    // of the earliest event, or From: what came before the incident can be shown, too
	Events   []*view.Told // of this incident, ordered by time; none is later than To, where another story begins
}

func newFilm(r *model.Report, in *model.Incident) *film {
	f := &film{Incident: in, Zero: in.Zero(), From: in.Span.From.At}
	if f.From.IsZero() {
		f.From = f.Zero
	}
	f.To = model.Later(f.From, in.Span.To.At)
	f.First, f.Events = f.From, events(r.Timeline, in.ID, model.Later(f.To, in.Span.To.Latest))
	if len(f.Events) > 0 {
		f.First = model.Earlier(f.First, f.Events[0].At.At)
	}
	return f
}

// phaseAt is the index of the phase at an instant: -1 before the first, their number after the last. Empty phases are skipped.
func phaseAt(phases []model.Phase, t time.Time) int {
	for i, p := range phases {
		if t.Before(p.From.At) {
			return i - 1
		}
		if t.Before(p.To.At) {
			return i
		}
	}
	if len(phases) == 0 {
		return -1
	}
	return len(phases)
}

// state is what the report says of an instant.
type state struct {
	At       time.Time
	Phase    int // index of the incident's phase; -1 before the first, their number after the last
	Happened int // Events[:Happened] happened at the instant or before

	Holder  holder
	Objects []object        // in the order of the incident's lanes
	Waits   bool            // Multi-Attach was reported, and the volume is not attached where it is wanted
	Thinks  []model.Operand // what the controller had to go by, with the values of that instant; empty while it had nothing to decide
	Timer   timer
}

// object is an object of the incident at an instant, as its lane has it.
type object struct {
	*model.Lane
	State *model.LaneState // nil where nothing tells
	Word  string           // what it is called, "" where nothing tells, and how that looks
	Look  view.Look
	Since *model.Moment // since when it is called so; nil where that is not told
	Early bool          // it is not there yet
}

// holder is the node that has the volume, as Kubernetes had it; the storage back end may know better.
type holder struct {
	Known bool
	Node  string // "" when no node has it
}

func (f *film) at(t time.Time) state {
	t = model.Earlier(t, f.To)
	s := state{At: t, Phase: f.phaseAt(t), Waits: f.waits(t), Objects: f.objectsAt(t)}
	s.Happened = sort.Search(len(f.Events), func(i int) bool { return f.Events[i].At.At.After(t) })
	if t.Equal(f.To) {
		s.Happened = len(f.Events) // the end is known no more exactly
	}
	s.Holder = f.holder(s)
	if s.Waits || f.early() && !t.Before(f.Zero) {
		s.Thinks = thinks(f.Incident.WhyNotDetached, t)
	}
	s.Timer = f.timer(t, s.Happened)
	return s
}

// phaseAt is the incident's phase at an instant: an incident that was open at the collection stays in its last one.
func (f *film) phaseAt(t time.Time) int {
	i := phaseAt(f.Incident.Phases, t)
	if i == len(f.Incident.Phases) && f.Incident.Span.Open {
		return i - 1
	}
	return i
}

// waits reports whether the volume is wanted on the new node and has been refused there.
func (f *film) waits(t time.Time) bool {
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
func (f *film) early() bool { return f.Incident.Kind == model.KindBeforeMultiAttach }

func (f *film) objectsAt(t time.Time) []object {
	if t.Equal(f.To) {
		t = model.Later(t, f.Incident.Span.To.Latest) // the end is known no more exactly
	}
	out := make([]object, 0, len(f.Incident.Lanes))
	for i := range f.Incident.Lanes {
		l := &f.Incident.Lanes[i]
		o := object{Lane: l, Early: l.Early(t)}
		if n := l.At(t); n >= 0 {
			o.State, o.Since = &l.States[n], l.States[n].From
			o.Word, o.Look = view.StateWord(f.Incident, l, n)
			for ; n > 0; n-- {
				if before, _ := view.StateWord(f.Incident, l, n-1); before != o.Word {
					break
				}
				o.Since = l.States[n-1].From
			}
		}
		out = append(out, o)
	}
	return out
}

// of are the objects of some roles.
func (s state) of(roles ...model.LaneRole) []object {
	return slices.DeleteFunc(slices.Clone(s.Objects), func(o object) bool { return !slices.Contains(roles, o.Role) })
}

// holder is the node with the volume: the new one once it is attached there, else the old one until its attachment is gone.
func (f *film) holder(s state) holder {
	ended := f.Incident.MultiAttach.Ended
	over := ended != nil && !s.At.Before(ended.At)
	for _, o := range s.of(model.RoleAttachment) {
		attached := o.State != nil && o.State.Word == model.StateAttached
		if over && o.Node == f.Incident.To.Node && attached {
			return holder{Known: true, Node: o.Node}
		}
	}
	blocking := s.of(model.RoleBlocking)
	if len(blocking) == 0 || blocking[0].State == nil {
		return holder{}
	}
	if blocking[0].State.Word == model.StateGone {
		return holder{Known: true}
	}
	return holder{Known: blocking[0].Node != "", Node: blocking[0].Node}
}

// settings are what a process says of itself at its start: the report's other parts have them.
var settings = []model.Kind{model.ProcessFlag, model.ProcessVersion, model.LeaderWaiting}

// events are the facts of a timeline that belong to an incident and are not later than its end.
func events(timeline []model.TimelineItem, incident string, end time.Time) []*view.Told {
	return slices.DeleteFunc(view.Happenings(timeline), func(f *view.Told) bool {
		return !slices.Contains(f.Incidents, incident) || slices.Contains(settings, f.Kind) || f.At.At.After(end)
	})
}
