package check

import (
	"cmp"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// exclusiveClaim is a claim in a pod's specification whose volume only one node may have.
type exclusiveClaim struct {
	claim model.Ref
	pv    volume
	field string // of the claim's name in the specification, below spec
}

// exclusiveClaims are those of a pod's specification, without claims made from a template, of which each pod has its own.
func exclusiveClaims(w *facts.World, namespace string, spec *corev1.PodSpec) []exclusiveClaim {
	var out []exclusiveClaim
	for i, v := range spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		if c, pv, ok := claimed(w, namespace, v.PersistentVolumeClaim.ClaimName); ok && oneNode(pv.Value()) {
			out = append(out, exclusiveClaim{c.Ref, pv, fmt.Sprintf("volumes[%d].persistentVolumeClaim.claimName", i)})
		}
	}
	return out
}

// workload is an object that makes pods from one template.
type workload struct {
	ref      model.Ref
	replicas int32
	count    string // the field that has the number
	spec     *corev1.PodSpec
	cite     func(fields ...string) []*model.Observation
}

// eachWorkload hands on those that make pods, one at a time: their templates together take too much memory.
func eachWorkload(w *facts.World, do func(workload)) {
	eachOf(w.Deployments, do, func(o *appsv1.Deployment) (*int32, *corev1.PodSpec) { return o.Spec.Replicas, &o.Spec.Template.Spec })
	eachOf(w.StatefulSets, do, func(o *appsv1.StatefulSet) (*int32, *corev1.PodSpec) { return o.Spec.Replicas, &o.Spec.Template.Spec })
	eachOf(w.DaemonSets, do, func(o *appsv1.DaemonSet) (*int32, *corev1.PodSpec) {
		return &o.Status.DesiredNumberScheduled, &o.Spec.Template.Spec
	})
	alone := facts.Where(w.ReplicaSets, func(rs model.Object[*appsv1.ReplicaSet]) bool { return len(rs.Value().OwnerReferences) == 0 })
	eachOf(alone, do, func(o *appsv1.ReplicaSet) (*int32, *corev1.PodSpec) { return o.Spec.Replicas, &o.Spec.Template.Spec })
}

func eachOf[T any](list []model.Object[T], do func(workload), of func(T) (*int32, *corev1.PodSpec)) {
	for _, o := range list {
		count := "spec.replicas"
		if o.Ref.Kind == "DaemonSet" {
			count = "status.desiredNumberScheduled"
		}
		replicas, spec := of(o.Value())
		do(workload{o.Ref, deref(replicas, 1), count, spec, func(fields ...string) []*model.Observation { return facts.CiteAll(o, fields...) }})
	}
}

// name is kind and name, for a sentence.
func (o workload) name() string { return o.ref.Kind + " " + o.ref.String() }

// oneReach reports that only one node of a list of all can have the pods of a specification with a volume, so that they are never apart.
func oneReach(w *facts.World, t *topology, spec *corev1.PodSpec, pv volume) bool {
	return w.Listed("Node", "") && len(t.both(t.ofPod(spec), t.ofVolume(pv.Value()))) <= 1
}

// modesText writes access modes as kubectl does.
func modesText(pv volume) string {
	modes := append(slices.Clip(pv.Value().Spec.AccessModes), "")
	return cmp.Or(string(modes[0]), "no access mode")
}

// onePodText says what becomes of further pods of a volume that admits one: they are not placed, and never wait with Multi-Attach.
func onePodText(pv volume) string {
	return words.If(onePod(pv.Value()), " The scheduler places one of them and leaves the others Pending.")
}

func lookSurgeExclusive(w *facts.World, s *scene, hit func(Hit)) {
	explained := rollouts(s.cases)
	var list []surging
	for _, d := range w.Deployments {
		if d.Value().DeletionTimestamp != nil || !deadlocks(d.Value()) || explained[d.Ref.String()] {
			continue
		}
		for _, c := range exclusiveClaims(w, d.Ref.Namespace, &d.Value().Spec.Template.Spec) {
			if onePod(c.pv.Value()) || !oneReach(w, s.nodes, &d.Value().Spec.Template.Spec, c.pv) {
				list = append(list, surging{d, c})
				break
			}
		}
	}
	for _, g := range grouped(list, surging.place) {
		hit(surge(g))
	}
}

// surging is a Deployment whose rolling update can wait for itself, with the volume for which it would.
type surging struct {
	deployment model.Object[*appsv1.Deployment]
	exclusiveClaim
}

// place is what one finding is about: the Deployments of a namespace that wait in the same way.
func (s surging) place() string {
	return fmt.Sprintf("%s %v", s.deployment.Ref.Namespace, onePod(s.pv.Value()))
}

func surge(g []surging) Hit {
	h := Hit{Shown: quoted(g, func(s surging) []*model.Observation {
		return append(facts.CiteAll(s.deployment, "spec.replicas", "spec.strategy.type", "spec.strategy.rollingUpdate.maxSurge",
			"spec.strategy.rollingUpdate.maxUnavailable", "spec.template.spec."+s.field), facts.CiteAll(s.pv, "spec.accessModes[0]")...)
	})}
	for _, s := range g {
		h.Objects = append(h.Objects, s.deployment.Ref, s.claim, s.pv.Ref)
	}
	names := facts.Each(g, func(s surging) string {
		return fmt.Sprintf("%s (claim %s, %s)", s.deployment.Ref.Name, s.claim.Name, modesText(s.pv))
	})
	where := "On another node the new pod cannot have the volume while the old one runs"
	if onePod(g[0].pv.Value()) {
		where = "The new pod cannot be scheduled while the old one uses the volume"
	}
	which := oneOr(g, "Deployment %s of namespace %s has", "Deployments %s of namespace %s each have")
	h.Text = fmt.Sprintf(which+" one replica and a volume for one node. A rolling update starts the new pod first. %s, and the old one is kept until the new one is Ready.",
		words.List(names), g[0].deployment.Ref.Namespace, where)
	h.Remedy = patch(g[0].deployment.Ref.Namespace, facts.Each(g, func(s surging) string { return s.deployment.Ref.Name }))
	return h
}

// patch sets the strategy of some Deployments.
func patch(namespace string, names []string) string {
	const strategy = `--type=json -p '[{"op":"replace","path":"/spec/strategy","value":{"type":"Recreate"}}]'`
	if len(names) == 1 {
		return fmt.Sprintf("kubectl -n %s patch deployment %s %s", word(namespace), word(names[0]), strategy)
	}
	return fmt.Sprintf("for d in %s; do kubectl -n %s patch deployment $d %s; done",
		shellWords(names[:min(len(names), maxPatched)]), word(namespace), strategy)
}

// maxPatched keeps a command within what a terminal takes.
const maxPatched = 40

// deadlocks reports that there is one replica, of which a rolling update starts a pod first and stops none.
func deadlocks(d *appsv1.Deployment) bool {
	if deref(d.Spec.Replicas, 1) != 1 || d.Spec.Strategy.Type != appsv1.RollingUpdateDeploymentStrategyType {
		return false
	}
	r := cmp.Or(d.Spec.Strategy.RollingUpdate, &appsv1.RollingUpdateDeployment{})
	return scaled(r.MaxSurge, true) > 0 && scaled(r.MaxUnavailable, false) == 0
}

// scaled is a fencepost for one replica: 25 % where nothing is said.
func scaled(v *intstr.IntOrString, up bool) int {
	n, err := intstr.GetScaledValueFromIntOrPercent(intstr.ValueOrDefault(v, intstr.FromString("25%")), 1, up)
	if err != nil {
		return 0
	}
	return n
}

// rollouts are the Deployments of which a case has pods of two revisions.
func rollouts(cases []*wait.Case) map[string]bool {
	out := map[string]bool{}
	for _, c := range cases {
		if c.Workload != nil && c.Workload.Kind == "Deployment" && c.Revisions() {
			out[c.Workload.String()] = true
		}
	}
	return out
}

func lookReplicasExclusive(w *facts.World, s *scene, hit func(Hit)) {
	explained := sharing(s.cases)
	eachWorkload(w, func(o workload) {
		if o.replicas < 2 {
			return
		}
		for _, c := range exclusiveClaims(w, o.ref.Namespace, o.spec) {
			if explained[c.claim.String()] || oneReach(w, s.nodes, o.spec, c.pv) {
				continue
			}
			hit(Hit{
				Objects: []model.Ref{o.ref, c.claim, c.pv.Ref},
				Text: fmt.Sprintf("%s wants %d pods, and all name claim %s (%s).%s",
					o.name(), o.replicas, c.claim, modesText(c.pv), onePodText(c.pv)+together(w, c.claim)),
				Shown: slices.Concat(o.cite(o.count, "spec.template.spec."+c.field), facts.CiteAll(c.pv, "spec.accessModes[0]")),
			})
		}
	})
}

// together says where the pods of a claim are, when they are in the bundle.
func together(w *facts.World, c model.Ref) string {
	users := usersOnNodes(w.ClaimPods(c.Namespace, c.Name))
	if nodes := len(grouped(users, nodeOf)); len(users) < 2 {
		return ""
	} else if nodes == 1 {
		return fmt.Sprintf(" At the moment they are all on %s.", nodeOf(users[0]))
	} else {
		return fmt.Sprintf(" They are on %d nodes.", nodes)
	}
}

// sharing are the claims of which a case has two pods that were both to stay: neither was being deleted when the wait began.
func sharing(cases []*wait.Case) map[string]bool {
	out := map[string]bool{}
	for _, c := range cases {
		both := len(c.OldPods) > 0 && len(c.NewPods) > 0
		if both && !c.DeletionRequested.Known() && c.Volume.Claim.Name != "" {
			out[c.Volume.Claim.String()] = true
		}
	}
	return out
}

func lookClaimShared(w *facts.World, s *scene, hit func(Hit)) {
	explained := sharing(s.cases)
	seen := map[model.Ref]claimUser{}
	for _, c := range w.Claims {
		pv, ok := volumeOf(w, c.Value())
		if !ok || !oneNode(pv.Value()) || explained[c.Ref.String()] {
			continue
		}
		users := facts.Where(claimUsers(w, c, seen), func(u claimUser) bool { return u.stays })
		owners := grouped(users, func(u claimUser) model.Ref { return u.owner })
		if len(owners) < 2 || w.Listed("Node", "") && len(s.nodes.ofVolume(pv.Value())) <= 1 {
			continue
		}
		hit(shared(c, pv, owners))
	}
}

// claimUser is what claims-shared asks of a pod: an object is unpacked anew each time, and hundreds of pods can name hundreds of claims.
type claimUser struct {
	pod
	owner model.Ref
	node  string
	stays bool // it has not ended and is not being deleted
}

// claimUsers are the pods that name a claim. seen has those of other claims.
func claimUsers(w *facts.World, c claim, seen map[model.Ref]claimUser) []claimUser {
	return facts.Each(w.ClaimPods(c.Ref.Namespace, c.Ref.Name), func(p pod) claimUser {
		u, ok := seen[p.Ref]
		if !ok {
			value := p.Value()
			u = claimUser{pod: p, owner: w.TopOwner(p), node: value.Spec.NodeName, stays: stays(value)}
			seen[p.Ref] = u
		}
		return u
	})
}

// namedOwners bounds the owners of a claim's pods that a finding names and quotes: hundreds of claims can have hundreds each.
const namedOwners = 10

// shared is the finding for a claim, with one pod of each of its owners.
func shared(c claim, pv volume, owners [][]claimUser) Hit {
	placed := facts.Where(slices.Concat(owners...), func(u claimUser) bool { return u.node != "" })
	refs := facts.Each(owners, func(g []claimUser) model.Ref { return g[0].owner })
	names := facts.Each(refs, func(r model.Ref) string { return r.Kind + " " + r.Name })
	few := min(len(owners), namedOwners)
	owners, refs = owners[:few], refs[:few]
	h := Hit{
		Objects: append([]model.Ref{c.Ref, pv.Ref}, refs...),
		Shown: append(facts.CiteAll(pv, "spec.accessModes[0]"),
			quoted(owners, func(g []claimUser) []*model.Observation { return citeClaim(g[0].pod, c.Ref.Name) })...),
		Text: fmt.Sprintf("Claim %s (%s) is used by %s.", c.Ref, modesText(pv), words.List(names)) + onePodText(pv),
	}
	switch nodes := len(grouped(placed, func(u claimUser) string { return u.node })); nodes {
	case 0:
	case 1:
		h.Severity = "info"
		h.Text += fmt.Sprintf(" Their pods are all on %s, so that both have it now; none can move alone.", placed[0].node)
	default:
		h.Text += fmt.Sprintf(" Their pods are on %d nodes.", nodes)
	}
	return h
}

// citeClaim quotes where a pod names a claim, and its node.
func citeClaim(p pod, claim string) []*model.Observation {
	for i, v := range p.Value().Spec.Volumes {
		if v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim {
			return facts.CiteAll(p, fmt.Sprintf("spec.volumes[%d].persistentVolumeClaim.claimName", i), "spec.nodeName")
		}
	}
	return facts.CiteAll(p, "spec.nodeName")
}
