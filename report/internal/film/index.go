package film

import (
	"iter"
	"slices"
	"sort"

	"github.com/volpost/volpost/model"
)

// index says which events name an object, and which tell of the controllers, so that an instant is not looked for in all events. The
// numbers are those of the events, ascending.
type index struct {
	about      map[model.Ref][]int
	controller []int
}

// ofControllers are the kinds that tell who leads and which timer counts.
var ofControllers = []model.Kind{model.LeaderAcquired, model.LeaderLost, model.ControllerStarted, model.ControllerStopped, model.DetachTimerStarted}

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

// Controllers are the events of Events[:to] that tell who leads the controllers, and which timer counts.
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
