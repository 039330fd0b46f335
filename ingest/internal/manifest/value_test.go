package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	kubeyaml "sigs.k8s.io/yaml"
)

// Nodes stand for what sigs.k8s.io/yaml makes of their text.
func TestValueOf(t *testing.T) {
	for _, text := range []string{
		"{a: 1, b: -0x1F, c: 0o17, d: 017, e: 1_000, f: 0b11, g: 18446744073709551615, h: 1e3, i: 1.50, j: 99999999999999999999}",
		"{a: true, b: False, c: ~, d: null, e: , f: 'null', g: [null, 'null'], h: \"true\", i: !!str 1, j: !!binary aGk=}",
		"{a: 2026-11-21T06:16:22Z, b: 2026-11-21, 2026-11-22: c}",
		"{1: a, 1.5: b, true: c, 'd': e}",
		"{a: 1, b: 2, a: 3}",
		"{x: &x {a: 1, b: 2}, u: &y {b: 3}, v: {c: [*x, *y]}, w: {'<<': 1}}",
		"a: |\n\n  b\n   c\nd: >-\n  e\n\n  f\n",
	} {
		root, err := parseYAML([]byte(text), MaxDepth)
		if err != nil {
			t.Fatal(err)
		}
		value, err := valueOf(root)
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
		if value, err := valueOf(root); err == nil {
			t.Errorf("%v of %s", value, text)
		}
	}
}

// oldBool reports whether a scalar without quotes is a string for YAML 1.2 and a truth value for YAML 1.1.
func oldBool(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == 0 && len(n.Value) <= len("yes") &&
		slices.Contains([]string{"y", "n", "yes", "no", "on", "off"}, strings.ToLower(n.Value))
}

// toJSON converts YAML as kubectl does. support-bundle-kit writes the string "null" for what is absent.
func toJSON(text []byte) (data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			data, err = nil, fmt.Errorf("the YAML parser gave up: %v", p)
		}
	}()
	data, err = kubeyaml.YAMLToJSON(text)
	return bytes.ReplaceAll(data, []byte(`":"null"`), []byte(`":null`)), err
}
