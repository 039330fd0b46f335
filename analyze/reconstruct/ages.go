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

// placeAges puts onto the axis what a person pasted with an age, or with none. An age counts back from the collection;
// when that is not known either, a placeholder keeps the distances between the lines true, and a Problem says so.
func (a *Axis) placeAges() []model.Problem {
	var files []string
	collected := a.CapturedAt
	for i := range a.Observations {
		o := &a.Observations[i]
		if !o.At.IsZero() || o.Age == nil && o.Kind != model.MultiAttach {
			continue
		}
		if collected == nil {
			collected = &model.Moment{At: assumedCollection, Earliest: assumedCollection, Latest: assumedCollection, Basis: model.Assumed}
			a.CapturedAt = collected
		}
		o.At = backFrom(*collected, o.Age)
		o.Last = o.At
		if o.LastAge != nil {
			o.Last = backFrom(*collected, o.LastAge)
		}
		if collected.Basis != model.Observed && !slices.Contains(files, o.Input) {
			files = append(files, o.Input)
		}
	}
	var out []model.Problem
	for _, f := range files {
		out = append(out, model.Problem{Severity: model.Warning, Path: f, Message: fmt.Sprintf(
			"its ages count back from a time of collection that nothing records; used: %s. Only the distances between its lines are certain", collected.At.UTC().Format("2006-01-02 15:04:05"))})
	}
	return out
}

// backFrom is the instant an age before the collection. Without an age, an Event that is still there was written within
// its life.
func backFrom(collected model.Moment, age *model.Range) model.Moment {
	if age == nil {
		return model.Moment{At: collected.At, Earliest: collected.Earliest.Add(-eventLife), Latest: collected.Latest, Basis: model.Assumed}
	}
	m := model.Moment{
		At:       collected.At.Add(-secondsOf(age.Best)),
		Earliest: collected.Earliest.Add(-secondsOf(age.Max)),
		Latest:   collected.Latest.Add(-secondsOf(age.Min)),
		Basis:    model.Derived,
	}
	if collected.Basis != model.Observed {
		m.Basis = model.Assumed
	}
	return m
}

func secondsOf(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
