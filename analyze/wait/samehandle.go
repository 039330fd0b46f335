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
