package manifest

import (
	"strings"
	"testing"

	storagev1 "k8s.io/api/storage/v1"
)

const truncatedAttachment = `- apiVersion: storage.k8s.io/v1
  kind: VolumeAttachment
  metadata:
    deletionTimestamp: "2024-05-01T10:00:00Z"
    name: csi-1
  spec:
    attacher: d.example.com
    nodeName: worker-1
    source:
      persistentVolumeName: pvc-1
  status:
    attached: true
    detachError:
      message: 'rpc error: code = Internal desc = could not detach
        the disk, code:`

// The text of an object that breaks off within a scalar is read as far as it goes, and its list is not taken for complete.
func TestTruncated(t *testing.T) {
	for _, end := range []string{"", "\r\n", "\n"} {
		var got []Record
		res := Read([]byte(truncatedAttachment+end), "va.yaml", func(r Record) { got = append(got, r) })
		if len(got) != 1 || len(res.Lists) != 0 || len(res.Problems) != 1 || !strings.Contains(res.Problems[0].Message, "breaks off") {
			t.Fatalf("%d objects, %+v", len(got), res)
		}
		a := got[0].Value.(*storagev1.VolumeAttachment)
		if !a.Status.Attached || a.DeletionTimestamp == nil || a.Status.DetachError == nil ||
			a.Status.DetachError.Message != "rpc error: code = Internal desc = could not detach the disk, code: …" {
			t.Errorf("%+v", a.Status)
		}
	}
}

// What breaks off before all that counts is said is lost: a field that is not there proves nothing.
func TestTruncatedTooEarly(t *testing.T) {
	for name, text := range map[string]string{
		"before the status": strings.Split(truncatedAttachment, "  status:")[0] + "    x: 'a",
		"in the name":       "apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata:\n  name: 'csi-",
		"of a node":         "apiVersion: v1\nkind: Node\nmetadata:\n  name: n\nstatus:\n  volumesInUse:\n  - 'kubernetes.io/csi",
		"of a pod":          "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nstatus:\n  message: 'was",
	} {
		res := Read([]byte(text), "x.yaml", func(r Record) { t.Errorf("%s: read %s", name, r.Ref) })
		if len(res.Lists) != 0 || len(res.Problems) == 0 {
			t.Errorf("%s: %+v", name, res)
		}
	}
}

// TestRealigned: a pasted object whose first line lost its indentation is read, its lines as they are; one that is otherwise truncated is not.
func TestRealigned(t *testing.T) {
	const rest = "\n  kind: VolumeAttachment\n  metadata:\n    name: csi-1\n  spec:\n    attacher: a\n    nodeName: node-a\n    source:\n      persistentVolumeName: pvc-1\n  status:\n    attached: false\n"
	for text, want := range map[string]int{
		"apiVersion: storage.k8s.io/v1" + rest:   1,
		"note: of yesterday" + rest:              0,
		"\napiVersion: storage.k8s.io/v1" + rest: 2,
	} {
		var got []Record
		res := Read([]byte(text), "va.yaml", func(r Record) { got = append(got, r) })
		if len(got) != min(want, 1) {
			t.Errorf("%q: %d objects, %v", text, len(got), res.Problems)
			continue
		}
		if want > 0 && (got[0].Ref.Name != "csi-1" || got[0].Line != want || got[0].Length != len(text)) {
			t.Errorf("%+v", got[0])
		}
	}
}
