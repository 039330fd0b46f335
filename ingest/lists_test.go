package ingest

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

func TestLists(t *testing.T) {
	const va = "apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata: {name: a}\n"
	const csiNode = "apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: a}\n"
	attached := func(volume string) string {
		return "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {volumesAttached: [{name: " + volume + ", devicePath: x}]}\n"
	}
	const empty = "apiVersion: v1\nitems: []\nkind: EventList\n"
	tests := []struct{ name, bundle, want string }{
		{"a loose object is no list", "-- va.yaml --\n" + va, ""},
		{"a directory with one file for each object is", "-- cluster-scoped-resources/storage.k8s.io/volumeattachments/a.yaml --\n" + va,
			"VolumeAttachment"},
		{"an empty one is too", "-- cluster-scoped-resources/storage.k8s.io/volumeattachments/.keep --\nx\n", "VolumeAttachment"},
		{"one elsewhere is not", "-- volumeattachments/a.yaml --\n" + va, ""},
		{"an empty list of a namespace", "-- namespaces/n/core/events.yaml --\n" + empty, "Event/n"},
		{"an empty list of nobody knows which namespace", "-- events.yaml --\n" + empty, ""},
		{"one namespace was asked", "-- e.yaml --\napiVersion: v1\nitems:\n- metadata: {name: a, namespace: n}\nkind: PodList\n", "Pod/n"},
		{"all namespaces were asked", "-- e.yaml --\napiVersion: v1\nitems:\n- metadata: {name: a, namespace: n}\n- metadata: {name: a, " +
			"namespace: m}\nkind: PodList\n", "Pod"},
		{"logs of pods are no list of pods", "-- namespaces/n/pods/a/c/c/logs/current.log --\nx\n", ""},
		{"a must-gather asks for attachments and CSI nodes alike",
			"-- must-gather.local.1/cluster-scoped-resources/storage.k8s.io/csinodes/a.yaml --\n" + csiNode, "CSINode VolumeAttachment"},
		{"it lost those that a node's volumes need",
			"-- must-gather.local.1/cluster-scoped-resources/storage.k8s.io/csinodes/a.yaml --\n" + csiNode + "-- must-gather.local.1/" +
				"cluster-scoped-resources/core/nodes/a.yaml --\n" + attached("kubernetes.io/csi/ebs.csi.aws.com^vol-1"), "CSINode Node"},
		{"a volume in a node's tree of plugins needs none",
			"-- must-gather.local.1/cluster-scoped-resources/storage.k8s.io/csinodes/a.yaml --\n" + csiNode + "-- must-gather.local.1/" +
				"cluster-scoped-resources/core/nodes/a.yaml --\n" + attached("kubernetes.io/aws-ebs/vol-1"), "CSINode Node VolumeAttachment"},
		{"an inspection of CSI nodes does not", "-- cluster-scoped-resources/storage.k8s.io/csinodes/a.yaml --\n" + csiNode, "CSINode"},
		{"a truncated list is none", "-- e.yaml --\napiVersion: v1\nitems:\n- kind: Node\n  metadata: {name: a}\n- kind: Node\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, l := range readFS(t, bundleOf(tt.bundle)).Lists {
				got = append(got, strings.TrimSuffix(l.Kind+"/"+l.Namespace, "/"))
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

// TestTruncatedBundlesListNothing: an object that is not there may be in what could not be read.
func TestTruncatedBundlesListNothing(t *testing.T) {
	const dir = "cluster-scoped-resources/storage.k8s.io/volumeattachments/"
	list := "apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata: {name: %s}\n"
	a, b := fmt.Sprintf(list, "a"), fmt.Sprintf(list, "b")
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	put(t, w, dir+"a.yaml", []byte(a))
	put(t, w, dir+"b.yaml", []byte(b))
	must(t, w.Close())
	tarred := packed.Bytes()
	for name, tt := range map[string]struct {
		bundle fstest.MapFS
		limits Limits
		want   int
	}{
		"whole":          {fstest.MapFS{"x.tar": {Data: tarred}}, Limits{}, 1},
		"an archive cut": {fstest.MapFS{"x.tar": {Data: tarred[:1024+512+9]}}, Limits{}, 0},
		"a file broken": {fstest.MapFS{dir + "a.yaml": {Data: []byte(a)},
			dir + "b.yaml": {Data: []byte("apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata:\n  name: b\n  labels: {{\n")}}, Limits{},
			0},
		"the limit of bytes": {fstest.MapFS{"x.tar": {Data: tarred}}, Limits{TotalBytes: int64(len(a))}, 0},
		"of entries":         {fstest.MapFS{"x.tar": {Data: tarred}}, Limits{Entries: 2}, 0},
		"of objects":         {fstest.MapFS{"x.tar": {Data: tarred}}, Limits{ObjectBytes: 1}, 0},
	} {
		s, err := Read(context.Background(), OpenFS(tt.bundle, "test"), Options{Limits: tt.limits})
		must(t, err)
		if len(s.Lists) != tt.want {
			t.Errorf("%s: got %v, want %d", name, s.Lists, tt.want)
		}
	}
}

// TestLimitOfAllBytes: the limit is told once, however many files lie behind it, and each of them is accounted for.
func TestLimitOfAllBytes(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 100 {
		fsys[fmt.Sprintf("f%02d.yaml", i)] = &fstest.MapFile{Data: []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n")}
	}
	s, err := Read(context.Background(), OpenFS(fsys, "test"), Options{Limits: Limits{TotalBytes: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, p := range s.Problems {
		if strings.Contains(p.Message, "--max-total-bytes") {
			told++
		}
	}
	if told != 1 || len(s.Problems) > 1+4 || len(s.Inputs) != len(fsys) { // at most four are cut while they are read
		t.Errorf("told %d times in %d problems of %d inputs: %v", told, len(s.Problems), len(s.Inputs), s.Problems)
	}
}

func TestNotCollected(t *testing.T) {
	const volume = `
-- pv.yaml --
apiVersion: v1
items:
- metadata: {name: pv}
  spec:
    claimRef: {namespace: shop, name: data}
    csi: {driver: d, volumeHandle: v}
kind: PersistentVolumeList
`
	whats := func(bundle string) string {
		var out []string
		for _, n := range readFS(t, bundleOf(bundle)).NotCollected {
			if n.Consequence == "" {
				t.Errorf("%s: no consequence", n.What)
			}
			out = append(out, n.What)
		}
		return strings.Join(out, "; ")
	}
	all := whats("-- notes.txt --\nhello\n")
	for _, want := range []string{"VolumeAttachments", "kube-controller-manager", "external-attacher", "Nodes", "Leases", "PersistentVolumes",
		"audit log", "metrics"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s: does not say that %s are missing", all, want)
		}
	}
	if strings.Contains(all, "no pods") {
		t.Errorf("%s: nothing tells which namespaces matter", all)
	}
	if got := whats(volume); !strings.Contains(got, "no pods or no events of shop") || strings.Contains(got, "PersistentVolumes") {
		t.Errorf("got %s", got)
	}
	const lists = volume + `-- pods.yaml --
apiVersion: v1
items:
- metadata: {name: a, namespace: shop}
- metadata: {name: a, namespace: other}
kind: PodList
-- namespaces/shop/core/events.yaml --
apiVersion: v1
items: []
kind: EventList
-- namespaces/kube-node-lease/coordination.k8s.io/leases.yaml --
apiVersion: coordination.k8s.io/v1
items: []
kind: LeaseList
-- nodes.json --
{"kind":"NodeList","items":[]}
`
	got, want := whats(lists), "no list of VolumeAttachments; no log of kube-controller-manager; no log of an external-attacher; no kubelet "+
		"log of the nodes that held the volumes; no audit log; no metrics"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	inspected := readFS(t, bundleOf("-- namespaces/a/a.yaml --\nx: y\n"))
	if c := inspected.NotCollected[0].Command; !strings.HasPrefix(c, "oc ") {
		t.Errorf("an inspection is told to run %q", c)
	}
}

// TestCommandsAreSafe: a command is copied into a shell, and names come from whoever wrote the bundle.
func TestCommandsAreSafe(t *testing.T) {
	const report = `-- kcm.log --
I0314 09:26:53.841223       1 reconciler.go:433] "Multi-Attach error: volume is already used by pods" pods=["$(id)/a"] attachedTo=["$(id)"] volume={"volumeName":"kubernetes.io/csi/d^h"} node="b"
`
	all := ""
	for _, n := range readFS(t, bundleOf(report)).NotCollected {
		all += n.What + "\n"
		if strings.Contains(n.Command, "$(") {
			t.Errorf("%s", n.Command)
		}
	}
	if !strings.Contains(all, "no kubelet log of $(id)") {
		t.Errorf("not collected: %s", all)
	}
}

func TestNotCollectedByProvider(t *testing.T) {
	const node = "-- nodes.yaml --\napiVersion: v1\nitems:\n- metadata:\n    name: n\n    labels: {%s: x}\n  status: {nodeInfo: " +
		"{kubeletVersion: %s}}\nkind: NodeList\n"
	for _, tt := range []struct{ label, version, log, audit string }{
		{"eks.amazonaws.com/nodegroup", "v1.33.1", "aws logs", "aws logs"},
		{"a", "v1.33.1-eks-1552ad0", "aws logs", "aws logs"},
		{"cloud.google.com/gke-nodepool", "v1.33.1-gke.100", "gcloud logging", "gcloud logging"},
		{"kubernetes.azure.com/cluster", "v1.33.1", "az monitor", "az monitor"},
		{"a", "v1.33.1+k3s1", "journalctl -u k3s", ""},
		{"a", "v1.33.1+rke2r1", "kubectl -n kube-system logs", ""},
		{"a", "v1.33.1", "kubectl -n kube-system logs", ""},
	} {
		for _, n := range readFS(t, bundleOf(fmt.Sprintf(node, tt.label, tt.version))).NotCollected {
			switch {
			case n.What == "no log of kube-controller-manager" && !strings.HasPrefix(n.Command, tt.log),
				n.What == "no audit log" && (tt.audit == "" && n.Command != "" || !strings.HasPrefix(n.Command, tt.audit)):
				t.Errorf("%s %s: %s: %q", tt.label, tt.version, n.What, n.Command)
			}
		}
	}
}
