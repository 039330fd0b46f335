package ingest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

func TestClusters(t *testing.T) {
	kubeSystem := func(file, uid string) string {
		return fmt.Sprintf("-- %s --\nkind: Namespace\napiVersion: v1\nmetadata: {name: kube-system, uid: %s}\n", file, uid)
	}
	version := func(file, id string) string {
		return fmt.Sprintf("-- %s --\nkind: ClusterVersion\napiVersion: config.openshift.io/v1\nmetadata: {name: version}\nspec: {clusterID: "+
			"%s}\n", file, id)
	}
	nodes := func(file string, names ...string) string {
		text := "-- " + file + " --\napiVersion: v1\nitems:\n"
		for _, n := range names {
			name, uid, _ := strings.Cut(n, "/")
			text += fmt.Sprintf("- metadata: {name: %s, uid: %q}\n", name, uid)
		}
		return text + "kind: NodeList\n"
	}
	pod := func(file string) string {
		return "-- " + file + " --\nkind: Pod\napiVersion: v1\nmetadata: {name: p, namespace: n}\n"
	}
	printed := func(context, volume string) string {
		return "$ kubectl --context " + context + " get pod p -n n -o yaml\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  namespace: n\n" +
			"$ kubectl --context=" + context + " get volumeattachment\nNAME    ATTACHER   PV     NODE   ATTACHED   AGE\ncsi-1   d          " + volume +
			"   n1     true       5d\n"
	}
	tests := []struct{ name, bundle, clusters, pods string }{
		{"one", kubeSystem("a/x.yaml", "u") + kubeSystem("b/x.yaml", "u") + pod("c.yaml"), "", "c.yaml="},
		{"two", kubeSystem("a/x.yaml", "u") + kubeSystem("b/x.yaml", "v") + pod("a/d/p.yaml") + pod("b/p.yaml") + pod("c.yaml"),
			"kube-system u,kube-system v", "a/d/p.yaml=kube-system u b/p.yaml=kube-system v c.yaml="},
		{"two must-gathers, whose halves lie apart",
			version("a/cluster-scoped-resources/config.openshift.io/clusterversions.yaml", "A") +
				kubeSystem("a/namespaces/kube-system/kube-system.yaml", "u") +
				version("b/cluster-scoped-resources/config.openshift.io/clusterversions.yaml", "B") +
				kubeSystem("b/namespaces/kube-system/kube-system.yaml", "v") + pod("a/namespaces/n/pods/p/p.yaml"),
			"A,B", "a/namespaces/n/pods/p/p.yaml=A"},
		{"a must-gather and an inspection of one cluster",
			version("a/cluster-scoped-resources/config.openshift.io/clusterversions.yaml", "A") +
				kubeSystem("a/namespaces/kube-system/kube-system.yaml", "u") +
				kubeSystem("inspect/namespaces/kube-system/kube-system.yaml", "u") + pod("inspect/namespaces/n/pods/p/p.yaml"), "",
			"inspect/namespaces/n/pods/p/p.yaml="},
		{"must-gathers that name their cluster themselves",
			"-- a/must-gather.logs --\nClusterID: 00000000-0000-4000-8000-00000000000a\nClientVersion: 4.18.1\n-- b/must-gather.logs " +
				"--\n[must-gather      ] OUT 2026-03-14T10:00:00Z ClusterID: 00000000-0000-4000-8000-00000000000b\n" +
				pod("a/img/namespaces/n/pods/p/p.yaml"),
			"00000000-0000-4000-8000-00000000000a,00000000-0000-4000-8000-00000000000b",
			"a/img/namespaces/n/pods/p/p.yaml=00000000-0000-4000-8000-00000000000a"},
		{"one that names the cluster of the nodes in it",
			"-- a/must-gather.logs --\nClusterID: 00000000-0000-4000-8000-00000000000a\n" + nodes("a/img/nodes.yaml", "n1/1") + nodes("b/nodes.yaml",
				"n1/3") + pod("a/img/p.yaml"),
			"00000000-0000-4000-8000-00000000000a,nodes of b", "a/img/p.yaml=00000000-0000-4000-8000-00000000000a"},
		{"one above two clusters", "-- must-gather.logs --\nClusterID: 00000000-0000-4000-8000-00000000000a\n" + kubeSystem("a/x.yaml", "u") +
			kubeSystem("b/x.yaml", "v") + pod("c.yaml"),
			"kube-system u,kube-system v", "c.yaml="},
		{"one that names two", "-- a/must-gather.logs --\nClusterID: 00000000-0000-4000-8000-00000000000a\nClusterID: " +
			"00000000-0000-4000-8000-00000000000b\n" + kubeSystem("b/x.yaml", "v") + pod("a/p.yaml"), "", "a/p.yaml="},
		{"lists of nodes that share none", nodes("a/nodes.yaml", "n1/1", "n2/2") + nodes("b/nodes.yaml", "n1/3", "n2/4") + pod("b/p.yaml"),
			"nodes of a,nodes of b", "b/p.yaml=nodes of b"},
		{"lists of nodes that share one", nodes("a/nodes.yaml", "n1/1", "n2/2") + nodes("b/nodes.yaml", "n2/2", "n3/3") + pod("b/p.yaml"), "",
			"b/p.yaml="},
		{"nodes without UIDs", nodes("a/nodes.yaml", "n1", "n2") + nodes("b/nodes.yaml", "n3") + pod("b/p.yaml"), "", "b/p.yaml="},
		{"an id and a list of nodes apart", kubeSystem("a/x.yaml", "u") + nodes("b/nodes.yaml", "n9/9") + pod("b/p.yaml"), "", "b/p.yaml="},
		{"an id and a list of other nodes",
			kubeSystem("a/x.yaml", "u") + nodes("a/nodes.yaml", "n1/1") + nodes("b/nodes.yaml", "n9/9") + pod("b/p.yaml"),
			"kube-system u,nodes of b", "b/p.yaml=nodes of b"},
		{"a paste of two contexts", "-- a.txt --\n" + printed("eu", "pv-1") + printed("us", "pv-2"), "context eu,context us", "a.txt!eu=context eu a.txt!us=context us"},
		{"a paste of each context", "-- a.txt --\n" + printed("eu", "pv-1") + "-- b.txt --\n" + printed("us", "pv-2"), "context eu,context us",
			"a.txt=context eu b.txt=context us"},
		{"two contexts of one cluster", "-- a.txt --\n" + printed("admin", "pv-1") + printed("reader", "pv-1"), "", "a.txt!admin= a.txt!reader="},
		{"a paste beside a cluster that is known", kubeSystem("x.yaml", "u") + "-- a.txt --\n" + printed("eu", "pv-1") + printed("us", "pv-2"), "",
			"a.txt!eu= a.txt!us="},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := readFS(t, bundleOf(tt.bundle))
			if got := strings.Join(s.Clusters, ","); got != tt.clusters {
				t.Errorf("clusters %q, want %q", got, tt.clusters)
			}
			cluster := map[string]string{}
			for _, in := range s.Inputs {
				cluster[in.Path] = in.Cluster
			}
			var pods []string
			for _, p := range s.Pods {
				pods = append(pods, p.Input+"="+cluster[p.Input])
			}
			if got := strings.Join(pods, " "); got != tt.pods {
				t.Errorf("pods %q, want %q", got, tt.pods)
			}
			n := 0
			for _, c := range append([]string{""}, s.Clusters...) {
				n += len(s.OfCluster(c).Pods)
			}
			if n != len(s.Pods) {
				t.Errorf("the clusters have %d pods, the bundle %d", n, len(s.Pods))
			}
		})
	}
}

// TestOverlaid: two clusters in one directory are told apart by what identifies them, by times and by claims, and what nothing ties to an
// identity of two is left out; one cluster that was collected twice, rebuilt or restored is one.
func TestOverlaid(t *testing.T) {
	kubeSystem := func(file, uid string) string {
		return fmt.Sprintf("-- %s --\nkind: Namespace\napiVersion: v1\nmetadata: {name: kube-system, uid: %s, creationTimestamp: '2026-03-14T10:00:00Z'}\n",
			file, uid)
	}
	object := func(file, kind, name, uid, at, more string) string {
		return fmt.Sprintf("-- %s --\nkind: %s\napiVersion: v1\nmetadata: {name: %s, namespace: %s, uid: %s, creationTimestamp: '2026-03-14T%sZ'%s\n", file,
			kind, name, map[string]string{"Pod": "n", "PersistentVolumeClaim": "n"}[kind], uid, at, more)
	}
	volume := func(file, name, claim, phase string) string {
		return object(file, "PersistentVolume", name, "u-"+name, "11:00:00", "}\nspec: {claimRef: {namespace: n, name: data, uid: "+claim+"}}\nstatus: {phase: "+
			phase+"}")
	}
	claim := func(file, uid, volume, phase string) string {
		return object(file, "PersistentVolumeClaim", "data", uid, "11:00:00", "}\nspec: {volumeName: "+volume+"}\nstatus: {phase: "+phase+"}")
	}
	pod := func(file, uid, more string) string {
		return object(file, "Pod", "p"+uid, "u"+uid, "11:00:00", more+"}")
	}
	const img, owned = "img/namespaces/n/pods/", ", ownerReferences: [{kind: Node, name: n1, uid: n1}]"
	tests := []struct{ name, bundle, clusters, pods string }{
		{"two in a directory, a file of each", kubeSystem("a.yaml", "u") + "---\n" + strings.TrimPrefix(pod("", "1", ""), "--  --\n") + kubeSystem("b.yaml", "v") +
			"---\n" + strings.TrimPrefix(pod("", "2", owned), "--  --\n") + pod("c.yaml", "3", owned) + pod("d.yaml", "4", ""),
			"kube-system u,kube-system v", "p1=kube-system u p2=kube-system v p3=kube-system v"},
		{"an object older than the cluster", kubeSystem("img/k.yaml", "u") + strings.Replace(object("img/o.yaml", "Pod", "old", "o", "09:57:00", "}"), "2026-03-14", "2026-03-12", 1) + pod("img/p.yaml", "1", ""),
			"", ""},
		{"an object that is older by a wrong clock", kubeSystem("img/k.yaml", "u") + object("img/o.yaml", "Pod", "old", "o", "00:58:30", "}") + pod("img/p.yaml", "1", ""),
			"", "old= p1="},
		{"a claim that is bound twice", claim("img/c.yaml", "c2", "v2", "Bound") + volume("img/v1.yaml", "v1", "c1", "Bound") + volume("img/v2.yaml", "v2", "c2", "Bound") +
			pod(img+"p1/p1.yaml", "1", "") + "-- " + img + "p3/c/c/logs/current.log --\n2026-03-14T11:00:00.0Z I0314 11:00:00.000000 1 x.go:1] x\n", "", ""},
		{"a volume whose claim was made anew", claim("img/c.yaml", "c2", "v2", "Bound") + volume("img/v1.yaml", "v1", "c1", "Released") +
			volume("img/v2.yaml", "v2", "c2", "Bound") + pod("img/p.yaml", "1", ""), "", "p1="},
		{"a claim that waits, of a volume that nobody released", claim("img/c.yaml", "c2", "", "Pending") + volume("img/v1.yaml", "v1", "c1", "Bound") +
			pod("img/p.yaml", "1", ""), "", "p1="},
		{"one cluster twice, with a node rebuilt between", kubeSystem("a-k.yaml", "u") + object("a-n.yaml", "Node", "n1", "n1", "11:00:00", "}") + pod("a-p.yaml", "1", owned) +
			kubeSystem("b-k.yaml", "u") + object("b-n.yaml", "Node", "n1", "n2", "12:00:00", "}") + pod("b-p.yaml", "2", ""), "", "p1= p2="},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := readFS(t, bundleOf(tt.bundle))
			if got := strings.Join(s.Clusters, ","); got != tt.clusters {
				t.Errorf("clusters %q, want %q", got, tt.clusters)
			}
			cluster := map[string]string{}
			for _, in := range s.Inputs {
				cluster[in.Path] = in.Cluster
			}
			var pods []string
			for _, p := range s.Pods {
				pods = append(pods, p.Ref.Name+"="+cluster[p.Input])
			}
			if got := strings.Join(pods, " "); got != tt.pods {
				t.Errorf("pods %q, want %q", got, tt.pods)
			}
			said := strings.Contains(fmt.Sprint(s.Problems), "holds files of two clusters")
			if said != (tt.clusters != "" || tt.pods == "") {
				t.Errorf("the problem is said: %v; %v", said, s.Problems)
			}
		})
	}
}

// TestPartsOfClusters: a list, a time of collection and an age are of the cluster and of the collection that hold them.
func TestPartsOfClusters(t *testing.T) {
	const attachments = "-- %[1]s/mg/img/cluster-scoped-resources/storage.k8s.io/volumeattachments/va.yaml --\napiVersion: " +
		"storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata: {name: va}\n"
	const claims = "-- %[1]s/mg/pvc.txt --\nNAME   STATUS   VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE\ndata   Bound    pvc-1    " +
		"1Gi        RWO            fast           2m\n" +
		"-- %[1]s/mg/va.txt --\nNAME   ATTACHER   PV   NODE   ATTACHED   AGE\ncsi-1  d          pvc-1  n1     true       2m\n"
	const cluster = "-- %[1]s/mg/timestamp --\n2026-03-%[2]s 10:00:00 +0000 UTC m=+1\n-- %[1]s/mg/must-gather.logs --\nClusterID: " +
		"00000000-0000-4000-8000-00000000000%[3]s\n" + claims
	bundle := fmt.Sprintf(cluster, "a", "14", "a") + fmt.Sprintf(cluster, "b", "15", "b") + fmt.Sprintf(attachments, "b")
	whole := readFS(t, bundleOf(bundle))
	for i, want := range []struct {
		day, lists int
	}{{14, 0}, {15, 1}} {
		s := whole.OfCluster(whole.Clusters[i])
		if s.CapturedAt == nil || s.CapturedAt.At.Day() != want.day || len(s.Lists) != want.lists || s.Collections != nil {
			t.Errorf("%s: captured at %v, lists %v, collections %v", whole.Clusters[i], s.CapturedAt, s.Lists, s.Collections)
		}
		created := 0
		for _, o := range s.Observations {
			if o.Kind == model.AttachmentCreated && o.Age != nil {
				created++
				if o.At.At.Day() != want.day || o.At.At.Hour() != 9 {
					t.Errorf("%s: created at %v", whole.Clusters[i], o.At)
				}
			}
		}
		if created != 1 {
			t.Errorf("%s: %d ages", whole.Clusters[i], created)
		}
	}
	var missing []string
	for _, n := range whole.NotCollected {
		missing = append(missing, n.What)
	}
	if all := strings.Join(missing, "; "); !strings.Contains(all, "no YAML of VolumeAttachments (of 00000000-0000-4000-8000-00000000000a)") ||
		strings.Count(all, "no log of kube-controller-manager") != 1 || strings.Contains(all, "manager (of") {
		t.Errorf("not collected: %s", all)
	}
	if s := whole.OfCluster(""); s.CapturedAt != nil || len(s.Lists) > 0 {
		t.Errorf("what belongs to no cluster was captured at %v and has the lists %v", s.CapturedAt, s.Lists)
	}
}
