package kubestate

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestMixed: a name that is that of two objects at once is of two clusters; one after the other it is not.
func TestMixed(t *testing.T) {
	for _, c := range []struct {
		name, metrics, want string
		form                model.MetricForm
	}{
		{"two machines", `
kube_node_info{node="a",system_uuid="1"} 1 1 1 1 1
kube_node_info{node="a",system_uuid="2"} 1 1 1 1 1`, "a is two machines at once, 1 and 2", model.MetricOpenMetrics},
		{"a machine after the other", `
kube_node_info{node="a",system_uuid="1"} 1 1 1 - -
kube_node_info{node="a",system_uuid="2"} - - - 1 1`, "", model.MetricOpenMetrics},
		{"a pod after the other, and a replica that is late", `
kube_pod_info{namespace="n",pod="p",uid="1",replica="0"} 1 1 1 1 - - - -
kube_pod_info{namespace="n",pod="p",uid="2",replica="1"} - - 1 1 1 1 1 1`, "", model.MetricOpenMetrics},
		{"two pods", `
kube_pod_info{namespace="n",pod="p",uid="1",replica="0"} 1 1 1 1 1 1 - -
kube_pod_info{namespace="n",pod="p",uid="2",replica="1"} - - 1 1 1 1 1 1`, "n/p is two pods at once, 1 and 2", model.MetricOpenMetrics},
		{"in answers of the API a series lives on", `
kube_pod_info{namespace="n",pod="p",uid="1"} 1 1 1 1 1 1 - -
kube_pod_info{namespace="n",pod="p",uid="2"} - - 1 1 1 1 1 1`, "", model.MetricAPI},
		{"two volumes of a claim", `
kube_persistentvolumeclaim_info{namespace="n",persistentvolumeclaim="c",volumename="v"} 1 1 1 1 1
kube_persistentvolumeclaim_info{namespace="n",persistentvolumeclaim="c",volumename="w"} 1 1 1 1 1`,
			"n/c is bound to two volumes at once, v and w", model.MetricOpenMetrics},
		{"a claim that was bound", `
kube_persistentvolumeclaim_info{namespace="n",persistentvolumeclaim="c",volumename=""} 1 1 1 1 1
kube_persistentvolumeclaim_info{namespace="n",persistentvolumeclaim="c",volumename="w"} 1 1 1 1 1`, "", model.MetricOpenMetrics},
		{"no name in common, and two clusters all the same", `
kube_namespace_created{namespace="kube-system",instance="x"} 900 900 900 900 900
kube_namespace_created{namespace="kube-system",instance="y"} 700 700 700 700 700`, "kube-system was created twice, at 700 and at 900",
			model.MetricOpenMetrics},
		{"two exporters of one cluster", `
kube_namespace_created{namespace="kube-system",instance="x"} 900 900 900 900 900
kube_namespace_created{namespace="kube-system",instance="y"} 900 900 900 900 900`, "", model.MetricOpenMetrics},
	} {
		src := scraped(t, c.metrics)
		src.Form = c.form
		if got := readOne(src).Mixed; (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestCoverOfSeveral: replicas, and an exporter that came after another one, cover as one; of exporters that share the work each
// has to.
func TestCoverOfSeveral(t *testing.T) {
	all := func(labels string, values string) string {
		var b strings.Builder
		for _, name := range append(append([]string{}, needed...), waiting) {
			b.WriteString(name + "{namespace=\"n\",pod=\"p\",reason=\"ContainerCreating\"," + labels + "} " + values + "\n")
		}
		return b.String()
	}
	one := func(labels, values string) string {
		return "kube_pod_info{namespace=\"m\"," + labels + "} " + values + "\n"
	}
	for _, c := range []struct {
		name, metrics string
		want          time.Duration // 0 for no cover
		pause         bool
	}{
		{"one exporter", all(`uid="1"`, "1 1 1 1 1 1 1 1 1"), 2 * time.Minute, false},
		{"it was away", all(`uid="1"`, "1 1 1 - - - 1 1 1"), 2 * time.Minute, true},
		{"of two replicas one ended", all(`uid="1",replica="a"`, "1 1 1 - - - - - -") + all(`uid="1",replica="b"`, "1 1 1 1 1 1 1 1 1"),
			2 * time.Minute, false},
		{"it moved", all(`uid="1",instance="x"`, "1 1 1 1 - - - - -") + all(`uid="1",instance="y"`, "- - - - 1 1 1 1 1"), 2 * time.Minute, false},
		{"of two that share the work one ended",
			all(`uid="1",instance="x"`, "1 1 1 1 1 1 1 1 1") + one(`uid="2",pod="q",instance="y"`, "1 1 1 - - - - - -"), 0, false},
		{"of two that share the work one was away",
			all(`uid="1",instance="x"`, "1 1 1 1 1 1 1 1 1") + one(`uid="2",pod="q",instance="y"`, "1 1 1 - - - 1 1 1"), 2 * time.Minute, true},
	} {
		var got time.Duration
		pause := false
		for _, o := range readOne(scraped(t, c.metrics)).Observations {
			if o.Kind == model.WaitsSampled {
				got, pause = o.Last.At.Sub(o.At.At), o.Detail != ""
			}
		}
		if got != c.want || pause != c.pause {
			t.Errorf("%s: covered for %s (pause %v), want %s (%v)", c.name, got, pause, c.want, c.pause)
		}
	}
}
