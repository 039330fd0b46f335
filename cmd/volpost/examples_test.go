package main

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// example is what one file of a known format is read as, alone: what it is, how many records it has, from when to when,
// and the incident that it tells.
type example struct {
	path, kind string
	records    int
	from, to   string
	incident   string // volume, old node, new node, waiting pod, variant, and whether it ended; "" when it tells none
}

// TestFormatExamples reads the same incident out of each format that people's bundles have. 2000 stands for a year that a
// file alone does not tell.
func TestFormatExamples(t *testing.T) {
	forms, err := recordings.Formats()
	if err != nil {
		t.Fatal(err)
	}
	all := files(t, forms)
	for name := range all {
		if !slices.ContainsFunc(examples, func(e example) bool { return e.path == name }) {
			t.Errorf("%s has no row", name)
		}
	}
	for _, want := range examples {
		t.Run(want.path, func(t *testing.T) {
			file, ok := all[want.path]
			if !ok {
				t.Fatal("is missing")
			}
			alone := fstest.MapFS{path.Base(want.path): file}
			_, r := explained(t, fs.FS(alone), "example")
			got := exampleOf(r)
			got.path = want.path
			if got != want {
				t.Errorf("is read as\n%+v, want\n%+v", got, want)
			}
		})
	}
}

func exampleOf(r *model.Report) example {
	var e example
	for _, in := range r.Bundle.Inputs {
		if in.Records > 0 || len(r.Bundle.Inputs) == 1 {
			e.kind, e.records, e.from, e.to = in.Kind, in.Records, instantOf(in.From), instantOf(in.To)
		}
	}
	if len(r.Incidents) == 0 {
		return e
	}
	i := r.Incidents[0]
	volume := i.Volume.PersistentVolume
	if volume == "" {
		volume = i.Volume.UniqueName
	}
	pod, end := "-", "open"
	if len(i.To.Pods) > 0 {
		pod = i.To.Pods[0].Name
	}
	if i.MultiAttach.Ended != nil {
		end = "ended"
	}
	e.incident = strings.Join([]string{volume, orDash(i.From.Node), orDash(i.To.Node), pod, string(i.MultiAttach.Variant), end}, " ")
	return e
}

func instantOf(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

var examples = []example{
	{"SOURCES.md", "ignored", 0, "", "", ""},
	{"audit/aks-kube-audit.json", "audit", 1, "2026-03-14T09:33:01.104211Z", "2026-03-14T09:33:01.104211Z", ""},
	{"audit/gke-audit.json", "audit", 1, "2026-03-14T09:33:02.104211Z", "2026-03-14T09:33:02.104211Z", ""},
	{"audit/kube-apiserver-audit.log", "audit", 2, "2026-03-14T09:33:01.104211Z", "2026-03-14T09:33:01.104211Z", ""},
	{"cluster-info-dump/kube-system/kube-controller-manager-cp-0/logs.txt", "log/kube-controller-manager", 2, "2000-03-14T09:26:53.841223Z",
		"2000-03-14T09:26:53.841401Z", "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 db-0 exclusively-attached open"},
	{"cluster-info-dump/shop/events.json", "manifests", 2, "2026-03-14T09:26:52.996123Z", "2026-03-14T09:26:53Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 - - db-0 exclusively-attached open"},
	{"kubectl-gather/gather.one/hub/namespaces/shop/events.k8s.io/events/db-0.189b0c7766554433.yaml", "manifests", 1, "2026-03-14T09:26:53Z",
		"2026-03-14T09:33:01Z", ""},
	{"kubectl-get/mixed-list.yaml", "manifests", 2, "2026-03-14T09:26:53Z", "2026-03-14T09:26:53Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1.example.internal - db-0 exclusively-attached open"},
	{"logs/docker-json-file.log", "log/kube-controller-manager", 2, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 db-0 exclusively-attached open"},
	{"logs/fluentd-file-out.log", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/journald-short-iso.log", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/journald-short-precise-utc.log", "log/kubelet", 1, "2000-03-14T09:26:54.001001Z", "2000-03-14T09:26:54.001001Z", ""},
	{"logs/journald-short.log", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/journald.json", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/kcm-logging-format-json.log", "log/kube-controller-manager", 2, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.842Z",
		"kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b2c3d4e5f60718 worker-1 worker-2 - exclusively-attached open"},
	{"logs/klog-plain.log", "log/kube-controller-manager", 5, "2000-03-14T09:26:53.841223Z", "2000-03-14T09:33:01.112233Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 db-0 exclusively-attached open"},
	{"logs/kubectl-logs-prefix.log", "log/kube-controller-manager", 2, "2000-03-14T09:26:53.841223Z", "2000-03-14T09:33:01.112233Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/kubectl-logs-timestamps.log", "log/kube-controller-manager", 2, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:33:01.112233Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/stern-default.log", "log/kube-controller-manager", 2, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:33:01.112233Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/stern-json.jsonl", "log/kube-controller-manager", 1, "2000-03-14T09:26:53.841223Z", "2000-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/aks/AKSControlPlane.csv", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/aks/event-hub.json", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/aks/storage-account-PT1H.json", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/cri/must-gather-rotated-0.log.20260314-093500", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z",
		"2026-03-14T09:26:53.841223Z", "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/cri/var/log/pods/kube-system_kube-controller-manager-cp-0_0123456789abcdef0123456789abcdef/kube-controller-manager/0.log",
		"log/kube-controller-manager", 2, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 db-0 exclusively-attached open"},
	{"logs/eks/filter-log-events.json", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/eks/get-log-events.json", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/eks/logs-insights-results.json", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/eks/s3-export/exportedlogs/aws-logs-write-test", "ignored", 0, "", "", ""},
	{"logs/eks/s3-export/exportedlogs/1f0e2d3c-0000-4000-8000-000000000000/kube-controller-manager-934e06efeb2e9416b02fa19f9a2d1774/000000.gz",
		"log/kube-controller-manager", 2, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:33:01.112233Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/elasticsearch/elasticdump.jsonl", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/elasticsearch/search-hits.json", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/gke/gcloud-logging-read.json", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 db-0 exclusively-attached open"},
	{"logs/loki/grafana-explore-download.json", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/loki/logcli.jsonl", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"logs/loki/query_range.json", "log/kube-controller-manager", 1, "2026-03-14T09:26:53.841223Z", "2026-03-14T09:26:53.841223Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1 worker-2 - exclusively-attached open"},
	{"longhorn-old/longhorn-support-bundle_d2f32c7f-6605-4a3b-8571-521856e64233_2026-03-14T10-02-11Z/yamls/kubernetes/volumeattachments.yaml",
		"manifests", 1, "", "", "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1.example.internal - - unknown open"},
	{"must-gather/odf-oc_output-events_yaml.txt", "manifests", 2, "", "", ""},
	{"must-gather/timestamp", "metadata", 0, "", "", ""},
	{"must-gather/must-gather.local.4394764343467089039/quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-0000000000000000000000000000000000000000000000000000000000000000/cluster-scoped-resources/storage.k8s.io/volumeattachments/csi-0c7e9f0a4a1b5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6.yaml", "manifests", 1, "", "", "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1.example.internal - - unknown open"},
	{"must-gather/must-gather.local.4394764343467089039/quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-0000000000000000000000000000000000000000000000000000000000000000/namespaces/shop/core/events.yaml", "manifests", 3, "2026-03-14T09:26:52.996123Z", "2026-03-14T09:33:01Z", "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 - - db-0 exclusively-attached open"},
	{"prometheus/federate.txt", "metrics", 1, "2026-03-14T09:26:45.781Z", "2026-03-14T09:26:45.781Z", ""},
	{"prometheus/metrics.openmetrics", "metrics", 1, "2026-03-14T09:26:45.781Z", "2026-03-14T09:26:45.781Z", ""},
	{"prometheus/promtool-tsdb-dump.txt", "metrics", 1, "2026-03-14T09:26:45.781Z", "2026-03-14T09:26:45.781Z", ""},
	{"prometheus/query.json", "metrics", 1, "2026-03-14T09:26:45.781Z", "2026-03-14T09:26:45.781Z", ""},
	{"prometheus/query_range.json", "metrics", 1, "2026-03-14T09:26:45Z", "2026-03-14T09:27:15.5Z", ""},
	{"prometheus/block/01KKPY0000000000000000000A/meta.json", "metrics", 0, "", "", ""},
	{"support-bundle-kit/supportbundle_d2f32c7f-6605-4a3b-8571-521856e64233_2026-03-14T10-02-11Z/yamls/cluster/storage.k8s.io/v1/volumeattachments.yaml", "manifests", 1, "", "", "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1.example.internal - - unknown open"},
	{"support-bundle-kit/supportbundle_d2f32c7f-6605-4a3b-8571-521856e64233_2026-03-14T10-02-11Z/yamls/namespaced/shop/v1/events.yaml",
		"manifests", 2, "2026-03-14T09:26:52.996123Z", "2026-03-14T09:33:01Z", ""},
	{"support-bundle-kit/supportbundle_d2f32c7f-6605-4a3b-8571-521856e64233_2026-03-14T10-02-11Z/yamls/namespaced/shop/v1/persistentvolumeclaims.yaml", "manifests", 1, "", "", ""},
	{"support-bundle-kit/supportbundle_d2f32c7f-6605-4a3b-8571-521856e64233_2026-03-14T10-02-11Z/yamls/namespaced/shop/v1/pods.yaml",
		"manifests", 1, "", "", ""},
	{"text/kubectl-describe-pod.txt", "text", 4, "2026-11-21T05:48:10.499999Z", "2026-11-21T05:54:59.499999Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 - worker-2.example.internal db-0 exclusively-attached open"},
	{"text/kubectl-describe-volumeattachment.txt", "text", 1, "2026-03-14T09:26:53Z", "2026-03-14T09:33:01Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1.example.internal - - unknown open"},
	{"text/kubectl-events-A.txt", "text", 3, "", "",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 - worker-2.example.internal db-0 exclusively-attached open"},
	{"text/kubectl-get-events-A.txt", "text", 3, "", "",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 - worker-2.example.internal db-0 exclusively-attached open"},
	{"text/kubectl-get-events-wide.txt", "text", 3, "", "",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 - worker-2.example.internal db-0 exclusively-attached open"},
	{"text/kubectl-get-events.txt", "text", 3, "", "",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 - worker-2.example.internal db-0 exclusively-attached open"},
	{"text/kubectl-get-volumeattachment.txt", "text", 2, "", "", ""},
	{"text/odf-events_get-custom-columns.txt", "text", 2, "2026-03-14T09:26:53Z", "2026-03-14T09:26:53Z",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 - worker-2.example.internal db-0 exclusively-attached open"},
	{"text/powershell-utf16-get-events.txt", "text", 1, "", "", "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 - - db-0 exclusively-attached open"},
	{"troubleshoot-pre-2022/cluster-resources/pvs.json", "manifests", 1, "", "", ""},
	{"troubleshoot/support-bundle-2026-03-14T10_02_11/cluster-resources/volumeattachments.json", "manifests", 1, "", "",
		"pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01 worker-1.example.internal - - unknown open"},
}
