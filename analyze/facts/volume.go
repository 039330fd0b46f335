package facts

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Volume is one volume under all its names. Two PersistentVolumes are two, also when they name one handle: see samehandle.go.
type Volume struct {
	model.VolumeID
	Claim  model.Ref
	Access []string
	PV     *model.Object[*corev1.PersistentVolume] // nil when the bundle does not hold it

	same   []*Volume // all volumes of one handle, itself among them; nil when it is alone
	Either bool      // it stands for one of same, and nothing shows which
}

// Key names the volume in identifiers: the best name that is known.
func (v *Volume) Key() string {
	if v.PersistentVolume != "" {
		return v.PersistentVolume
	}
	if v.UniqueName != "" {
		return v.UniqueName
	}
	return v.Handle
}

// Exclusive reports that a volume is known to admit one node only: the attach/detach controller goes by its modes, which hold neither
// ReadWriteMany nor ReadOnlyMany (volume/util IsMultiAttachAllowed). Many, that it is known to admit several.
func (v *Volume) Exclusive() bool { return len(v.Access) > 0 && !v.Many() }

// Many: see Exclusive.
func (v *Volume) Many() bool {
	return slices.Contains(v.Access, string(corev1.ReadWriteMany)) || slices.Contains(v.Access, string(corev1.ReadOnlyMany))
}

// Volumes resolves names to volumes.
type Volumes struct {
	All      []*Volume
	byPV     map[string]*Volume
	byUnique map[string][]*Volume
	either   map[string]*Volume // by unique name, where several volumes have it: what names only that
	byClaim  map[string]*Volume
	byHandle map[string]*Volume // nil value: two drivers use the same handle
}

// NewVolumes joins what objects and observations say of volumes; last those without a PersistentVolume, unless one has the unique name.
func NewVolumes(s *model.Snapshot, observations []model.Observation) *Volumes {
	vs := &Volumes{byPV: map[string]*Volume{}, byUnique: map[string][]*Volume{}, either: map[string]*Volume{},
		byClaim: map[string]*Volume{}, byHandle: map[string]*Volume{}}
	for _, pv := range model.Newest(s.PersistentVolumes) {
		vs.addPV(pv)
	}
	for i := range observations {
		if o := &observations[i]; o.Volume.PersistentVolume != "" {
			vs.addObserved(o)
		}
	}
	for _, va := range model.Newest(s.VolumeAttachments) {
		vs.addAttachment(va)
	}
	for i := range observations {
		// A handle alone names no volume that is not known otherwise.
		if o := &observations[i]; o.Volume.PersistentVolume == "" && o.Volume.Complete().UniqueName != "" {
			vs.addObserved(o)
		}
	}
	vs.joinReports(observations)
	vs.addRefused(observations)
	vs.index(s)
	return vs
}

// addRefused adds the volumes that a driver's error names by the handle alone, where the storage says that another machine has them: of a
// driver's log that is all.
func (vs *Volumes) addRefused(observations []model.Observation) {
	known := map[string]bool{"": true}
	for _, v := range vs.All {
		known[v.Handle] = true
	}
	for i := range observations {
		o := &observations[i]
		id := o.Volume
		if named := id.PersistentVolume != "" || known[id.Handle]; named || o.Kind != model.AttacherFailed {
			continue
		}
		if upstream.InUseElsewhere(o.Detail, o.Node) {
			known[id.Handle] = true
			vs.add(id)
		}
	}
}

// addObserved adds what an observation says of a volume.
func (vs *Volumes) addObserved(o *model.Observation) {
	v := vs.add(o.Volume)
	if v == nil {
		return
	}
	if v.Claim.Name == "" && o.Claim.Name != "" {
		v.Claim = o.Claim
	}
	if len(v.Access) == 0 {
		v.Access = o.Access
	}
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

// add returns the volume of an identity, joining two that turn out to be one; nil for that of several PersistentVolumes.
func (vs *Volumes) add(id model.VolumeID) *Volume {
	id = id.Complete()
	same := vs.byUnique[id.UniqueName]
	var v *Volume
	switch {
	case id.PersistentVolume != "":
		v = vs.byPV[id.PersistentVolume]
		switch unnamed := slices.IndexFunc(same, func(s *Volume) bool { return s.PersistentVolume == "" }); {
		case unnamed < 0:
		case v == nil:
			v = same[unnamed]
		case v.UniqueName == "":
			vs.absorb(v, same[unnamed])
		}
	case len(same) > 1:
		return nil
	case len(same) == 1:
		v = same[0]
	}
	if v == nil {
		v = &Volume{}
		vs.All = append(vs.All, v)
	}
	v.fill(id)
	if v.PersistentVolume != "" {
		vs.byPV[v.PersistentVolume] = v
	}
	if u := v.UniqueName; u != "" && !slices.Contains(vs.byUnique[u], v) {
		vs.byUnique[u] = append(vs.byUnique[u], v)
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
	list := vs.byUnique[b.UniqueName]
	list[slices.Index(list, b)] = a
	vs.All = slices.DeleteFunc(vs.All, func(v *Volume) bool { return v == b })
}

func (vs *Volumes) index(s *model.Snapshot) {
	slices.SortFunc(vs.All, compareVolumes)
	vs.groupSame()
	bound := boundTo(s)
	for _, v := range vs.All {
		if v.Claim.Name != "" {
			key := v.Claim.Namespace + "/" + v.Claim.Name
			if was := vs.byClaim[key]; was == nil || v.closer(was, bound[key]) {
				vs.byClaim[key] = v
			}
		}
		if v.Handle == "" || len(v.same) > 1 && v != v.same[0] {
			continue
		}
		if _, twice := vs.byHandle[v.Handle]; twice {
			vs.byHandle[v.Handle] = nil
		} else if vs.byHandle[v.Handle] = v; len(v.same) > 1 {
			vs.byHandle[v.Handle] = vs.either[v.UniqueName]
		}
	}
}

// Find resolves an identity; nil when nothing of it is known. A handle of several PersistentVolumes alone stands for either.
func (vs *Volumes) Find(id model.VolumeID) *Volume {
	id = id.Complete()
	same := vs.byUnique[id.UniqueName] // none for ""
	if v := vs.byPV[id.PersistentVolume]; v != nil && (len(same) == 0 || slices.Contains(same, v)) {
		return v
	}
	if len(same) == 1 {
		return same[0]
	}
	if len(same) > 1 {
		return vs.either[id.UniqueName]
	}
	if id.PersistentVolume == "" && id.UniqueName == "" && id.Handle != "" {
		return vs.byHandle[id.Handle]
	}
	return nil
}

// OfClaim resolves a PersistentVolumeClaim.
func (vs *Volumes) OfClaim(namespace, name string) *Volume { return vs.byClaim[namespace+"/"+name] }

func compareVolumes(a, b *Volume) int { return cmp.Compare(a.Key(), b.Key()) }

// sameBreath is how far apart the controller's line and event of one report may lie: at most 0.1 s in the recordings.
const sameBreath = 200 * time.Millisecond

// joinReports ties a unique name to a PersistentVolume where nothing else does: the line of the reconciler names the one, the event the
// other, one after the other for the same pod. Where more than one would fit, none is tied.
func (vs *Volumes) joinReports(observations []model.Observation) {
	var lines, events []*model.Observation
	for i := range observations {
		o := &observations[i]
		if o.Kind != model.MultiAttach || o.At.IsZero() || o.Floating {
			continue
		}
		v := vs.Find(o.Volume)
		switch {
		case v == nil:
		case v.PersistentVolume == "":
			lines = append(lines, o)
		case v.UniqueName == "":
			events = append(events, o)
		}
	}
	for _, l := range lines {
		if e, ok := only(l, events); ok {
			if back, ok := only(e, lines); ok && back.Volume == l.Volume {
				vs.add(model.VolumeID{PersistentVolume: e.Volume.PersistentVolume, UniqueName: l.Volume.Complete().UniqueName})
			}
		}
	}
}

// only finds the one volume of the others that was reported in the same breath for the same pod.
func only(o *model.Observation, others []*model.Observation) (*model.Observation, bool) {
	var found *model.Observation
	for _, p := range others {
		if p.At.At.Sub(o.At.At).Abs() > sameBreath || o.Pod.Name == "" || !o.Pod.Is(p.Pod) {
			continue
		}
		if found != nil && found.Volume != p.Volume {
			return nil, false
		}
		found = p
	}
	return found, found != nil
}
