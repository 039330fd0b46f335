package layout

import (
	"strings"
	"testing"
	"time"
)

func TestOf(t *testing.T) {
	const hex = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	tests := []struct {
		path string
		want Place
	}{
		{"mg/timestamp", Place{Role: Timestamp, Root: "mg"}},
		{"version", Place{Role: Version, Root: "."}},
		{"mg/must-gather.logs", Place{Role: Metadata, Root: "mg"}},
		{"mg/img/namespaces/shop/event-filter.html", Place{Role: Metadata, Root: "mg/img", Namespace: "shop"}},
		{"mg/cluster-scoped-resources/storage.k8s.io/volumeattachments", Place{Root: "mg", Collection: "volumeattachments", ClusterScoped: true}},
		{"mg/cluster-scoped-resources/core/nodes/n1.yaml", Place{Root: "mg", Collection: "nodes", ClusterScoped: true}},
		{"cluster-scoped-resources/config.openshift.io/clusterversions.yaml",
			Place{Root: ".", Collection: "clusterversions", ClusterScoped: true}},
		{"mg/namespaces/shop/core/events.yaml", Place{Root: "mg", Namespace: "shop", Collection: "events"}},
		{"mg/namespaces/shop/shop.yaml", Place{Root: "mg", Namespace: "shop"}},
		{"mg/namespaces/shop/pods/db-0/db-0.yaml", Place{Root: "mg", Namespace: "shop", Collection: "pods"}},
		{"mg/namespaces/kcm/pods/k-0/kcm/kcm/logs/current.log",
			Place{Role: Log, Root: "mg", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"mg/namespaces/kcm/pods/k-0/kcm/kcm/logs/previous.insecure.log",
			Place{Role: Log, Root: "mg", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"mg/namespaces/kcm/pods/k-0/kcm/kcm/logs/rotated/0.log.20260314-093500",
			Place{Role: Log, Root: "mg", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"g/namespaces/kcm/pods/k-0/kcm/current.log",
			Place{Role: Log, Root: "g", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"mg/namespaces/kcm/pods/k-0/kcm/kcm/healthz", Place{Root: "mg", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"var/log/pods/kube-system_kcm-0_0123456789abcdef0123456789abcdef/kcm/0.log",
			Place{Role: Log, Root: "var/log/pods", Namespace: "kube-system", Pod: "kcm-0", Container: "kcm"}},
		{"var/log/containers/kcm-0_kube-system_kcm-" + hex + ".log",
			Place{Role: Log, Root: "var/log/containers", Namespace: "kube-system", Pod: "kcm-0", Container: "kcm"}},
		{"sb/logs/ns/pod-0/csi-attacher.log", Place{Role: Log, Root: "sb", Namespace: "ns", Pod: "pod-0", Container: "csi-attacher"}},
		{"dump/kube-system/kcm-0/logs.txt", Place{Role: Log, Root: "dump", Namespace: "kube-system", Pod: "kcm-0"}},
		{"mg.zip!mg/namespaces/kcm/pods/k-0/kcm/kcm/logs/rotated/0.log.20260314-093500.gz!0.log.20260314-093500",
			Place{Role: Log, Root: "mg.zip/mg", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"sb/logs/ns/pod-0/csi-attacher-previous.log", Place{Role: Log, Root: "sb", Namespace: "ns", Pod: "pod-0", Container: "csi-attacher"}},
		{"sb/logs/ns/pod-0/csi-attacher.log.1", Place{Role: Log, Root: "sb", Namespace: "ns", Pod: "pod-0", Container: "csi-attacher"}},
		{"lh/logs/pod-0/csi-attacher.log", Place{Role: Log, Root: "lh", Pod: "pod-0", Container: "csi-attacher"}},
		{"sb/yamls/cluster/storage.k8s.io/v1/volumeattachments.yaml", Place{Root: "sb", Collection: "volumeattachments", ClusterScoped: true}},
		{"sb/yamls/cluster/v1/nodes.yaml", Place{Root: "sb", Collection: "nodes", ClusterScoped: true}},
		{"sb/yamls/namespaced/shop/v1/events.yaml", Place{Root: "sb", Namespace: "shop", Collection: "events"}},
		{"ts/cluster-resources/volumeattachments.json", Place{Root: "ts", Collection: "volumeattachments", ClusterScoped: true}},
		{"ts/cluster-resources/pvcs/shop.json", Place{Root: "ts", Namespace: "shop", Collection: "pvcs"}},
		{"ts/cluster-resources/pvs-errors.json", Place{Role: Metadata, Root: "ts"}},
		{"ts/cluster-resources/pods/logs/shop/db-0/app.log",
			Place{Role: Log, Root: "ts/cluster-resources/pods", Namespace: "shop", Pod: "db-0", Container: "app"}},
		{"host/systeminfo/date", Place{Role: Date, Root: "host"}},
		{"host/k3s/podlogs/kube-system-coredns-0", Place{Role: Log, Root: "host/k3s"}},
		{"host/rke/containerlogs/kube-controller-manager", Place{Role: Log, Root: "host/rke", Container: "kube-controller-manager"}},
		{"host/k3s/poddescribe/shop", Place{Root: "host/k3s", Namespace: "shop"}},
		{"sos/sos_commands/date/date", Place{Role: Date, Root: "sos"}},
		{"n1/kubernetes-logs/kube-system/kube-controller-manager-exited.log",
			Place{Role: Log, Root: "n1", Namespace: "kube-system", Container: "kube-controller-manager"}},
		{"t.zip!trident-controller-previous-sidecar-csi-attacher",
			Place{Role: Log, Root: "t.zip", Pod: "trident-controller", Container: "csi-attacher"}},
		{"artifacts/pods/kube-system_kcm-0_kcm_previous.log.gz!kube-system_kcm-0_kcm_previous.log",
			Place{Role: Log, Root: "artifacts", Namespace: "kube-system", Pod: "kcm-0", Container: "kcm"}},
		{"g/hub/cluster/storage.k8s.io/volumeattachments/a.yaml", Place{Root: "g/hub", Collection: "volumeattachments", ClusterScoped: true}},
		{"g/hub/cluster/nodes/a.yaml", Place{Root: "g/hub", Collection: "nodes", ClusterScoped: true}},
		{"g/hub/namespaces/shop/persistentvolumeclaims/a.yaml", Place{Root: "g/hub", Namespace: "shop", Collection: "persistentvolumeclaims"}},
		{"g/gather.log", Place{Role: OwnLog, Root: "g"}},
		// Near misses.
		{"yamls/readme.yaml", Place{Root: "yamls"}},
		{"x/cluster/readme.md", Place{Root: "x/cluster"}},
		{"home/date", Place{Root: "home"}},
		{"notes/support_thread.log", Place{Root: "notes"}},
		{"logs.txt", Place{Root: "."}},
		{"x/namespaces", Place{Root: "x"}},
		{"kube-controller-manager.log", Place{Root: "."}},
		{"timestamp.txt", Place{Root: "."}},
		{"var/log/pods/notapod/kcm/0.log", Place{Root: "var/log/pods/notapod/kcm"}},
	}
	for _, tt := range tests {
		if got := Of(tt.path); got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.path, got, tt.want)
		}
	}
}

func TestRecognise(t *testing.T) {
	image := "quay-io-sha256-" + strings.Repeat("0", 64)
	tests := []struct {
		paths, versions []string
		want            string
	}{
		{[]string{"x/" + image + "/version"}, nil, "must-gather"},
		{[]string{"must-gather.local.123/timestamp"}, nil, "must-gather"},
		{[]string{"a/version", "a/namespaces/n/n.yaml"}, []string{"openshift/must-gather\n4.18"}, "must-gather"},
		{[]string{"a/namespaces/n/n.yaml"}, nil, "inspect"},
		{[]string{"cluster-scoped-resources/core/nodes/n.yaml"}, []string{"1.2.3"}, "inspect"},
		{[]string{"d/nodes.json", "d/kube-system/kcm/logs.txt"}, nil, "cluster-info-dump"},
		{[]string{"d/kube-system/kcm/logs.txt"}, nil, ""},
		{[]string{"d/kube-system/kcm/logs.txt", "d/shop/events.json"}, nil, "cluster-info-dump"},
		{[]string{"a.tgz!mg/cluster-scoped-resources/oc_output/get_pv"}, nil, "inspect odf-must-gather"},
		{[]string{"s.tar.gz!s/cluster-resources/pvs.json"}, nil, "troubleshoot"},
		{[]string{"l/yamls/kubernetes/nodes.yaml"}, nil, "longhorn"},
		{[]string{"h/systeminfo/date", "h/rke2/kubectl/pods"}, nil, "rancher-logs-collector"},
		{[]string{"h/systeminfo/date"}, nil, ""},
		{[]string{"g/gather.log", "g/hub/namespaces/n/pods/p.yaml"}, nil, "kubectl-gather"},
		{[]string{"gather.log"}, nil, ""},
		{[]string{"gather.log", "cluster/nodes/n.yaml"}, nil, ""},
		{[]string{"gather.log", "hub/cluster/nodes/n.yaml"}, nil, "kubectl-gather"},
		{[]string{"gather.log", "a/b/namespaces/n"}, nil, "kubectl-gather"},
		{[]string{"nodes.json", "kcm/logs.txt"}, nil, ""},
		{[]string{"s/sos_commands/logs/journalctl"}, nil, "sosreport"},
		{[]string{"t.zip!kubernetesResources/nodes.yaml"}, nil, "talos-support"},
		{[]string{"k/kind-version.txt"}, nil, "kind-export"},
		{[]string{"t.zip!trident-controller"}, nil, "trident"},
		{[]string{"v.tar.gz!resources/pods/namespaces/n/p.json", "v.tar.gz!metadata/version"}, nil, "velero"},
		{[]string{"v/resources/pods/namespaces/n/p.json"}, nil, ""},
		{[]string{"c/storage.k8s.io_v1/n/volumeattachments-202603141000.json"}, nil, "crashd"},
		{[]string{"artifacts/gather-extra/artifacts/pods.json"}, nil, "gather-extra"},
		{[]string{"namespaces/n/x.yaml", "nodes.yaml"}, nil, ""},
		{nil, nil, ""},
	}
	for _, tt := range tests {
		var r Recogniser
		for _, p := range tt.paths {
			r.See(p)
		}
		for _, v := range tt.versions {
			r.Version(v)
		}
		if got := strings.Join(r.Names(), " "); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.paths, got, tt.want)
		}
	}
}

func TestSupportBundleKit(t *testing.T) {
	var r Recogniser
	r.See("sb/yamls/cluster/v1/nodes.yaml")
	if got := r.Names(); len(got) != 0 {
		t.Errorf("without its metadata: %v", got)
	}
	r.Metadata(true)
	if got := strings.Join(r.Names(), " "); got != "support-bundle-kit" {
		t.Errorf("got %q", got)
	}
}

func TestDated(t *testing.T) {
	for p, want := range map[string]string{
		"x/supportbundle_d2f32c7f-6605_2026-03-14T10-02-11Z.zip!yamls/x": "2026-03-14T10:02:11Z 15m0s " +
			"x/supportbundle_d2f32c7f-6605_2026-03-14T10-02-11Z.zip",
		"longhorn-support-bundle_d2f3-66_2026-03-14T10-02-11Z/a": "2026-03-14T10:02:11Z 15m0s " +
			"longhorn-support-bundle_d2f3-66_2026-03-14T10-02-11Z",
		"support-bundle-2026-03-14T10_02_11.tar.gz!a":            "2026-03-13T20:02:11Z 26h15m0s support-bundle-2026-03-14T10_02_11.tar.gz",
		"support-2026-03-14T10-02-11-UTC.zip!trident-controller": "2026-03-14T10:02:11Z 15m0s support-2026-03-14T10-02-11-UTC.zip",
		"support-2026-03-14T10-02-11-CET.zip!trident-controller": "2026-03-13T20:02:11Z 26h15m0s support-2026-03-14T10-02-11-CET.zip",
		"node-1-2026-03-14_10_02_11/systeminfo/date":             "2026-03-13T20:02:11Z 26h15m0s node-1-2026-03-14_10_02_11",
		"must-gather.local.ab12.20260617T143025Z.4394/timestamp": "2026-06-17T14:30:25Z 15m0s must-gather.local.ab12.20260617T143025Z.4394",
		"support-bundle-2026-13-14T10_02_11/x":                   "",
		"logs-2026-03-14/x":                                      "",
	} {
		s, at, ok := Dated(p)
		got := ""
		if ok {
			got = s.Earliest.Format(time.RFC3339) + " " + s.Latest.Sub(s.Earliest).String() + " " + at
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", p, got, want)
		}
	}
}

func TestOwnAccounts(t *testing.T) {
	span := func(s Collected, ok bool) string {
		if !ok {
			return ""
		}
		return s.Earliest.Format(time.RFC3339) + " " + s.Latest.Sub(s.Earliest).String() + " " + s.Text
	}
	for text, want := range map[string]string{
		"Sat Mar 14 10:02:11 UTC 2026\n":    "2026-03-14T10:02:11Z 15m0s Sat Mar 14 10:02:11 UTC 2026",
		"Sat Mar 14 10:02:11 AM UTC 2026\n": "2026-03-14T10:02:11Z 15m0s Sat Mar 14 10:02:11 AM UTC 2026",
		"Sat Mar 14 10:02:11 CET 2026\n":    "2026-03-13T20:02:11Z 26h15m0s Sat Mar 14 10:02:11 CET 2026",
		"Sat Mar 14 18:02:11 +08 2026\n":    "2026-03-14T10:02:11Z 15m0s Sat Mar 14 18:02:11 +08 2026",
		"bash: date: command not found\n":   "",
	} {
		if got := span(DateOutput([]byte(text))); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	got := span(Created([]byte("projectName: x\nbundleCreatedAt: \"2026-03-14T10:02:11Z\"\n")))
	if got != `2026-03-14T10:02:11Z 15m0s bundleCreatedAt: "2026-03-14T10:02:11Z"` {
		t.Error(got)
	}
	if got := span(Created([]byte("createdAt: 2026-03-14T10:02:11Z\n"))); got != "" {
		t.Error(got)
	}
	log := "2026-03-14T12:02:11.5+0200\tINFO\tgather\tx\n\tcontinued\n2026-03-14T12:03:00.5+0200\tINFO\tdone\n"
	if got := span(LogSpan([]byte(log))); got != "2026-03-14T10:02:11Z 49s 2026-03-14T12:03:00.5+0200\tINFO\tdone" {
		t.Error(got)
	}
}

func TestStamps(t *testing.T) {
	got := Stamps([]byte("2026-03-14 11:00:03.482391022 +0100 CET m=+5.120394011\r\nnothing\n2026-03-14 10:14:41 +0000 UTC\n2026-03-14 " +
		"10:14\n"))
	if len(got) != 2 {
		t.Fatalf("got %v", got)
	}
	if want := time.Date(2026, 3, 14, 10, 0, 3, 482391022, time.UTC); !got[0].At.Equal(want) || got[0].Line != 1 ||
		strings.HasSuffix(got[0].Text, "\r") {
		t.Errorf("got %+v", got[0])
	}
	if want := time.Date(2026, 3, 14, 10, 14, 41, 0, time.UTC); !got[1].At.Equal(want) || got[1].Line != 3 {
		t.Errorf("got %+v", got[1])
	}
}
