// Package film plays an incident of a model.Report: At answers its State at an instant, for volpost replay and the page's scrubber alike.
//
// It concludes nothing. A state is what the timeline or the incident's own moments reported last, else unknown. A moment counts from its
// best estimate, and each state carries the moment since when it holds. Strings are as in the report.
package film

import (
	"iter"
	"slices"
	"sort"
	"time"

	"github.com/volpost/volpost/model"
)

// Film is one incident. Asked for an instant after To, it answers as for To.
type Film struct {
	Incident *model.Incident
	Zero     time.Time // T+0, the first Multi-Attach report, or what the incident's kind has in its place, or model.T
	From, To time.Time // the stretch that the phases tile
	First    time.Time // of the earliest event, or From: what came before the incident can be shown, too
	Events   []Event   // of this incident, ordered by time; none is later than To, where another story begins
	LeftOut  int       // pods of the incident that the film does not follow

	pods        []*podTrack
	nodes       []string // the old one, then the new one, as far as they are known
	attachments []attachmentTrack
	index       index
}

// Event is something that happened, reported by one or more sources.
type Event struct {
	At       model.Moment // of the most exact source
	Kind     model.Kind
	About    []model.Ref
	Text     string
	Evidence []string // of all sources
}

// New makes the film of one incident of a report. The report is read while the film is in use, and never written.
func New(r *model.Report, in *model.Incident) *Film {
	f := &Film{Incident: in, Zero: in.Zero(), From: in.Span.From.At, To: in.Span.To.At}
	if f.From.IsZero() {
		f.From = f.Zero
	}
	if f.To.Before(f.From) {
		f.To = f.From
	}
	f.First, f.Events = f.From, events(r.Timeline, in.ID, model.Later(f.To, in.Span.To.Latest))
	if len(f.Events) > 0 && f.Events[0].At.At.Before(f.First) {
		f.First = f.Events[0].At.At
	}
	f.index = newIndex(f.Events)
	for _, name := range []string{in.From.Node, in.To.Node} {
		if name != "" && !slices.Contains(f.nodes, name) {
			f.nodes = append(f.nodes, name)
		}
	}
	f.pods = f.trackPods()
	f.attachments = f.trackAttachments(r.Graph)
	return f
}

// Instants are when something changes, ordered, each once. Only the timer counts between them.
func (f *Film) Instants() []time.Time {
	var out []time.Time
	for _, e := range f.Events {
		out = append(out, e.At.At)
	}
	for _, p := range f.Incident.Phases {
		out = append(out, p.From.At, p.To.At)
	}
	b, m := f.Incident.BlockingAttachment, f.Incident.MultiAttach
	own := []*model.Moment{&m.Began, m.Ended}
	for _, o := range ownMoments(b) {
		own = append(own, o.at)
	}
	for _, o := range f.Incident.WhyNotDetached {
		own = append(own, o.Since, o.Until)
	}
	for _, at := range own {
		if at != nil && !at.IsZero() && !at.At.After(f.To) {
			out = append(out, at.At)
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	return slices.CompactFunc(out, time.Time.Equal)
}

// PhaseAt is the index of the phase at an instant: -1 before the first, their number after the last. Empty phases are skipped.
func PhaseAt(phases []model.Phase, t time.Time) int {
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

// index has the numbers, ascending, of the events that name an object and of those of the controllers.
type index struct {
	about      map[model.Ref][]int
	controller []int
}

// ofControllers are the kinds that show who leads and which timer counts.
var ofControllers = []model.Kind{
	model.LeaderAcquired, model.LeaderLost, model.ControllerStarted, model.ControllerStopped, model.DetachTimerStarted,
}

func newIndex(events []Event) index {
	out := index{about: map[model.Ref][]int{}}
	for i := range events {
		for _, r := range events[i].About {
			if at := out.about[indexed(r)]; len(at) == 0 || at[len(at)-1] < i {
				out.about[indexed(r)] = append(at, i)
			}
		}
		if slices.Contains(ofControllers, events[i].Kind) {
			out.controller = append(out.controller, i)
		}
	}
	return out
}

// indexed is what an object is found by: a source may leave out the UID, and only pods are looked for with their namespace.
func indexed(r model.Ref) model.Ref {
	if r.UID = ""; r.Kind != "Pod" {
		r.Namespace = ""
	}
	return r
}

// About are the events of Events[from:to] that name an object, of whatever UID.
func (f *Film) About(object model.Ref, from, to int) iter.Seq[*Event] {
	return f.some(f.index.about[indexed(object)], from, to)
}

// Controllers are the events of Events[:to] that show who leads the controllers, and which timer counts.
func (f *Film) Controllers(to int) iter.Seq[*Event] { return f.some(f.index.controller, 0, to) }

func (f *Film) some(numbers []int, from, to int) iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		for _, i := range numbers[sort.SearchInts(numbers, from):] {
			if i >= to || !yield(&f.Events[i]) {
				return
			}
		}
	}
}
