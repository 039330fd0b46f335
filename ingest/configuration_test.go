package ingest

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestConfiguration: what OpenShift's operator set is told from the place where the collectors write it, with the line and its text; nothing of
// a ConfigMap comes out.
func TestConfiguration(t *testing.T) {
	const other = "do-not-tell"
	s := readFS(t, bundleOf(`
-- mg/timestamp --
2026-03-14 09:00:00 +0000 UTC
-- mg/namespaces/kube-system/core/configmaps.yaml --
---
apiVersion: v1
items:
- apiVersion: v1
  data:
    ClusterConfiguration: |
      certificatesDir: `+other+`
      controllerManager:
        extraArgs:
          cluster-name: `+other+`
          node-monitor-grace-period: 20s
    ClusterStatus: `+other+`
  kind: ConfigMap
  metadata:
    name: kubeadm-config
    namespace: kube-system
kind: ConfigMapList
-- mg/cluster-scoped-resources/operator.openshift.io/kubecontrollermanagers/cluster.json --
{"apiVersion":"operator.openshift.io/v1","kind":"KubeControllerManager","metadata":{"name":"cluster"},"spec":{"observedConfig":{"extendedArguments":{"cluster-name":["`+other+`"],"node-monitor-period":["3s"]}}}}
`))
	want := []struct{ detail, quote, field string }{
		{"--node-monitor-period=3s", `"node-monitor-period":["3s"]`, "spec.observedConfig.extendedArguments.node-monitor-period"},
	}
	var flags []model.Observation
	for _, o := range s.Observations {
		if o.Kind == model.ProcessFlag {
			flags = append(flags, o)
		}
	}
	if len(flags) != len(want) {
		t.Fatalf("%d flags, want %d", len(flags), len(want))
	}
	for i, w := range want {
		if o := flags[i]; o.Detail != w.detail || o.Quote.Text != w.quote || o.Source.Field != w.field ||
			o.Component != "kube-controller-manager" {
			t.Errorf("got %q %q at %q of %s, want %q %q at %q", o.Detail, o.Quote.Text, o.Source.Field, o.Component, w.detail, w.quote, w.field)
		}
	}
	if strings.Contains(describe(s), other) {
		t.Error("something else of a ConfigMap was kept")
	}
	for _, l := range s.Lists {
		if l.Kind == "ConfigMap" {
			t.Error("ConfigMaps are listed, of which only some are read")
		}
	}
	for _, p := range s.Problems {
		t.Error(p)
	}
}
