package table

import (
	"time"

	"github.com/volpost/volpost/model"
)

// Place turns ages into instants, given when their files were collected, as wide as the collection and the shown precision together.
func Place(observations []model.Observation, collected model.Moment) {
	if collected.IsZero() {
		return
	}
	for i := range observations {
		o := &observations[i]
		if o.At.IsZero() && o.Age != nil {
			o.At = before(collected, *o.Age)
		}
		if o.Last.IsZero() && o.LastAge != nil {
			o.Last = before(collected, *o.LastAge)
		}
	}
}

// before is the instant that was an age before the collection.
func before(collected model.Moment, age model.Range) model.Moment {
	back := func(t time.Time, seconds float64) time.Time {
		return t.Add(-time.Duration(seconds * float64(time.Second)))
	}
	m := model.Between(back(collected.Earliest, age.Max), back(collected.Latest, age.Min))
	return m.As(collected.Basis)
}
