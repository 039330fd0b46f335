package facts

import (
	"cmp"
	"slices"
	"strings"

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
		either := &Volume{VolumeID: model.VolumeID{UniqueName: unique}.Complete(), same: list, Either: true, Access: list[0].Access}
		for _, v := range list {
			v.same = list
			if v.Exclusive() != list[0].Exclusive() || v.Many() != list[0].Many() {
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
		places = append(places, Where(w.podsOf(s), func(n int) bool { return w.podNode[n] == node })...)
	}
	slices.Sort(places)
	return Picked(w.Pods, slices.Compact(places))
}

// ManyNodes reports that a volume is for several nodes, by its modes or, where nothing tells these, by its driver's name.
func (w *World) ManyNodes(v *Volume) bool { return v.Many() || w.SharedByDriver(v) }

// AttachmentStates are what says of each VolumeAttachment of a volume that it is attached, or not: its object, else the newest row.
func (w *World) AttachmentStates(v *Volume) (held, pending []*model.Observation) {
	objects := map[string]bool{}
	for _, a := range w.AttachmentsOf(v) {
		objects[a.Value().Spec.NodeName] = true
		field, to := "spec.nodeName", &pending
		if a.Value().Status.Attached {
			field, to = "status.attached", &held
		}
		if o := Cite(a, field); o != nil {
			o.Node = a.Value().Spec.NodeName
			*to = append(*to, o)
		}
	}
	for _, o := range w.ByVolume[v] {
		if o.Source.Kind != model.SourceText || o.Node == "" || objects[o.Node] {
			continue
		}
		same := func(p *model.Observation) bool { return p.Node == o.Node }
		if o.Kind == model.AttachmentAttached && !slices.ContainsFunc(held, same) {
			held = append(held, o)
		} else if o.Kind == model.AttachmentPending && !slices.ContainsFunc(pending, same) {
			pending = append(pending, o)
		}
	}
	return held, pending
}

// sharing are words in the names of drivers whose volumes many nodes mount.
var sharing = []string{"nfs", "smb", "cephfs", "efs", "file", "fsx", "lustre", "beegfs", "gluster"}

// SharedByDriver reports a volume whose access modes nothing shows, of a driver that is one for many nodes by its name.
func (w *World) SharedByDriver(v *Volume) bool {
	name := DriverOf(w, v)
	return len(v.Access) == 0 && slices.ContainsFunc(sharing, func(s string) bool { return strings.Contains(name, s) })
}

// DriverOf is the driver of a volume by its objects, else by what a row of its VolumeAttachment says; "" where nothing shows it.
func DriverOf(w *World, v *Volume) string {
	name := v.Driver
	for _, o := range w.ByVolume[v] {
		name = cmp.Or(name, o.Attacher)
	}
	return name
}
