package alert

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// cluster is what a server scraped of a node that stops being Ready at minute 5 and of a volume that it holds, every minute.
func cluster(path string, form model.MetricForm, external model.Labels, more ...timed) model.MetricSource {
	from, end := minute(0), minute(30)
	always := []stretch{{from, end, 1}}
	list := append([]timed{
		{series("kube_node_status_condition", "node", "a", "condition", "Ready", "status", "true"),
			[]stretch{{from, minute(5), 1}, {minute(5), end, 0}}},
		{series("kube_volumeattachment_info", "volumeattachment", "va", "node", "a", "attacher", "x"), always},
		{series("kube_volumeattachment_status_attached", "volumeattachment", "va"), always},
		{series("kube_volumeattachment_spec_source_persistentvolume", "volumeattachment", "va", "volumename", "pv"), always},
		{series("kube_pod_info", "namespace", "n", "pod", "p", "uid", "u", "node", "a", "created_by_kind", "StatefulSet"), always},
		{series("kube_persistentvolumeclaim_info", "namespace", "n", "persistentvolumeclaim", "c", "volumename", "pv"), always},
	}, more...)
	for i := range list {
		list[i].labels = append(list[i].labels, external...)
		slices.SortFunc(list[i].labels, func(a, b model.Label) int { return strings.Compare(a.Name, b.Name) })
	}
	m := scraped(list, time.Minute)
	whole := m.Select
	m.Select = func(matchers []model.Matcher, a, b time.Time, each func(model.Labels, model.Samples) error) error {
		if a.IsZero() || a.Before(from) {
			a = from
		}
		if b.IsZero() || b.After(end) {
			b = end
		}
		return whole(matchers, a, b, each)
	}
	m.Path, m.Form, m.External = path, form, external
	return m
}

// ran is what rules came to over sources, without an incident.
func ran(t *testing.T, files []model.RuleFile, sources ...model.MetricSource) map[string]model.Alert {
	t.Helper()
	out := map[string]model.Alert{}
	for _, a := range Run(t.Context(), &model.Snapshot{Metrics: sources}, nil, files, nil).Alerts {
		if a.Origin != seed && (a.Origin != Builtin || a.Severity == "warning") {
			out[a.Name] = a
		}
	}
	return out
}

// TestServers: of one server's series in several forms the best is taken, an exposition is none, and replicas stay two whose
// common firing counts once.
func TestServers(t *testing.T) {
	block := cluster("tsdb", model.MetricBlock, nil)
	for _, c := range []struct {
		what    string
		sources []model.MetricSource
		want    string
	}{
		{"copies", []model.MetricSource{cluster("api", model.MetricAPI, nil), block, cluster("dump", model.MetricDump, nil)}, "tsdb"},
		{"one scrape", []model.MetricSource{cluster("now", model.MetricExposition, nil)}, ""},
		{"another server in a worse form",
			[]model.MetricSource{block, cluster("api", model.MetricAPI, nil,
				timed{series("kubelet_volume_stats_used_bytes"), []stretch{{minute(0), minute(30), 1}}})}, "api tsdb"},
		{"replicas", []model.MetricSource{cluster("a", model.MetricBlock, model.Labels{{Name: "prometheus_replica", Value: "a"}}),
			cluster("b", model.MetricBlock, model.Labels{{Name: "prometheus_replica", Value: "b"}})}, "a b"},
	} {
		if got := strings.Join(paths(servers(c.sources)), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
		if c.want == "" {
			continue
		}
		a := ran(t, nil, c.sources...)["VolumeStuckOnNotReadyNode"]
		if a.Result != resultFired || len(a.Firings) != 1 || a.Over != model.OverMetrics || !a.Firings[0].From.Equal(minute(7)) ||
			a.Firings[0].Labels["prometheus_replica"] != "" {
			t.Errorf("%s: %+v", c.what, a)
		}
	}
}

// TestRulesSeeWhatIsScraped: with honor_labels: false a rule sees the labels of the target, as it does in the server; volpost's
// own are for that.
func TestRulesSeeWhatIsScraped(t *testing.T) {
	own := cluster("tsdb", model.MetricBlock, nil)
	own.Scraped = func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		allowed, err := compile(matchers)
		if err != nil {
			return err
		}
		return own.Select(nil, from, to, func(l model.Labels, s model.Samples) error {
			l = slices.Clone(l)
			for i := range l {
				if l[i].Name == "node" {
					l[i].Name = "exported_node"
					l = append(l, model.Label{Name: "node", Value: "ksm"})
				}
			}
			slices.SortFunc(l, func(a, b model.Label) int { return strings.Compare(a.Name, b.Name) })
			if !allowed(l) {
				return nil
			}
			return each(l, s)
		})
	}
	got := ran(t, grouped(
		model.Rule{Alert: "Exporter", Expr: `kube_node_status_condition{node="ksm"} == 0`},
		model.Rule{Alert: "Meant", Expr: `kube_node_status_condition{node="a"} == 0`},
	), own)
	for name, want := range map[string]string{"Exporter": "ksm", "Meant": "", "VolumeStuckOnNotReadyNode": "a"} {
		node := ""
		if f := got[name].Firings; len(f) == 1 {
			node = f[0].Labels["node"]
		}
		if node != want {
			t.Errorf("%s: %q, want %q: %+v", name, node, want, got[name])
		}
	}
}

// TestUsage: that a volume is nearly full is no warning of an incident of it, be it told by a rule, by the server or by its name.
func TestUsage(t *testing.T) {
	claim := func(metric string, value float64) timed {
		return timed{series(metric, "namespace", "n", "persistentvolumeclaim", "c"), []stretch{{minute(0), minute(30), value}}}
	}
	said := func(name string) timed {
		return timed{series(recordedAlerts, "alertname", name, "alertstate", "firing", "namespace", "n", "persistentvolumeclaim", "c"),
			[]stretch{{minute(2), minute(30), 1}}}
	}
	c := &wait.Case{Volume: &facts.Volume{Claim: model.Ref{Kind: "PersistentVolumeClaim", Namespace: "n", Name: "c"}}}
	for _, m := range []*model.Moment{&c.Span.From, &c.Span.To} {
		m.At = minute(10)
		m.Earliest, m.Latest = m.At, m.At
	}
	rules := rulesOf(grouped(
		model.Rule{Alert: "Nearly", Expr: `kubelet_volume_stats_used_bytes / kubelet_volume_stats_capacity_bytes > 0.7 unless on (namespace, persistentvolumeclaim) ` +
			`kube_persistentvolumeclaim_access_mode{access_mode="ReadOnlyMany"}`},
		model.Rule{Alert: "FullNode", Expr: `max by (namespace, persistentvolumeclaim) (kube_persistentvolumeclaim_info) and on () kube_node_status_condition == 0`},
	), nil, nil)
	s := look(cluster("tsdb", model.MetricBlock, nil, claim("kubelet_volume_stats_used_bytes", 8),
		claim("kubelet_volume_stats_capacity_bytes", 10), said("Nearly"), said("KubePersistentVolumeFillingUp"), said("FullNode"),
		said("ClaimStuck")))
	cases := []*wait.Case{c}
	r := Result{Firsts: map[string]First{}}
	r.overMetrics(t.Context(), []server{s}, cases, Setup{}, rules)
	for _, a := range r.Alerts {
		if a.Origin == "own.yaml" && (len(a.Firings) != 1 || (a.Firings[0].Incident != nil) != (a.Name == "FullNode")) {
			t.Errorf("%s: %+v", a.Name, a.Firings)
		}
	}
	recorded := r.recordedFirings([]server{s}, rules.alerts, cases)
	for name, about := range map[string]bool{"Nearly": false, "KubePersistentVolumeFillingUp": false, "FullNode": true, "ClaimStuck": true} {
		if f := recorded[name]; len(f) != 1 || (f[0].Incident != nil) != about {
			t.Errorf("%s by the server: %+v", name, f)
		}
	}
}

// TestActiveAlerts: what a server names as firing stands beside the rule of that name, from when it began to fire; what is
// pending does not.
func TestActiveAlerts(t *testing.T) {
	active := func(name, state, hold string) model.ActiveAlert {
		return model.ActiveAlert{Labels: []model.Label{{Name: "alertname", Value: name}, {Name: "node", Value: "a"}}, State: state, At: minute(5),
			For: hold, Input: "alerts.json"}
	}
	rule := model.Rule{Alert: "Mine", Expr: "kube_node_status_condition == 0", For: "4m"}
	s := &model.Snapshot{
		Metrics:      []model.MetricSource{cluster("tsdb", model.MetricBlock, nil)},
		RuleFiles:    []model.RuleFile{{Path: "rules.json", Groups: grouped(rule, rule)[0].Groups}},
		ActiveAlerts: []model.ActiveAlert{active("Mine", "firing", ""), active("VolumeStuckOnNotReadyNode", "pending", "2m")},
	}
	mine := 0
	for _, a := range Run(t.Context(), s, nil, nil, nil).Alerts {
		want := 0
		if a.Name == "Mine" {
			mine, want = mine+1, 1
		}
		if len(a.Recorded) != want || want == 1 &&
			(!a.Recorded[0].From.Equal(minute(9)) || a.Recorded[0].To != nil || a.Origin != "rules.json" || len(a.Firings) != 1) {
			t.Errorf("%s: %+v", a.Name, a)
		}
	}
	if mine != 1 {
		t.Errorf("Mine is there %d times", mine)
	}
}

// TestWindow: what lies around the incidents is evaluated, and where none lies in the source, its end.
func TestWindow(t *testing.T) {
	s := server{scrapes: []time.Time{minute(0), minute(4000)}}
	during := func(from, to int) *wait.Case {
		c := &wait.Case{}
		c.Span.From.At, c.Span.To.At = minute(from), minute(to)
		return c
	}
	for _, e := range []struct {
		cases    []*wait.Case
		from, to int
	}{
		{nil, 3940, 4000},
		{[]*wait.Case{during(-100, -20)}, 3940, 4000},
		{[]*wait.Case{during(4020, 4100)}, 3940, 4000},
		{[]*wait.Case{during(-100, -19)}, 0, 1},
		{[]*wait.Case{during(4019, 4100)}, 3999, 4000},
		{[]*wait.Case{during(100, 110), during(95, 120), during(300, 310)}, 75, 330},
		{[]*wait.Case{during(5, 10)}, 0, 30},
		{[]*wait.Case{during(100, 3000)}, 3020 - 24*60, 3020},
	} {
		if w := s.window(e.cases); w != (window{minute(e.from), minute(e.to), ruleInterval}) {
			t.Errorf("%d incidents: %s to %s, want minutes %d to %d", len(e.cases), w.from, w.to, e.from, e.to)
		}
	}
}

// TestWhyNot: a rule that comes to nothing says whether there was nothing to see, nothing to look at, or whether it is blind.
func TestWhyNot(t *testing.T) {
	rules := []model.Rule{
		{Alert: "Blind", Expr: "kube_volumeattachment_status_attached * on (node) group_left () (kube_node_status_condition == 0)"},
		{Alert: "BlindAnd", Expr: "(kube_volumeattachment_status_attached and on (volumeattachment) kube_volumeattachment_info)" +
			" * on (node) group_left () (kube_node_status_condition == 0)"},
		{Alert: "BlindMany", Expr: "(kube_volumeattachment_status_attached * on (volumeattachment) group_right () " +
			"kube_volumeattachment_spec_source_persistentvolume) * on (node) group_left () (kube_node_status_condition == 0)"},
		{Alert: "Joined", Expr: `kube_pod_info{pod="other"} * on (node) group_left () (kube_node_status_condition == 0)`},
		{Alert: "BlindMatcher", Expr: `kube_volumeattachment_status_attached{node=~"a.*"} == 1`},
		{Alert: "Dropped", Expr: "time() - kube_volumeattachment_created > 300 and kube_volumeattachment_status_attached == 0"},
		{Alert: "Absent", Expr: "kubelet_volume_stats_used_bytes > 0"},
		{Alert: "Passing", Expr: "time() - kube_pod_deletion_timestamp > 600"},
		{Alert: "Quiet", Expr: `kube_node_status_condition{node="b"} == 0`},
		{Alert: "EitherWay", Expr: "kubelet_volume_stats_used_bytes > 0 or kube_node_status_condition == 2"},
		{Alert: "Pending", Expr: "kube_node_status_condition == 0", For: "2h"},
	}
	got := ran(t, grouped(rules...), cluster("tsdb", model.MetricBlock, nil))
	for name, want := range map[string][2]string{
		"Blind":        {resultCannot, "kube_volumeattachment_status_attached has no label node"},
		"BlindAnd":     {resultCannot, "kube_volumeattachment_status_attached has no label node"},
		"BlindMany":    {resultCannot, "kube_volumeattachment_spec_source_persistentvolume has no label node"},
		"Joined":       {resultNever, ""},
		"BlindMatcher": {resultCannot, "kube_volumeattachment_status_attached has no label node"},
		"Dropped":      {resultCannot, "kube_volumeattachment_created is not collected"},
		"Absent":       {resultNoData, "no series of kubelet_volume_stats_used_bytes"},
		"Passing":      {resultNever, ""},
		"Quiet":        {resultNever, ""},
		"EitherWay":    {resultNever, ""},
		"Pending":      {resultPending, ""},
	} {
		if a := got[name]; a.Result != want[0] || !strings.Contains(a.Note, want[1]) || want[1] == "" && a.Note != "" {
			t.Errorf("%s: %s, %q", name, a.Result, a.Note)
		}
	}
}

// TestRecordedAlerts: what the server wrote of its own alerts stands beside what the rule of that name did.
func TestRecordedAlerts(t *testing.T) {
	own := timed{series(recordedAlerts, "alertname", "Mine", "alertstate", "firing", "node", "a"),
		[]stretch{{minute(9), minute(12), 1}, {minute(20), minute(22), 1}}}
	waiting := timed{series(recordedAlerts, "alertname", "Mine", "alertstate", "pending", "node", "a"), []stretch{{minute(5), minute(9), 1}}}
	a := ran(t, grouped(model.Rule{Alert: "Mine", Expr: "kube_node_status_condition == 0", For: "4m"}),
		cluster("tsdb", model.MetricBlock, nil, own, waiting))["Mine"]
	if len(a.Firings) != 1 || len(a.Recorded) != 2 || !a.Recorded[0].From.Equal(minute(9)) || a.Recorded[0].To == nil ||
		!a.Recorded[0].To.Equal(minute(12)) || a.Recorded[0].Labels["node"] != "a" {
		t.Errorf("%+v", a)
	}
}
