package reconstruct

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/model"
)

// Volume is one volume under all the names that the bundle has for it.
type Volume struct {
	model.VolumeID
	Claim  model.Ref
	Access []string
	PV     *model.Object[*corev1.PersistentVolume] // nil when the bundle does not hold it
}

// Key names the volume in identifiers: the best name that is known.
func (v *Volume) Key() string {
	switch {
	case v.PersistentVolume != "":
		return v.PersistentVolume
	case v.UniqueName != "":
		return v.UniqueName
	}
	return v.Handle
}

// Exclusive reports whether the attach/detach controller lets only one node have the volume, and whether that is known:
// the PersistentVolume's modes hold neither ReadWriteMany nor ReadOnlyMany (volume/util IsMultiAttachAllowed).
func (v *Volume) Exclusive() (exclusive, known bool) {
	if len(v.Access) == 0 {
		return false, false
	}
	return !slices.Contains(v.Access, string(corev1.ReadWriteMany)) && !slices.Contains(v.Access, string(corev1.ReadOnlyMany)), true
}

// Volumes resolves names to volumes.
type Volumes struct {
	All      []*Volume
	byPV     map[string]*Volume
	byUnique map[string]*Volume
	byClaim  map[string]*Volume
	byHandle map[string]*Volume // nil value: two drivers use the same handle
}

// NewVolumes joins what objects and observations say of volumes: the PersistentVolume ties its name to driver and
// handle, a log line ties the name to the unique name, a VolumeAttachment ties it to the driver.
func NewVolumes(s *model.Snapshot, observations []model.Observation) *Volumes {
	vs := &Volumes{byPV: map[string]*Volume{}, byUnique: map[string]*Volume{}, byClaim: map[string]*Volume{}, byHandle: map[string]*Volume{}}
	for _, pv := range model.Newest(s.PersistentVolumes) {
		vs.addPV(pv)
	}
	for _, o := range observations {
		if o.Volume.PersistentVolume == "" && o.Volume.Complete().UniqueName == "" {
			continue // a handle alone names no volume that is not known otherwise
		}
		v := vs.add(o.Volume)
		if v.Claim.Name == "" && o.Claim.Name != "" {
			v.Claim = o.Claim
		}
		if len(v.Access) == 0 {
			v.Access = o.Access
		}
	}
	for _, va := range model.Newest(s.VolumeAttachments) {
		vs.addAttachment(va)
	}
	vs.joinReports(observations)
	vs.index()
	return vs
}

func (vs *Volumes) addPV(pv model.Object[*corev1.PersistentVolume]) {
	id := model.VolumeID{PersistentVolume: pv.Value().Name}
	if csi := pv.Value().Spec.CSI; csi != nil {
		id.Driver, id.Handle = csi.Driver, csi.VolumeHandle
	}
	v := vs.add(id)
	v.PV = &pv
	for _, m := range pv.Value().Spec.AccessModes {
		if !slices.Contains(v.Access, string(m)) {
			v.Access = append(v.Access, string(m))
		}
	}
	if c := pv.Value().Spec.ClaimRef; c != nil {
		v.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: c.Namespace, Name: c.Name, UID: string(c.UID)}
	}
}

func (vs *Volumes) addAttachment(va model.Object[*storagev1.VolumeAttachment]) {
	pv := va.Value().Spec.Source.PersistentVolumeName
	if pv == nil || *pv == "" {
		return
	}
	v := vs.add(model.VolumeID{PersistentVolume: *pv})
	if v.Driver == "" {
		v.Driver = va.Value().Spec.Attacher
	}
}

// add returns the volume of an identity, joining two that turn out to be one.
func (vs *Volumes) add(id model.VolumeID) *Volume {
	id = id.Complete()
	a, b := vs.byPV[id.PersistentVolume], vs.byUnique[id.UniqueName]
	if id.PersistentVolume == "" {
		a = nil
	}
	if id.UniqueName == "" {
		b = nil
	}
	v := a
	switch {
	case a == nil && b == nil:
		v = &Volume{}
		vs.All = append(vs.All, v)
	case a == nil:
		v = b
	case b != nil && a != b && a.UniqueName == "":
		vs.absorb(a, b)
	}
	v.fill(id)
	if v.PersistentVolume != "" {
		vs.byPV[v.PersistentVolume] = v
	}
	if v.UniqueName != "" {
		vs.byUnique[v.UniqueName] = v
	}
	return v
}

// fill adds what is not known yet; what is known stays.
func (v *Volume) fill(id model.VolumeID) {
	for _, f := range []struct{ to, from *string }{
		{&v.PersistentVolume, &id.PersistentVolume}, {&v.UniqueName, &id.UniqueName}, {&v.Handle, &id.Handle}, {&v.Driver, &id.Driver},
	} {
		if *f.to == "" {
			*f.to = *f.from
		}
	}
	v.VolumeID = v.Complete()
}

// absorb moves what b knows into a and forgets b.
func (vs *Volumes) absorb(a, b *Volume) {
	a.fill(b.VolumeID)
	if a.Claim.Name == "" {
		a.Claim = b.Claim
	}
	if len(a.Access) == 0 {
		a.Access = b.Access
	}
	vs.byUnique[b.UniqueName] = a
	vs.All = slices.DeleteFunc(vs.All, func(v *Volume) bool { return v == b })
}

func (vs *Volumes) index() {
	slices.SortFunc(vs.All, func(a, b *Volume) int { return cmpString(a.Key(), b.Key()) })
	for _, v := range vs.All {
		if v.Claim.Name != "" {
			vs.byClaim[v.Claim.Namespace+"/"+v.Claim.Name] = v
		}
		if _, twice := vs.byHandle[v.Handle]; v.Handle != "" {
			vs.byHandle[v.Handle] = v
			if twice {
				vs.byHandle[v.Handle] = nil
			}
		}
	}
}

// Find resolves an identity; nil when nothing of it is known.
func (vs *Volumes) Find(id model.VolumeID) *Volume {
	id = id.Complete()
	if v := vs.byUnique[id.UniqueName]; v != nil && id.UniqueName != "" {
		return v
	}
	if id.PersistentVolume != "" {
		return vs.byPV[id.PersistentVolume]
	}
	if id.UniqueName == "" && id.Handle != "" {
		return vs.byHandle[id.Handle]
	}
	return nil
}

// OfClaim resolves a PersistentVolumeClaim.
func (vs *Volumes) OfClaim(namespace, name string) *Volume { return vs.byClaim[namespace+"/"+name] }
