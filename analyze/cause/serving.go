package cause

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// serves says which pod runs and has the volume, as the beginning of a sentence, and adds since when to the evidence.
func serves(c *reconstruct.Case, r *Result) string {
	list := c.Serving()
	return fmt.Sprintf("%s %s%s and %s the volume", placed(list), number(len(list), "runs", "run"), sinceReady(c, list, r), number(len(list), "holds", "hold"))
}

// placed names pods with their node.
func placed(list []model.Object[*corev1.Pod]) string {
	return reconstruct.PodNames(reconstruct.RefsOf(list)) + named(" on ", list[0].Value().Spec.NodeName)
}

// sinceReady says in brackets since when a pod is Ready, or that it is not; empty without a condition, and for several pods.
func sinceReady(c *reconstruct.Case, list []model.Object[*corev1.Pod], r *Result) string {
	if len(list) != 1 {
		return ""
	}
	ready, since, quote := reconstruct.ReadySince(list[0])
	if quote != nil {
		r.For = append(r.For, quote)
	}
	layout := "15:04:05"
	if since.UTC().Format("2006-01-02") != c.Began.At.UTC().Format("2006-01-02") {
		layout = "2006-01-02 15:04:05"
	}
	switch {
	case ready == model.True && !since.IsZero():
		return " (Ready since " + since.UTC().Format(layout) + ")"
	case ready == model.False:
		return " (not Ready)"
	}
	return ""
}

// ownersOf says what made two pods: one workload or two.
func ownersOf(c *reconstruct.Case, old, waiting model.Object[*corev1.Pod]) string {
	a, b := c.World.TopOwner(old), c.World.TopOwner(waiting)
	switch {
	case a == old.Ref && b == waiting.Ref:
		return ""
	case a.Is(b):
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
func migrating(c *reconstruct.Case, r Result) Result {
	m := c.LiveMigration()
	r.For = append(r.For, m.Cites...)
	what, until := "is being migrated live", " until the migration ends"
	if !m.Named {
		what, until = "has two pods at once, likely for a live migration", ""
	}
	way := ""
	if c.From != "" && c.To != "" {
		way = fmt.Sprintf(" from %s to %s", c.From, c.To)
	}
	source := reconstruct.PodNames(c.OldPods)
	if list := c.Serving(); len(list) > 0 {
		source = reconstruct.PodNames(reconstruct.RefsOf(list)) + sinceReady(c, list, &r)
	}
	r.Summary = fmt.Sprintf("Virtual machine %s %s%s: %s runs it%s, and deleting that pod stops the machine; %s waits for the same volume, which admits one node.",
		cmp.Or(m.VM.String(), "of KubeVirt"), what, way, source, until, reconstruct.PodNames(c.NewPods))
	return r
}

// number chooses between singular and plural.
func number(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
