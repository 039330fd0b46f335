package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// pruned drops what is not needed from a tree, as readCanonical should have.
func pruned(n *yaml.Node, need *needs) *yaml.Node {
	out := *n
	out.Content = nil
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if below := need.field(n.Content[i].Value); below != nil {
				out.Content = append(out.Content, n.Content[i], pruned(n.Content[i+1], below))
			}
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			out.Content = append(out.Content, pruned(item, need))
		}
	}
	return &out
}

// difference describes the first place at which two trees differ; "" for none.
func difference(got, want *yaml.Node, path string) string {
	show := func(n *yaml.Node) string {
		return fmt.Sprintf("kind %d tag %s style %d value %q at %d:%d", n.Kind, n.Tag, n.Style, n.Value, n.Line, n.Column)
	}
	if g, w := show(got), show(want); g != w {
		return fmt.Sprintf("%s: got %s, want %s", path, g, w)
	}
	if len(got.Content) != len(want.Content) {
		return fmt.Sprintf("%s: %d parts, want %d", path, len(got.Content), len(want.Content))
	}
	for i := range got.Content {
		if d := difference(got.Content[i], want.Content[i], path+"/"+want.Content[i].Value); d != "" {
			return d
		}
	}
	return ""
}

// compare reads an object in both ways. It returns whether the quick one was sure.
func compare(t *testing.T, c chunk, need *needs) bool {
	t.Helper()
	c.depth = MaxDepth
	got, kept, ok := readCanonical(c.raw, c.indent, need, &scratch{store: &textStore{}})
	if !ok {
		return false
	}
	full, err := c.root()
	if err != nil || full == nil {
		t.Errorf("read what the parser refuses (%v):\n%s", err, c.raw)
		return true
	}
	if d := difference(got, pruned(full, need), ""); d != "" {
		t.Errorf("%s\n%s", d, c.raw)
	}
	reduced := c
	reduced.raw = nil
	for _, k := range kept {
		reduced.raw = append(reduced.raw, c.raw[k.from:k.to]...)
		if line := 1 + bytes.Count(c.raw[:k.from], []byte("\n")); line != k.line {
			t.Errorf("kept line %d is %d", line, k.line)
		}
	}
	again, err := reduced.root()
	if err != nil {
		t.Errorf("%v in what is kept:\n%s", err, reduced.raw)
		return true
	}
	// What is kept for a dash alone is not needed, and of what is empty only the key is kept.
	strip := func(n *yaml.Node) *yaml.Node { return unplaced(pruned(n, need)) }
	if d := difference(strip(again), strip(full), ""); d != "" {
		t.Errorf("kept: %s\n%s", d, reduced.raw)
	}
	return true
}

// unplaced is a tree without lines and columns, in which empty mappings are as null.
func unplaced(n *yaml.Node) *yaml.Node {
	out := yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style}
	if n.Kind != yaml.ScalarNode && len(n.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	for _, child := range n.Content {
		out.Content = append(out.Content, unplaced(child))
	}
	return &out
}

// compareValues decodes an object from its nodes and from their JSON. It returns whether the former was sure.
func compareValues(t *testing.T, c chunk, kindName string) bool {
	t.Helper()
	k := kindNamed(kindName, "")
	root, _, sure := readCanonical(c.raw, c.indent, neededBy(kindName), &scratch{store: &textStore{}})
	if k == nil || !sure || k.assign == nil {
		return false
	}
	meta, got, sure := k.assign(root, false, &scratch{})
	if !sure {
		return false
	}
	c.pruned = true
	data, err := c.asJSON(root, Limits{Depth: MaxDepth, Nodes: MaxNodes})
	if err != nil {
		t.Fatalf("%v\n%s", err, c.raw)
	}
	if whole, err := toJSON(bytes.TrimPrefix(c.raw, []byte("---\n"))); err == nil && c.indent == 0 && sameInBoth(root) {
		if want := prunedJSON(t, whole, neededBy(kindName)); string(data) != want {
			t.Errorf("got %s\nwant %s of\n%s", data, want, c.raw)
		}
	}
	wantMeta, want, err := k.decode(data)
	if err != nil {
		t.Errorf("assigned what cannot be decoded: %v\n%s", err, data)
		return true
	}
	if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(meta, wantMeta) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	return true
}

// sameInBoth reports whether nothing of a tree is another value for YAML 1.1, and whether all keys are texts.
func sameInBoth(n *yaml.Node) bool {
	for i, child := range n.Content {
		if oldBool(child) || n.Kind == yaml.MappingNode && i%2 == 0 && !isText(child) || !sameInBoth(child) {
			return false
		}
	}
	return true
}

// prunedJSON is JSON without what is not needed.
func prunedJSON(t *testing.T, data []byte, need *needs) string {
	t.Helper()
	var all any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&all); err != nil {
		t.Fatal(err)
	}
	var prune func(any, *needs) any
	prune = func(v any, need *needs) any {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				if below := need.field(key); below != nil {
					v[key] = prune(value, below)
				} else {
					delete(v, key)
				}
			}
		case []any:
			for i := range v {
				v[i] = prune(v[i], need)
			}
		}
		return v
	}
	out, err := json.Marshal(prune(all, need))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// compareJSON reads JSON with readJSON and with encoding/json.
func compareJSON(t *testing.T, raw []byte, kindName string) bool {
	t.Helper()
	need := neededBy(kindName)
	got, ok := readJSON(raw, need, MaxDepth, &scratch{store: &textStore{}})
	if !ok {
		return false
	}
	full := byTokens(raw)
	if !json.Valid(raw) || full == nil {
		t.Errorf("read what is no JSON: %q", raw)
		return true
	}
	if d := difference(got, pruned(full, need), ""); d != "" {
		t.Errorf("%s\n%s", d, raw)
	}
	k := kindNamed(kindName, "")
	root, _ := readJSON(raw, need, MaxDepth, &scratch{store: &textStore{}})
	_, value, sure := k.assign(root, true, &scratch{})
	if !sure {
		return true
	}
	var all any
	if err := root.Decode(&all); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if _, want, err := k.decode(data); err != nil || !reflect.DeepEqual(value, want) {
		t.Errorf("%v: got\n%+v\nwant\n%+v", err, value, want)
	}
	return true
}

// byTokens makes the nodes of JSON of the tokens of encoding/json; nil for what is none.
func byTokens(raw []byte) *yaml.Node {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var read func() *yaml.Node
	read = func() *yaml.Node {
		at := int(dec.InputOffset())
		at += len(raw[at:]) - len(bytes.TrimLeft(raw[at:], " \t\r\n,:"))
		tok, err := dec.Token()
		if err != nil {
			return nil
		}
		n := &yaml.Node{Kind: yaml.ScalarNode, Line: 1 + bytes.Count(raw[:at], []byte("\n")), Column: at - bytes.LastIndexByte(raw[:at], '\n')}
		switch v := tok.(type) {
		case json.Delim:
			if n.Kind, n.Tag = yaml.MappingNode, "!!map"; v == '[' {
				n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
			}
			for dec.More() {
				child := read()
				if child == nil {
					return nil
				}
				n.Content = append(n.Content, child)
			}
			_, _ = dec.Token()
			return n
		case string:
			n.Tag, n.Value = "!!str", v
			return n
		case json.Number:
			if n.Tag = "!!int"; strings.ContainsAny(v.String(), ".eE") {
				n.Tag = "!!float"
			}
		case bool:
			n.Tag = "!!bool"
		default:
			n.Tag = "!!null"
		}
		n.Value = string(raw[at:dec.InputOffset()])
		return n
	}
	return read()
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"kind":"Pod","metadata":{"name":"a","labels":{"x":null}},"spec":{"volumes":[{"name":"v"},{}],"x":[1,-2.5e3,true]}}`))
	f.Add([]byte("{\n  \"kind\": \"Pod\",\n  \"metadata\": {\n    \"name\": \"a\\u00e9\\n\",\n    \"managedFields\": [\n      {\n        " +
		"\"a\": 1\n      }\n    ]\n  },\n  \"spec\": {\n    \"nodeName\": \"n\"\n  }\n}\n"))
	f.Add([]byte("{\n\"metadata\": {}, \"spec\": {\n\"x\": [\n1\n], \"nodeName\":\n\"n\"}}"))
	f.Add([]byte(`{"metadata":{"name":"\ud800","x":"\q"},"status":{"phase":01,"reason":"\xff"}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) < 1<<12 {
			compareJSON(t, raw, "Pod")
			compareJSON(t, raw, "Node")
		}
	})
}

// chunksOf cuts a file as Read does.
func chunksOf(data []byte) (out []chunk) {
	if looksJSON(data) {
		return nil
	}
	for d := range documents(data) {
		if key, ok := d.keys["items"]; ok && key.value == "" {
			if items, _, ok := splitItems(d.raw, min(lineEnd(d.raw, key.offset)+1, len(d.raw)), key.line+1, MaxObjects); ok {
				out = append(out, items...)
			}
			continue
		}
		out = append(out, chunk{raw: d.raw, line: d.line})
	}
	return out
}

// recorded calls visit for every file with one of the suffixes, .yaml unless any is given, of the samples, of the other recordings and of
// the examples of formats.
func recorded(t *testing.T, visit func(path string, data []byte), suffixes ...string) {
	t.Helper()
	if suffixes == nil {
		suffixes = []string{".yaml"}
	}
	var roots []fs.FS
	for _, s := range samples.List() {
		bundle, err := samples.Bundle(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		roots = append(roots, bundle)
	}
	for _, name := range recordings.Sweep(recordings.Names(recordings.Played)) {
		whole, err := recordings.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		roots = append(roots, whole)
	}
	forms, err := recordings.Formats()
	if err != nil {
		t.Fatal(err)
	}
	roots = append(roots, forms)
	if testing.Short() {
		roots = append(roots[:2:2], forms)
	}
	for _, root := range roots {
		err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(path, s) }) {
				return err
			}
			data, err := fs.ReadFile(root, path)
			if err == nil {
				visit(path, data)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The quick reader agrees with the parser on every recorded manifest, and is sure of nearly all of these. So it is with what
// kubectl would write of them as JSON, indented and on one line.
func TestCanonicalRecorded(t *testing.T) {
	all, sure, assigned := 0, 0, 0
	seen := map[string]bool{}  // many an object was collected in several ways
	ofKind := map[string]int{} // and of a kind the first few hundred are enough
	recorded(t, func(path string, data []byte) {
		if !recordings.Long && all > 400 {
			return
		}
		for _, c := range chunksOf(data) {
			version, kindName := c.identity()
			if seen[string(c.raw)] || ofKind[kindName] > 400 {
				continue
			}
			seen[string(c.raw)] = true
			ofKind[kindName]++
			all++
			if compare(t, c, neededBy(kindName)) {
				sure++
			}
			if compareValues(t, c, kindName) {
				assigned++
				compareAsJSON(t, c, version, kindName)
			}
			if t.Failed() {
				t.Fatal(path)
			}
		}
	})
	t.Logf("sure of %d of %d objects, and of the values of %d", sure, all, assigned)
	if sure < all*98/100 || assigned < all/3 || assigned < 100 {
		t.Error("these are too few")
	}
}

// compareAsJSON compares the JSON of an object in both forms.
func compareAsJSON(t *testing.T, c chunk, version, kindName string) {
	t.Helper()
	c.depth = MaxDepth
	root, err := c.root()
	if err != nil {
		t.Fatal(err)
	}
	short, err := c.asJSON(root, Limits{Depth: MaxDepth, Nodes: MaxNodes})
	if err != nil {
		t.Fatal(err)
	}
	var long bytes.Buffer
	if err := json.Indent(&long, short, "        ", "    "); err != nil {
		t.Fatal(err)
	}
	for _, raw := range [][]byte{short, long.Bytes()} {
		if !compareJSON(t, raw, kindName) {
			t.Errorf("in doubt about %s", raw)
		}
		if v, k := jsonIdentity(raw); v != version || k != kindName {
			t.Errorf("%s %s of %.200q", v, k, raw)
		}
	}
}

// mutations are what makes an object differ from what kubectl emits, each in a place or two.
var mutations = []struct{ old, new string }{
	{"name: a", "name: &x a"}, {"name: a", "name: *x"}, {"name: a", "name: !!str a"}, {"name: a", "name: a # b"}, {"name: a", "name:\ta"},
	{"name: a", "name:  a"},
	{"name: a", "name: \"a\\n\""}, {"name: a", "name: 'it''s'"}, {"name: a", "name: \"a"}, {"name: a", "name: 'a\n  b'"},
	{"name: a", "name: \"a\nb: c\""},
	{"name: a", "name: |\n    a\n     b\n\n    c"}, {"name: a", "name: >-\n      a\n    b"}, {"name: a", "name: |2\n     a"},
	{"name: a", "name: a\n    b\n\n    c"}, {"name: a", "name: a: b"},
	{"name: a", "name:"}, {"name: a", "? name\n  : a"}, {"name: a", "name: {x: y}"}, {"name: a", "name: [x, y]"}, {"name: a", "<<: a"},
	{"name: a", "name: a\r"}, {"name: a", "name: \u00e9"}, {"name: a", "name: \u0085"},
	{"  name: a", "# name\n  name: a"}, {"  name: a", "\n  name: a"}, {"  name: a", "   name: a"}, {"  name: a", "  name: a\n  name: b"},
	{"name: a", "\"name\": a"}, {"name: a", "name: yes"}, {"name: a", "name: ~"},
	{"name: a", "name: 0x1"}, {"name: a", "name: 1_000"}, {"name: a", "name: 010"}, {"name: a", "name: .inf"}, {"name: a", "name: 2026-03-14"},
	{"name: a", "name: 1e3"}, {"name: a", "name: -1"}, {"name: a", "name: null"},
	{"x: y", "x: \"y"}, {"x: y", "x: 'y\nspec: z'"}, {"x: y", "x: |\n   y\n  z: w"}, {"x: y", "x: &a y"}, {"x: y", "x: *a"},
	{"x: y", "x: \"y\\q\""}, {"x: y", "x: [y"}, {"x: y", "x: {}\n      w: z"}, {"x: y", "x:\n    - y\n    -z"},
	{"- q", "- - q"}, {"- q", "- |\n      q"}, {"- q", "-\n      q"}, {"- q", "- q: r\n      s: t"}, {"- q", "- q: r\n       s: t"},
	{"- q", "- \"q\": r"}, {"- q", "- 'q"}, {"- q", "-q"}, {"- q", "- q:"}, {"- q", "- {}"}, {"- q", "- q\n     r"},
}

const mutable = `kind: Pod
metadata:
  annotations:
    x: y
  finalizers:
  - q
  - q
  name: a
status:
  conditions:
  - message: b
    type: Ready
  hostIPs:
  - q
`

// Nothing that is not what it seems is read otherwise than the parser reads it.
func TestCanonicalMutated(t *testing.T) {
	if !compare(t, chunk{raw: []byte(mutable)}, neededBy("Pod")) {
		t.Fatal("in doubt about the base")
	}
	for _, m := range mutations {
		for n := range strings.Count(mutable, m.old) {
			parts := strings.SplitAfterN(mutable, m.old, n+2)
			last := len(parts) - 2
			parts[last] = strings.TrimSuffix(parts[last], m.old) + m.new
			c := chunk{raw: []byte(strings.Join(parts, ""))}
			compare(t, c, neededBy("Pod"))
			compareValues(t, c, "Pod")
		}
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add([]byte(mutable))
	for _, m := range mutations {
		f.Add([]byte(strings.Replace(mutable, m.old, m.new, 1)))
	}
	f.Add([]byte("metadata:\n  name: b\nspec:\n  volumes:\n  - name: z\n    persistentVolumeClaim:\n      claimName: w\n  containers:\n  - " +
		"args:\n    - |\n      a\n       b\n    name: \"x\"\n"))
	f.Add([]byte("---\nmetadata:\n  labels:\n    k:{\"a\":\"b\"}: {}\n    .: {}\n  managedFields:\n  - apiVersion: v1\n    time: " +
		"\"2026-11-21T06:16:22Z\"\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 1<<12 {
			return
		}
		compare(t, chunk{raw: raw}, neededBy("Pod"))
		compare(t, chunk{raw: raw}, everything)
		for _, k := range kinds {
			compareValues(t, chunk{raw: raw}, k.name)
		}
	})
}
