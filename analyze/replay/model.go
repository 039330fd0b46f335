package replay

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
)

// Model holds what replays of one cluster's incidents have in common: how long its attaches, detaches and mounts took.
type Model struct {
	attaches, detaches, mounts []reconstruct.Operation
	draws                      *[Draws]draw
}

// NewModel measures the operations of a world.
func NewModel(w *reconstruct.World) *Model {
	return &Model{attaches: w.Attaches(), detaches: w.Detaches(), mounts: w.Mounts(), draws: draws()}
}

// durations are those of the operations that ended before a time, of one driver where that is known, in ascending order,
// with the operations themselves.
func durations(list []reconstruct.Operation, driver string, until time.Time) []reconstruct.Operation {
	var out []reconstruct.Operation
	for _, o := range list {
		other := driver != "" && o.Volume != nil && o.Volume.Driver != "" && o.Volume.Driver != driver
		if !other && !o.To.At.At.After(until) {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b reconstruct.Operation) int {
		switch {
		case a.Seconds() < b.Seconds():
			return -1
		case a.Seconds() > b.Seconds():
			return 1
		}
		return 0
	})
	return out
}
