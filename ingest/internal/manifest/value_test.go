package manifest

import (
	"encoding/json"
	"testing"
)

// Nodes stand for what sigs.k8s.io/yaml makes of their text.
func TestValueOf(t *testing.T) {
	for _, text := range []string{
		"{a: 1, b: -0x1F, c: 0o17, d: 017, e: 1_000, f: 0b11, g: 18446744073709551615, h: 1e3, i: 1.50, j: 99999999999999999999}",
		"{a: true, b: False, c: ~, d: null, e: , f: 'null', g: [null, 'null'], h: \"true\", i: !!str 1, j: !!binary aGk=}",
		"{a: 2026-11-21T06:16:22Z, b: 2026-11-21, 2026-11-22: c}",
		"{1: a, 1.5: b, true: c, 'd': e}",
		"{a: 1, b: 2, a: 3}",
		"{x: &x {a: 1, b: 2}, u: &y {b: 3}, z: {<<: *x, b: 4}, v: {<<: [*x, *y], c: *x}, w: {'<<': 1}}",
		"a: |\n\n  b\n   c\nd: >-\n  e\n\n  f\n",
	} {
		root, err := parseYAML([]byte(text), MaxDepth)
		if err != nil {
			t.Fatal(err)
		}
		value, err := valueOf(root, false)
		if err != nil {
			t.Errorf("%v of %s", err, text)
		}
		got, _ := json.Marshal(value)
		want, err := toJSON([]byte(text))
		if err != nil || string(got) != string(want) {
			t.Errorf("got %s\nwant %s (%v)", got, want, err)
		}
	}
	for _, text := range []string{"{~: a}", "{[a]: b}", "{a: [{null: b}]}"} {
		root, err := parseYAML([]byte(text), MaxDepth)
		if err != nil {
			t.Fatal(err)
		}
		if value, err := valueOf(root, false); err == nil {
			t.Errorf("%v of %s", value, text)
		}
	}
}
