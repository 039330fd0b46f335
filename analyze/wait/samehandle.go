package wait

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// wantedBy is the volume that a Multi-Attach report is about. Of several PersistentVolumes with one handle it is the one that the waiting
// pod uses, else the one that the report names, else the only one that another report on that node is about.
func wantedBy(w *facts.World, o *model.Observation) *facts.Volume {
	v := decided(w, o)
	if v == nil || !v.Either {
		return v
	}
	var only *facts.Volume
	for _, p := range w.ByKind[model.MultiAttach] {
		d := decided(w, p)
		if d == nil || d.Either || d.Storage() != v.Storage() {
			continue
		}
		if p.Node != o.Node && !sameReport(o, p) {
			continue
		}
		if only != nil && only != d {
			return v
		}
		only = d
	}
	return cmp.Or(only, v)
}

// decided is the volume of a report by its own pods, claim or PersistentVolume.
func decided(w *facts.World, o *model.Observation) *facts.Volume {
	v := w.Volumes.Find(o.Volume)
	if v == nil || !v.SharesHandle() {
		return v
	}
	_, pods := wanting(w, o)
	about := append(pods, o.Claim)
	of := facts.Where(v.Same(), func(s *facts.Volume) bool {
		return slices.ContainsFunc(about, func(ref model.Ref) bool { return uses(w, ref, s) })
	})
	if len(of) == 1 {
		return of[0]
	}
	return v
}

// uses reports that a pod is known to use a volume, or that a claim is the volume's own.
func uses(w *facts.World, ref model.Ref, v *facts.Volume) bool {
	if ref.Kind == "PersistentVolumeClaim" {
		return ref.Name != "" && w.Volumes.OfClaim(ref.Namespace, ref.Name) == v
	}
	return slices.ContainsFunc(w.PodsOf(v), func(p model.Object[*corev1.Pod]) bool { return p.Ref.Is(ref) }) || w.Users[v].Has(ref)
}

// OtherVolumeOf is the other PersistentVolume of the volume's handle through which a pod uses it; nil for that of the case, and when
// unknown. A pod names claims of its own namespace only.
func (c *Case) OtherVolumeOf(pod model.Ref) *facts.Volume {
	if uses(c.World, pod, c.Volume) {
		return nil
	}
	if n := slices.IndexFunc(c.Volume.Same(), func(s *facts.Volume) bool { return s != c.Volume && uses(c.World, pod, s) }); n >= 0 {
		return c.Volume.Same()[n]
	}
	elsewhere := facts.Where(c.Volume.Same(), func(s *facts.Volume) bool { return s.Claim.Name != "" && s.Claim.Namespace == pod.Namespace })
	if len(elsewhere) == 1 && elsewhere[0] != c.Volume && c.Volume.Claim.Name != "" {
		return elsewhere[0]
	}
	return nil
}

// stranger reports that a pod is not of the waiting pod's workload: of a shared handle only its own volume's users and like names are.
func (c *Case) stranger(pod model.Ref) bool {
	if !c.Volume.SharesHandle() || uses(c.World, pod, c.Volume) {
		return false
	}
	return c.OtherVolumeOf(pod) != nil || !slices.ContainsFunc(c.NewPods, func(n model.Ref) bool { return namedAlike(n, pod) })
}

// holds reports that an observation names the volume of the case, under any PersistentVolume of its handle.
func (c *Case) holds(o *model.Observation) bool {
	v := c.World.Volumes.Find(o.Volume)
	return v != nil && v.Storage() == c.Volume.Storage()
}

// Serving are the pods in the bundle that run on the old node with the volume and are not being deleted: the controller waits for them.
func (c *Case) Serving() []model.Object[*corev1.Pod] {
	pods := c.World.Held(c.OldPods)
	if c.From != "" && !c.Resolved() { // later the volume may have come back
		pods = append(pods, c.World.PodsAt(c.Volume, c.From)...)
	}
	known := map[model.Ref]bool{}
	return facts.Where(pods, func(p model.Object[*corev1.Pod]) bool {
		pod, again := p.Value(), known[p.Ref]
		known[p.Ref] = true
		elsewhere := c.From != "" && pod.Spec.NodeName != c.From
		if again || c.isNewPod(p.Ref) || elsewhere {
			return false
		}
		return runs(pod) && pod.Spec.NodeName != c.To
	})
}

// runs reports that a pod runs and is not being deleted.
func runs(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodRunning && p.DeletionTimestamp == nil
}

// Sharing finds a pod that runs on the old node and a waiting one on another node that name one claim and are not being deleted.
func (c *Case) Sharing() (old, waiting model.Object[*corev1.Pod], ok bool) {
	for _, o := range c.Serving() {
		for _, p := range c.World.Held(c.NewPods) {
			if wants(p.Value()) && p.Value().Spec.NodeName != o.Value().Spec.NodeName && sameClaim(o, p) {
				return o, p, true
			}
		}
	}
	return old, waiting, false
}

// wants reports that a pod is on a node and still needs its volumes.
func wants(p *corev1.Pod) bool {
	return p.Spec.NodeName != "" && p.DeletionTimestamp == nil && !facts.Finished(p)
}

func sameClaim(a, b model.Object[*corev1.Pod]) bool {
	claims := facts.ClaimsOf(b.Value())
	shared := func(name string) bool { return slices.Contains(claims, name) }
	return a.Ref.Namespace == b.Ref.Namespace && slices.ContainsFunc(facts.ClaimsOf(a.Value()), shared)
}

// Revisions reports that the old and the new pod belong to one Deployment and differ in their template: a rolling update.
func (c *Case) Revisions() bool {
	old, fresh := c.TemplateHash(c.OldPods), c.TemplateHash(c.NewPods)
	if old == "" || fresh == "" || old == fresh {
		return false
	}
	if !c.PodsInBundle() {
		return c.OneDeployment()
	}
	return c.SameOwner() && c.ownedBy("Deployment")
}

// OwnersDiffer reports that both an old and a new pod are in the bundle and belong to two workloads.
func (c *Case) OwnersDiffer() bool { return c.PodsInBundle() && !c.SameOwner() }

// OldOwner is the TopOwner of an old pod, which would make another in its place; nil for a pod without one; known when a pod is there.
func (c *Case) OldOwner() (owner *model.Ref, known bool) {
	pods := append(c.Serving(), c.World.Held(c.OldPods)...)
	if len(pods) == 0 {
		return nil, false
	}
	top := c.World.TopOwner(pods[0])
	if top == pods[0].Ref {
		return nil, true
	}
	return &top, true
}
