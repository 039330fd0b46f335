package reconstruct

import (
	"fmt"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// placeholderYear marks times that count back from a collection that nothing dates. It lies before Kubernetes and is
// another than assumedYear, whose months, days and hours a log did write.
const placeholderYear = 1990

// assumedCollection stands for such a collection.
var assumedCollection = time.Date(placeholderYear, time.January, 1, 12, 0, 0, 0, time.UTC)

// eventLife is how long the API server keeps an Event after its last write (--event-ttl, default 1h, 1.13–1.36).
const eventLife = time.Hour

// placeAges puts onto the axis what a person pasted with an age, or with none. An age counts back from the collection of
// its file. Where nothing tells that, ages stay unknown, unless they are all that the bundle has: then a stand-in keeps
// the distances between the lines true, and a Problem says so.
func (a *Axis) placeAges(index sightings) []model.Problem {
	var out []model.Problem
	of := map[string][]*model.Observation{}
	for i := range a.Observations {
		if o := &a.Observations[i]; pasted(o) {
			of[o.Input] = append(of[o.Input], o)
		}
	}
	files := make([]string, 0, len(of))
	for f := range of {
		files = append(files, f)
	}
	slices.Sort(files)
	dated := slices.ContainsFunc(a.Observations, func(o model.Observation) bool { return o.Kind == model.MultiAttach && !o.At.IsZero() })
	references := map[string]*model.Moment{}
	for _, f := range files {
		m := index.collection(of[f]) // a recorded time of another collection dates nothing here
		if m == nil && !dated {
			m = a.standIn()
			out = append(out, model.Problem{Severity: model.Warning, Path: f, Message: fmt.Sprintf(
				"its ages count back from a time of collection that nothing records; used: %s. Only the distances between its lines are certain", m.At.UTC().Format("2006-01-02 15:04:05"))})
		}
		references[f] = m
	}
	for i := range a.Observations {
		if o := &a.Observations[i]; pasted(o) && references[o.Input] != nil {
			o.At, o.Last = placeAge(o, *references[o.Input])
		}
	}
	return out
}

// pasted reports whether an observation has to be placed by its age, or for want of one: a Multi-Attach report without
// any time still says which volume waits.
func pasted(o *model.Observation) bool {
	return o.At.IsZero() && (o.Age != nil || o.Kind == model.MultiAttach)
}

// standIn is the collection when nothing records it: at the newest time in the bundle, or at a placeholder.
func (a *Axis) standIn() *model.Moment {
	if a.CapturedAt == nil {
		a.CapturedAt = &model.Moment{At: assumedCollection, Earliest: assumedCollection, Latest: assumedCollection, Basis: model.Assumed}
	}
	m := *a.CapturedAt
	m.Basis = model.Assumed
	return &m
}

// collection finds when a file was collected by an event that another source of the bundle dates.
func (s sightings) collection(own []*model.Observation) *model.Moment {
	for _, o := range own {
		key, ok := sightingKey(*o)
		if !ok || o.Age == nil || len(s[key]) != 1 {
			continue
		}
		t := s[key][0]
		m := model.Moment{At: t.Add(secondsOf(o.Age.Best)), Earliest: t.Add(secondsOf(o.Age.Min)), Latest: t.Add(secondsOf(o.Age.Max)), Basis: model.Derived}
		return &m
	}
	return nil
}

func placeAge(o *model.Observation, collected model.Moment) (at, last model.Moment) {
	at = backFrom(collected, o.Age)
	if o.LastAge != nil {
		return at, backFrom(collected, o.LastAge)
	}
	return at, at
}

// backFrom is the instant an age before the collection. Without an age, an Event that is still there was written within
// its life.
func backFrom(collected model.Moment, age *model.Range) model.Moment {
	if age == nil {
		return model.Moment{At: collected.At, Earliest: collected.Earliest.Add(-eventLife), Latest: collected.Latest, Basis: model.Assumed}
	}
	return model.Moment{
		At:       collected.At.Add(-secondsOf(age.Best)),
		Earliest: collected.Earliest.Add(-secondsOf(age.Max)),
		Latest:   collected.Latest.Add(-secondsOf(age.Min)),
		Basis:    collected.Basis.Weaker(model.Derived),
	}
}

func secondsOf(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
