package manifest

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

const lowered = `typemeta:
  kind: ""
  apiversion: ""
listmeta:
  resourceversion: ""
items:
- typemeta:
    kind: ""
    apiversion: ""
  objectmeta:
    name: a
    resourceversion: "812345"
    creationtimestamp: "2026-03-14T09:26:53Z"
    managedfields:
    - manager: x
      fieldsv1:
        raw:
        - 123
  spec:
    attacher: d
    source:
      persistentvolumename: pv
    nodename: n
  status:
    attached: true
`

func TestLowered(t *testing.T) {
	var got []Record
	res := Read([]byte(lowered), "yamls/kubernetes/volumeattachments.yaml", func(r Record) { got = append(got, r) })
	if len(got) != 1 || len(res.Problems) != 0 {
		t.Fatalf("%d objects, %v", len(got), res.Problems)
	}
	va := got[0].Value.(*storagev1.VolumeAttachment)
	if va.Spec.NodeName != "n" || *va.Spec.Source.PersistentVolumeName != "pv" || !va.Status.Attached || got[0].ResourceVersion != 812345 ||
		va.CreationTimestamp.IsZero() {
		t.Errorf("got %+v", va)
	}
	if line, text, ok := got[0].Cite("metadata.creationTimestamp"); !ok || line != 13 ||
		text != `    creationtimestamp: "2026-03-14T09:26:53Z"` {
		t.Errorf("cited %d %q", line, text)
	}
	const pv = "items:\n- objectmeta:\n    name: pv\n  spec:\n    capacity:\n      storage:\n        i:\n          value: 3\n    " +
		"persistentvolumesource:\n      rbd: null\n" +
		"      csi:\n        driver: d\n        volumehandle: h\n    accessmodes:\n    - ReadWriteOnce\n    claimref:\n      namespace: " +
		"n\n      name: c\n"
	got = nil
	res = Read([]byte(pv), "persistentvolumes.yaml", func(r Record) { got = append(got, r) })
	if len(got) != 1 || len(res.Problems) != 0 {
		t.Fatalf("%d objects, %v", len(got), res.Problems)
	}
	if v := got[0].Value.(*corev1.PersistentVolume); v.Spec.CSI == nil || v.Spec.CSI.VolumeHandle != "h" || v.Spec.ClaimRef.Name != "c" {
		t.Errorf("got %+v", v.Spec)
	}
	// A label of that name lowers nothing.
	got = nil
	Read([]byte("kind: Node\nmetadata:\n  name: a\n  labels:\n    objectmeta: x\n    nodename: y\n"), "",
		func(r Record) { got = append(got, r) })
	if n := got[0].Value.(*corev1.Node); n.Labels["nodename"] != "y" {
		t.Errorf("got %v", n.Labels)
	}
}
