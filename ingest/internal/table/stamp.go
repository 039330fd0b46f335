package table

import (
	"time"

	"github.com/volpost/volpost/ingest/internal/statement"
	"github.com/volpost/volpost/model"
)

// The years in which an Event can have happened that a person pasted.
const (
	firstYear = 2014
	lastYear  = 2100
)

// stampOf is the first time of an Event of an object by its name; else zero.
func stampOf(name, object string) time.Time {
	t := statement.Stamp(name)
	if object != "" && cutStamp(name) != object || t.Year() < firstYear || t.Year() > lastYear {
		return time.Time{}
	}
	return t
}

// written is when a table of events was written: the names of events hold their first times, and the rows how long ago these were.
type written struct {
	earliest, latest time.Time
	rows             int
	broken           bool // two rows contradict each other, so that the names hold no times
}

// add takes a row. A table without FIRST SEEN shows the last time only, which is the first for an event seen once.
func (w *written) add(r *eventRow) {
	at := stampOf(r.name, r.record.Object.Name)
	if at.IsZero() || r.seen.first == nil {
		return
	}
	earliest := at.Add(-time.Second).Add(time.Duration(r.seen.first.Min * float64(time.Second)))
	latest := at.Add(time.Second).Add(time.Duration(r.seen.first.Max * float64(time.Second)))
	if w.rows++; w.rows == 1 {
		w.earliest, w.latest = earliest, latest
		return
	}
	if earliest.After(w.earliest) {
		w.earliest = earliest
	}
	if latest.Before(w.latest) {
		w.latest = latest
	}
	w.broken = w.broken || w.latest.Before(w.earliest)
}

// minStamped is how many rows have to agree: one alone may have its name from something else.
const minStamped = 2

// moment is when the table was written; zero when its rows do not say.
func (w *written) moment() model.Moment {
	if w.broken || w.rows < minStamped {
		return model.Moment{}
	}
	return model.Between(w.earliest, w.latest)
}
