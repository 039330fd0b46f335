package manifest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
)

// Each node is found at its line and column of the file, as bytes count.
func TestRelocate(t *testing.T) {
	for _, text := range []string{
		"a: b\nc:\r\n  d: e\n", "a: b\rc: d\ne: f", "a: b\u2028c: d\ne: f\r", "a: b\u0085\r\nc: d\n", "\ufeffa: b\nc: d",
		"ä: ö\n\"ü\": [é, \"è\", {à: â}]\nc: d # €\ne:\n- ï\n- - î: j\n", "日本: {a: 語, b: 語}\rc: d\u2029e: [𝄞, f]\ng: h",
	} {
		root, err := parseYAML([]byte(text), MaxDepth)
		if err != nil {
			t.Fatal(err)
		}
		scalars := 0
		var walk func(*yaml.Node)
		walk = func(n *yaml.Node) {
			if n.Kind == yaml.ScalarNode {
				scalars++
				at := lineOffset([]byte(text), n.Line) + n.Column - 1
				if !strings.HasPrefix(strings.TrimPrefix(text[at:], `"`), n.Value) {
					t.Errorf("%q is not at %d:%d of %q", n.Value, n.Line, n.Column, text)
				}
			}
			for _, child := range n.Content {
				walk(child)
			}
		}
		if walk(root); scalars < 4 {
			t.Errorf("%d scalars of %q", scalars, text)
		}
	}
}

// What YAML 1.1 takes for a truth value is a string where kubectl would have written it with quotes.
func TestOldWords(t *testing.T) {
	for _, text := range []string{
		"kind: Pod\nmetadata: {name: no, namespace: n, labels: {pod-template-hash: on, y: off}}\n",
		"kind: Pod\nmetadata:\n  labels:\n    pod-template-hash: on\n    y: off\n  name: no\n  namespace: n\n",
		"kind: PodList\nitems: [{metadata: {name: no, namespace: n, labels: {pod-template-hash: on, y: off}}}]\n",
	} {
		res := Read([]byte(text), "", func(r Record) {
			if p := r.Value.(*corev1.Pod); r.Ref.String() != "n/no" || p.Labels["pod-template-hash"] != "on" {
				t.Errorf("%v %v of\n%s", r.Ref, p.Labels, text)
			}
		})
		if res.Used != 1 || len(res.Problems) > 0 {
			t.Errorf("%+v of\n%s", res, text)
		}
	}
	rules := ReadRules([]byte("groups:\n- name: y\n  rules:\n  - alert: A\n    expr: 1\n    labels: {severity: no, on: true}\n"), "r.yaml")
	if got := fmt.Sprint(rules.Groups); !strings.Contains(got, "{severity no}") || !strings.Contains(got, "{on true}") ||
		!strings.Contains(got, "{y ") {
		t.Error(got, rules.Problems)
	}
}

// lineOffset is where the line, counted from 1, begins.
func lineOffset(raw []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		n := bytes.IndexByte(raw[at:], '\n')
		if n < 0 {
			return len(raw)
		}
		at += n + 1
	}
	return at
}
