package ingest

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestRuleAnswers: what a server answers about its rules and its alerts, as must-gather has it.
func TestRuleAnswers(t *testing.T) {
	const rules = `{"status":"success","data":{"groups":[{"name":"g","file":"/etc/prometheus/rules/x.yaml","interval":30,"limit":2,"rules":[
{"state":"firing","name":"Lost","query":"kube_node_status_condition == 0","duration":90.5,"keepFiringFor":60,"labels":{"severity":"warning"},"annotations":{"summary":"x"},
"alerts":[{"labels":{"alertname":"Lost","node":"a"},"annotations":{},"state":"firing","activeAt":"2026-01-01T00:05:00.5+02:00","value":"0e+00"}],"health":"ok","type":"alerting"},
{"name":"a:b","query":"up","labels":{"c":"d"},"health":"ok","type":"recording"}]}]}}`
	const alerts = `{"status":"success","data":{"alerts":[{"labels":{"alertname":"Lost"},"annotations":{},"state":"pending",` +
		`"activeAt":"2026-01-01T00:05:00Z","value":"1"}]}}`
	s := readFS(t, fstest.MapFS{"monitoring/prometheus/rules.json": {Data: []byte(rules)}, "alerts.json": {Data: []byte(alerts)},
		"cut.json": {Data: []byte(rules[:300])}})
	if len(s.RuleFiles) != 1 || len(s.RuleFiles[0].Groups) != 1 || len(s.ActiveAlerts) != 2 {
		t.Fatalf("%+v %+v", s.RuleFiles, s.ActiveAlerts)
	}
	g := s.RuleFiles[0].Groups[0]
	if g.Interval != "30s" || g.Rules[0].Alert != "Lost" || g.Rules[0].For != "1m30s500ms" ||
		g.Rules[0].KeepFiringFor != "1m" || g.Rules[1].Record != "a:b" || g.Rules[1].Labels[0].Value != "d" {
		t.Errorf("%+v", g)
	}
	for i, want := range []string{"pending 2026-01-01T00:05:00Z ", "firing 2025-12-31T22:05:00.5Z 1m30s500ms"} {
		if a := s.ActiveAlerts[i]; a.State+" "+a.At.Format(time.RFC3339Nano)+" "+a.For != want {
			t.Errorf("%+v, want %s", a, want)
		}
	}
	if len(s.Problems) != 1 || s.Problems[0].Path != "cut.json" {
		t.Errorf("%+v", s.Problems)
	}
	f, err := ReadRules("rules.json", strings.NewReader(rules))
	if err != nil || len(f.Groups) != 1 || f.Groups[0].Rules[0].Expr != "kube_node_status_condition == 0" {
		t.Errorf("as a file of --rules: %+v, %v", f, err)
	}
}
