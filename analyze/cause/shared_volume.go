package cause

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// strategyKnown reports that the Deployment is there, or that both revisions were at once, and the old one not asked to go, which is a surge.
func strategyKnown(c *wait.Case) bool {
	d, _ := deployment(c)
	return d != nil || c.OldPodsSampledReady() != nil
}

func checkRolloutSurge(c *wait.Case) Result {
	act, byAct := c.EndedBy()
	if c.Workload == nil || c.Workload.Kind != "Deployment" || c.Variant == model.ExclusivelyAttached {
		return Result{}
	}
	if oldPodDeletedBefore(c) || gaveWay(c) && !byAct {
		return Result{}
	}
	oldHash, newHash := c.TemplateHash(c.OldPods), c.TemplateHash(c.NewPods)
	if oldHash == "" || newHash == "" || oldHash == newHash {
		return Result{}
	}
	r := Result{Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseRelease}, For: append(witnesses(c.Began), podEvidence(c)...)}
	d, cite := deployment(c)
	olds, fresh := wait.PodNames(c.OldPods), wait.PodNames(c.NewPods)
	if d == nil {
		r.Summary = fmt.Sprintf("%s and %s are pods of two revisions of Deployment %s on two nodes", olds, fresh, c.Workload)
		if ready := c.OldPodsSampledReady(); ready != nil {
			r.For = append(append(r.For, ready...), witnesses(c.DeletionRequested)...)
			r.Summary += ", and the older went on to be Ready while the newer waited for its volume"
			r.Missing = append(r.Missing, "the Deployment, for its strategy")
		}
		r.Summary += "."
		return r
	}
	if d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType || !surges(d) {
		return strategyChanged(c, r, cite)
	}
	r.Summary = fmt.Sprintf("A rolling update of Deployment %s started %s before it stopped %s, which ran on %s and held the volume; "+
		"neither can give way",
		c.Workload, fresh, olds, c.From)
	if c.OldPodRuns() {
		r.Summary = fmt.Sprintf("%s; a rolling update of Deployment %s started %s%s before it stopped it, and neither can give way",
			serves(c, &r), c.Workload, fresh, named(" on ", c.To))
	}
	r.For = append(append(r.For, cite), act.At.Witness...)
	r.Summary += endedBy(c)
	if c.DeletionRequested.Known() {
		r.For = append(r.For, c.DeletionRequested.Witness...)
		r.Verdict = model.Confirmed
	} else if c.OldPodRuns() {
		r.Verdict = model.Confirmed
	} else {
		r.Missing = append(r.Missing, "the old pod's object, or the record of its deletion")
	}
	return r
}

// strategyChanged judges a Deployment whose strategy at the collection allows no surge: with it the old pod would have been deleted first. An
// old pod that was asked to go only after the new one waited is a surge by the strategy of before.
func strategyChanged(c *wait.Case, r Result, now *model.Observation) Result {
	act, byAct := c.EndedBy()
	patched := byAct && act.What == wait.ChangedStrategy
	if !patched && (!c.DeletionRequested.Known() || c.DeletionRequested.Earliest.Sub(c.Began.Latest) < releasePatience) {
		return Result{}
	}
	r.For = append(append(append(r.For, now), witnesses(c.DeletionRequested)...), act.At.Witness...)
	r.Summary = fmt.Sprintf("A rolling update of Deployment %s started %s%s before it stopped %s, which held the volume; neither could give way%s",
		c.Workload, wait.PodNames(c.NewPods), named(" on ", c.To), wait.PodNames(c.OldPods), endedBy(c))
	if patched {
		r.Verdict = model.Confirmed
	} else {
		r.Missing = append(r.Missing, "the Deployment's strategy of that time: the one of the collection allows no surge")
	}
	return r
}

// EndedBy is a clause about the act on the workload that ended a wait; empty where none is recorded.
func EndedBy(c *wait.Case) string {
	act, known := c.EndedBy()
	what := pick([]row{
		{act.What == wait.Scaled, "the workload was " + strings.Replace(cmp.Or(act.Detail, "scaled"), " 1 replica", " one replica", 1)},
		{act.What == wait.ChangedStrategy,
			"the " + strings.Replace(cmp.Or(act.Detail, "strategy changed"), "strategy changed", "strategy was changed", 1)},
		{act.What == wait.Restarted, "the rollout was restarted"},
		{c.OldPodRuns() && !c.Attached.Known(), "the rollout was undone"},
		{true, "the pod template was changed again"},
	})
	return words.If(known, what+" at "+clock(act.At))
}

// endedBy ends a sentence about a wait with the act on the workload that ended it.
func endedBy(c *wait.Case) string {
	text := EndedBy(c)
	return words.If(text != "", "; "+text+", and with that the wait ended") + "."
}

// oldPodDeletedBefore reports that the old pod's deletion was requested before the wait began, or that metrics leave the order open.
func oldPodDeletedBefore(c *wait.Case) bool {
	asked := c.DeletionRequested
	if !asked.Known() {
		return false
	}
	return !asked.At.After(c.Began.At) || c.Sampled && asked.Earliest.Before(c.Began.Latest)
}

// deployment is the workload's newest copy with the quote of its strategy.
func deployment(c *wait.Case) (*appsv1.Deployment, *model.Observation) {
	if c.Workload == nil || c.Workload.Kind != "Deployment" {
		return nil, nil
	}
	if d, ok := c.World.Deployment(c.Workload.Namespace, c.Workload.Name); ok {
		return d.Value(), facts.Cite(d, "spec.strategy.type")
	}
	return nil, nil
}

// surges reports whether a pod may start before one stops: maxSurge is 25 % by default, rounded up (ResolveFenceposts, 1.13–1.36).
func surges(d *appsv1.Deployment) bool {
	u := d.Spec.Strategy.RollingUpdate
	if u == nil || u.MaxSurge == nil {
		return true
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(u.MaxSurge, 100, true)
	return err != nil || n > 0
}

func checkSharedClaim(c *wait.Case) Result {
	if takenMeanwhile(c) {
		return tookTurns(c)
	}
	if !bothUse(c) {
		return Result{}
	}
	r := Result{Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseRelease},
		For: slices.Concat(witnesses(c.Began), podEvidence(c), c.ListedTogether(), c.OldPodsSampledReady())}
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
	rolls := c.Revisions() || c.DeploymentConfig(c.NewPods) != ""
	if going := len(c.ListedGoing()) > 0 || c.ShownThen(model.PodDeletionRequested) != nil; going || leaving(c) || rolls {
		return false
	}
	if c.Volume.Many() || c.NotReady.Before(c.Began) {
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
	return namesOf(list) + named(" on ", list[0].Value().Spec.NodeName) + " " +
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
	cond, field := facts.PodCondition(list[0].Value(), corev1.PodReady)
	if field == "" {
		return ""
	}
	if quote := facts.Cite(list[0], field+"lastTransitionTime"); quote != nil {
		r.For = append(r.For, quote)
	}
	since, layout := cond.LastTransitionTime, "15:04:05"
	if since.UTC().Format("2006-01-02") != c.Began.At.UTC().Format("2006-01-02") {
		layout = "2006-01-02 15:04:05"
	}
	if cond.Status != corev1.ConditionTrue {
		return " (not Ready)"
	}
	return words.If(!since.IsZero(), " (Ready since "+since.UTC().Format(layout)+")")
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
		source = namesOf(list) + sinceReady(c, list, &r)
	}
	r.Summary = fmt.Sprintf("Virtual machine %s %s%s: %s runs it%s, and deleting that pod stops the machine; "+
		"%s waits for the same volume, which admits one node.",
		cmp.Or(m.VM.String(), "of KubeVirt"), what, way, source, until, wait.PodNames(c.NewPods))
	return r
}

// podEvidence quotes where the pods stand and what claim they name.
func podEvidence(c *wait.Case) []*model.Observation {
	var out []*model.Observation
	for _, obj := range c.World.Held(slices.Concat(c.OldPods, c.NewPods)) {
		out = append(out, facts.Cite(obj, "spec.nodeName"), facts.Cite(obj, "status.phase"))
		for i, v := range obj.Value().Spec.Volumes {
			if v.PersistentVolumeClaim != nil {
				out = append(out, facts.Cite(obj, fmt.Sprintf("spec.volumes[%d].persistentVolumeClaim.claimName", i)))
			}
		}
	}
	return out
}

// namesOf joins the names of pods.
func namesOf(list []model.Object[*corev1.Pod]) string {
	return wait.PodNames(facts.Each(list, func(p model.Object[*corev1.Pod]) model.Ref { return p.Ref }))
}
