package facts_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

func pv(name, handle, claim string, phase corev1.PersistentVolumePhase) model.Object[*corev1.PersistentVolume] {
	v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.PersistentVolumeStatus{Phase: phase}}
	v.Spec.CSI = &corev1.CSIPersistentVolumeSource{Driver: "ebs", VolumeHandle: handle}
	v.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "prod", Name: claim}
	return model.Object[*corev1.PersistentVolume]{Ref: model.Ref{Kind: "PersistentVolume", Name: name}, Content: model.Whole(v)}
}

func pvc(name, volume string) model.Object[*corev1.PersistentVolumeClaim] {
	c := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: name}}
	c.Spec.VolumeName = volume
	return model.Object[*corev1.PersistentVolumeClaim]{Ref: model.Ref{Kind: "PersistentVolumeClaim", Namespace: "prod", Name: name},
		Content: model.Whole(c)}
}

// TestVolumesOfOneHandle: two PersistentVolumes of one handle are two volumes, each with its claim, and what names the
// handle alone is either.
func TestVolumesOfOneHandle(t *testing.T) {
	s := &model.Snapshot{PersistentVolumes: []model.Object[*corev1.PersistentVolume]{
		pv("a", "h", "data-a", corev1.VolumeBound), pv("b", "h", "data-b", corev1.VolumeBound), pv("c", "other", "data-c", corev1.VolumeBound),
	}}
	unique := model.UniqueCSIName("ebs", "h")
	vs := facts.NewVolumes(s, []model.Observation{
		{Volume: model.VolumeID{UniqueName: unique}, Claim: model.Ref{Namespace: "x", Name: "not-theirs"}},
		{Volume: model.VolumeID{PersistentVolume: "b", UniqueName: unique}},
		{Volume: model.VolumeID{PersistentVolume: "d", UniqueName: unique}, Claim: model.Ref{Namespace: "prod", Name: "data-d"}}, // in the log
	})
	if len(vs.All) != 4 {
		t.Fatalf("%d volumes instead of 4", len(vs.All))
	}
	for _, name := range []string{"a", "b", "d"} {
		v := vs.Find(model.VolumeID{PersistentVolume: name, UniqueName: unique})
		if v != vs.Find(model.VolumeID{PersistentVolume: name}) || v.PersistentVolume != name || v.Claim.Name != "data-"+name ||
			!v.SharesHandle() || len(v.Same()) != 3 {
			t.Errorf("%s is %+v", name, v)
		}
	}
	c := vs.Find(model.VolumeID{PersistentVolume: "c"})
	if c.SharesHandle() || len(c.Same()) != 1 || c.Storage() != c {
		t.Errorf("c shares its handle: %+v", c)
	}
	a := vs.Find(model.VolumeID{PersistentVolume: "a"})
	for _, id := range []model.VolumeID{{UniqueName: unique}, {Driver: "ebs", Handle: "h"}, {Handle: "h"}} {
		either := vs.Find(id)
		if either == nil || either.PersistentVolume != "" || either.Claim.Name != "" || either.Storage() != a.Storage() {
			t.Errorf("%+v is %+v", id, either)
		}
	}
	if v := vs.Find(model.VolumeID{UniqueName: unique}); v.Exclusive() || v.Many() {
		t.Error("the modes of d are not known")
	}
}

// TestOneNameOneVolume: what tells the name and what tells the handle are one volume once something ties them.
func TestOneNameOneVolume(t *testing.T) {
	unique := model.UniqueCSIName("ebs", "h")
	vs := facts.NewVolumes(&model.Snapshot{}, []model.Observation{
		{Volume: model.VolumeID{UniqueName: unique}}, {Volume: model.VolumeID{PersistentVolume: "a"}},
		{Volume: model.VolumeID{PersistentVolume: "a", UniqueName: unique}},
	})
	v := vs.Find(model.VolumeID{UniqueName: unique})
	if len(vs.All) != 1 || v == nil || v.PersistentVolume != "a" || v.SharesHandle() {
		t.Errorf("%d volumes, %+v", len(vs.All), v)
	}
}

// TestVolumeOfClaim: a volume that was released keeps the name of its claim; the claim's volume is that which it names, else
// the bound one.
func TestVolumeOfClaim(t *testing.T) {
	for _, order := range [][2]string{{"a", "z"}, {"z", "a"}} {
		kept, bound := order[0], order[1]
		s := &model.Snapshot{PersistentVolumes: []model.Object[*corev1.PersistentVolume]{
			pv(kept, "h1", "data", corev1.VolumeReleased), pv(bound, "h2", "data", corev1.VolumeBound),
		}}
		if v := facts.NewVolumes(s, nil).OfClaim("prod", "data"); v == nil || v.PersistentVolume != bound {
			t.Errorf("without the claim: %+v instead of %s", v, bound)
		}
		s.PersistentVolumeClaims = []model.Object[*corev1.PersistentVolumeClaim]{pvc("data", kept)}
		if v := facts.NewVolumes(s, nil).OfClaim("prod", "data"); v == nil || v.PersistentVolume != kept {
			t.Errorf("with the claim: %+v instead of %s", v, kept)
		}
	}
}

// TestRefusedHandle: a handle that a driver names alone is a volume where the storage says that another machine has it.
func TestRefusedHandle(t *testing.T) {
	refusal := func(handle, answer string) model.Observation {
		return model.Observation{Kind: model.AttacherFailed, Node: "node-b", Volume: model.VolumeID{Handle: handle}, Detail: "failed to attach: " + answer}
	}
	for _, c := range []struct {
		name string
		said model.Observation
		want int
	}{
		{"refused", refusal("h", "already attached to node node-a"), 2},
		{"for the node that has it", refusal("h", "already attached to node node-b"), 1},
		{"of a volume that is known", refusal("known", "already attached to node node-a"), 1},
		{"failed", refusal("h", "no such disk"), 1},
		{"by its PersistentVolume", model.Observation{Kind: model.AttacherFailed, Volume: model.VolumeID{PersistentVolume: "a"}}, 1},
	} {
		s := &model.Snapshot{PersistentVolumes: []model.Object[*corev1.PersistentVolume]{pv("a", "known", "data", corev1.VolumeBound)}}
		vs := facts.NewVolumes(s, []model.Observation{c.said, c.said})
		if found := vs.Find(c.said.Volume); len(vs.All) != c.want || (c.want == 2) != (found != nil && found.PersistentVolume == "") {
			t.Errorf("%s: %d volumes, found %+v", c.name, len(vs.All), found)
		}
	}
}
