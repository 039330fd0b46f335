package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// uid makes the UID of a test.
func uid(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }

// dumped is a dump with lines "series" that were all scraped five times, every 15 s.
func dumped(file string, series ...string) string {
	var b strings.Builder
	b.WriteString("-- " + file + " --\n")
	for _, s := range series {
		for i := range 5 {
			fmt.Fprintf(&b, "%s 1 %d.000\n", s, 1785500000+15*i)
		}
	}
	b.WriteString("# EOF\n")
	return b.String()
}

func nodeInfo(node, machine, more string) string {
	return fmt.Sprintf(`kube_node_info{node=%q,system_uuid=%q%s}`, node, machine, more)
}

func podInfo(pod, id, more string) string {
	return fmt.Sprintf(`kube_pod_info{namespace="n",pod=%q,uid=%q,node="n1"%s}`, pod, id, more)
}

func TestMetricClusters(t *testing.T) {
	node := func(name, machine string) string {
		return fmt.Sprintf("-- nodes.yaml --\nkind: Node\napiVersion: v1\nmetadata: {name: %s, uid: %s}\nstatus: {nodeInfo: {systemUUID: %s}}\n",
			name, uid(900), machine)
	}
	pod := func(name, id string, born time.Time) string {
		return fmt.Sprintf("-- pod.yaml --\nkind: Pod\napiVersion: v1\nmetadata: {name: %s, namespace: n, uid: %s, creationTimestamp: %q}\n",
			name, id, born.Format(time.RFC3339))
	}
	claim := func(volume string) string {
		return "-- claim.yaml --\nkind: PersistentVolumeClaim\napiVersion: v1\nmetadata: {name: c, namespace: n}\nspec: {volumeName: " + volume +
			"}\n"
	}
	attached := func(volume string) string {
		return "-- kcm.log --\nI0701 10:00:00.000000       1 operation_generator.go:398] AttachVolume.Attach succeeded for volume \"" + volume +
			"\" (UniqueName: \"kubernetes.io/csi/d^vol-1\") from node \"n1\"\n"
	}
	kubeSystem := func(dir, id string) string {
		return "-- " + dir + "/ns.yaml --\nkind: Namespace\napiVersion: v1\nmetadata: {name: kube-system, uid: " + id + "}\n"
	}
	claimInfo := func(volume string) string {
		return fmt.Sprintf(`kube_persistentvolumeclaim_info{namespace="n",persistentvolumeclaim="c",volumename=%q}`, volume)
	}
	eu, us := `,cluster="eu"`, `,cluster="us"`
	early := time.Unix(1785500000-3600, 0).UTC()
	hour := fmt.Sprintf("-- m.txt --\n%[1]s 1 1785500000.000\n%[1]s 1 1785503600.000\n# EOF\n", podInfo("db-0", uid(1), ""))
	for _, c := range []struct{ name, bundle, clusters, used, problem string }{
		{"two clusters in one store", dumped("m.txt", nodeInfo("n1", uid(1), eu), nodeInfo("n1", uid(2), us),
			`kube_node_status_condition{node="n1",condition="Ready",status="true",cluster="us"}`), "eu us", "eu us", "holds 2 clusters"},
		{"a label that came later is of the one cluster", dumped("m.txt", nodeInfo("n1", uid(1), ""), nodeInfo("n1", uid(1), eu)), "", "-", ""},
		{"two stores of one cluster", dumped("a.txt", nodeInfo("n1", uid(1), eu)) + dumped("b.txt", nodeInfo("n1", uid(1), "")), "", "- -", ""},
		{"two dumps of two clusters", dumped("a.txt", nodeInfo("n1", uid(1), "")) + dumped("b.txt", nodeInfo("n1", uid(2), "")), "a.txt b.txt",
			"a.txt b.txt", "holds 2 clusters"},
		{"what names no object is of the cluster of its label", dumped("m.txt", nodeInfo("n1", uid(1), eu), nodeInfo("n1", uid(2), us)) +
			dumped("c.txt", `attachdetach_controller_forced_detaches{job="kube-controller-manager",cluster="us"}`), "eu us", "us eu us",
			"holds 2 clusters"},
		{"no label tells two machines of one name apart", dumped("m.txt", nodeInfo("n1", uid(1), ""), nodeInfo("n1", uid(2), "")), "", "",
			"n1 is two machines at once"},
		{"no label tells two pods of one name apart", dumped("m.txt", podInfo("db-0", uid(1), ""), podInfo("db-0", uid(2), "")), "", "",
			"n/db-0 is two pods at once"},
		{"the bundle's own", node("n1", uid(1)) + dumped("m.txt", nodeInfo("n1", uid(1), "")), "", "-", ""},
		{"of nodes that are other machines", node("n1", uid(1)) + dumped("m.txt", nodeInfo("n1", uid(2), "")), "", "",
			"n1 is another machine in each"},
		{"of other nodes", node("n1", uid(1)) + dumped("m.txt", nodeInfo("n2", uid(2), "")), "", "", "the nodes are others (n2, and not n1)"},
		{"of other nodes, and a pod in common",
			node("n1", uid(1)) + pod("p", uid(3), early) + dumped("m.txt", nodeInfo("n2", uid(2), ""), podInfo("p", uid(3), "")), "", "-", ""},
		{"a claim of the name is bound to another volume", claim("pvc-"+uid(1)) + dumped("m.txt", claimInfo("pvc-"+uid(2))), "", "",
			"n/c is bound to another volume in each"},
		{"the claim is bound to the volume", claim("pvc-"+uid(1)) + dumped("m.txt", claimInfo("pvc-"+uid(1))), "", "-", ""},
		{"a volume of a name that many have tells nothing", claim("data") + dumped("m.txt", claimInfo("other")), "", "-", ""},
		{"of a central store only the bundle's own",
			node("n1", uid(1)) + dumped("m.txt", nodeInfo("n1", uid(1), eu), `kube_node_spec_taint{node="n1",key="k",cluster="us"}`), "", "eu",
			"cluster us are of another cluster"},
		{"a pod of the name is another one at the time", pod("db-0", uid(2), early.Add(90*time.Minute)) + hour, "", "",
			"n/db-0 is another one in each"},
		{"a pod of the name was made when that of the metrics had gone", pod("db-0", uid(2), early.Add(2*time.Hour)) + hour, "", "-", ""},
		{"samples of a server that died live on for five minutes", pod("db-0", uid(2), early.Add(2*time.Hour-4*time.Minute)) + hour, "", "-", ""},
		{"of a volume that a log names, and other nodes",
			attached("pvc-"+uid(1)) + dumped("m.txt", nodeInfo("n2", uid(2), ""), `kube_persistentvolume_info{persistentvolume="pvc-`+uid(1)+`"}`),
			"", "-", ""},
		{"of other volumes and other nodes than a log names",
			attached("pvc-"+uid(1)) + dumped("m.txt", nodeInfo("n2", uid(2), ""), `kube_persistentvolume_info{persistentvolume="pvc-`+uid(2)+`"}`),
			"", "", "the nodes are others (n2, and not n1)"},
		{"nodes of one file and pods of another", dumped("a.txt", nodeInfo("n1", uid(1), "")) + dumped("b.txt", podInfo("p", uid(3), "")), "",
			"- -", ""},
		{"beside two clusters", kubeSystem("a", uid(5)) + kubeSystem("b", uid(6)) + strings.Replace(pod("p", uid(3), early), "pod.yaml",
			"b/pod.yaml", 1) + dumped("m.txt", podInfo("p", uid(3), "")),
			"kube-system " + uid(5) + " kube-system " + uid(6), "kube-system " + uid(6), "holds 2 clusters"},
		{"two clusters, and the store of both",
			kubeSystem("a", uid(5)) + kubeSystem("b", uid(6)) + strings.Replace(pod("p", uid(3), early), "pod.yaml", "b/pod.yaml", 1) +
				strings.Replace(pod("q", uid(4), early), "pod.yaml", "a/pod.yaml", 1) +
				dumped("m.txt", podInfo("p", uid(3), eu), podInfo("q", uid(4), us),
					`kube_node_status_condition{node="n1",condition="Ready",status="true",cluster="us"}`),
			"kube-system " + uid(5) + " kube-system " + uid(6), "kube-system " + uid(6) + " kube-system " + uid(5), "holds 2 clusters"},
		{"nothing says of which of two clusters they are",
			kubeSystem("a", uid(5)) + kubeSystem("b", uid(6)) + dumped("m.txt", podInfo("p", uid(3), "")),
			"kube-system " + uid(5) + " kube-system " + uid(6), "-", "holds 2 clusters"},
		{"nothing says of which cluster they are", node("n1", uid(1)) + dumped("m.txt", podInfo("p", uid(3), "")), "", "-", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := readFS(t, bundleOf(c.bundle))
			if got := strings.Join(s.Clusters, " "); got != c.clusters {
				t.Errorf("the clusters are %q, want %q", got, c.clusters)
			}
			var used []string
			for _, m := range s.Metrics {
				used = append(used, cmp.Or(m.Cluster, "-"))
			}
			if got := strings.Join(used, " "); got != c.used {
				t.Errorf("used are %q, want %q", got, c.used)
			}
			told := slices.ContainsFunc(s.Problems, func(p model.Problem) bool { return strings.Contains(p.Message, c.problem) })
			if told != (c.problem != "") || c.problem == "" && len(s.Problems) > 0 {
				t.Errorf("problems %+v, want %q", s.Problems, c.problem)
			}
			missing := slices.ContainsFunc(s.NotCollected, func(m model.NotCollected) bool { return strings.HasPrefix(m.What, "no metrics") })
			all := c.used == "-" || c.used != "" &&
				(len(s.Clusters) == 0 || !slices.ContainsFunc(s.Clusters, func(name string) bool { return !strings.Contains(c.used, name) }))
			if missing == all {
				t.Errorf("metrics are called missing: %t", missing)
			}
			parts(t, s)
		})
	}
}

// parts wants every statement of metrics and every source in the share of one cluster, and in no other.
func parts(t *testing.T, s *model.Snapshot) {
	t.Helper()
	if len(s.Clusters) == 0 {
		return
	}
	sources, told := 0, 0
	for _, c := range append([]string{""}, s.Clusters...) {
		part := s.OfCluster(c)
		sources, told = sources+len(part.Metrics), told+len(part.Observations)
		for _, m := range part.Metrics {
			if m.Cluster != c {
				t.Errorf("metrics of %q are in the share of %q", m.Cluster, c)
			}
			err := m.Select(nil, time.Time{}, time.Time{}, func(l model.Labels, _ model.Samples) error {
				if name := l.Get("cluster"); slices.Contains(s.Clusters, name) && name != c {
					t.Errorf("the metrics of %s hold %s", c, l)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
		for _, o := range part.Observations {
			if slices.Contains(s.Clusters, "eu") && strings.Contains(o.Source.Series, "cluster=") &&
				!strings.Contains(o.Source.Series, fmt.Sprintf("cluster=%q", c)) {
				t.Errorf("%s is told of %s", o.Source.Series, c)
			}
		}
		if c != "" && len(part.Metrics) > 0 && len(part.Inputs) == 0 {
			t.Errorf("%s has metrics and no input", c)
		}
	}
	if sources != len(s.Metrics) || told != len(s.Observations) {
		t.Errorf("the clusters have %d sources and %d statements, the bundle %d and %d", sources, told, len(s.Metrics), len(s.Observations))
	}
}

// TestFormsOfMetrics: what a server answers is read.
func TestFormsOfMetrics(t *testing.T) {
	for name, text := range map[string]string{
		"prometheus.json": `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"kube_node_info",` +
			`"node":"a"},"values":[[1785500000,"1"]]}]}}`,
	} {
		s := readFS(t, bundleOf("-- "+name+" --\n"+text+"\n"))
		if len(s.Metrics) != 1 || len(s.Problems) > 0 || s.Inputs[0].Kind != model.InputMetrics || s.Inputs[0].Used != 1 {
			t.Errorf("%s: %d sources, %+v, problems %+v", name, len(s.Metrics), s.Inputs[0], s.Problems)
		}
	}
}
