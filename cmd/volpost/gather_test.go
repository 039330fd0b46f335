package main

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
	"sigs.k8s.io/yaml"

	"github.com/volpost/volpost/model"
)

// resources are what the script asks for, by kind.
var resources = map[string]string{
	"Node": "nodes", "PersistentVolume": "persistentvolumes", "Namespace": "namespaces",
	"VolumeAttachment": "volumeattachments.storage.k8s.io",
	"CSINode":          "csinodes.storage.k8s.io", "CSIDriver": "csidrivers.storage.k8s.io", "StorageClass": "storageclasses.storage.k8s.io",
	"Pod": "pods", "PersistentVolumeClaim": "persistentvolumeclaims", "Event": "events", "Deployment": "deployments.apps",
	"ReplicaSet": "replicasets.apps", "StatefulSet": "statefulsets.apps", "DaemonSet": "daemonsets.apps", "Job": "jobs.batch",
	"Lease": "leases.coordination.k8s.io", "": "events.events.k8s.io",
}

// fakeCluster is a cluster as testdata/gather/kubectl plays it.
type fakeCluster struct {
	dir string
	env []string
}

// playSample makes a fake cluster of a sample's bundle.
func playSample(t *testing.T, name string) fakeCluster {
	t.Helper()
	dir := t.TempDir()
	lists := map[string][]any{} // by RESOURCE/NAMESPACE
	for _, resource := range resources {
		lists[resource+"/_all"], lists[resource+"/_cluster"] = nil, nil
	}
	restarts := map[string]int{} // by container
	for path, file := range playedFiles(t, name) {
		if at := strings.Index(path, "/logs/"); at >= 0 && strings.HasSuffix(path, ".log") {
			parts := strings.Split(path[:at], "/")
			n := len(parts)
			ns, pod, container := parts[n-5], parts[n-3], parts[n-1]
			which := strings.TrimSuffix(filepath.Base(path), ".log")
			restarts[ns+" "+pod+" "+container] += strings.Count(which, "previous")
			write(t, filepath.Join(dir, "logs", ns, pod, container+"."+which), file.Data)
		}
		if strings.HasSuffix(path, ".yaml") && !strings.Contains(path, "/pods/") {
			sortObjects(t, lists, file.Data)
		}
	}
	for at, items := range lists {
		text, err := yaml.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": append([]any{}, items...)})
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "get", at+".yaml"), text)
	}
	var containers []string
	for container, n := range restarts {
		containers = append(containers, fmt.Sprintf("%s %d\n", container, n))
	}
	slices.Sort(containers)
	write(t, filepath.Join(dir, "containers", "_all.txt"), []byte(strings.Join(containers, "")))
	for _, ns := range []string{"openshift-kube-controller-manager", "shop"} {
		own := slices.DeleteFunc(slices.Clone(containers), func(c string) bool { return !strings.HasPrefix(c, ns+" ") })
		write(t, filepath.Join(dir, "containers", ns+".txt"), []byte(strings.Join(own, "")))
	}
	return fakeCluster{dir: dir}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// sortObjects adds the objects of a file to the lists that kubectl would answer.
func sortObjects(t *testing.T, lists map[string][]any, data []byte) {
	t.Helper()
	var object map[string]any
	if err := yaml.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	items, isList := object["items"].([]any)
	if !isList {
		items = []any{object}
	}
	listKind, _ := object["kind"].(string)
	for _, item := range items {
		o, ok := item.(map[string]any)
		if !ok {
			continue
		}
		if o["kind"] == nil {
			o["kind"], o["apiVersion"] = strings.TrimSuffix(listKind, "List"), object["apiVersion"]
		}
		kind, _ := o["kind"].(string)
		resource, known := resources[kind]
		meta, _ := o["metadata"].(map[string]any)
		if !known || meta == nil {
			continue
		}
		ns, namespaced := meta["namespace"].(string)
		if !namespaced {
			lists[resource+"/_cluster"] = append(lists[resource+"/_cluster"], o)
			continue
		}
		lists[resource+"/_all"] = append(lists[resource+"/_all"], o)
		lists[resource+"/"+ns] = append(lists[resource+"/"+ns], o)
	}
}

// refuse takes away what an account may not read.
func (c fakeCluster) refuse(t *testing.T, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		paths, err := filepath.Glob(filepath.Join(c.dir, p))
		if err != nil || len(paths) == 0 {
			t.Fatalf("nothing to refuse at %s: %v", p, err)
		}
		for _, path := range paths {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// gather runs the script as a user does, and returns its code, its standard error and the calls of kubectl.
func (c fakeCluster) gather(t *testing.T, args ...string) (code int, stderr string, calls []string) {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh to run the script with")
	}
	fake, err := filepath.Abs("testdata/gather")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "gather.sh")
	write(t, script, []byte(volpost("gather").stdout))
	record := filepath.Join(t.TempDir(), "calls")
	cmd := exec.Command(shell, append([]string{script}, args...)...)
	cmd.Env = append(os.Environ(), append(c.env, "PATH="+fake+":"+os.Getenv("PATH"), "FAKE_CLUSTER="+c.dir, "FAKE_CALLS="+record)...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	_ = cmd.Run() // the code tells
	if out.Len() > 0 {
		t.Errorf("standard output: %s", out.String())
	}
	text, _ := os.ReadFile(record) // nothing was called when it is not there
	return cmd.ProcessState.ExitCode(), errOut.String(), strings.Split(strings.TrimSpace(string(text)), "\n")
}

// queryCall is the one call that is no list: a query of a service.
var queryCall = regexp.MustCompile(`^get --raw /api/v1/namespaces/[a-z-]+/services/[a-z0-9:-]+/proxy/api/v1/query_range\?(\S+)$`)

// wellBehaved checks what the help promises of every call.
func wellBehaved(t *testing.T, calls []string) {
	t.Helper()
	for _, call := range calls {
		words := strings.Fields(strings.TrimPrefix(call, "--context=lab "))
		if len(words) == 0 || words[0] != "get" && words[0] != "logs" {
			t.Errorf("it calls kubectl %s", call)
		}
		if forbidden := regexp.MustCompile(`(?i)secret|configmap|--raw`); forbidden.MatchString(queryCall.ReplaceAllString(call, "")) {
			t.Errorf("it asks for %s", call)
		}
	}
}

// analyzed is the report of a gathered directory.
func analyzed(t *testing.T, dir string) *model.Report {
	t.Helper()
	got := volpost("analyze", dir, "-o", "json")
	if got.code != 0 {
		t.Fatalf("analyze exits %d: %s", got.code, got.stderr)
	}
	return decoded(t, []byte(got.stdout))
}

// incidents are what a report says of each in short.
func incidents(r *model.Report) string {
	var out []string
	for _, i := range r.Incidents {
		var causes []string
		for _, c := range i.Causes {
			if c.Verdict != model.Undecidable {
				causes = append(causes, c.ID)
			}
		}
		out = append(out, fmt.Sprintf("%s %s → %s: %s", i.Volume.PersistentVolume, i.From.Node, i.To.Node, strings.Join(causes, ",")))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestGatherIsClean(t *testing.T) {
	checker, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("shellcheck is not installed")
	}
	for _, script := range []string{"gather.sh", "testdata/gather/kubectl"} {
		if out, err := exec.Command(checker, "--shell=sh", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
	}
}

// What the script collects of a cluster explains the same incident as a must-gather of it.
func TestGather(t *testing.T) {
	t.Parallel()
	for _, sample := range []string{"node-deleted", "rollout-surge"} {
		t.Run(sample, func(t *testing.T) {
			cluster := playSample(t, sample)
			dir := filepath.Join(t.TempDir(), "in cident")
			code, stderr, calls := cluster.gather(t, "-k", "kubectl", "-c", "lab", dir)
			if code != 0 || !strings.Contains(stderr, "volpost analyze") {
				t.Fatalf("exit %d: %s", code, stderr)
			}
			wellBehaved(t, calls)
			_, want := explained(t, playedFiles(t, sample), sample)
			got := analyzed(t, dir)
			if incidents(got) != incidents(want) || len(got.Incidents) == 0 {
				t.Errorf("got\n%s\nwant\n%s", incidents(got), incidents(want))
			}
			if got.Bundle.CapturedAt == nil {
				t.Error("when it was collected is not known")
			}
			for _, n := range got.Bundle.NotCollected {
				if n.What != "no audit log" && n.What != "no metrics" && !strings.HasPrefix(n.What, "no kubelet log of ") &&
					!strings.Contains(n.What, "Lease") {
					t.Errorf("not collected: %s", n.What)
				}
			}
			for _, p := range got.Bundle.Problems {
				t.Errorf("problem %+v", p)
			}
			for _, in := range got.Bundle.Inputs {
				if in.Kind == model.InputUnread || in.Path == "not-collected.txt" && in.Kind != model.InputMetadata {
					t.Errorf("input %+v", in)
				}
			}
		})
	}
}

// An account that may read two namespaces gets those, and is told what it did not get.
func TestGatherWithFewRights(t *testing.T) {
	t.Parallel()
	cluster := playSample(t, "node-deleted")
	cluster.env = []string{"FAKE_OLD=1"}
	cluster.refuse(t, "get/*/_all.yaml", "get/nodes/*", "get/csinodes.storage.k8s.io/*", "containers/_all.txt",
		"logs/openshift-kube-scheduler", "get/events/kube-system.yaml")
	dir := filepath.Join(t.TempDir(), "incident")
	code, stderr, calls := cluster.gather(t, dir, "shop", "openshift-kube-controller-manager")
	wellBehaved(t, calls)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	missing, err := os.ReadFile(filepath.Join(dir, "not-collected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"get nodes\n    Error from server (Forbidden)", "get csinodes.storage.k8s.io\n",
		"get pods -n openshift-cluster-csi-drivers\n", "journalctl -u kubelet"} {
		if !strings.Contains(string(missing), want) {
			t.Errorf("not-collected.txt does not say %q:\n%s", want, missing)
		}
	}
	for _, not := range []string{"clusterversions", "get volumeattachments", "managed-fields"} {
		if strings.Contains(string(missing), not) {
			t.Errorf("not-collected.txt says %q:\n%s", not, missing)
		}
	}
	if !strings.Contains(stderr, "get nodes\n") {
		t.Errorf("standard error does not say what is missing: %s", stderr)
	}
	_, want := explained(t, playedFiles(t, "node-deleted"), "x")
	got := analyzed(t, dir)
	if len(got.Incidents) != 1 || got.Incidents[0].Volume.PersistentVolume != want.Incidents[0].Volume.PersistentVolume ||
		got.Incidents[0].From.Node != want.Incidents[0].From.Node {
		t.Errorf("got\n%s\nwant\n%s", incidents(got), incidents(want))
	}
	if leftovers, _ := filepath.Glob(filepath.Join(dir, ".*")); len(leftovers) > 0 {
		t.Errorf("left over: %v", leftovers)
	}
}

// A cluster that answers nothing is a failure, with the reasons kept.
func TestGatherNothing(t *testing.T) {
	t.Parallel()
	cluster := fakeCluster{dir: t.TempDir()}
	dir := filepath.Join(t.TempDir(), "incident")
	code, stderr, _ := cluster.gather(t, dir)
	if code != 1 || !strings.Contains(stderr, "0 lists and 0 logs") || strings.Contains(stderr, "volpost analyze") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// A server that nobody reaches is no matter of permissions: it is said once, in kubectl's words, and no directory stays.
func TestGatherUnreached(t *testing.T) {
	t.Parallel()
	for _, said := range []string{
		"The connection to the server localhost:8080 was refused - did you specify the right host or port?",
		"Unable to connect to the server: dial tcp 10.0.0.1:6443: i/o timeout",
		"Unable to connect to the server: tls: failed to verify certificate: x509: certificate signed by unknown authority",
		`error: context "prod" does not exist`,
	} {
		cluster := fakeCluster{dir: t.TempDir(), env: []string{"FAKE_UNREACHED=" + said}}
		dir := filepath.Join(t.TempDir(), "incident")
		code, stderr, calls := cluster.gather(t, dir)
		if code != 1 || !strings.Contains(stderr, "does not reach the cluster") || !strings.Contains(stderr, said) ||
			strings.Contains(stderr, "account") || len(calls) > 2 {
			t.Errorf("exit %d after %d calls: %s", code, len(calls), stderr)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Error("an empty directory stays")
		}
	}
}

// With -p, what a Prometheus answers is collected, one file for each metric; a metric that it refuses is named.
func TestGatherMetrics(t *testing.T) {
	t.Parallel()
	cluster := playSample(t, "node-deleted")
	const answer = `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"%s","node":"x"},` +
		`"values":[[1785600000,"1"],[1785600015,"1"]]}]}}`
	for _, m := range []string{"kube_node_info", "kube_pod_status_phase", "kube_volumeattachment_info"} {
		write(t, filepath.Join(cluster.dir, "raw", m+".json"), fmt.Appendf(nil, answer, m))
	}
	dir := filepath.Join(t.TempDir(), "incident")
	code, stderr, calls := cluster.gather(t, "-p", "monitoring/https:prometheus:9090", "-b", "12", dir)
	wellBehaved(t, calls)
	if code != 0 || !strings.Contains(stderr, "and 3 answers of monitoring/https:prometheus:9090") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	queries := 0
	for _, call := range calls {
		if q := queryCall.FindStringSubmatch(call); q != nil {
			queries++
			checkQuery(t, q[1], 12*3600)
		}
	}
	missing, err := os.ReadFile(filepath.Join(dir, "not-collected.txt"))
	if err != nil || queries < 25 || strings.Count(string(missing), "the metric ") != queries-3 || strings.Contains(string(missing),
		"metrics of kube-state-metrics") {
		t.Errorf("%d queries, %v:\n%s", queries, err, missing)
	}
	read := 0
	for _, in := range analyzed(t, dir).Bundle.Inputs {
		if in.Kind == model.InputMetrics && in.Used > 0 {
			read++
		}
	}
	if read != 3 {
		t.Errorf("%d answers are read", read)
	}
}

// checkQuery checks the parameters of a query: PromQL, and a range with no more points than a server answers.
func checkQuery(t *testing.T, parameters string, seconds int) {
	t.Helper()
	v, err := url.ParseQuery(parameters)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.NewParser(parser.Options{}).ParseExpr(v.Get("query")); err != nil {
		t.Errorf("%s: %v", v.Get("query"), err)
	}
	start, _ := strconv.Atoi(v.Get("start"))
	end, _ := strconv.Atoi(v.Get("end"))
	step, _ := strconv.Atoi(v.Get("step"))
	if strings.ContainsAny(parameters, `"{}|*`) {
		t.Errorf("%s is no URL", parameters)
	}
	if end-start != seconds || step < 1 || seconds/step > 11_000 {
		t.Errorf("from %d to %d every %d s", start, end, step)
	}
}

// A Prometheus that does not answer is asked once; the rest is collected.
func TestGatherNoMetrics(t *testing.T) {
	t.Parallel()
	cluster := playSample(t, "node-deleted")
	dir := filepath.Join(t.TempDir(), "incident")
	code, stderr, calls := cluster.gather(t, "-p", "monitoring/prometheus-operated:9090", dir)
	if code != 0 || !strings.Contains(stderr,
		"the metric kube_node_info from monitoring/prometheus-operated:9090\n    Error from server (Forbidden)") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if n := strings.Count(strings.Join(calls, "\n"), "--raw"); n != 1 {
		t.Errorf("%d queries", n)
	}
	if _, err := os.Stat(filepath.Join(dir, "metrics")); err == nil {
		t.Error("there is a directory of metrics")
	}
}

// gatherQueries are the queries of the script.
func gatherQueries() []string {
	_, list, _ := strings.Cut(volpost("gather").stdout, "queries='")
	list, _, _ = strings.Cut(list, "'")
	return strings.Fields(list)
}

// What is there stays as it is.
func TestGatherNeverOverwrites(t *testing.T) {
	cluster := fakeCluster{dir: t.TempDir()}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "timestamp"), []byte("mine"))
	for _, existing := range []string{dir, filepath.Join(dir, "timestamp"), filepath.Join(dir, "no", "parent")} {
		if code, stderr, calls := cluster.gather(t, existing); code != 1 || !strings.Contains(stderr, "nothing was collected") ||
			strings.Join(calls, "") != "" {
			t.Errorf("%s: exit %d: %s %v", existing, code, stderr, calls)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "timestamp")); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestGatherUsage(t *testing.T) {
	cluster := fakeCluster{dir: t.TempDir()}
	for _, args := range [][]string{{}, {"-x"}, {""}, {"dir", "-n"}, {"dir", ""}, {"-p", "prometheus", "d"}, {"-p", "a/b", "d"},
		{"-p", "a/b?c:1", "d"}, {"-p", "a/b/c:1", "d"}, {"-b", "0", "d"}, {"-b", "41", "d"}, {"-b", "1h", "d"}} {
		if code, stderr, calls := cluster.gather(t, args...); code != 2 || !strings.Contains(stderr, "usage: sh gather.sh") ||
			strings.Join(calls, "") != "" {
			t.Errorf("%q: exit %d: %s", args, code, stderr)
		}
	}
	if code, stderr, _ := cluster.gather(t, "-k", "no-such-program", filepath.Join(t.TempDir(), "x")); code != 1 ||
		!strings.Contains(stderr, "is not installed") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
