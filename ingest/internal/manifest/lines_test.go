package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestFileLines(t *testing.T) {
	for in, want := range map[string][]int{
		"a\nb\r\nc": nil, "": nil,
		"a\rb\nc":        {0, 1, 1, 2},
		"a\u2028b\nc\r":  {0, 1, 1, 2, 2},
		"a\u0085\r\nb\n": {0, 1, 1, 2, 3},
	} {
		if got := fileLines([]byte(in)); !slices.Equal(got, want) {
			t.Errorf("fileLines(%q) = %v, want %v", in, got, want)
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
	if got := fmt.Sprint(rules.Groups); !strings.Contains(got, "{severity no}") || !strings.Contains(got, "{on true}") || !strings.Contains(got, "{y ") {
		t.Error(got, rules.Problems)
	}
}
