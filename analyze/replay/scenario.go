package replay

import (
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
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
	Lost      float64 // last sign of life of the old node; never when it was not lost or no record shows it
	NotReady  Span    // of the old node; never when it stayed Ready
	Back      float64 // the old node is Ready again; never when it did not come back
	NodeGone  float64 // the Node object was deleted; what a person did during the wait is an Act instead
	Alive     bool    // the evidence proves that the old node was Ready; that it shows no loss is no proof

	Deleted  Span  // deletion of the old pod requested, by eviction or by what moved it; never when it was not
	Evicted  bool  // Deleted came by the taint on the lost node, so that it follows from NotReady
	Outlived bool  // the old pod was still there when an act ended it without its kubelet: nothing ended it before
	Unseen   bool  // nothing shows the old pod, which may have been gone before
	Replaced bool  // the owner of the old pod made another on the same node, which uses the volume
	Finished Span  // the old pod's phase became Failed or Succeeded; never when it did not
	Released Span  // released without an act, on a live node or by a node that came back; never when it was not
	Created  Span  // of the waiting pod
	Waiting  Param // from the creation of the waiting pod to its scheduling
	Reported float64

	Unmounted bool     // the volume was not mounted when it was released
	Unmount   Param    // from the release to the node's report of the unmount, on a live node
	Consented Span     // the detach that the live node's report of the unmount allowed; never when it was not seen
	Stuck     bool     // the unmount does not end
	Tried     float64  // the kubelet's first try of the unmount, which failed; never when none is seen
	Leaders   []Leader // changes of the controller's leader
	RaceLost  bool     // after the VolumeAttachment was deleted by hand, the old node got the volume again

	Fault Fault // of the detach

	// Freed is when the volume was free although nothing recorded explains it; never where the scenario explains the end.
	Freed float64

	Detach, Attach, Mount Param
	Terminate             Param // from a deletion to the end of the pod, on a live node
	Grace, Toleration     Param
	ForceDetach           bool // the controller may detach by force on the timeout
	AsksHealth            bool // and only from a node that is not Ready
	Tolerates             bool // the old pod tolerates the out-of-service taint
	OutOfService          bool // the version acts on the out-of-service taint

	Actions []reconstruct.Action // what was done to the objects of the case, by whomever

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
