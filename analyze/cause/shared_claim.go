package cause

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var sharedClaim = Cause{
	ID: model.CauseSharedClaim, Title: "Two pods on two nodes want one single-node volume",
	Label: "Two pods share one claim", Group: "Claim shared by pods, volume on %s",
	Needs: []Need{{"the pods that use the claim, with their status", podsKnown}},
	Check: checkSharedClaim,
}

func checkSharedClaim(c *wait.Case) Result {
	if takenMeanwhile(c) {
		return tookTurns(c)
	}
	if !bothUse(c) {
		return Result{}
	}
	r := Result{Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseRelease},
		For: slices.Concat(witnesses(c.Began), c.PodEvidence(), c.ListedTogether(), c.OldPodsSampledReady())}
	if c.OldPodRuns() && !c.DeletionRequested.Known() {
		r.Verdict = model.Confirmed
	}
	old, waiting, sharing := c.Sharing()
	olds, fresh := wait.PodNames(c.OldPods)+named(" on ", c.From), wait.PodNames(c.NewPods)+named(" on ", c.To)
	switch {
	case c.LiveMigration() != nil:
		return migrating(c, r)
	case sharing:
		r.Summary = fmt.Sprintf("%s; %s%s names the same claim, whose volume admits one node%s",
			serves(c, &r), waiting.Ref, named(" on ", waiting.Value().Spec.NodeName), ownersOf(c, old, waiting))
	case c.ListedTogether() != nil || c.OldPodsSampledReady() != nil:
		r.Summary = fmt.Sprintf("%s %s; %s waits for it, and it admits one node", olds, runAndHold(len(c.OldPods), ""), fresh)
	default:
		r.Summary = fmt.Sprintf("%s and %s use %s", olds, fresh, sharedBy(c))
	}
	act, byAct := c.EndedBy()
	r.For = append(r.For, act.At.Witness...)
	r.Summary += words.If(r.Verdict == model.Confirmed && !byAct, "; neither is being deleted") + endedBy(c)
	return r
}

// podsKnown reports that objects, rows or metrics show the pods on both sides, or the report itself does.
func podsKnown(c *wait.Case) bool {
	if c.PodsInBundle() || c.ListedTogether() != nil || c.OldPodsSampledReady() != nil {
		return true
	}
	ended := c.OldPodRuns() && c.DemandEnded.Known()
	return ended || several(c) || takenMeanwhile(c)
}

// takenMeanwhile reports that another pod of the claim got the volume while this one waited.
func takenMeanwhile(c *wait.Case) bool {
	_, _, ok := c.TakenBy()
	return ok && len(c.NewPods) > 0
}

// tookTurns judges a wait in which the volume left its first node, and went to another pod of the same claim: a drain that two pods of one
// claim cannot survive.
func tookTurns(c *wait.Case) Result {
	pod, attached, _ := c.TakenBy()
	r := Result{Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseAttach}, Since: attached.At.At,
		For: append(witnesses(c.Began, c.Gone), attached)}
	r.For = append(r.For, facts.Cite(pod, "spec.nodeName"), facts.Cite(pod, "status.phase"))
	r.Summary = fmt.Sprintf("%s on %s got the volume at %s, which had left %s, and runs with it; %s%s waits for it: "+
		"they share one claim, whose volume admits one node.",
		pod.Ref, pod.Value().Spec.NodeName, model.TimeOfDay(attached.At.At), c.From, wait.PodNames(c.NewPods), named(" on ", c.To))
	return r
}

// bothUse reports that pods on both sides use the volume, which admits one node, and that the old one stays: it is neither on its way out
// nor another revision of the new one's Deployment.
func bothUse(c *wait.Case) bool {
	if len(c.OldPods) == 0 || len(c.NewPods) == 0 || c.Variant == model.ExclusivelyAttached {
		return false
	}
	if leaving(c) || c.Revisions() || len(c.ListedGoing()) > 0 {
		return false
	}
	if exclusive, known := c.Volume.Exclusive(); known && !exclusive || c.NotReady.Before(c.Began) {
		return false
	}
	_, _, sharing := c.Sharing()
	hash := c.TemplateHash(c.OldPods)
	replicas := hash != "" && hash == c.TemplateHash(c.NewPods)
	if sharing || replicas || c.ListedTogether() != nil {
		return true
	}
	if c.PodsInBundle() && (bare(c) || !c.SameOwner()) {
		return true
	}
	return c.OldPodsSampledReady() != nil && !c.OneDeployment()
}

// several reports that the controller names two pods of one template as users: they share the claim, whichever of them waits.
func several(c *wait.Case) bool { return c.NamedAtOnce() && c.TemplateHash(c.OldPods) != "" }

// gaveWay reports that the old pod released the volume soon after the report, so that its end was under way already.
func gaveWay(c *wait.Case) bool {
	return c.Released.Known() && c.Released.At.Sub(c.Began.At) < releasePatience
}

// releasePatience is the longest ordinary end of a pod that still counts as under way: twice the default grace period.
const releasePatience = time.Minute

// bare reports that the pods on both sides are in the bundle and have no controller: each stands for itself.
func bare(c *wait.Case) bool {
	return !slices.ContainsFunc(slices.Concat(c.OldPods, c.NewPods), func(p model.Ref) bool {
		obj, ok := c.World.Pod(p)
		return !ok || metav1.GetControllerOf(obj.Value()) != nil
	})
}

// sharedBy is what the pods of both sides share, as the object of a sentence: the claim, or only the volume handle.
func sharedBy(c *wait.Case) string {
	for _, p := range c.OldPods {
		if other := c.OtherVolumeOf(p); other != nil {
			return fmt.Sprintf("two PersistentVolumes (%s and %s) that name one volume of the storage, which admits one node",
				other.Key(), c.Volume.Key())
		}
	}
	return "the same claim, whose volume admits one node"
}

// serves begins a sentence with the pod that runs and has the volume, and adds since when to the evidence.
func serves(c *wait.Case, r *Result) string {
	list := c.Serving()
	return wait.PodNames(wait.RefsOf(list)) + named(" on ", list[0].Value().Spec.NodeName) + " " +
		runAndHold(len(list), sinceReady(c, list, r))
}

// runAndHold is the predicate of so many pods; since follows the first verb.
func runAndHold(n int, since string) string {
	if n == 1 {
		return "runs" + since + " and holds the volume"
	}
	return "run" + since + " and hold the volume"
}

// sinceReady says in brackets since when a pod is Ready, or that it is not; empty without a condition, and for several pods.
func sinceReady(c *wait.Case, list []model.Object[*corev1.Pod], r *Result) string {
	if len(list) != 1 {
		return ""
	}
	ready, since, quote := wait.ReadySince(list[0])
	if quote != nil {
		r.For = append(r.For, quote)
	}
	layout := "15:04:05"
	if since.UTC().Format("2006-01-02") != c.Began.At.UTC().Format("2006-01-02") {
		layout = "2006-01-02 15:04:05"
	}
	if ready == model.True && !since.IsZero() {
		return " (Ready since " + since.UTC().Format(layout) + ")"
	}
	if ready == model.False {
		return " (not Ready)"
	}
	return ""
}

// ownersOf says what made two pods: one workload or two.
func ownersOf(c *wait.Case, old, waiting model.Object[*corev1.Pod]) string {
	a, b := c.World.TopOwner(old), c.World.TopOwner(waiting)
	if a == old.Ref && b == waiting.Ref {
		return ""
	}
	if a.Is(b) {
		return ", and both are pods of " + a.Kind + " " + a.String()
	}
	return fmt.Sprintf(", and they are of %s and %s", ownerText(a, old), ownerText(b, waiting))
}

func ownerText(owner model.Ref, pod model.Object[*corev1.Pod]) string {
	if owner == pod.Ref {
		return "no workload"
	}
	return owner.Kind + " " + owner.String()
}

// migrating is the result for a virtual machine that waits to arrive on the node where its volume is not.
func migrating(c *wait.Case, r Result) Result {
	m := c.LiveMigration()
	r.For = append(r.For, m.Cites...)
	what, until := "is being migrated live", " until the migration ends"
	if !m.Named {
		what, until = "has two pods at once, likely for a live migration", ""
	}
	way := words.If(c.From != "" && c.To != "", fmt.Sprintf(" from %s to %s", c.From, c.To))
	source := wait.PodNames(c.OldPods)
	if list := c.Serving(); len(list) > 0 {
		source = wait.PodNames(wait.RefsOf(list)) + sinceReady(c, list, &r)
	}
	r.Summary = fmt.Sprintf("Virtual machine %s %s%s: %s runs it%s, and deleting that pod stops the machine; "+
		"%s waits for the same volume, which admits one node.",
		cmp.Or(m.VM.String(), "of KubeVirt"), what, way, source, until, wait.PodNames(c.NewPods))
	return r
}
