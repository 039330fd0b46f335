package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// told is what an author's sentence makes likely: a witness of what happened, where nothing else tells the cause.
type told struct {
	what    string // the word for what was said
	cause   string
	phases  []model.PhaseID
	follows string // what follows of it
	missing string // what it rests on, and what would show it
}

// toldCauses, of which the first that was said is given.
var toldCauses = []told{
	{model.SaidShared, model.CauseSharedClaim, []model.PhaseID{model.PhaseRelease}, "several workloads use one claim, and its volume admits one node",
		"that these are the pods of this volume: the pods with their claims"},
	{model.SaidMachineRuns, model.CauseKubeletDown, lostPhases, "a machine that runs may still write, and without its kubelet nobody reports the unmount",
		"that it was the node that held the volume, and that it runs still: kubectl get nodes, and the console of the machine"},
	{model.SaidNodeReclaimed, model.CauseNodeReclaimed, lostPhases, "a machine that is taken back ends without an orderly unmount",
		"that it was the node that held the volume: the events of the Node, and the cloud's record of the machine"},
	{model.SaidNodeRemoved, model.CauseNodeGone, lostPhases, "nobody unmounts on a node that is removed",
		"that it was the node that held the volume, and that its machine is off: the Nodes, and the cloud's record of the machine"},
	{model.SaidNodeOff, model.CauseNodeDown, lostPhases, "nobody unmounts on a node that is down, and the controller waits for it",
		"that it was the node that held the volume, and that it is off still: kubectl get nodes, and the console of the machine"},
	{model.SaidKubeletStopped, model.CauseKubeletDown, lostPhases, "without its kubelet nobody reports the unmount, while containers may run on",
		"that it was the kubelet of the node that held the volume: kubectl get nodes, and that kubelet's log"},
	{model.SaidStorageDiffers, model.CauseStorageDisagrees, fromUnmount(), "the storage and Kubernetes disagree about where the volume is",
		"what the storage says: its own list of attachments"},
	{model.SaidRollout, model.CauseRolloutSurge, []model.PhaseID{model.PhaseRelease}, "a rolling update starts the new pod before it stops the old one",
		"that the strategy lets the new pod start first, and that both pods are of one workload: the Deployment and its pods"},
}

var lostPhases = []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait}

// AuthorWrites begins the summary of a cause that rests on an author's word.
const AuthorWrites = "The author writes "

// Told is the author's sentence that a case's cause rests on; nil when it rests on more, or on nothing that an author says.
func Told(c *wait.Case, id string) *model.Observation {
	if f, o := toldCause(c); o != nil && f.cause.ID == id {
		return o
	}
	return nil
}

// toldCause is the cause that an author's sentence makes likely, with the sentence; nil when none does.
func toldCause(c *wait.Case) (found, *model.Observation) {
	for _, t := range toldCauses {
		o := c.Told(t.what)
		if o == nil || !t.fits(c) {
			continue
		}
		r := likely(c, t.phases, fmt.Sprintf(AuthorWrites+"“%s”: %s.", wait.Sentence(o), t.follows), []*model.Observation{o}, t.missing)
		return found{of(t.cause), r, weight(c, r)}, o
	}
	return found{}, nil
}

// fits reports that the report does not speak against what was said: who shares a volume uses it, and so does the pod of a rolling update.
func (t *told) fits(c *wait.Case) bool {
	if t.what != model.SaidShared && t.what != model.SaidRollout {
		return !c.Refused && !c.Taken
	}
	waiting, _, _ := c.Waiting()
	one := c.Ordinals() || twoOwners(c, waiting) || c.ReplicaNames(waiting)
	if !goesOn(c) || c.Refused {
		return false
	}
	return t.what == model.SaidShared || c.Variant == model.UsedByPods && !one
}
