package film

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// Attachment is a VolumeAttachment at an instant.
type Attachment struct {
	Name, Node string
	Blocking   bool    // it is the one that kept the volume on the old node
	Status     *Status // exists, attached, being deleted or gone; nil when it did not exist or no event names it
}

// Words for a VolumeAttachment.
const (
	attachmentExists   = "exists"
	attachmentAttached = "attached"
	attachmentDeleting = "being deleted"
	attachmentGone     = "gone"
)

type attachmentTrack struct {
	name, node string
	blocking   bool
}

// trackAttachments finds the VolumeAttachments that the events name, and the nodes that these or the graph give them.
func (f *Film) trackAttachments(g model.Graph) []attachmentTrack {
	var out []attachmentTrack
	add := func(name, node string, blocking bool) {
		i := slices.IndexFunc(out, func(a attachmentTrack) bool { return a.name == name })
		if i < 0 {
			i = len(out)
			out = append(out, attachmentTrack{name: name, node: nodeOfAttachment(g, name), blocking: blocking})
		}
		if out[i].node == "" {
			out[i].node = node
		}
	}
	if b := f.Incident.BlockingAttachment; b.Name != nil && *b.Name != "" {
		add(*b.Name, b.Node, true)
	}
	for _, e := range f.Events {
		node := ""
		for _, r := range e.About {
			if r.Kind == "Node" {
				node = r.Name
			}
		}
		for _, r := range e.About {
			if r.Kind == "VolumeAttachment" {
				add(r.Name, node, false)
			}
		}
	}
	return out
}

// nodeOfAttachment is what the object graph says of where a VolumeAttachment attaches.
func nodeOfAttachment(g model.Graph, name string) string {
	for _, e := range g.Edges {
		if e.From == "VolumeAttachment/"+name && e.Relation == "to node" {
			for _, n := range g.Nodes {
				if n.ID == e.To {
					return n.Name
				}
			}
		}
	}
	return ""
}

func (f *Film) attachmentsAt(t time.Time, happened int) []Attachment {
	var out []Attachment
	for _, track := range f.attachments {
		a := Attachment{Name: track.name, Node: track.node, Blocking: track.blocking}
		for e := range f.About(model.Ref{Kind: "VolumeAttachment", Name: track.name}, 0, happened) {
			if !(track.blocking && f.owns(attachmentWords[e.Kind])) {
				a.fold(e)
			}
		}
		if track.blocking {
			f.blocking(&a, t)
		}
		out = append(out, a)
	}
	return out
}

// attachmentWords are what a VolumeAttachment is after events.
var attachmentWords = map[model.Kind]string{
	model.AttachmentCreated: attachmentExists, model.AttacherAttaching: attachmentExists,
	model.AttachmentAttached: attachmentAttached, model.AttacherAttached: attachmentAttached,
	model.AttachmentDeletionRequested: attachmentDeleting, model.AttacherDetaching: attachmentDeleting,
	model.AttachmentStuckDeleting: attachmentDeleting,
	model.AttachmentGone:          attachmentGone, model.AttacherDetached: attachmentGone,
}

// owns reports whether the incident itself dates this state of the blocking VolumeAttachment, so that events do not count.
func (f *Film) owns(word string) bool {
	return (word == attachmentDeleting || word == attachmentGone) &&
		slices.ContainsFunc(ownMoments(f.Incident.BlockingAttachment), func(o ownMoment) bool { return o.at != nil && o.word == word })
}

// fold takes what an event says. A VolumeAttachment can come back under its name.
func (a *Attachment) fold(e *Event) {
	word := attachmentWords[e.Kind]
	if s := a.Status; word == "" || s != nil && (s.Word == word || word == attachmentExists && s.Word == attachmentAttached) {
		return
	}
	a.Status = e.status(word)
}

// blocking lets the incident's own moments decide, which the report has weighed from all sources.
func (f *Film) blocking(a *Attachment, t time.Time) {
	b := f.Incident.BlockingAttachment
	for _, own := range ownMoments(b) {
		if own.at == nil || t.Before(own.at.At) {
			continue
		}
		if own.word == attachmentExists && a.Status != nil && a.Status.Word != attachmentGone && a.Status.Word != attachmentDeleting {
			return // the events say more
		}
		a.Status = &Status{Word: own.word, Since: *own.at, Evidence: own.at.Evidence}
		return
	}
	if b.CreatedAt == nil && a.Status == nil {
		a.Status = &Status{Word: attachmentExists} // it blocks, so it was there; since when is not known
	}
}

// ownMoment is a moment of a VolumeAttachment with what it was from then on.
type ownMoment struct {
	at   *model.Moment
	word string
}

// ownMoments are those of the blocking VolumeAttachment, the latest of its lives first.
func ownMoments(b model.BlockingAttachment) []ownMoment {
	lives := b.Lives
	if len(lives) == 0 { // a report of an earlier version
		lives = []model.AttachmentLife{{CreatedAt: b.CreatedAt, DeletionRequestedAt: b.DeletionRequestedAt, GoneAt: b.GoneAt}}
	}
	var out []ownMoment
	for _, l := range slices.Backward(lives) {
		own := [...]ownMoment{{l.GoneAt, attachmentGone}, {l.DeletionRequestedAt, attachmentDeleting}, {l.CreatedAt, attachmentExists}}
		out = append(out, own[:]...)
	}
	return out
}

// holder is the node with the volume: the old one until its attachment is gone or the detach is over; the new one once attached.
func (f *Film) holder(t time.Time, happened int, all []Attachment) Holder {
	if f.arrived(t, happened) {
		return Holder{Known: true, Node: f.Incident.To.Node}
	}
	for _, a := range all {
		if a.Blocking {
			return f.heldBy(a)
		}
	}
	for _, p := range f.Incident.Phases {
		if p.ID == model.PhaseDetach && !t.Before(p.To.At) {
			return Holder{Known: true}
		}
	}
	return Holder{Known: f.Incident.From.Node != "", Node: f.Incident.From.Node}
}

// arrived reports whether the wait has ended by the attach on the new node: a phase says so, or an event does.
func (f *Film) arrived(t time.Time, happened int) bool {
	ended, node := f.Incident.MultiAttach.Ended, f.Incident.To.Node
	if ended == nil || node == "" || t.Before(ended.At) {
		return false
	}
	for _, p := range f.Incident.Phases {
		if p.MayBe(model.PhaseAttach) && !t.Before(p.To.At) {
			return true
		}
	}
	for e := range f.About(model.Ref{Kind: "Node", Name: node}, 0, happened) {
		attached := e.Kind == model.AttachSucceeded || e.Kind == model.AttachmentAttached || e.Kind == model.AttacherAttached
		if attached && !e.At.At.Before(f.Zero) {
			return true
		}
	}
	return false
}

func (f *Film) heldBy(a Attachment) Holder {
	switch {
	case a.Status == nil:
		return Holder{} // before it was created: the film's past, of which nothing is asked
	case a.Status.Word == attachmentGone:
		return Holder{Known: true}
	}
	return Holder{Known: a.Node != "", Node: a.Node}
}
