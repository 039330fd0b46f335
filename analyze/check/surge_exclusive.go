package check

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var surgeExclusive = Check{
	ID: "surge-exclusive", Severity: "warning",
	Title:  "A rolling update would start a second pod before the first gives its volume up",
	Remedy: "Use strategy Recreate.",
	Doc: Doc{
		Means: `The Deployment has one replica with a volume that only one node may have, and a rolling update that starts the new pod first and stops the old
one only when the new one is Ready. When the new pod is put on another node, it waits with Multi-Attach for the old one, and the
rollout never ends.`,
		DecidedBy: "strategy RollingUpdate whose maxSurge comes to one or more and whose maxUnavailable comes to none for one replica (the defaults of 25 % do: a surge is rounded up, the other down), and a claim whose PersistentVolume has neither ReadWriteMany nor ReadOnlyMany.",
		LeftAlone: "Deployments of several replicas: see replicas-exclusive. Those whose volume and selector leave one node. A rollout that an incident of the report explains.",
		References: []string{
			"https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment",
			"kubernetes pkg/controller/deployment/rolling.go and util ResolveFenceposts, 1.13–1.36",
		},
	},
	Needs: []Need{needKind("Deployment", "the Deployments", "kubectl get deployments -A -o yaml"), needClaims, needVolumes},
	Look:  lookSurgeExclusive,
}

func lookSurgeExclusive(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	topology := reconstruct.NewTopology(w)
	explained := rollouts(cases)
	var list []surging
	for _, d := range w.Deployments {
		if replicas(d.Value().Spec.Replicas) != 1 || d.Value().DeletionTimestamp != nil || !deadlocks(d.Value()) || explained[d.Ref.String()] {
			continue
		}
		for _, c := range exclusiveClaims(w, d.Ref.Namespace, &d.Value().Spec.Template.Spec) {
			if c.onePod || !oneReach(w, topology, &d.Value().Spec.Template.Spec, c.pv) {
				list = append(list, surging{d, c})
				break
			}
		}
	}
	var out []Hit
	for _, g := range grouped(list, surging.place) {
		out = append(out, surge(g))
	}
	return out
}

// surging is a Deployment whose rolling update can wait for itself, with the volume for which it would.
type surging struct {
	deployment model.Object[*appsv1.Deployment]
	exclusiveClaim
}

// place is what one finding is about: the Deployments of a namespace that wait in the same way.
func (s surging) place() string { return fmt.Sprintf("%s %v", s.deployment.Ref.Namespace, s.onePod) }

func surge(g []surging) Hit {
	var h Hit
	var names, patched []string
	for i, s := range g {
		d := s.deployment
		names = append(names, fmt.Sprintf("%s (claim %s, %s)", d.Ref.Name, s.claim.Name, modesText(s.pv)))
		patched = append(patched, d.Ref.Name)
		h.Objects = append(h.Objects, d.Ref, s.claim, s.pv.Ref)
		if i < maxShown {
			h.Shown = append(h.Shown, reconstruct.CiteAll(d, "spec.replicas", "spec.strategy.type", "spec.strategy.rollingUpdate.maxSurge", "spec.strategy.rollingUpdate.maxUnavailable", "spec.template.spec."+s.field)...)
			h.Shown = append(h.Shown, reconstruct.CiteAll(s.pv, "spec.accessModes[0]")...)
		}
	}
	where := "On another node the new pod cannot have the volume while the old one runs"
	if g[0].onePod {
		where = "The new pod cannot be scheduled while the old one uses the volume"
	}
	which := "Deployment %s of namespace %s has one replica and a volume for one node"
	if len(g) > 1 {
		which = "Deployments %s of namespace %s each have one replica and a volume for one node"
	}
	h.Text = fmt.Sprintf(which+". A rolling update starts the new pod first. %s, and the old one is kept until the new one is Ready.",
		words.List(names), g[0].deployment.Ref.Namespace, where)
	h.Remedy = patch(g[0].deployment.Ref.Namespace, patched)
	return h
}

// patch sets the strategy of some Deployments.
func patch(namespace string, names []string) string {
	const strategy = `--type=json -p '[{"op":"replace","path":"/spec/strategy","value":{"type":"Recreate"}}]'`
	if len(names) == 1 {
		return fmt.Sprintf("kubectl -n %s patch deployment %s %s", word(namespace), word(names[0]), strategy)
	}
	return fmt.Sprintf("for d in %s; do kubectl -n %s patch deployment $d %s; done", shellWords(names[:min(len(names), maxPatched)]), word(namespace), strategy)
}

// maxPatched keeps a command within what a terminal takes.
const maxPatched = 40

// deadlocks reports that a rolling update of one replica starts a pod first and stops none.
func deadlocks(d *appsv1.Deployment) bool {
	if d.Spec.Strategy.Type != appsv1.RollingUpdateDeploymentStrategyType {
		return false
	}
	surge, unavailable := scaled(nil, true), scaled(nil, false)
	if r := d.Spec.Strategy.RollingUpdate; r != nil {
		surge, unavailable = scaled(r.MaxSurge, true), scaled(r.MaxUnavailable, false)
	}
	return surge > 0 && unavailable == 0
}

// scaled is a fencepost for one replica: 25 % where nothing is said.
func scaled(v *intstr.IntOrString, up bool) int {
	quarter := intstr.FromString("25%")
	n, err := intstr.GetScaledValueFromIntOrPercent(intstr.ValueOrDefault(v, quarter), 1, up)
	if err != nil {
		return 0
	}
	return n
}

// rollouts are the Deployments of which a case has pods of two revisions.
func rollouts(cases []*reconstruct.Case) map[string]bool {
	out := map[string]bool{}
	for _, c := range cases {
		old, fresh := c.TemplateHash(c.OldPods), c.TemplateHash(c.NewPods)
		if c.Workload != nil && c.Workload.Kind == "Deployment" && old != "" && fresh != "" && old != fresh {
			out[c.Workload.String()] = true
		}
	}
	return out
}
