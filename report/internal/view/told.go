package view

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// Told is something that happened, as all sources together tell it: the longest text, the most exact moment, all objects and quotes.
type Told struct {
	model.TimelineItem          // the first that tells it, with what the others add
	Again              []string // identifiers of the others
}

// Happenings are what a timeline tells, in the order of time, each once.
func Happenings(timeline []model.TimelineItem) []*Told {
	const look = 40 // more of one kind are not of one second, but for the loss of many nodes
	out, recent := make([]*Told, 0, len(timeline)), map[model.Kind][]*Told{}
	for _, item := range timeline {
		of := recent[item.Kind]
		of = of[max(0, len(of)-look):]
		if n := slices.IndexFunc(of, func(t *Told) bool { return t.same(item) }); n >= 0 {
			of[n].add(item)
			continue
		}
		t := &Told{TimelineItem: item}
		out, recent[item.Kind] = append(out, t), append(of, t)
	}
	slices.SortStableFunc(out, func(a, b *Told) int { return a.At.At.Compare(b.At.At) })
	return out
}

// same reports whether an item tells it again: in the same words, or of more or other objects around one that both name, as an Event names
// the pod of a volume and the controller's log its node. What is assumed never repeats what was seen.
func (t *Told) same(item model.TimelineItem) bool {
	assumed := t.At.Basis == model.Assumed || item.At.Basis == model.Assumed
	if assumed || t.By != item.By || !slices.Equal(t.Incidents, item.Incidents) || !near(t.At, item.At) {
		return false
	}
	return t.Text == item.Text || around(t.About, item.About) && item.Kind != model.MountFailed // each volume of a pod fails for a reason of its own
}

// near reports whether two sources may mean one moment: they cut it to a second, and their clocks differ.
func near(a, b model.Moment) bool {
	overlap := !a.Earliest.After(b.Latest) && !b.Earliest.After(a.Latest)
	return overlap || a.At.Sub(b.At).Abs() <= time.Second
}

// around reports whether two lists are not the same, share an object, which says more than on which node it is, and have no rivals of a kind.
func around(a, b []model.Ref) bool {
	mine, theirs := besides(a, b), besides(b, a)
	rivals := slices.ContainsFunc(mine, func(r model.Ref) bool {
		return slices.ContainsFunc(theirs, func(o model.Ref) bool { return o.Kind == r.Kind })
	})
	shared := slices.ContainsFunc(a, func(r model.Ref) bool { return r.Kind != "Node" && slices.ContainsFunc(b, r.Is) })
	return shared && len(mine)+len(theirs) > 0 && !rivals
}

// besides are the objects of a list that another one lacks.
func besides(list, other []model.Ref) []model.Ref {
	return slices.DeleteFunc(slices.Clone(list), func(r model.Ref) bool { return slices.ContainsFunc(other, r.Is) })
}

// add takes what another source says. What the report has is not changed.
func (t *Told) add(item model.TimelineItem) {
	t.Again = append(t.Again, item.ID)
	if len(item.Text) > len(t.Text) {
		t.Text = item.Text
	}
	if item.At.Latest.Sub(item.At.Earliest) < t.At.Latest.Sub(t.At.Earliest) {
		t.At = item.At
	}
	t.About = slices.Concat(t.About, besides(item.About, t.About))
	t.Evidence = slices.Concat(t.Evidence, slices.DeleteFunc(slices.Clone(item.Evidence), func(id string) bool { return slices.Contains(t.Evidence, id) }))
}
