package ingest

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/model"
)

const auditEvent = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"1","stage":"ResponseComplete","requestURI":"/x","verb":"delete",` +
	`"user":{"username":"alice"},"userAgent":"kubectl/v1.34.3 (linux/amd64)","objectRef":{"resource":"nodes","name":"worker-1","apiVersion":"v1"},` +
	`"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-03-14T09:33:01.100000Z","stageTimestamp":"2026-03-14T09:33:01.104000Z"}` + "\n"

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
		"list.json":                                  {Data: []byte(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[` + strings.Replace(auditEvent, "worker-1", "worker-3", 1) + `]}`)},
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

// Every statement of a recorded audit log stands where it says, and names who acted.
func TestRecordedAuditLogs(t *testing.T) {
	for _, path := range recorded(t, "audit.log.gz") {
		s := readDir(t, path)
		packed, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		zr, err := gzip.NewReader(packed)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(zr); err != nil {
			t.Fatal(err)
		}
		_ = packed.Close() // it was only read
		lines := strings.SplitAfter(text.String(), "\n")
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
