package kubestate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
)

// nodesAndPods are the metrics of a cluster in which every node's kubelet, and the controller manager, are targets of their own.
func nodesAndPods(t *testing.T, nodes int) model.MetricSource {
	var b strings.Builder
	line := func(format string, args ...any) {
		for at := range 3 {
			_, _ = fmt.Fprintf(&b, format+" %d.000\n", append(args, 1000+15*at)...)
		}
	}
	for i := range nodes {
		line(`kubelet_volume_stats_used_bytes{job="kubelet",instance="10.0.0.%d:10250",namespace="n",persistentvolumeclaim="c-%d"} 1`, i, i)
		line(`storage_operation_duration_seconds_count{job="kcm",instance="m",node="%d",operation_name="volume_attach",`+
			`volume_plugin="kubernetes.io/csi:d"} 1`, i)
		line(`storage_operation_duration_seconds_sum{job="kcm",instance="m",node="%d",operation_name="volume_attach",`+
			`volume_plugin="kubernetes.io/csi:d"} 1`, i)
	}
	for i := range 4 * nodes {
		line(`kube_pod_info{job="ksm",instance="k",namespace="n",pod="p-%d",uid="%d",node="%d"} 1`, i, i, i/4)
	}
	read, err := series.ReadText(strings.NewReader(b.String() + "# EOF\n"))
	if err != nil {
		t.Fatal(err)
	}
	return read.Source("metrics", "metrics")
}

// TestManyTargets: a cluster of eight times the nodes, each a target of its own, takes as long as eight clusters, and not sixty.
func TestManyTargets(t *testing.T) {
	const nodes, factor = 500, 8
	few, many := nodesAndPods(t, nodes), nodesAndPods(t, factor*nodes)
	took := func(source model.MetricSource, times int) time.Duration {
		start := time.Now()
		for range times {
			for _, r := range Read(source) {
				r.Statements(func(model.Observation) {})
			}
		}
		return time.Since(start)
	}
	var ratio float64
	for range 5 { // other work on the machine hits one or the other
		if ratio = float64(took(many, 1)) / float64(took(few, factor)); ratio < 2.5 {
			return
		}
	}
	t.Errorf("%d times the nodes take %.1f times as long as %d times of reading", factor, ratio, factor)
}
