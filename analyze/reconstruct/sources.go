package reconstruct

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// LogAt reports that one log of a component covers an instant, so that its silence counts and it is not missing.
func (w *World) LogAt(component string, i Instant) bool {
	return slices.ContainsFunc(w.logs[component], func(in *model.Input) bool { return covers(in, i.Earliest, i.Latest) })
}

// covers reports that an input reaches from one time to another.
func covers(in *model.Input, from, to time.Time) bool {
	return in.From != nil && in.To != nil && !in.From.After(from) && !in.To.Before(to)
}
