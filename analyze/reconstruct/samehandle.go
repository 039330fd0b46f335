package reconstruct

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// The attach/detach controller knows a CSI volume by driver and handle alone, and names the VolumeAttachment after these and the node
// (csi_plugin.go GetVolumeName, csi_attacher.go getAttachmentName, 1.13–1.36). Two PersistentVolumes with one handle, as after a restore,
// share attachments, waits and detaches; their claims, pods and workloads stay apart.

// groupSame ties the volumes of each unique name together.
func (vs *Volumes) groupSame() {
	for unique, list := range vs.byUnique {
		if len(list) < 2 {
			continue
		}
		slices.SortFunc(list, compareVolumes)
		either := &Volume{VolumeID: model.VolumeID{UniqueName: unique}.Complete(), same: list, either: true, Access: list[0].Access}
		one, known := list[0].Exclusive()
		for _, v := range list {
			v.same = list
			if e, k := v.Exclusive(); e != one || k != known {
				either.Access = nil
			}
		}
		vs.either[unique] = either
	}
}

// Storage is what stands for the volume in the storage: the same for all PersistentVolumes of one handle. That of nil is nil.
func (v *Volume) Storage() *Volume {
	if v == nil || len(v.same) == 0 {
		return v
	}
	return v.same[0]
}

// Same are all PersistentVolumes of the volume's handle, in the order of their names; itself alone when no other is known.
func (v *Volume) Same() []*Volume {
	if len(v.same) == 0 {
		return []*Volume{v}
	}
	return v.same
}

// SharesHandle reports that several PersistentVolumes name the volume's handle.
func (v *Volume) SharesHandle() bool { return len(v.same) > 1 }

// boundTo are the names of the volumes that the claims themselves name, by namespace/name of the claim.
func boundTo(s *model.Snapshot) map[string]string {
	out := make(map[string]string, len(s.PersistentVolumeClaims))
	for _, c := range model.Newest(s.PersistentVolumeClaims) {
		if pv := c.Value().Spec.VolumeName; pv != "" {
			out[c.Ref.String()] = pv
		}
	}
	return out
}

// closer reports that of two volumes with one claim, whose name a released one keeps, this is rather the claim's.
func (v *Volume) closer(was *Volume, bound string) bool {
	if named := v.PersistentVolume == bound && bound != ""; named != (was.PersistentVolume == bound && bound != "") {
		return named
	}
	return v.isBound() || !was.isBound()
}

func (v *Volume) isBound() bool {
	return v.PV != nil && v.PV.Value().Status.Phase == corev1.VolumeBound
}

// UsersAt are the pods in the bundle that use a volume on a node, through any PersistentVolume of its handle.
func (w *World) UsersAt(v *Volume, node string) []model.Object[*corev1.Pod] {
	var places []int
	for _, s := range v.Same() {
		places = append(places, w.podsAtNode[seat{s, node}]...)
	}
	slices.Sort(places)
	return picked(w.Pods, slices.Compact(places))
}

// wantedBy is the volume that a Multi-Attach report is about. Of several PersistentVolumes with one handle it is the one that the waiting
// pod uses, else the one that the report names, else the only one that another report on that node is about.
func (w *World) wantedBy(o *model.Observation) *Volume {
	v := w.decided(o)
	if v == nil || !v.either {
		return v
	}
	var only *Volume
	for _, p := range w.byKind[model.MultiAttach] {
		d := w.decided(p)
		if d == nil || d.either || d.Storage() != v.Storage() || p.Node != o.Node && !sameReport(o, p) {
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
func (w *World) decided(o *model.Observation) *Volume {
	v := w.Volumes.Find(o.Volume)
	if v == nil || !v.SharesHandle() {
		return v
	}
	about := append(wanting(o), o.Claim)
	of := where(v.same, func(s *Volume) bool {
		return slices.ContainsFunc(about, func(ref model.Ref) bool { return w.uses(ref, s) })
	})
	if len(of) == 1 {
		return of[0]
	}
	return v
}

// uses reports that a pod is known to use a volume, or that a claim is the volume's own.
func (w *World) uses(ref model.Ref, v *Volume) bool {
	if ref.Kind == "PersistentVolumeClaim" {
		return ref.Name != "" && w.Volumes.OfClaim(ref.Namespace, ref.Name) == v
	}
	return slices.ContainsFunc(w.PodsOf(v), func(p model.Object[*corev1.Pod]) bool { return p.Ref.Is(ref) }) || w.users[v].has(ref)
}

// OtherVolumeOf is the other PersistentVolume of the volume's handle through which a pod uses it; nil for that of the case, and when
// unknown. A pod names claims of its own namespace only.
func (c *Case) OtherVolumeOf(pod model.Ref) *Volume {
	if c.World.uses(pod, c.Volume) {
		return nil
	}
	if n := slices.IndexFunc(c.Volume.same, func(s *Volume) bool { return s != c.Volume && c.World.uses(pod, s) }); n >= 0 {
		return c.Volume.same[n]
	}
	elsewhere := where(c.Volume.same, func(s *Volume) bool { return s.Claim.Name != "" && s.Claim.Namespace == pod.Namespace })
	if len(elsewhere) == 1 && elsewhere[0] != c.Volume && c.Volume.Claim.Name != "" {
		return elsewhere[0]
	}
	return nil
}

// stranger reports that a pod is not of the waiting pod's workload: of a shared handle only its own volume's users and like names are.
func (c *Case) stranger(pod model.Ref) bool {
	if !c.Volume.SharesHandle() || c.World.uses(pod, c.Volume) {
		return false
	}
	return c.OtherVolumeOf(pod) != nil || !slices.ContainsFunc(c.NewPods, func(n model.Ref) bool { return namedAlike(n, pod) })
}

// holds reports that an observation names the volume of the case, under any PersistentVolume of its handle.
func (c *Case) holds(o *model.Observation) bool {
	v := c.World.Volumes.Find(o.Volume)
	return v != nil && v.Storage() == c.Volume.Storage()
}

// inStorage are the volumes as the storage has them: one for each handle.
func (vs *Volumes) inStorage() []*Volume {
	return where(vs.All, func(v *Volume) bool { return v == v.Storage() })
}
