// Package replay models the control loops from a node's loss or a pod's deletion until the replacement is Ready with the volume:
// eviction, pod GC, attach/detach controller, external-attacher and kubelet. It replays an incident as it was, to measure its own error,
// and with changes, to measure what they are worth.
//
// Times are seconds from the scenario's zero, +Inf for never. What the evidence leaves open, such as the position in a loop, is drawn: a
// prediction is the range over a fixed set of draws. docs/model.md lists the rules with sources and measured error.
package replay

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
)

// Model holds what replays of one cluster's incidents have in common: how long its attaches, detaches and mounts took.
type Model struct {
	attaches, detaches, mounts operations
	draws                      *[Draws]draw
	queue                      map[string][]*reconstruct.Case // by the old node
}

// NewModel measures the operations of a world, in which these are the cases.
func NewModel(w *reconstruct.World, cases []*reconstruct.Case) *Model {
	return &Model{queue: queues(cases), attaches: newOperations(w.Attaches()), detaches: newOperations(w.Detaches()),
		mounts: newOperations(w.Mounts()), draws: draws()}
}

// operations are the operations of one kind by driver, "" being that of those without one, in the order in which they ended.
type operations map[string][]operation

// operation is one with its place in the order in which the bundle has it.
type operation struct {
	reconstruct.Operation
	place int
}

func newOperations(list []reconstruct.Operation) operations {
	out := operations{}
	for i, o := range list {
		driver := ""
		if o.Volume != nil {
			driver = o.Volume.Driver
		}
		out[driver] = append(out[driver], operation{o, i})
	}
	for _, of := range out {
		slices.SortStableFunc(of, func(a, b operation) int { return a.To.At.At.Compare(b.To.At.At) })
	}
	return out
}

// latest bounds the operations that measure a driver: a large cluster has thousands, which are looked at for each incident.
const latest = 300

// before are the latest of a driver's operations that ended before a time.
func (o operations) before(driver string, until time.Time) []operation {
	all := o[driver]
	n := sort.Search(len(all), func(i int) bool { return all[i].To.At.At.After(until) })
	return all[max(0, n-latest):n]
}

// durations are the latest operations that ended before a time, of one driver if known, shortest first.
func (o operations) durations(driver string, until time.Time) []reconstruct.Operation {
	var found []operation
	if driver == "" {
		for name := range o {
			found = append(found, o.before(name, until)...)
		}
	} else {
		found = slices.Concat(o.before(driver, until), o.before("", until))
	}
	slices.SortFunc(found, func(a, b operation) int {
		return cmp.Or(cmp.Compare(a.Seconds(), b.Seconds()), cmp.Compare(a.place, b.place))
	})
	out := make([]reconstruct.Operation, len(found))
	for i, m := range found {
		out[i] = m.Operation
	}
	return out
}
