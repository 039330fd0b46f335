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

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// Placement says when a workload's controller makes the replacement.
type Placement int

// AtDeletion: a ReplicaSet does not count a terminating pod. AfterGone: a StatefulSet's pod needs the old one's name. Beside: made before.
const (
	AtDeletion Placement = iota
	AfterGone
	Beside
)

// Scenario is one incident as the model sees it: what happened by itself, and parameters of the loops. A Plan has what people did.
type Scenario struct {
	Zero    time.Time
	Version upstream.Version

	Placement Placement
	Lost      float64     // last sign of life of the old node; never when it was not lost or no record shows it
	NotReady  model.Range // of the old node; never when it stayed Ready
	Back      float64     // the old node is Ready again; never when it did not come back
	NodeGone  float64     // the Node object was deleted; what a person did during the wait is an Act instead
	Alive     bool        // the evidence proves that the old node was Ready; that it shows no loss is no proof

	Deleted  model.Range // deletion of the old pod requested, by eviction or by what moved it; never when it was not
	Evicted  bool        // Deleted came by the taint on the lost node, so that it follows from NotReady
	Outlived bool        // the old pod was still there when an act ended it without its kubelet: nothing ended it before
	Unseen   bool        // nothing shows the old pod, which may have been gone before
	Replaced bool        // the owner of the old pod made another on the same node, which uses the volume
	Finished model.Range // the old pod's phase became Failed or Succeeded; never when it did not
	Released model.Range // released without an act, on a live node or by a node that came back; never when it was not
	Created  model.Range // of the waiting pod
	Waiting  model.Range // from the creation of the waiting pod to its scheduling
	Reported float64

	Unmounted bool        // the volume was not mounted when it was released
	Unmount   model.Range // from the release to the node's report of the unmount, on a live node
	Consented model.Range // the detach that the live node's report of the unmount allowed; never when it was not seen
	Stuck     bool        // the unmount does not end
	Tried     float64     // the kubelet's first try of the unmount, which failed; never when none is seen
	Leaders   []Leader    // changes of the controller's leader
	RaceLost  bool        // after the VolumeAttachment was deleted by hand, the old node got the volume again

	Fault Fault // of the detach

	// Freed is when the volume was free although nothing recorded explains it; never where the scenario explains the end.
	Freed float64

	Detach, Attach, Mount model.Range
	Terminate             model.Range // from a deletion to the end of the pod, on a live node
	Grace, Toleration     model.Range
	ForceDetach           bool // the controller may detach by force on the timeout
	AsksHealth            bool // and only from a node that is not Ready
	Tolerates             bool // the old pod tolerates the out-of-service taint
	OutOfService          bool // the version acts on the out-of-service taint

	Actions []wait.Action // what was done to the objects of the case, by whomever

	End   float64 // the waiting pod was Ready; never when it was not by the time of the collection
	Until float64 // the collection; what is later no record shows

	draws *[Draws]draw
}

// Leader is a change of the controller's leader: from Lost on none works, at Taken the next begins.
type Leader struct{ Lost, Taken float64 }

// Fault kept the detach from succeeding. No remedy changes it, so a replay keeps it.
type Fault struct {
	BackendUntil  float64 // detach calls failed until then; 0: they did not fail
	AttacherUntil float64 // no external-attacher worked until then; 0: it worked
	Again         float64 // after it, seconds from the end of the old attachment to the attach on the new node
	Unseen        float64 // and from there until the attach/detach controller looked, which is in a back-off of its own
}

// Model holds what replays of one cluster's incidents have in common: how long its attaches, detaches and mounts took.
type Model struct {
	attaches, detaches, mounts operations
	draws                      *[Draws]draw
	queue                      map[string][]*wait.Case // by the old node
}

// NewModel measures the operations of a world, in which these are the cases.
func NewModel(w *facts.World, cases []*wait.Case) *Model {
	return &Model{queue: queues(cases), attaches: newOperations(attachesOf(w)), detaches: newOperations(detachesOf(w)),
		mounts: newOperations(mountsOf(w)), draws: draws()}
}

// operations are the operations of one kind by driver, "" being that of those without one, in the order in which they ended.
type operations map[string][]operation

func newOperations(list []operation) operations {
	out := operations{}
	for i, o := range list {
		driver := ""
		if o.Volume != nil {
			driver = o.Volume.Driver
		}
		o.place = i
		out[driver] = append(out[driver], o)
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
func (o operations) durations(driver string, until time.Time) (found []operation) {
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
	return found
}
