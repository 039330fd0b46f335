package ingest

import (
	"fmt"
	"strings"
	"testing"
)

func TestClusters(t *testing.T) {
	kubeSystem := func(file, uid string) string {
		return fmt.Sprintf("-- %s --\nkind: Namespace\napiVersion: v1\nmetadata: {name: kube-system, uid: %s}\n", file, uid)
	}
	version := func(file, id string) string {
		return fmt.Sprintf("-- %s --\nkind: ClusterVersion\napiVersion: config.openshift.io/v1\nmetadata: {name: version}\nspec: {clusterID: %s}\n", file, id)
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
	tests := []struct{ name, bundle, clusters, pods string }{
		{"one", kubeSystem("a/x.yaml", "u") + kubeSystem("b/x.yaml", "u") + pod("c.yaml"), "", "c.yaml="},
		{"two", kubeSystem("a/x.yaml", "u") + kubeSystem("b/x.yaml", "v") + pod("a/d/p.yaml") + pod("b/p.yaml") + pod("c.yaml"),
			"kube-system u,kube-system v", "a/d/p.yaml=kube-system u b/p.yaml=kube-system v c.yaml="},
		{"two must-gathers, whose halves lie apart", version("a/cluster-scoped-resources/config.openshift.io/clusterversions.yaml", "A") + kubeSystem("a/namespaces/kube-system/kube-system.yaml", "u") +
			version("b/cluster-scoped-resources/config.openshift.io/clusterversions.yaml", "B") + kubeSystem("b/namespaces/kube-system/kube-system.yaml", "v") + pod("a/namespaces/n/pods/p/p.yaml"),
			"A,B", "a/namespaces/n/pods/p/p.yaml=A"},
		{"a must-gather and an inspection of one cluster", version("a/cluster-scoped-resources/config.openshift.io/clusterversions.yaml", "A") + kubeSystem("a/namespaces/kube-system/kube-system.yaml", "u") +
			kubeSystem("inspect/namespaces/kube-system/kube-system.yaml", "u") + pod("inspect/namespaces/n/pods/p/p.yaml"), "", "inspect/namespaces/n/pods/p/p.yaml="},
		{"lists of nodes that share none", nodes("a/nodes.yaml", "n1/1", "n2/2") + nodes("b/nodes.yaml", "n1/3", "n2/4") + pod("b/p.yaml"), "nodes of a,nodes of b", "b/p.yaml=nodes of b"},
		{"lists of nodes that share one", nodes("a/nodes.yaml", "n1/1", "n2/2") + nodes("b/nodes.yaml", "n2/2", "n3/3") + pod("b/p.yaml"), "", "b/p.yaml="},
		{"nodes without UIDs", nodes("a/nodes.yaml", "n1", "n2") + nodes("b/nodes.yaml", "n3") + pod("b/p.yaml"), "", "b/p.yaml="},
		{"an id and a list of nodes apart", kubeSystem("a/x.yaml", "u") + nodes("b/nodes.yaml", "n9/9") + pod("b/p.yaml"), "", "b/p.yaml="},
		{"an id and a list of other nodes", kubeSystem("a/x.yaml", "u") + nodes("a/nodes.yaml", "n1/1") + nodes("b/nodes.yaml", "n9/9") + pod("b/p.yaml"), "kube-system u,nodes of b", "b/p.yaml=nodes of b"},
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
