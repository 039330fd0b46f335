package replay

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// oneFact is how far apart two sources put one fact: events are cut to a second.
const oneFact = time.Second

// settings are what a process says of itself at its start: the report's other parts have them.
var settings = []model.Kind{model.ProcessFlag, model.ProcessVersion, model.LeaderWaiting}

// event is something that happened, reported by one or more sources.
type event struct {
	At       model.Moment // of the most exact source
	Kind     model.Kind
	About    []model.Ref
	Text     string
	Evidence []string // of all sources
}

// events are the items of a timeline that belong to an incident and are not later than its end, each fact once.
func events(timeline []model.TimelineItem, incident string, end time.Time) []event {
	var out []event
	for _, item := range timeline {
		if !slices.Contains(item.Incidents, incident) || slices.Contains(settings, item.Kind) || item.At.At.After(end) {
			continue
		}
		if i := reported(out, item); i >= 0 {
			out[i].add(item)
			continue
		}
		out = append(out, event{At: item.At, Kind: item.Kind, About: item.About, Text: item.Text, Evidence: slices.Clone(item.Evidence)})
	}
	slices.SortStableFunc(out, func(a, b event) int { return a.At.At.Compare(b.At.At) })
	return out
}

// reported finds the event that an item reports again, or -1. The timeline is ordered by time.
func reported(out []event, item model.TimelineItem) int {
	const look = 40 // events of one second; more of one kind are not of one fact
	for i := len(out) - 1; i >= max(0, len(out)-look); i-- {
		if out[i].same(item) {
			return i
		}
	}
	return -1
}

// same reports whether an item repeats the event: same text, or some of the same objects. What is assumed never repeats what was seen.
func (e *event) same(item model.TimelineItem) bool {
	if e.Kind != item.Kind || e.At.Basis == model.Assumed || item.At.Basis == model.Assumed {
		return false
	}
	if apart(e.At, item.At) > oneFact {
		return false
	}
	return e.Text == item.Text || within(e.About, item.About) || within(item.About, e.About) || oneVolume(e, item)
}

// oneVolume reports whether both report the same of one volume: an Event names the pod, the controller's log the node.
func oneVolume(e *event, item model.TimelineItem) bool {
	if !strings.HasPrefix(string(e.Kind), "attach") && !strings.HasPrefix(string(e.Kind), "detach") {
		return false
	}
	shared := false
	for _, a := range e.About {
		for _, b := range item.About {
			switch {
			case a.Kind == "Node" && b.Kind == "Node" && a.Name != b.Name:
				return false
			case (a.Kind == "PersistentVolume" || a.Kind == "VolumeAttachment") && a.Is(b):
				shared = true
			}
		}
	}
	return shared
}

// add takes what another source says: the text that names more, all objects, and the moment that is more exact.
func (e *event) add(item model.TimelineItem) {
	if within(e.About, item.About) || len(item.Text) > len(e.Text) && e.Text != item.Text && !within(item.About, e.About) {
		e.Text = item.Text
	}
	for _, r := range item.About {
		e.mention(r)
	}
	if width(item.At) < width(e.At) {
		e.At = item.At
	}
	for _, id := range item.Evidence {
		if !slices.Contains(e.Evidence, id) {
			e.Evidence = append(e.Evidence, id)
		}
	}
}

// mention adds an object, or the UID of one that was named without.
func (e *event) mention(r model.Ref) {
	i := slices.IndexFunc(e.About, r.Is)
	switch {
	case i < 0:
		e.About = append(slices.Clip(e.About), r)
	case e.About[i].UID == "" && r.UID != "":
		e.About = slices.Clone(e.About)
		e.About[i] = r
	}
}

// within reports whether some, but not all, of the objects of more are those of less, and less names any.
func within(less, more []model.Ref) bool {
	if len(less) == 0 || len(less) >= len(more) {
		return false
	}
	return !slices.ContainsFunc(less, func(r model.Ref) bool { return !slices.ContainsFunc(more, r.Is) })
}

func width(m model.Moment) time.Duration { return m.Latest.Sub(m.Earliest) }

// apart is how far two moments are from each other at least.
func apart(a, b model.Moment) time.Duration {
	return max(0, a.Earliest.Sub(b.Latest), b.Earliest.Sub(a.Latest))
}
