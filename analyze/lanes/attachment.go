package lanes

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// attachmentStates are what a VolumeAttachment is after statements.
var attachmentStates = map[model.Kind]State{ // for lookup only
	model.AttachmentCreated:  {Word: model.StateAttaching, Reported: "created"},
	model.AttacherAttaching:  {Word: model.StateAttaching, Reported: "exists"},
	model.AttachmentAttached: {Word: model.StateAttached}, model.AttacherAttached: {Word: model.StateAttached},
	model.AttachmentDeletionRequested: {Word: model.StateDetaching}, model.AttacherDetaching: {Word: model.StateDetaching},
	model.AttachmentStuckDeleting: {Word: model.StateDetaching},
	model.AttachmentGone:          {Word: model.StateGone}, model.AttacherDetached: {Word: model.StateGone},
}

// attachments are the lane of what blocks, and those of the volume's other VolumeAttachments, in the order in which they are named.
func attachments(c *wait.Case, told []*model.Observation) []*Lane {
	var out []*Lane
	add := func(name, node string, role model.LaneRole) *Lane {
		for _, l := range out {
			if l.Object.Name == name && (name != "" || l.Node == node) {
				if l.Node == "" {
					l.Node = node
				}
				return l
			}
		}
		l := &Lane{Object: model.Ref{Kind: "VolumeAttachment", Name: name}, Role: role, Node: node}
		out = append(out, l)
		return l
	}
	if c.From != "" || c.Attachment.Name != "" {
		add(c.Attachment.Name, c.From, model.RoleBlocking)
	}
	for _, o := range told {
		if o.Attachment != "" {
			add(o.Attachment, o.Node, model.RoleAttachment)
		}
	}
	if c.To != "" && (c.NewAttachment.Known() || c.Attached.Known()) {
		add(c.NewAttachmentName().Name, c.To, model.RoleAttachment)
	}
	for _, l := range out {
		named := undated(c.World, slices.DeleteFunc(toldOf(c.World, c.World.ByAttach[l.Object.Name]), func(o *model.Observation) bool {
			return attachmentStates[o.Kind].Word == ""
		}))
		if l.Role == model.RoleBlocking {
			l.blocking(c, named)
			continue
		}
		l.attached(c, named)
	}
	return out
}

// change is a state of a VolumeAttachment that begins.
func (l *Lane) change(s State, from facts.Instant) {
	if last := l.Last(); last.Word == s.Word || s.Word == model.StateAttaching && last.Word == model.StateAttached {
		s = last // a VolumeAttachment that is attached exists
	}
	s.From, s.To = from, facts.Instant{}
	l.say(s)
}

// attached folds the statements about a VolumeAttachment that does not block.
func (l *Lane) attached(c *wait.Case, named []*model.Observation) {
	next := l.Object.Name == c.NewAttachmentName().Name && l.Node == c.To && c.Attached.Known()
	for _, o := range named {
		if !(next && isRow(c.World, o)) {
			l.change(attachmentStates[o.Kind], wait.At(o))
		}
	}
	last := l.Last()
	attaching := last.Word == model.StateAttaching && !c.Attached.At.Before(last.From.At)
	if next && (len(l.States) == 0 || attaching) {
		l.change(attachmentStates[model.AttachmentAttached], c.Attached)
	}
}

// blocking lets the case's own moments decide on the deletions and the ends of the one that blocks: they were weighed from all sources.
func (l *Lane) blocking(c *wait.Case, named []*model.Observation) {
	type change struct {
		state State
		at    facts.Instant
	}
	var all []change
	owned := map[model.StateWord]time.Time{} // up to when the case decides
	add := func(kind model.Kind, at facts.Instant) {
		if at.Known() {
			all = append(all, change{attachmentStates[kind], at})
			owned[attachmentStates[kind].Word] = at.Latest.Add(2 * oneFact)
		}
	}
	for _, life := range c.Lives {
		add(model.AttachmentDeletionRequested, life.DeletionRequested)
		add(model.AttachmentGone, life.Gone)
		if life.Created.Known() {
			all = append(all, change{attachmentStates[model.AttachmentCreated], life.Created})
		}
	}
	weighed := len(all) > 0
	for _, o := range named {
		printed := isRow(c.World, o) || o.Kind == model.AttachmentAttached && isShown(c.World, o)
		known := weighed && printed
		if s := attachmentStates[o.Kind]; !known && o.At.At.After(owned[s.Word]) {
			all = append(all, change{s, wait.At(o)})
		}
	}
	slices.SortStableFunc(all, func(a, b change) int { return a.at.At.Compare(b.at.At) })
	if first := c.Lives; len(first) == 0 || !first[0].Created.Known() {
		if len(all) == 0 || all[0].state.Word != model.StateAttaching {
			l.States = append(l.States, State{Word: model.StateAttached, Reported: "exists"}) // it blocks, so it was there
		}
	}
	for _, d := range all {
		l.change(d.state, d.at)
	}
	l.holds(c)
}

// holds is what exists and blocks: it is attached, where nothing says so later; and it is blocking while the volume is refused elsewhere.
func (l *Lane) holds(c *wait.Case) {
	for i := range l.States {
		s := &l.States[i]
		if later := i+1 < len(l.States) && l.States[i+1].Word == model.StateAttached; s.Word == model.StateAttaching && !later {
			s.Word = model.StateAttached
		}
	}
	if !c.Before && (c.Resolved() || c.Span.Open) {
		l.during(c.Began, c.Ended(), model.StateBlocking, model.StateAttached, model.StateAttaching)
	}
	for _, p := range c.Phases {
		l.lets(p)
	}
}

// lets ends what blocks where a phase says that it did and no source says what it was from then on.
func (l *Lane) lets(p model.Phase) {
	from, to := facts.Instant{Moment: p.From.As(model.Derived)}, facts.Instant{Moment: p.To.As(model.Derived)}
	switch p.ID {
	case model.PhaseDetach:
		l.during(from, to, model.StateDetaching, model.StateBlocking)
		for i := range l.States {
			if s := &l.States[i]; s.Word == model.StateDetaching {
				s.Reported = "" // nobody calls it attached any more
			}
		}
	case model.PhaseAttach:
		l.close()
		for i := range l.States {
			s := &l.States[i]
			over := s.To.Known() && !s.To.At.After(from.At)
			if s.Word == model.StateBlocking && s.From.At.Before(from.At) && !over {
				s.To = from
			}
		}
		l.States = slices.DeleteFunc(l.States, func(s State) bool { return s.Word == model.StateBlocking && !s.From.At.Before(from.At) })
	}
}
