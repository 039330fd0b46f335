package analyze_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
)

// modelOf is what a case's only incident says of its replay.
func modelOf(t *testing.T, name string) model.ReplayModel {
	t.Helper()
	for _, c := range cases(t) {
		if c.name == name {
			return *c.report(t).Incidents[0].Model
		}
	}
	t.Fatalf("there is no case %s", name)
	return model.ReplayModel{}
}

// The outlook of an open wait tells what the evidence tells, and no more.
func TestOutlook(t *testing.T) {
	for name, want := range map[string]string{
		"remedy/force-delete-pod/no-pod-gone":                  "If nothing is done, the new pod becomes Ready between 10:30:", // 6 min
		"remedy/out-of-service-taint/yes-open":                 "If nothing is done, the wait never ends: the old pod object stays",
		"remedy/out-of-service-taint/undecidable-node-unknown": "The bundle does not show whether the wait ends by itself.",
		"remedy/restart-kubelet/undecidable-unmount-hangs": "If nothing is done, the wait never ends: the node is Ready and does not " +
			"report the unmount",
		"story/metrics-begin-in-the-wait": "The metrics end at 16:15:00, during the wait: only later ones show " +
			"whether it ended. It lasts as long as this is so: the old pod object stays",
		"story/metrics-begin-after-the-old-pod": "The bundle does not show whether the wait ends by itself. No metric shows the " +
			"pod that used the volume on node-a",
		"remedy/delete-old-pod/none-used-replaced": "If nothing is done, the wait never ends: the owner of the old pod created " +
			"another one on the same node",
	} {
		m := modelOf(t, name)
		if !strings.HasPrefix(m.Outlook, want) {
			t.Errorf("%s: the outlook is %q, want %q", name, m.Outlook, want)
		}
	}
}

// An end that nothing recorded explains is kept as it was and is no prediction; whether a setting would have moved it, nothing
// tells.
func TestUnrecordedEndIsGiven(t *testing.T) {
	whole := older(t, "force-delete")
	if given := analyze.Run(t.Context(), whole, analyze.Options{}).Incidents[0].Model.Given; given != "" {
		t.Errorf("with every log: %q", given)
	}
	thin := older(t, "force-delete")
	var kept []model.Observation
	for _, o := range thin.Observations {
		if o.Source.Kind != model.SourceLog {
			kept = append(kept, o)
		}
	}
	thin.Observations = kept
	i := analyze.Run(t.Context(), thin, analyze.Options{}).Incidents[0]
	if !strings.HasPrefix(i.Model.Given, "What freed the volume by 06:30:01 is not in the bundle") {
		t.Errorf("given: %q, withheld: %q", i.Model.Given, i.Model.Withheld)
	}
	for id, want := range map[string]string{"shorten-tolerations": "undecidable", "disable-force-detach": "undecidable",
		"shared-access-mode": "prevents"} {
		for _, m := range i.Remediations {
			if m.ID == id && m.Effect != want {
				t.Errorf("%s: %s, want %s: %s", id, m.Effect, want, m.Why)
			}
		}
	}
}

// A node that metrics show as not Ready at every scrape of a wait was not Ready, though its condition has no time; one that they show
// as Ready was.
func TestSampledReadinessOfOldNode(t *testing.T) {
	want := map[string]model.Truth{"story/metrics-begin-in-the-wait": model.True, "shared-claim/yes-likely-metrics": model.False}
	for _, c := range cases(t) {
		value, ok := want[c.name]
		if !ok {
			continue
		}
		if got := operandOf(c.report(t).Incidents[0], "node-unhealthy").Value; got != value {
			t.Errorf("%s: %s, want %s", c.name, got, value)
		}
	}
}

// Of a wait in which the metrics begin or end, the earlier or later ones are asked for, with the command that collects them; not where
// the bundle says that it was collected then.
func TestMetricsAroundAWait(t *testing.T) {
	const before, after = "no metrics before 16:10:00", "no metrics after 16:15:00"
	for _, v := range []struct {
		name     string
		recorded bool // when the bundle was collected
		want     []string
	}{
		{"metrics-begin-in-the-wait", false, []string{before, after}},
		{"metrics-begin-late", false, []string{after}},
		{"metrics-begin-late", true, nil},
	} {
		snapshot := parseCase(t, filepath.Join("testdata", "story", v.name+".txtar")).snapshot(t)
		if v.recorded {
			at := model.Exactly(time.Unix(1785600900, 0))
			snapshot.CapturedAt = &at
		}
		var got []string
		for _, m := range analyze.Run(t.Context(), snapshot, analyze.Options{}).Bundle.NotCollected {
			if strings.HasPrefix(m.What, "no metrics") {
				got = append(got, m.What)
				if !strings.Contains(m.Command, "promtool tsdb dump-openmetrics") || strings.Contains(m.Command, model.StartMillis) {
					t.Errorf("%s: %s: %s", v.name, m.What, m.Command)
				}
			}
		}
		if !slices.Equal(got, v.want) {
			t.Errorf("%+v: %q", v, got)
		}
	}
}

// That a lost node had no out-of-service taint shows where metrics have other taints of it throughout the wait, and not otherwise.
func TestSampledTaints(t *testing.T) {
	for _, v := range []struct {
		node, key string
		from, to  int // scrapes that have it, of six
		want      model.Truth
		text      string
	}{
		{"node-a", "node.kubernetes.io/unreachable", 0, 6, model.False, "other taints at every scrape"},
		{"node-a", "node.kubernetes.io/unreachable", 1, 6, model.Unknown, "Nothing in the bundle tells"},
		{"node-a", "node.kubernetes.io/unreachable", 0, 3, model.Unknown, "Nothing in the bundle tells"},
		{"node-b", "node.kubernetes.io/unreachable", 0, 6, model.Unknown, "Nothing in the bundle tells"},
		{"node-a", "node.kubernetes.io/out-of-service", 0, 6, model.Unknown, "carried the taint at a scrape"},
	} {
		c := parseCase(t, filepath.Join("testdata", "story", "metrics-begin-in-the-wait.txtar"))
		metrics := c.bundle["metrics.openmetrics"]
		// A query with a wide step says nothing of how far apart the samples of the dump are.
		c.bundle["query_range.json"] = &fstest.MapFile{Data: []byte(`{"status":"success","data":{"resultType":"matrix",` +
			`"result":[{"metric":{"__name__":"kube_node_info","node":"node-b"},"values":[[1785600600,"1"],[1785600900,"1"]]}]}}`)}
		var taints strings.Builder
		for i := v.from; i < v.to; i++ {
			fmt.Fprintf(&taints, "kube_node_spec_taint{node=%q,key=%q,effect=\"NoExecute\"} 1 %d.000\n", v.node, v.key, 1785600600+60*i)
		}
		metrics.Data = append([]byte(taints.String()), metrics.Data...)
		got := operandOf(c.report(t).Incidents[0], "out-of-service-taint")
		if got.Value != v.want || !strings.Contains(got.Text, v.text) {
			t.Errorf("%+v: %s: %s", v, got.Value, got.Text)
		}
	}
}
