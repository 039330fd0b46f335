package alert

import (
	"testing"

	"github.com/volpost/volpost/model"
)

// TestDetect: how kube-state-metrics is scraped, and by what clusters are told apart, is what the metrics show.
func TestDetect(t *testing.T) {
	every := []stretch{{minute(0), minute(30), 1}}
	node := func(pairs ...string) timed {
		return timed{series("kube_pod_info", append([]string{"namespace", "n", "pod", "q"}, pairs...)...), every}
	}
	for _, c := range []struct {
		external  model.Labels
		more      timed
		openShift bool
		want      Setup
	}{
		{more: node("node", "a")},
		{more: node("node", "ksm's", "exported_node", "a"), want: Setup{TargetLabels: true}},
		{more: node("exported_label", "a")},
		{external: model.Labels{{Name: "cluster", Value: "one"}}, more: node(), want: Setup{ClusterLabel: "cluster"}},
		{external: model.Labels{{Name: "k8s_cluster", Value: "one"}}, more: node(), want: Setup{ClusterLabel: "k8s_cluster"}},
		{external: model.Labels{{Name: "prometheus_replica", Value: "one"}}, more: node()},
		{more: node(), openShift: true, want: Setup{OpenShift: true}},
	} {
		s := &model.Snapshot{Metrics: []model.MetricSource{cluster("tsdb", model.MetricBlock, c.external, c.more)}}
		if c.openShift {
			s.ClusterVersions = append(s.ClusterVersions, model.Object[model.ClusterVersion]{})
		}
		got := Detect(s)
		if got.TargetLabels != c.want.TargetLabels || got.OpenShift != c.want.OpenShift || got.ClusterLabel != c.want.ClusterLabel ||
			len(got.Because) == 0 {
			t.Errorf("%v %v: %+v, want %+v", c.external, c.more.labels, got, c.want)
		}
	}
}
