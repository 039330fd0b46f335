// Package cause holds what can keep a volume on a node, those of one subject in a file: what a cause needs, what it looks for in a case and how sure that
// makes it. Without its needs a cause is undecidable; causes are ordered by how much of the wait they explain.
package cause

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Cause is one explanation. docs/causes.md says of each its mechanism, what decides it, what refutes it and what helped.
type Cause struct {
	ID    string
	Title string // a sentence without its full stop, for lists
	Label string // a heading in a report
	Group string // a title of several incidents that share it, with %s for the old node
	Needs []Need
	// Check looks at a case. A result without a verdict means that the cause does not apply.
	Check func(*wait.Case) Result
}

// Need is evidence that a verdict cannot do without.
type Need struct {
	What string // as a noun phrase, for the report's list of what is missing
	Met  func(*wait.Case) bool
}

// Result is what a cause found.
type Result struct {
	Verdict  model.Verdict
	Explains []model.PhaseID // empty: the whole incident
	Since    time.Time       // before it the cause was not there yet; zero: it was from the beginning
	Summary  string
	For      []*model.Observation
	Reasons  []string // for it, where no single quote says so, such as an absence in a covered window
	Against  []*model.Observation
	Missing  []string
	Aside    bool // worth naming, and explains nothing of the wait: it stands last and decides nothing
}

// lacks sets a verdict that is not certain, and adds what is missing for a better one.
func (r *Result) lacks(v model.Verdict, missing ...string) {
	r.Verdict, r.Missing = v, append(r.Missing, missing...)
}

// All are the causes, in the order that decides between equals.
func All() []Cause { return slices.Clone(all) }

var all = []Cause{
	{model.CauseNodeReclaimed, "The machine was taken away by the cloud or an autoscaler", "Node reclaimed",
		"Machine of %s taken away", held, checkNodeReclaimed},
	{model.CauseKubeletDown, "The node is not Ready although its machine works", "Kubelet stopped", "Kubelet of %s stopped", held, checkKubeletDown},
	{model.CauseNodeDown, "The node that held the volume was lost", "Node lost", "Loss of node %s", held, checkNodeDown},
	{model.CauseNodeGone, "The Node was deleted while it held the volume", "Node object deleted", "Node %s gone", held, checkNodeGone},
	{model.CauseTaintOnLiveNode, "The out-of-service taint was set on a node that worked", "Out-of-service taint on a live node",
		"Out-of-service taint on %s, which worked", held, checkTaintOnLiveNode},
	{model.CauseRolloutSurge, "A rolling update waits for itself", "Rollout starts the new pod before the old one ends",
		"Rolling update against a volume on %s", []Need{needHolder, {"the Deployment, for its strategy", strategyKnown}}, checkRolloutSurge},
	{model.CauseAccessMode, "The volume is asked for on several nodes and admits one", "Access mode does not allow a second node",
		"Access mode against a second node, volume on %s", held, checkAccessMode},
	{model.CauseSharedClaim, "Two pods on two nodes want one single-node volume", "Two pods share one claim",
		"Claim shared by pods, volume on %s", []Need{{"the pods that use the claim, with their status", podsKnown}}, checkSharedClaim},
	{model.CauseControllerBug, "A known error of this version of Kubernetes", "Controller bug",
		"Controller bug, volume on %s", held, checkControllerBug},
	{model.CauseVolumesInUseStale, "The node lists a volume as in use that nothing uses", "volumesInUse is stale",
		"Volume listed in use without a user on %s", held, checkVolumesInUseStale},
	{model.CauseUnmountStuck, "The node is Ready and does not report the unmount", "Unmount stuck on the old node",
		"No unmount on %s", held, checkUnmountStuck},
	{model.CauseDriverDetachError, "The driver fails to detach", "CSI driver fails to detach", "Failing detach from %s", held, checkDriverDetachError},
	{model.CauseCloudDetachFailing, "The cloud refuses or throttles the detach", "Cloud fails to detach",
		"Cloud does not detach from %s", held, checkCloudDetachFailing},
	{model.CauseVolumeDeletedFirst, "The PersistentVolume was deleted before the detach", "PersistentVolume deleted first",
		"PersistentVolume deleted before its detach from %s", held, checkPVDeletedFirst},
	{model.CauseAttachmentLost, "The attachment was removed past the driver", "VolumeAttachment lost",
		"VolumeAttachment lost, volume on %s", held, checkAttachmentLost},
	{model.CauseStorageDisagrees, "The storage still has the volume on another machine", "Storage and Kubernetes disagree",
		"Storage keeps the volume on %s", []Need{{needHolder.What, holderOrRefusal}}, checkStorageDisagrees},
	{model.CauseAttachmentNotFinishing, "Nobody carries out the detach", "VolumeAttachment deletion does not finish",
		"Detach from %s not carried out", held, checkAttachmentNotFinishing},
	{model.CauseAttachFailing, "The attach to the new node is refused", "Attach refused",
		"Refused attach of what %s had let go", []Need{{needHolder.What, holderOrTried}}, checkAttachFailing},
	{model.CauseControllerFailover, "A new controller leader started the timer again", "Controller failed over",
		"Controller failover, volume on %s", held, checkControllerFailover},
	{model.CauseOldPodNotFinished, "The old pod is being deleted and does not finish", "Old pod did not finish",
		"A pod on %s does not finish", held, checkOldPodNotFinished},
	{model.CauseSlowStop, "The old pod took long to stop on a node that worked", "Old pod stopped slowly",
		"A pod on %s stopped slowly", held, checkSlowStop},
	{model.CauseHandover, "An ordinary move of the volume", "Ordinary hand-over", "Move from %s", nil, checkHandover},
	{model.CauseUnknown, "The bundle does not tell the cause", "Cause unknown", "Volume held by %s, cause unknown", nil, checkUnknown},
}

// row is what is said where a condition holds.
type row struct {
	is   bool
	says string
}

// pick is what the first row says whose condition holds; "" where none does.
func pick(rows []row) string {
	return append(facts.Where(rows, func(r row) bool { return r.is }), row{})[0].says
}

// witnesses joins the evidence of several instants.
func witnesses(instants ...facts.Instant) []*model.Observation {
	var out []*model.Observation
	for _, i := range instants {
		out = append(out, i.Witness...)
	}
	return out
}

// clock is a time of day for a sentence, or a distance where nothing is dated; the timeline has the date.
func clock(i facts.Instant) string {
	at := model.TimeOfDay(i.At)
	switch width := i.Latest.Sub(i.Earliest); {
	case ageOf(i) == nil, i.Placeholder():
	case i.Basis == model.Assumed:
		return at + " (assumed)"
	case width > overdue:
		return at + " (± " + words.Duration(width/2) + ")"
	}
	return at
}

// hasPhase is the length of all phases of an ID: it comes again when a deleted attachment does.
func hasPhase(c *wait.Case, id model.PhaseID) (sum time.Duration, found bool) {
	return lengthOf(c, func(p model.Phase) bool { return p.ID == id })
}

// mayPhase is the same for a phase that an undivided stretch may hold.
func mayPhase(c *wait.Case, id model.PhaseID) (sum time.Duration, found bool) {
	return lengthOf(c, func(p model.Phase) bool { return p.MayBe(id) })
}

func lengthOf(c *wait.Case, counts func(model.Phase) bool) (sum time.Duration, found bool) {
	for _, p := range c.Phases {
		if counts(p) {
			sum, found = sum+p.To.At.Sub(p.From.At), true
		}
	}
	return sum, found
}

// tookMounted reports that the volume was taken by force while it counted as mounted.
func tookMounted(c *wait.Case) bool {
	return c.Forced.Known() && c.TakenMounted().Mounted == model.True
}

// leaving reports that the end of the old pod was under way when the wait began.
func leaving(c *wait.Case) bool { return oldPodDeletedBefore(c) || gaveWay(c) }

// lost reports that the loss of the old node was what freed the volume, and no move in order.
func lost(c *wait.Case) bool {
	if lostBefore(c) && c.LossLasted() {
		return true
	}
	return c.NodeSampledLost() != nil || c.NodeGone.Known() && surelyBefore(c, c.NodeGone)
}

// needHolder is what most causes need.
var (
	needHolder = Need{"the node that held the volume", func(c *wait.Case) bool { return c.From != "" }}
	held       = []Need{needHolder}
)

// of is the cause of an identifier.
func of(id string) Cause { return all[slices.IndexFunc(all, func(c Cause) bool { return c.ID == id })] }

// beforeUnseen is what the bundle lacks to be sure that a wait which has not come to an attach goes on. Empty for every other case.
func beforeUnseen(c *wait.Case) []string {
	if !c.Before {
		return nil
	}
	var out []string
	if _, ok := c.World.Node(c.From); !ok {
		out = append(out, "whether "+c.From+" came back: the Node object")
	}
	for _, p := range c.World.Held(c.OldPods) {
		set, _ := facts.ControllerOf(p)
		if _, ok := facts.Found(c.World, c.World.StatefulSets, set); !ok && len(c.NewPods) == 0 {
			out = append(out, "whether the pod is still to be replaced: the StatefulSet")
		}
	}
	if !c.World.EventsCover() && !c.World.LogCovers() {
		out = append(out, "what has happened since: the Events of the namespace, or the kube-controller-manager's log")
	}
	return out
}

const longAttach = 30 * time.Second
