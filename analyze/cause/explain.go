package cause

import (
	"cmp"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

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
	if c.Late() && c.NewAttachment.Known() && c.Attached.Earliest.Sub(c.NewAttachment.Latest) > longAttach {
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
			if i == len(c.Phases)-1 && !passed(c, r) {
				return blocking - late(c, r)
			}
			continue
		}
		from := model.Later(model.Later(p.From.At, c.Began.At), r.Since)
		sum += max(p.To.At.Sub(from), 0)
	}
	return sum + mountToCome(c, r)
}

// passed reports that what a cause explains lies before an attach that was tried since and answered with an error.
func passed(c *wait.Case, r Result) bool {
	tried := c.AttachTried()
	before := len(r.Explains) > 0 && !slices.Contains(r.Explains, model.PhaseAttach)
	return before && tried != nil && isAnswer(tried)
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
