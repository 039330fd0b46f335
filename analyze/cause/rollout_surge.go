package cause

import (
	"cmp"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var rolloutSurge = Cause{
	ID: model.CauseRolloutSurge, Title: "A rolling update waits for itself",
	Label: "Rollout starts the new pod before the old one ends", Group: "Rolling update against a volume on %s",
	Needs: []Need{needHolder, {"the Deployment, for its strategy", func(c *wait.Case) bool {
		d, _ := deployment(c)
		return d != nil || c.OldPodsSampledReady() != nil // both revisions at once, and the old one not asked to go, is a surge
	}}},
	Check: checkRolloutSurge,
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
	r := Result{Verdict: model.Likely, Explains: []model.PhaseID{model.PhaseRelease}, For: append(witnesses(c.Began), c.PodEvidence()...)}
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
	what := ""
	switch {
	case !known:
		return ""
	case act.What == wait.Scaled:
		what = "the workload was " + strings.Replace(cmp.Or(act.Detail, "scaled"), " 1 replica", " one replica", 1)
	case act.What == wait.ChangedStrategy:
		what = "the " + strings.Replace(cmp.Or(act.Detail, "strategy changed"), "strategy changed", "strategy was changed", 1)
	case act.What == wait.Restarted:
		what = "the rollout was restarted"
	case c.OldPodRuns() && !c.Attached.Known():
		what = "the rollout was undone"
	default:
		what = "the pod template was changed again"
	}
	return what + " at " + clock(act.At)
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
