package logfile

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// exampleLogs is what each example of a transport must give. All are about one incident.
var exampleLogs = []struct {
	path          string
	component     string
	records, used int
	floating      bool
	from, to      string // seconds are enough to tell wrong zones and years
	kinds         string // of the statements about the incident, in the order of time
}{
	{"aks/AKSControlPlane.csv", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"aks/event-hub.json", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"aks/storage-account-PT1H.json", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"cri/must-gather-rotated-0.log.20260314-093500", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53",
		"multi-attach"},
	{"cri/var/log/pods/kube-system_kube-controller-manager-cp-0_0123456789abcdef0123456789abcdef/kube-controller-manager/0.log",
		"kube-controller-manager", 2, 2, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach multi-attach"},
	{"docker-json-file.log", "kube-controller-manager", 2, 2, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53",
		"multi-attach multi-attach"},
	{"eks/filter-log-events.json", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"eks/get-log-events.json", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"eks/logs-insights-results.json", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"eks/s3-export/exportedlogs/1f0e2d3c-0000-4000-8000-000000000000/kube-controller-manager-934e06efeb2e9416b02fa19f9a2d1774/000000.gz",
		"kube-controller-manager", 2, 2, false, "2026-03-14 09:26:53", "2026-03-14 09:33:01", "multi-attach detach-started"},
	{"eks/s3-export/exportedlogs/aws-logs-write-test", "", 0, 0, false, "", "", ""},
	{"elasticsearch/elasticdump.jsonl", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"elasticsearch/search-hits.json", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"fluentd-file-out.log", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"gke/gcloud-logging-read.json", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"journald-short-iso.log", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"journald-short-precise-utc.log", "kubelet", 1, 0, true, "0000-03-14 09:26:54", "0000-03-14 09:26:54", ""},
	// The line of k3s itself beside the controller's tells year and zone.
	{"journald-short.log", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"journald.json", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"kcm-logging-format-json.log", "kube-controller-manager", 2, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"klog-plain.log", "kube-controller-manager", 5, 5, true, "0000-03-14 09:26:53", "0000-03-14 09:33:01",
		"multi-attach multi-attach multi-attach multi-attach detach-started"},
	{"kubectl-logs-prefix.log", "kube-controller-manager", 2, 2, true, "0000-03-14 09:26:53", "0000-03-14 09:33:01",
		"multi-attach detach-started"},
	{"kubectl-logs-timestamps.log", "kube-controller-manager", 2, 2, false, "2026-03-14 09:26:53", "2026-03-14 09:33:01",
		"multi-attach detach-started"},
	{"loki/grafana-explore-download.json", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53",
		"multi-attach"},
	{"loki/logcli.jsonl", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	{"loki/query_range.json", "kube-controller-manager", 1, 1, false, "2026-03-14 09:26:53", "2026-03-14 09:26:53", "multi-attach"},
	// One of its two lines has a time with year and zone; the other is by the same clock.
	{"stern-default.log", "kube-controller-manager", 2, 2, false, "2026-03-14 09:26:53", "2026-03-14 09:33:01", "multi-attach detach-started"},
	{"stern-json.jsonl", "kube-controller-manager", 1, 1, true, "0000-03-14 09:26:53", "0000-03-14 09:26:53", "multi-attach"},
}

func TestFormatExamples(t *testing.T) {
	examples := examples(t)
	for _, c := range exampleLogs {
		t.Run(c.path, func(t *testing.T) {
			data := unpacked(t, examples, c.path)
			if _, ok := Sniff(data); ok != (c.records > 0) {
				t.Errorf("taken for a log: %v", ok)
			}
			r := Read(bytes.NewReader(data), "x.log", Hint{})
			in := r.Input
			if in.Component != c.component || in.Records != c.records || in.Used != c.used || in.Floating != c.floating ||
				in.Bytes != int64(len(data)) {
				t.Errorf("%+v", in)
			}
			if from, to := second(in.From), second(in.To); from != c.from || to != c.to {
				t.Errorf("from %s to %s", from, to)
			}
			var kinds []string
			for _, o := range r.Observations {
				kinds = append(kinds, string(o.Kind))
				shared(t, o)
			}
			if got := strings.Join(kinds, " "); got != c.kinds {
				t.Errorf("it tells %s", got)
			}
			quoted(t, string(data), r)
		})
	}
}

// shared checks a statement against the incident that all examples are about.
func shared(t *testing.T, o model.Observation) {
	t.Helper()
	const unique, pv = "kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b2c3d4e5f60718", "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01"
	if o.Volume.UniqueName != unique && o.Volume.PersistentVolume != pv || o.Volume.PersistentVolume != "" && o.Volume.PersistentVolume != pv {
		t.Errorf("volume %+v", o.Volume)
	}
	switch {
	case o.Kind == model.DetachStarted && o.Node != "worker-1",
		o.Kind == model.MultiAttach && o.Object.Name == "" && (o.Node != "worker-2" || !slices.Equal(o.Holders, []string{"worker-1"})):
		t.Errorf("%+v", o)
	}
}

func second(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format("2006-01-02 15:04:05")
}

// examples are the logs of the examples of formats.
func examples(t *testing.T) fs.FS {
	t.Helper()
	forms, err := recordings.Formats()
	if err != nil {
		t.Fatal(err)
	}
	logs, err := fs.Sub(forms, "logs")
	if err != nil {
		t.Fatal(err)
	}
	return logs
}

func unpacked(t *testing.T, in fs.FS, path string) []byte {
	data, err := fs.ReadFile(in, path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return data
}

// Every example of a transport has its row.
func TestEveryExampleIsRead(t *testing.T) {
	err := fs.WalkDir(examples(t), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		for _, c := range exampleLogs {
			if c.path == path {
				return nil
			}
		}
		t.Errorf("%s has no row", path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
