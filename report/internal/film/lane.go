package film

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// Object is an object of the incident at an instant, as its lane has it.
type Object struct {
	*model.Lane
	State *model.LaneState // nil where nothing tells
	Since *model.Moment    // since when it is called so; nil where that is not told
	Early bool             // it is not there yet
}

// leftOut is how many pods of the incident have no lane.
func leftOut(in *model.Incident) int {
	all := map[model.Ref]bool{}
	for _, r := range slices.Concat(in.From.Pods, in.To.Pods) {
		all[r] = !slices.ContainsFunc(in.Lanes, func(l model.Lane) bool { return l.Object == r })
	}
	n := 0
	for _, out := range all {
		if out {
			n++
		}
	}
	return n
}

func (f *Film) objectsAt(t time.Time) []Object {
	if t.Equal(f.To) {
		t = model.Later(t, f.Incident.Span.To.Latest) // the end is known no more exactly
	}
	out := make([]Object, 0, len(f.Incident.Lanes))
	for i := range f.Incident.Lanes {
		l := &f.Incident.Lanes[i]
		o := Object{Lane: l, Early: Early(l, t)}
		if n := l.At(t); n >= 0 {
			o.State = &l.States[n]
			for n > 0 && Called(l.States[n-1]) == Called(*o.State) {
				n--
			}
			o.Since = l.States[n].From
		}
		out = append(out, o)
	}
	return out
}

// Early reports that an object is not there yet: its lane begins with its creation.
func Early(l *model.Lane, t time.Time) bool {
	return len(l.States) > 0 && l.States[0].Reported == "created" && t.Before(l.States[0].From.At)
}

// Called is a state as its sources have it.
func Called(s model.LaneState) string {
	if s.Reported != "" && s.Word != model.StateSilent {
		return s.Reported
	}
	return string(s.Word)
}

// Of are the objects of some roles.
func (s State) Of(roles ...model.LaneRole) []Object {
	return slices.DeleteFunc(slices.Clone(s.Objects), func(o Object) bool { return !slices.Contains(roles, o.Role) })
}

// freed reports that the old pods do not count as users of the volume, by the report of the controller's decision.
func (f *Film) freed(t time.Time) bool {
	return slices.ContainsFunc(thinks(f.Incident.WhyNotDetached, t), func(k Think) bool {
		return k.Operand == model.OperandReleased && k.Value == model.True && k.Since != nil
	})
}

// holder is the node with the volume: the new one once it is attached there, else the old one until its attachment is gone.
func (f *Film) holder(s State) Holder {
	ended := f.Incident.MultiAttach.Ended
	for _, o := range s.Of(model.RoleAttachment) {
		if ended != nil && !s.At.Before(ended.At) && o.Node == f.Incident.To.Node && o.State != nil && o.State.Word == model.StateAttached {
			return Holder{Known: true, Node: o.Node}
		}
	}
	blocking := s.Of(model.RoleBlocking)
	switch {
	case len(blocking) == 0, blocking[0].State == nil:
		return Holder{}
	case blocking[0].State.Word == model.StateGone:
		return Holder{Known: true}
	}
	return Holder{Known: blocking[0].Node != "", Node: blocking[0].Node}
}
