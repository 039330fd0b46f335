package phrase

import (
	"fmt"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// TestHandlersOfDeletions: which handler of a pod means its end, which a request to delete it, and which neither.
func TestHandlersOfDeletions(t *testing.T) {
	const stamp = "2026-03-14 10:00:30 +0000 UTC"
	for _, c := range []struct{ handler, stamp, want string }{
		{"x.updatePod", stamp, "pod-deletion-requested deletionTimestamp " + stamp}, {"x.updatePod-fm", stamp, "pod-deletion-requested deletionTimestamp " + stamp},
		{"x.updatePod", "", " "}, {"x.updatePod", "<nil>", " "}, {"x.updatePod", "null", " "},
		{"x.deletePod", stamp, "pod-gone "}, {"x.deletePod", "", "pod-gone "}, {"x.addPod", stamp, " "}, {"x.addPod-fm", stamp, " "}, {"", stamp, " "},
	} {
		o := model.Observation{At: model.Exactly(time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC))}
		ok := setDeletion(c.handler, c.stamp, &o)
		if got := fmt.Sprint(o.Kind, " ", o.Detail); got != c.want || ok != (c.want != " ") {
			t.Errorf("%s %s: %q, %t", c.handler, c.stamp, got, ok)
		}
	}
	for at, want := range map[float64]bool{-0.1: false, 0: true, 1.9: true, 2: false} {
		o := model.Observation{At: model.Exactly(time.Date(2026, 3, 14, 10, 0, 30, 0, time.UTC).Add(time.Duration(at * float64(time.Second))))}
		if graceless(stamp, &o) != want {
			t.Errorf("a line %v s after the stamp: %t", at, !want)
		}
		if o.Floating = true; graceless(stamp, &o) {
			t.Error("a time without a zone tells a distance")
		}
	}
	if graceless(stamp, &model.Observation{}) || graceless("x", &model.Observation{At: model.Exactly(time.Unix(0, 0))}) {
		t.Error("no time tells a distance")
	}
}

// TestHoldersOfDisks: a path names an instance at its end, closed, and no other resource.
func TestHoldersOfDisks(t *testing.T) {
	const path = "is already being used by 'projects/p/zones/z/"
	for text, want := range map[string]string{path + "instances/a'": "[a]", path + "instances/a": "[]", path + "instances/'": "[]", path + "instances/a/b'": "[]",
		path + "instances/a b'": "[]", path + "disks/a'": "[]"} {
		if got := fmt.Sprint(holdersOf(text)); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestHalfLines: of a line of which the end or a field is missing nothing is said.
func TestHalfLines(t *testing.T) {
	at := model.Exactly(time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC))
	for name, c := range map[string]struct {
		read func(*logline.Record, *model.Observation) bool
		text string
		want bool
	}{
		"a CSI attachment":            {readAttachment, "[csi-1] x", true},
		"one without a name":          {readAttachment, "[] x", false},
		"one that is not closed":      {readAttachment, "[csi-1 x", false},
		"a lease, cut off":            {readLease, `"https://x/namespaces/kube-node-lease/leases/n": EOF`, true},
		"a lease, with an answer":     {readLease, `"https://x/namespaces/kube-node-lease/leases/n": conflict`, false},
		"a lease of another place":    {readLease, `"https://x/namespaces/kube-system/leases/n": EOF`, false},
		"a lease without a node":      {readLease, `"https://x/namespaces/kube-node-lease/leases/": EOF`, false},
		"a pause":                     {readPaused, "pleg was last seen active 3m0s ago; threshold is 3m0s", true},
		"a pause of no length":        {readPaused, "pleg was last seen active long ago", false},
		"a status":                    {readStatusUpdate, `Updating status for node "n" succeeded. patchBytes: "x" VolumesAttached: [{u /dev/x}]`, true},
		"a status of no quoted node":  {readStatusUpdate, `Updating status for node n succeeded. patchBytes: "x" VolumesAttached: [{u /dev/x}]`, false},
		"a status with two volumes":   {readStatusUpdate, `Updating status for node "n" succeeded. patchBytes: "x" VolumesAttached: [{u /dev/x} {v /dev/y}]`, false},
		"a volume with its name":      {readSetUp, `MountVolume.SetUp for volume "pvc-1" (UniqueName: "kubernetes.io/csi/d^h") pod "p" (UID: "u")`, true},
		"a volume without its name":   {readSetUp, `MountVolume.SetUp for volume "pvc-1" pod "p" (UID: "u")`, false},
		"a volume whose name is open": {readSetUp, `MountVolume.SetUp for volume "pvc-1" (UniqueName: "kubernetes.io/csi/d^h`, false},
	} {
		if got := c.read(&logline.Record{Message: c.text}, &model.Observation{At: at}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if readPaused(&logline.Record{Message: "pleg was last seen active 3m0s ago"}, &model.Observation{}) {
		t.Error("a pause before no time")
	}
	for value, want := range map[string]bool{"p_n(u)": true, "p_n": false, "_n(u)": false} {
		if got := put(&model.Observation{}, "full", value); got != want {
			t.Errorf("%s: %t", value, got)
		}
	}
	if got := list(" "); got != nil || len(list("a")) != 1 {
		t.Errorf("a list of nothing: %q", got)
	}
	o := model.Observation{}
	readDump(`{"VolumeName":"kubernetes.io/csi/d^h","NodeName":"n","VolumeSpec":{"Volume":null}}`, &o)
	if o.Node != "n" || o.Volume.Handle != "h" {
		t.Errorf("%+v", o)
	}
}
