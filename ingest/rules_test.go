package ingest_test

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/ingest"
)

// TestReadRules: groups, objects and lists of them in one file, with the lines of their expressions.
func TestReadRules(t *testing.T) {
	const text = `groups:
- name: plain
  interval: 15s
  limit: 3
  labels: {team: storage, severity: low}
  rules:
  - record: a:b
    expr: up
  - alert: Block
    # a comment
    expr: |
      up ==
        0
    for: 5m
    keep_firing_for: 1m
    labels: {severity: high, number: 3}
---
apiVersion: v1
kind: List
items:
- apiVersion: monitoring.coreos.com/v1
  kind: PrometheusRule
  metadata: {name: object}
  spec:
    groups:
    - name: inner
      partial_response_strategy: warn
      rules:
      - alert: Number
        expr: 1
`
	f, err := ingest.ReadRules("own.yaml", strings.NewReader(text))
	if err != nil || len(f.Problems) > 0 || len(f.Groups) != 2 {
		t.Fatalf("%v, %v, %d groups", err, f.Problems, len(f.Groups))
	}
	plain, inner := f.Groups[0], f.Groups[1]
	if plain.Interval != "15s" || plain.Rules[0].Record != "a:b" || plain.Rules[0].Line != 8 {
		t.Errorf("%+v", plain)
	}
	block := plain.Rules[1]
	if block.Expr != "up ==\n  0\n" || block.Line != 12 || block.For != "5m" || block.KeepFiringFor != "1m" {
		t.Errorf("%+v", block)
	}
	var labels []string
	for _, l := range block.Labels {
		labels = append(labels, l.Name+"="+l.Value)
	}
	if got := strings.Join(labels, " "); got != "number=3 severity=high team=storage" {
		t.Errorf("labels %s", got)
	}
	if r := inner.Rules[0]; r.Alert != "Number" || r.Expr != "1" || r.Line != 30 {
		t.Errorf("%+v", r)
	}
}

// TestReadRulesSaysWhere: a file without a rule is an error that names file and line.
func TestReadRulesSaysWhere(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x]\n"
	for i := 'b'; i < 'l'; i++ {
		bomb += string(i) + ": &" + string(i) + " [" + strings.Repeat("*"+string(i-1)+",", 9) + "]\n"
	}
	for _, c := range []struct{ text, want string }{
		{"", "own.yaml:1: holds no rules"},
		{"groups: []\n", "own.yaml:1: holds no rules"},
		{"# one\n---\ngroups:\n- name: x\n  rules:\n  - alert: {\n", "own.yaml:6"},
		{"groups: {a: 1}\n", "own.yaml:1: groups of rules are not what they should be"},
		{"groups:\n- name: x\n  rules:\n  - alert: [a]\n    expr: up\n", "stands where a text is expected"},
		{"kind: PrometheusRule\napiVersion: monitoring.coreos.com/v1\nmetadata: {name: x}\nspec: 3\n", "own.yaml:1"},
		{bomb + "groups: *k\n", "expands to too many values"},
		{"{\"groups\": [" + strings.Repeat("[", 1000), "own.yaml:1"},
	} {
		_, err := ingest.ReadRules("own.yaml", strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %s", c.text, err, c.want)
		}
	}
}
