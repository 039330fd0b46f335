// Package cause holds what can keep a volume on a node, those of one subject in a file: what a cause needs, what it looks for in a case and how sure that
// makes it. Without its needs a cause is undecidable; causes are ordered by how much of the wait they explain.
package cause

import (
	"cmp"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
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
		"Refused attach of what %s had let go", held, checkAttachFailing},
	{model.CauseControllerFailover, "A new controller leader started the timer again", "Controller failed over",
		"Controller failover, volume on %s", held, checkControllerFailover},
	{model.CauseOldPodNotFinished, "The old pod is being deleted and does not finish", "Old pod did not finish",
		"A pod on %s does not finish", held, checkOldPodNotFinished},
	{model.CauseSlowStop, "The old pod took long to stop on a node that worked", "Old pod stopped slowly",
		"A pod on %s stopped slowly", held, checkSlowStop},
	{model.CauseHandover, "An ordinary move of the volume", "Ordinary hand-over", "Move from %s", nil, checkHandover},
	{model.CauseUnknown, "The bundle does not tell the cause", "Cause unknown", "Volume held by %s, cause unknown", nil, checkUnknown},
}

// found is a cause that applies, with how much of the wait it explains.
type found struct {
	cause  Cause
	result Result
	weight time.Duration
}

func (f found) definite() bool { return f.result.Verdict != model.Undecidable }

// Explain runs every cause over a case, the primary one first. There is at least one: unknown comes first when nothing is established,
// or when what is undecidable would explain more; where little was collected, what names and words suggest takes its place.
func Explain(c *wait.Case, l *evidence.Ledger) []model.Cause {
	var list, aside []found
	for _, cause := range all {
		r := cause.Check(c)
		if cause.ID == model.CauseUnknown || r.Verdict == "" {
			continue
		}
		if r = cause.withhold(c, r); r.Aside {
			aside = append(aside, found{cause: cause, result: r})
		} else {
			list = append(list, found{cause, r, weight(c, r)})
		}
	}
	slices.SortStableFunc(list, func(a, b found) int {
		if a.definite() != b.definite() {
			return cmp.Compare(rank(a.result.Verdict), rank(b.result.Verdict)) // an undecidable one has the last rank
		}
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.standing(), b.standing()))
	})
	list = surestFirst(c, agreeing(list))
	if !established(c, list) {
		list = fromLittle(c, list)
	}
	out := []model.Cause{}
	for _, f := range append(list, aside...) {
		out = append(out, render(c, f.cause, f.result, l))
	}
	return out
}

// rank orders verdicts, the surest first.
func rank(v model.Verdict) int {
	return slices.Index([]model.Verdict{model.Confirmed, model.Likely, model.Undecidable}, v)
}

// MachineOff is what is missing of the loss of a node that is sure but for its machine.
const MachineOff = "proof that the machine was off, such as the cloud's or the BMC's record: a dead kubelet looks the same from the API"

// Settled reports that a cause is confirmed, or but for the machine of a lost node.
func Settled(v model.Verdict, missing []string) bool {
	return v == model.Confirmed || v == model.Likely && slices.Equal(missing, []string{MachineOff})
}

// standing is the rank by which causes are ordered: what follows from the loss of a node does not stand before it for its machine.
func (f found) standing() int {
	if Settled(f.result.Verdict, f.result.Missing) {
		return rank(model.Confirmed)
	}
	return rank(f.result.Verdict)
}

// excluded are causes of which the first is dropped where another is established: a machine that ran was not lost, and so on.
var excluded = [][]string{
	{model.CauseNodeDown, model.CauseKubeletDown}, {model.CauseSharedClaim, model.CauseRolloutSurge},
	{model.CauseHandover, "pv-deleted-first", model.CauseRolloutSurge, model.CauseSharedClaim, model.CauseUnmountStuck,
		model.CauseVolumesInUseStale, model.CauseAttachmentNotFinishing, model.CauseDriverDetachError, model.CauseCloudDetachFailing,
		model.CauseControllerBug, model.CauseSlowStop, model.CauseAttachFailing},
	{model.CauseSlowStop, model.CauseOldPodNotFinished, model.CauseRolloutSurge, model.CauseSharedClaim, model.CauseTaintOnLiveNode},
}

// agreeing leaves out causes that another, established one excludes.
func agreeing(list []found) []found {
	for _, ids := range excluded {
		if slices.ContainsFunc(list, func(f found) bool { return f.definite() && slices.Contains(ids[1:], f.cause.ID) }) {
			list = slices.DeleteFunc(list, func(f found) bool { return f.cause.ID == ids[0] })
		}
	}
	return list
}

// surestFirst puts a confirmed cause before a weaker one that explains the same stretch.
func surestFirst(c *wait.Case, list []found) []found {
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			a, b := list[i], list[j]
			if b.standing() < a.standing() && explains(c, a.result) == explains(c, b.result) {
				list = slices.Insert(slices.Delete(list, j, j+1), i, b)
			}
		}
	}
	return list
}

// established reports that the first cause of a sorted list is definite and outweighs the undecidable ones and the phases without a cause.
func established(c *wait.Case, list []found) bool {
	if len(list) == 0 || !list[0].definite() {
		return false
	}
	first := list[0]
	if slices.ContainsFunc(list, func(f found) bool {
		return !f.definite() && f.weight > first.weight-contested(c, first.result, f.result)
	}) {
		return false
	}
	var open []model.PhaseID
	for _, p := range c.Phases {
		if !slices.ContainsFunc(list, func(f found) bool {
			return f.definite() && (len(f.result.Explains) == 0 || p.MayBe(f.result.Explains...))
		}) && p.ID != model.PhaseMount && !afterDeletion(c, p) {
			open = append(open, p.ID)
		}
	}
	return len(open) == 0 || weight(c, Result{Explains: open}) <= list[0].weight
}

// afterDeletion reports the detach after a deletion of the VolumeAttachment by hand, up to the controller's next sync.
func afterDeletion(c *wait.Case, p model.Phase) bool {
	h := c.Held()
	if p.ID != model.PhaseDetach || h.ByHand != model.True || !h.Gone.Known() {
		return false
	}
	return h.DeletionRequested.Known() && !p.From.At.Before(h.DeletionRequested.Earliest) && !p.To.At.After(h.Gone.Latest.Add(upstream.AttachSyncPeriod+wait.PhaseMargin))
}

// contested is the weight of a definite cause in undivided phases of which an undecidable cause may explain another part.
func contested(c *wait.Case, sure, open Result) time.Duration {
	if len(sure.Explains) == 0 || len(open.Explains) == 0 {
		return 0
	}
	var sum time.Duration
	for _, p := range c.Phases {
		more := slices.ContainsFunc(p.Undivided, func(id model.PhaseID) bool {
			return slices.Contains(open.Explains, id) && !slices.Contains(sure.Explains, id)
		})
		if more && p.MayBe(sure.Explains...) {
			sum += p.To.At.Sub(p.From.At)
		}
	}
	return sum
}

// withhold makes a verdict undecidable without the cause's needs, and no more than likely where the old node is inferred.
func (cause Cause) withhold(c *wait.Case, r Result) Result {
	if c.Inferred && Settled(r.Verdict, r.Missing) {
		r.lacks(model.Likely, "proof that "+c.From+" held the volume: it is inferred from where the workload ran before")
	}
	if c.Shown && Settled(r.Verdict, r.Missing) {
		r.lacks(model.Likely, "the controller's report of the wait, which follows from the objects: "+
			"an Event of the pod, or the kube-controller-manager's log")
	}
	if c.Late() && slowAttach(c) {
		r.lacks(model.Undecidable, "why the attach itself took long, which may have delayed the detach, too: the external-attacher's log")
	}
	if c.Stuck && r.Verdict != model.Undecidable {
		r.Verdict = model.Likely
		if !slices.Contains(r.Missing, noPodShown) {
			r.Missing = append(r.Missing, noPodShown)
		}
	}
	if missing := beforeUnseen(c); len(missing) > 0 && Settled(r.Verdict, r.Missing) {
		r.lacks(model.Likely, missing...)
	}
	if c.World.Unordered(r.For) {
		r.lacks(model.Undecidable, "clocks that agree: what it rests on is in sources whose clocks contradict one another")
	}
	for _, n := range cause.Needs {
		if !n.Met(c) {
			r.lacks(model.Undecidable, n.What)
		}
	}
	return r
}

// noPodShown is what the error of a detach alone cannot show.
const noPodShown = "that a pod waits for the volume on another node, which nothing here could show: the events of pods"

// weight is how much of the wait a result explains; in an open incident only what blocks now counts.
func weight(c *wait.Case, r Result) time.Duration {
	var sum time.Duration
	for i, p := range c.Phases {
		if len(r.Explains) > 0 && !p.MayBe(r.Explains...) {
			continue
		}
		if c.Span.Open {
			if i == len(c.Phases)-1 {
				return blocking - late(c, r)
			}
			continue
		}
		from := model.Later(model.Later(p.From.At, c.Began.At), r.Since)
		sum += max(p.To.At.Sub(from), 0)
	}
	return sum + mountToCome(c, r)
}

// mountToCome is how long the collection found the attached volume still not in use; no phase stands for it.
func mountToCome(c *wait.Case, r Result) time.Duration {
	at := c.World.Axis.CapturedAt
	if at == nil || !c.Attached.Known() || !slices.Contains(r.Explains, model.PhaseMount) {
		return 0
	}
	if _, began := hasPhase(c, model.PhaseMount); began {
		return 0
	}
	return max(at.At.Sub(model.Later(c.Attached.At, r.Since)), 0)
}

// blocking is the weight of what blocks now; of two such causes the one that was there earlier comes first.
const blocking = time.Duration(1 << 62)

// late is how long after the beginning of the wait a cause came; one without a time was there.
func late(c *wait.Case, r Result) time.Duration { return max(r.Since.Sub(c.Began.At), 0) }

func render(c *wait.Case, cause Cause, r Result, l *evidence.Ledger) model.Cause {
	return model.Cause{
		ID: cause.ID, Label: cause.Label, Explains: explains(c, r), Verdict: r.Verdict, Summary: r.Summary,
		For:     append(l.Observations(r.For), r.Reasons...),
		Against: append([]string{}, l.Observations(r.Against)...),
		Missing: append([]string{}, r.Missing...),
	}
}

// explains names the longest of the explained phases, or the incident when all of them are.
func explains(c *wait.Case, r Result) string {
	if len(r.Explains) == 0 {
		return model.ExplainsIncident
	}
	best, longest := "", time.Duration(-1)
	for _, p := range c.Phases {
		if d := p.To.At.Sub(p.From.At); p.MayBe(r.Explains...) && d > longest {
			best, longest = string(partOf(p, r.Explains)), d
		}
	}
	if best == "" {
		return string(r.Explains[0])
	}
	return best
}

// partOf is the phase of an undivided stretch that is explained, or the phase itself.
func partOf(p model.Phase, explained []model.PhaseID) model.PhaseID {
	for _, id := range p.Undivided {
		if slices.Contains(explained, id) {
			return id
		}
	}
	return p.ID
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

// slowAttach reports that the attach itself, from the creation of the new VolumeAttachment on, took longer than those of many volumes at
// once in the recordings: then its attacher or storage may have delayed the detach before it, too.
func slowAttach(c *wait.Case) bool {
	return c.NewAttachment.Known() && c.Attached.Known() && c.Attached.Earliest.Sub(c.NewAttachment.Latest) > longAttach
}

const longAttach = 30 * time.Second
