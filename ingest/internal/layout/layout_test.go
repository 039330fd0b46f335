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
		{"cluster-scoped-resources/config.openshift.io/clusterversions.yaml", Place{Root: ".", Collection: "clusterversions", ClusterScoped: true}},
		{"mg/namespaces/shop/core/events.yaml", Place{Root: "mg", Namespace: "shop", Collection: "events"}},
		{"mg/namespaces/shop/shop.yaml", Place{Root: "mg", Namespace: "shop"}},
		{"mg/namespaces/shop/pods/db-0/db-0.yaml", Place{Root: "mg", Namespace: "shop", Collection: "pods"}},
		{"mg/namespaces/kcm/pods/k-0/kcm/kcm/logs/current.log", Place{Role: Log, Root: "mg", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"mg/namespaces/kcm/pods/k-0/kcm/kcm/logs/previous.insecure.log", Place{Role: Log, Root: "mg", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"mg/namespaces/kcm/pods/k-0/kcm/kcm/logs/rotated/0.log.20260314-093500", Place{Role: Log, Root: "mg", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"g/namespaces/kcm/pods/k-0/kcm/current.log", Place{Role: Log, Root: "g", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"mg/namespaces/kcm/pods/k-0/kcm/kcm/healthz", Place{Root: "mg", Namespace: "kcm", Pod: "k-0", Container: "kcm", Collection: "pods"}},
		{"var/log/pods/kube-system_kcm-0_0123456789abcdef0123456789abcdef/kcm/0.log", Place{Role: Log, Root: "var/log/pods", Namespace: "kube-system", Pod: "kcm-0", Container: "kcm"}},
		{"var/log/containers/kcm-0_kube-system_kcm-" + hex + ".log", Place{Role: Log, Root: "var/log/containers", Namespace: "kube-system", Pod: "kcm-0", Container: "kcm"}},
		{"sb/logs/ns/pod-0/csi-attacher.log", Place{Role: Log, Root: "sb", Namespace: "ns", Pod: "pod-0", Container: "csi-attacher"}},
		{"dump/kube-system/kcm-0/logs.txt", Place{Role: Log, Root: "dump", Namespace: "kube-system", Pod: "kcm-0"}},
		// Near misses.
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

func TestStamps(t *testing.T) {
	got := Stamps([]byte("2026-03-14 11:00:03.482391022 +0100 CET m=+5.120394011\r\nnothing\n2026-03-14 10:14:41 +0000 UTC\n2026-03-14 10:14\n"))
	if len(got) != 2 {
		t.Fatalf("got %v", got)
	}
	if want := time.Date(2026, 3, 14, 10, 0, 3, 482391022, time.UTC); !got[0].At.Equal(want) || got[0].Line != 1 || strings.HasSuffix(got[0].Text, "\r") {
		t.Errorf("got %+v", got[0])
	}
	if want := time.Date(2026, 3, 14, 10, 14, 41, 0, time.UTC); !got[1].At.Equal(want) || got[1].Line != 3 {
		t.Errorf("got %+v", got[1])
	}
}
