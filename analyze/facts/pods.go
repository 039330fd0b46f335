package facts

import "time"

// Near reports whether a time lies within the bounds of an instant, or ten seconds beside them.
func (i Instant) Near(t time.Time) bool {
	return Window{i.Earliest.Add(-10 * time.Second), i.Latest.Add(10 * time.Second)}.Holds(t)
}
