package ingest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/model"
)

const auditEvent = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"1","stage":"ResponseComplete",` +
	`"requestURI":"/x","verb":"delete",` +
	`"user":{"username":"alice"},"userAgent":"kubectl/v1.34.3 ` +
	`(linux/amd64)","objectRef":{"resource":"nodes","name":"worker-1","apiVersion":"v1"},` +
	`"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-03-14T09:33:01.100000Z","stageTimestamp":"2026-03-14T09:33:01.104000Z"}` +
	"\n"

// An audit log is read as one wherever it lies, packed or not.
func TestAuditLogs(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(auditEvent)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := readFS(t, fstest.MapFS{
		"audit_logs/kube-apiserver/m-0-audit.log.gz": {Data: packed.Bytes()},
		"var/log/kubernetes/audit/audit.log":         {Data: []byte(strings.Replace(auditEvent, "worker-1", "worker-2", 1))},
		"list.json": {Data: []byte(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[` +
			strings.Replace(auditEvent, "worker-1", "worker-3", 1) + `]}`)},
	})
	nodes := map[string]bool{}
	for _, o := range s.Observations {
		if o.Kind != model.NodeDeleted || o.Actor != "alice" || o.Agent != "kubectl/v1.34.3" || o.Source.Kind != model.SourceAudit {
			t.Errorf("%+v", o)
		}
		nodes[o.Node] = true
	}
	if len(nodes) != 3 || len(s.Problems) > 0 {
		t.Errorf("nodes %v, problems %v", nodes, s.Problems)
	}
	for _, in := range s.Inputs {
		if in.Kind != model.InputAudit || in.Records != 1 || in.Used != 1 {
			t.Errorf("%+v", in)
		}
	}
	for _, n := range s.NotCollected {
		if n.What == "no audit log" {
			t.Errorf("%s, though it is there", n.What)
		}
	}
}

// AKS writes the records of all categories into one file: either kind is found, whichever comes first.
func TestAuditAndLogsMixed(t *testing.T) {
	record := func(category, log string) string {
		quoted, err := json.Marshal(log)
		must(t, err)
		return `{"category":"` + category +
			`","operationName":"Microsoft.ContainerService/managedClusters/diagnosticLogs/Read","properties":{"pod":"` + category + `-0","log":` +
			string(quoted) + `,"stream":"stderr"},"time":"2026-03-14T09:33:01.2Z"}` + "\n"
	}
	event := record("kube-audit-admin", auditEvent)
	line := record("kube-controller-manager",
		"W0314 09:26:53.841223       1 reconciler.go:344] Multi-Attach error for volume \"pvc-1\" (UniqueName: \"kubernetes.io/csi/d^h\") from "+
			"node \"worker-2\" Volume is already exclusively attached to node worker-1 and can't be attached to another\n")
	for name, tt := range map[string]struct {
		text, kind, said string
		records, used    int
	}{
		"events first": {event + line, "log/kube-controller-manager", "multi-attach node-deleted", 2, 2},
		"lines first":  {line + strings.Repeat(line, 400) + event, "log/kube-controller-manager", "multi-attach node-deleted", 402, 402},
		"events alone": {event, model.InputAudit, "node-deleted", 1, 1},
		"lines alone":  {line, "log/kube-controller-manager", "multi-attach", 1, 1},
		"of the hub": {`{"records":[` + strings.TrimSpace(event) + "," + strings.TrimSpace(line) + "]}\n", "log/kube-controller-manager",
			"multi-attach node-deleted", 2, 2},
		"other requests":  {strings.ReplaceAll(event, "delete", "get") + line, "log/kube-controller-manager", "multi-attach", 1, 1},
		"nothing of both": {record("kube-scheduler", "hello"), model.InputIgnored, "", 1, 0},
	} {
		s := readFS(t, fstest.MapFS{"PT1H.json": {Data: []byte(tt.text)}})
		said := map[string]bool{}
		for _, o := range s.Observations {
			said[string(o.Kind)] = true
		}
		got := strings.Join(slices.Sorted(maps.Keys(said)), " ")
		if in := s.Inputs[0]; got != tt.said || in.Kind != tt.kind || in.Records != tt.records || in.Used != tt.used ||
			in.Bytes != int64(len(tt.text)) {
			t.Errorf("%s: %q, input %+v, problems %v", name, got, in, s.Problems)
		}
	}
}

// Every statement of a recorded audit log stands where it says, and names who acted.
func TestRecordedAuditLogs(t *testing.T) {
	for _, path := range recorded(t, "audit.log") {
		s := readDir(t, path)
		text, err := os.ReadFile(path)
		must(t, err)
		lines := strings.SplitAfter(string(text), "\n")
		if len(s.Observations) < 50 || len(s.Problems) > 0 {
			t.Errorf("%s: %d observations, problems %v", filepath.Base(filepath.Dir(path)), len(s.Observations), s.Problems)
		}
		for _, o := range s.Observations {
			if err := found(o, lines); err != nil || o.Actor == "" || o.Agent == "" {
				t.Errorf("%s: %s by %q with %q: %v", path, o.Kind, o.Actor, o.Agent, err)
			}
		}
	}
}
