// Package lanes says what each object of an incident was over time: it folds what the sources state into states of a closed vocabulary,
// each with its moment and its witnesses. Who asks for the state of an object at an instant reads a lane, and works out none of his own.
package lanes

import (
	"cmp"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// Lane is an object over time.
type Lane struct {
	Object model.Ref
	Role   model.LaneRole
	Node   string
	States []State
}

// State is what an object was. An unknown From is before anything that is known; an unknown To is not told.
type State struct {
	Word     model.StateWord
	Reported string
	Marks    []string
	From, To facts.Instant
}

// MostPods is how many pods of each side have a lane: what more of them wait for is the same.
const MostPods = 16

// Of makes the lanes of a case, in the order of their roles.
func Of(c *wait.Case) []*Lane {
	told := toldOf(c.World, c.Story())
	out := nodes(c)
	pods := pods(c, told)
	of := func(role model.LaneRole) {
		for _, l := range pods {
			if l.Role == role {
				out = append(out, l)
			}
		}
	}
	of(model.RoleOldPod)
	out = append(out, attachments(c, told)...)
	out = append(out, bound(c)...)
	of(model.RoleNewPod)
	out = append(out, leaders(c)...)
	for _, l := range out {
		l.close()
	}
	return slices.DeleteFunc(out, func(l *Lane) bool {
		return len(l.States) == 0 && (l.Role == model.RoleAttachment || l.Role == model.RoleController)
	})
}

// toldOf are statements in the order of time, but for those that have nothing to show. A row without a time tells a state of when it was printed.
func toldOf(w *facts.World, all []*model.Observation) []*model.Observation {
	var out []*model.Observation
	for _, o := range all {
		if o.Quote.Text == "" {
			continue
		}
		if o = dated(w, o); o != nil {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, (*model.Observation).Compare)
	return out
}

// dated is a statement with a time: of one without, that of the collection; nil where nothing tells it.
func dated(w *facts.World, o *model.Observation) *model.Observation {
	if at := w.Axis.CapturedAt; o.At.IsZero() {
		if at == nil {
			return nil
		}
		shown := *o
		shown.At, shown.Last = *at, *at
		return &shown
	}
	return o
}

// undated drops the rows without a time where others tell the same with one: which of them is newer is not known.
func undated(w *facts.World, told []*model.Observation) []*model.Observation {
	row := func(o *model.Observation) bool { return isRow(w, o) }
	if i := slices.IndexFunc(told, row); i < 0 || !slices.ContainsFunc(told, func(o *model.Observation) bool { return !row(o) }) {
		return told
	}
	return slices.DeleteFunc(told, row)
}

// isRow reports that a statement is of a pasted text without a time, so that it has that of the collection.
func isRow(w *facts.World, o *model.Observation) bool {
	return o.Source.Kind == model.SourceText && isShown(w, o)
}

// isShown reports that a statement has the time of the collection: since when it is so is not told.
func isShown(w *facts.World, o *model.Observation) bool {
	return w.Axis.CapturedAt != nil && o.At.At.Equal(w.Axis.CapturedAt.At)
}

// oneFact is how far apart two sources put one fact: events are cut to a second.
const oneFact = time.Second

// say adds what is so from an instant on. What repeats the state before is a witness of it within a second, and says nothing new later.
func (l *Lane) say(s State) {
	n := len(l.States) - 1
	if n < 0 || !l.States[n].same(s) {
		l.States = append(l.States, s)
		return
	}
	if last := &l.States[n]; s.From.Earliest.Sub(last.From.Latest) <= oneFact {
		last.From = narrower(last.From, s.From)
	}
}

func (s State) same(o State) bool {
	return s.Word == o.Word && s.Reported == o.Reported && slices.Equal(s.Marks, o.Marks)
}

// narrower is the more exact of two instants of one fact, with the witnesses of both.
func narrower(a, b facts.Instant) facts.Instant {
	if b.Latest.Sub(b.Earliest) < a.Latest.Sub(a.Earliest) {
		a, b = b, a
	}
	a.Witness = append(slices.Clip(a.Witness), b.Witness...)
	return a
}

// Last is the newest state; the zero State where none is told.
func (l *Lane) Last() State {
	if len(l.States) == 0 {
		return State{}
	}
	return l.States[len(l.States)-1]
}

// during gives the states of some words another one between two instants. An unknown end is the end of what is known.
func (l *Lane) during(from, to facts.Instant, word model.StateWord, of ...model.StateWord) {
	var out []State
	add := func(s State) {
		if !s.To.Known() || !s.From.Known() || !s.To.At.Before(s.From.At) {
			out = append(out, s)
		}
	}
	l.close()
	for _, s := range l.States {
		begins := s.From.Known() && !s.From.At.Before(from.At)
		earlier := s.To.Known() && !s.To.At.After(from.At)
		later := to.Known() && begins && !s.From.At.Before(to.At)
		if !slices.Contains(of, s.Word) || earlier || later {
			out = append(out, s)
			continue
		}
		in := s
		in.Word, in.Reported = word, cmp.Or(s.Reported, string(s.Word))
		if !begins {
			before := s
			before.To, in.From = from, from
			add(before)
		}
		if to.Known() && (!s.To.Known() || s.To.At.After(to.At)) {
			in.To = to
			add(in)
			s.From = to
			add(s)
			continue
		}
		add(in)
	}
	l.States = out
}

// close ends each state where the next one begins.
func (l *Lane) close() {
	slices.SortStableFunc(l.States, func(a, b State) int { return a.From.At.Compare(b.From.At) })
	for i := range len(l.States) - 1 {
		s, next := &l.States[i], l.States[i+1].From
		if !s.To.Known() || next.Known() && s.To.At.After(next.At) {
			s.To = next
		}
	}
}

// Written are lanes as a report has them.
func Written(lanes []*Lane, l *evidence.Ledger) []model.Lane {
	out := make([]model.Lane, 0, len(lanes))
	for _, lane := range lanes {
		w := model.Lane{Object: lane.Object, Role: lane.Role, Node: lane.Node, States: make([]model.LaneState, 0, len(lane.States))}
		for _, s := range lane.States {
			w.States = append(w.States, model.LaneState{
				Word: s.Word, Reported: s.Reported, Marks: s.Marks, From: moment(s.From), To: moment(s.To),
				Basis: cmp.Or(s.From.Basis, model.Derived), Evidence: l.Observations(s.From.Witness),
			})
		}
		out = append(out, w)
	}
	return out
}

func moment(i facts.Instant) *model.Moment {
	if !i.Known() {
		return nil
	}
	m := i.Moment
	m.Evidence = nil // the state has it
	return &m
}

// reported is a state that has another name with its sources.
func reported(word model.StateWord, name string, from facts.Instant) State {
	if name == string(word) {
		name = ""
	}
	return State{Word: word, Reported: name, From: from}
}
