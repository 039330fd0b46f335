package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// TestKeysWithoutQuotes: where a key ends, and what is none.
func TestKeysWithoutQuotes(t *testing.T) {
	for in, want := range map[string]int{"a:": 1, "a: b": 1, "a:b: c": 3, "a:b": 0, "a": 0, "a b: c": 3, "a b:": 3, "a : b": 0, "a # b: c": 0, "a b": 0,
		"a b#c: d": 5, "a b :": 0} {
		if got := plainKey(in); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
	for in, want := range map[string]bool{"a": true, "-a": true, "-": false, "- a": false, "-?": false, "-:": false, "?a": false, "/a": true,
		"a:": false, "a ": false,
		"a b": true, "a: b": false, "a :b": true, "a #b": false, "a# b": true, "a b: c": false, "a b:c": true, "9": true, "&a": false, "a:b": true} {
		if got := plainStart(in) && plain(in); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
	for in, want := range map[string]string{"a": "a", "'a'": "a", `"a"`: "a", "'a''b'": "a'b", "'a'b'": "-", `"a"b"`: "-", `"a\n"`: "-", "'": "-",
		"''": "", "'a\"": "-",
		"'''a'": "'a", "''''": "'"} {
		got, ok := quoted(in)
		if in == "a" {
			got, ok = "a", !ok // one letter is in no quotes
		}
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]bool{"a\nb": true, "a\tb": false, "a\rb": false, "é": true, "\x7f": false, "é\t": false, "\u0085": false, "\u00a0": true,
		"\xff": false, "\u2028": false, "\u2029": false, "\ufeff": false, "\uffff": false, "": true, "~": true, "é\n": true} {
		if got := legible([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
	// A tag is what the parser says.
	for _, s := range []string{"1", "0", "012", "12a", "123456789", "1234567890", "31fb72ec-e764-4857-81b4-80e9d77edda8",
		"31fb72ec-e764-4857-81b4_80e9d77edda8", "true",
		"True", "no", "yes", "null", "~", "nothing", "false", "falsey", ".5", "-1", "+1", "=", "<<", "2026-03-14", "x", "off", "Off", "o", "1e3",
		"9" + strings.Repeat("0", 30)} {
		if got, want := plainTag(s), (&yaml.Node{Kind: yaml.ScalarNode, Value: s}).ShortTag(); got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
}

// TestLinesBelow: which lines belong to a value that begins above them.
func TestLinesBelow(t *testing.T) {
	for in, want := range map[string]string{
		"a: |\n  b\n  c\nd": "true 8 2 true", "a: |\n  b\n c\nd": "true 7 2 false", "a: |\n\n  b\nd": "true 5 2 false", "a: |\n  b\n\n  c\nd": "true 9 3 true",
		"a: |\nd": "false 0 0 false", "a: |": "false 0 0 false", "a: |\n\n": "false 1 1 false", "a: |\n  b": "true 3 1 true",
		"a: |\n  b\n    c\nd": "true 10 2 true",
	} {
		c := &canonical{raw: []byte(in), text: in, end: strings.IndexByte(in+"\n", '\n')}
		end, lines, ok := c.deeper(0)
		if got := fmt.Sprint(c.continues(0), " ", end-min(c.end+1, len(in)), lines, " ", ok); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestTimesOfEvents: one that is none leaves the Event as it is.
func TestTimesOfEvents(t *testing.T) {
	for in, want := range map[string]string{`"2026-03-14T09:26:53.5Z"`: "2026-03-14T09:26:53.5Z", `"2026-03-14T10:26:53+01:00"`: "2026-03-14T09:26:53Z",
		"null": "", `"null"`: "",
		`""`: "", "5": "", `"0001-06-01T00:00:00Z"`: "", `"0002-01-01T00:00:00Z"`: "0002-01-01T00:00:00Z"} {
		at := Time{time.Unix(1, 0)}
		if err := json.Unmarshal([]byte(in), &at); err != nil && in != "null" {
			t.Fatal(err)
		}
		got := ""
		if !at.IsZero() && in != "null" {
			got = at.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for want, e := range map[string]Event{"a message": {Message: "a", Note: "b"}, "b note": {Note: "b"}, " message": {}} {
		if text, field := e.Text(); text+" "+field != want {
			t.Errorf("%s %s, want %s", text, field, want)
		}
	}
}

// TestIdentityOfJSON: the first apiVersion and kind that are texts.
func TestIdentityOfJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"apiVersion":"v1","kind":"A"}`: "v1 A", `{"kind":"A","apiVersion":"v1","kind":"B"}`: "v1 A", `{"kind":"A","kind":"B"}`: " B",
		`{"a":{"kind":"B"},"kind":"A"}`: " A",
		`{"kind":5,"apiVersion":"v1"}`:  "v1 ", `{"kind":"A"`: " A", `{"kind":`: " ", `{"apiVersion":null,"kind":"A"}`: " A", `[]`: " ", `{}`: " ",
	} {
		version, kindName := jsonIdentity([]byte(in))
		if got := version + " " + kindName; got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"a: 1": "", "b": "no JSON", "": "", "[1]": ""} {
		root, ok := readJSON([]byte(in), everything, 9, &scratch{})
		if ok || want == "" && root != nil && root.Kind == yaml.MappingNode {
			t.Errorf("%q is an object", in)
		}
	}
	nested := strings.Repeat(`{"a":`, 4) + "1" + strings.Repeat("}", 4)
	for depth, want := range map[int]bool{2: false, 3: true, 4: true} {
		if got := jsonTree([]byte(nested), depth) != nil; got != want {
			t.Errorf("4 levels up to %d: %v", depth, got)
		}
	}
	for in, want := range map[string]int{`{"a":1} x`: 7, `x{"a":[1]}`: 10} {
		if end, ok := JSONEnd([]byte(in), strings.IndexByte(in, '{')); !ok || end != want {
			t.Errorf("%s: %d, %v", in, end, ok)
		}
	}
}

// TestWeight: how many values and levels an object may have, its aliases counted.
func TestWeight(t *testing.T) {
	for _, c := range []struct {
		text         string
		nodes, depth int
		want         string
	}{
		{"a: b", 3, 1, ""}, {"a: b", 2, 1, "too many"}, {"a: b", 3, 0, "too deep"}, {"a: {b: c}", 5, 2, ""}, {"a: {b: c}", 5, 1, "too deep"},
		{"a: &x b\nc: *x", 6, 2, ""}, {"a: &x b\nc: *x", 5, 2, "too many"}, {"a: &x b\nc: *x", 6, 1, "too deep"},
	} {
		root, err := parseYAML([]byte(c.text), MaxDepth)
		if err != nil {
			t.Fatal(err)
		}
		err = Limits{Nodes: c.nodes, Depth: c.depth}.weigh(root)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for in, want := range map[string]bool{strings.Repeat("[", 50): false, strings.Repeat("{", 51): true, strings.Repeat("[]", 60): false,
		"]]]" + strings.Repeat("[", 51): true, strings.Repeat("[", 50) + "]" + "[": false} {
		if got := deepFlow([]byte(in), 1); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
	for in, want := range map[string]bool{strings.Repeat("x", maxMarks+1): false, strings.Repeat(",", maxMarks): false, strings.Repeat(",", maxMarks+1): true,
		strings.Repeat("\n,[", maxMarks/3) + "{{{": true} {
		if got := tooMany([]byte(in)); got != want {
			t.Errorf("%.9q, %d bytes: %v", in, len(in), got)
		}
	}
	for _, in := range []string{"", "# a comment\n", "---\n"} {
		if _, err := parseYAML([]byte(in), MaxDepth); (err == nil) != (in == "---\n") {
			t.Errorf("%q: %v", in, err)
		}
	}
	for in, want := range map[string]int{"yaml: line 3: x": 12, "x": 10, "line 0": 10, "yaml: line 1: x": 10} {
		err := fmt.Errorf("%s", in)
		if got := errorLine(err, chunk{line: 10}); got != want {
			t.Errorf("%s: %d, want %d", in, got, want)
		}
		if errorLine(err, chunk{line: 10, json: true}) != 10 || errorText(err) != strings.TrimPrefix(strings.TrimPrefix(in, "yaml: line 3: "), "yaml: line 1: ") {
			t.Errorf("%s: %s", in, errorText(err))
		}
	}
}

// TestScratch: nodes are used again as far as they reach, and then are new.
func TestScratch(t *testing.T) {
	var s scratch
	s.begin(true)
	first := s.node()
	first.Value, first.Content = "x", append(first.Content, &yaml.Node{})
	for range scratchNodes {
		s.node()
	}
	s.begin(true)
	if n := s.node(); n != first || n.Value != "" || len(n.Content) != 0 || cap(n.Content) == 0 {
		t.Errorf("%+v", n)
	}
	first.Content = make([]*yaml.Node, 0, scratchItems+1)
	s.begin(true)
	if n := s.node(); cap(n.Content) != 0 {
		t.Error("much room for content is kept")
	}
	if s.begin(false); s.node() == first {
		t.Error("a node in use is given again")
	}
}

// TestSeparators: lines between documents, and what stands behind one.
func TestSeparators(t *testing.T) {
	for in, want := range map[string]bool{"---": true, "...": true, "--- x": true, "---\tx": true, "---x": false, "--": false, "-- -": false, "": false} {
		if got := isSeparator([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
	for in, want := range map[string]bool{"---": false, "--- # x": false, "--- {}": true, "... x": false, "---\t": false} {
		if got := behindSeparator([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
	for in, want := range map[string]string{"---\na": "a", "--- a\nb": " a\nb", "--- # x\nb": "b", "a\nb": "a\nb", "---": "", "--\na": "--\na"} {
		if got := trimSeparator([]byte(in)); string(got) != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"a # b": "a", `"a"`: "a", "'a' # b": "a", "a#b": "a#b", `"`: `"`, `"a'`: `"a'`, "": "", "a  # b # c": "a"} {
		if got := unquote([]byte(in)); string(got) != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"a: b": "a=b", "a:": "a=", "a:\tb ": "a=b", "a:b": "-", "a": "-", "": "-", ": b": "-", "9a: b": "-",
		"a9.-/: b": "a9.-/=b", "-a: b": "-",
		"_a: b": "_a=b", "a b: c": "-", "Z: z": "Z=z", "/a: b": "-"} {
		key, value, ok := keyAtStart([]byte(in))
		got := string(key) + "=" + string(value)
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestVolumesOfAPod: those behind the last that may be attached are not kept, and of containers and probes little is.
func TestVolumesOfAPod(t *testing.T) {
	claim, other := corev1.Volume{Name: "c"}, corev1.Volume{Name: "o"}
	claim.PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "x"}
	for _, attach := range []func(*corev1.Volume){func(v *corev1.Volume) { *v = claim },
		func(v *corev1.Volume) { v.Ephemeral = &corev1.EphemeralVolumeSource{} },
		func(v *corev1.Volume) { v.AzureDisk = &corev1.AzureDiskVolumeSource{} }, func(v *corev1.Volume) { v.Cinder = &corev1.CinderVolumeSource{} }} {
		volume := corev1.Volume{Name: "v"}
		attach(&volume)
		for n, volumes := range map[int][]corev1.Volume{0: {other, other}, 2: {other, volume}, 1: {volume, other}, 3: {other, other, volume, other}} {
			pod := &corev1.Pod{}
			pod.Spec.Volumes = slices.Clone(volumes)
			pod.Spec.Containers = []corev1.Container{{Name: "a", Image: "i", WorkingDir: "/", ReadinessProbe: &corev1.Probe{PeriodSeconds: 3}}}
			holdPod(&Record{Value: pod, store: &textStore{}})
			c := pod.Spec.Containers[0]
			if len(pod.Spec.Volumes) != n || c.WorkingDir != "" || c.ReadinessProbe == nil || c.ReadinessProbe.PeriodSeconds != 0 ||
				c.StartupProbe != nil || c.Image != "i" {
				t.Errorf("%d volumes, want %d, %+v", len(pod.Spec.Volumes), n, c)
			}
		}
	}
}

// TestNamesOfKinds: what a name of a file, a resource or a group says of a kind.
func TestNamesOfKinds(t *testing.T) {
	for in, want := range map[string]string{"a/pvs.yaml": "PersistentVolume", "a/PODS.yaml": "Pod", "pvcs/shop.yaml": "PersistentVolumeClaim",
		"a/shop.yaml": "", "nodes.tar.gz": "Node",
		"a!pods.yaml": "Pod", "cm.yaml": "", "pods/nodes.yaml": "Node", "": ""} {
		if got := KindByName(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"pods ": "Pod", "pods metrics.k8s.io": "", "volumeattachments storage.k8s.io": "VolumeAttachment",
		"volumeattachments ":         "",
		"leases coordination.k8s.io": "", "deployments apps": "Deployment", "deployments extensions": "", "pod ": ""} {
		resource, group, _ := strings.Cut(in, " ")
		if got := Audited(resource, group); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"Pod v1": "Pod", "Pod ": "Pod", "Pod apps/v1": "", "Node longhorn.io/v1": "",
		"Event events.k8s.io/v1": "Event", "Event v1": "Event",
		"VolumeAttachment v1": "", "VolumeAttachment ": "VolumeAttachment", "pod v1": ""} {
		name, version, _ := strings.Cut(in, " ")
		if got := kindNamed(name, version).called(); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]bool{"Node": true, "Pod": false, "Widget": false} {
		if ClusterScoped(in) != want {
			t.Error(in)
		}
	}
	for in, want := range map[string]string{"pods": "Pod", "storageclasses": "StorageClass", "configmaps": "", "po": ""} {
		if got := KindOfPlural(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

// TestOrderOfCopies: by namespace, name, identity, version and place.
func TestOrderOfCopies(t *testing.T) {
	object := func(namespace, name, uid string, version uint64, input string, line int) model.Object[*corev1.Node] {
		return model.Object[*corev1.Node]{Ref: model.Ref{Namespace: namespace, Name: name, UID: uid}, ResourceVersion: version, Input: input, Line: line}
	}
	want := []model.Object[*corev1.Node]{object("a", "b", "b", 2, "b", 2), object("b", "a", "b", 2, "b", 2), object("b", "b", "a", 2, "b", 2),
		object("b", "b", "b", 1, "b", 2),
		object("b", "b", "b", 2, "a", 2), object("b", "b", "b", 2, "b", 1), object("b", "b", "b", 2, "b", 2)}
	s := &model.Snapshot{Nodes: slices.Clone(want)}
	slices.Reverse(s.Nodes)
	Sort(s)
	for i := range want {
		if s.Nodes[i].Ref != want[i].Ref || s.Nodes[i].ResourceVersion != want[i].ResourceVersion ||
			s.Nodes[i].Input != want[i].Input || s.Nodes[i].Line != want[i].Line {
			t.Errorf("%d: %+v", i, s.Nodes[i])
		}
	}
}

// TestLoweredObjects get their names back, without what cannot be read, and with what was embedded.
func TestLoweredObjects(t *testing.T) {
	root,
		err := parseYAML([]byte("objectmeta: {name: a}\nspec:\n  persistentvolumesource: {csi: {volumehandle: x}, nfs: , fc: {}}\n"+
		"  capacity: [1]\n  volumesource: x\n  nodename: n\n"), MaxDepth)
	if err != nil {
		t.Fatal(err)
	}
	value, err := valueOf(restored(root))
	if text,
		_ := json.Marshal(value); err != nil || string(text) != `{"metadata":{"name":"a"},"spec":{"csi":{"volumeHandle":"x"},"nodeName":"n","volumesource":"x"}}` {
		t.Errorf("%s, %v", text, err)
	}
	root, _ = parseYAML([]byte("metadata: {name: a}\nspec: {nodename: n}\n"), MaxDepth)
	if has(restored(root), "spec.nodeName") {
		t.Error("an object that is not lowered is changed")
	}
}

// TestBatches cut objects where a batch is full.
func TestBatches(t *testing.T) {
	for _, c := range []struct{ sizes, want []int }{{nil, nil}, {[]int{1}, []int{1}}, {[]int{batchBytes, 1}, []int{1, 1}}, {[]int{batchBytes - 1, 1, 1},
		[]int{2, 1}},
		{[]int{batchBytes - 1, 1}, []int{2}}, {[]int{1, 2, 3}, []int{3}}} {
		var chunks []chunk
		for _, n := range c.sizes {
			chunks = append(chunks, chunk{raw: bytes.Repeat([]byte("x"), n)})
		}
		var got []int
		for _, b := range batchesOf(chunks) {
			got = append(got, len(b.chunks))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.sizes, got, c.want)
		}
	}
}

// TestPathsOfFields follows paths through objects, lists and aliases.
func TestPathsOfFields(t *testing.T) {
	root, err := parseYAML([]byte("a: &x {b: [c, {d: e}]}\nf: *x\nc.d: g\nc: {d: z}\n'': h\nab: i\n"), MaxDepth)
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{"a.b[0]": "c", "a.b[1].d": "e", "a.b[2]": "-", "a.b[-1]": "-", "a.b[x]": "-", "a.b[0": "-", "f.b[0]": "c",
		"c.d": "g", "ab": "i", "ac": "-", "a[0]": "-",
		"a.b[0].c": "-", "a.b[1]d": "e", "b": "-", "abc": "-"} {
		got := "-"
		if n, _ := descend(root, nil, in); n != nil {
			got = n.Value
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if n, key := descend(root, nil, ""); n != root || key != nil {
		t.Error("the empty path is not the root")
	}
}

// TestStates of a ClusterVersion, whose status nobody reads, and of ConfigMaps.
func TestStates(t *testing.T) {
	for in, want := range map[string]string{`{"metadata":{"name":"version"},"spec":{"clusterID":"c"},"status":5}`: "c", `{}`: "", `{"spec":5}`: "-"} {
		got := "-"
		if _, v, err := decodeClusterVersion([]byte(in)); err == nil {
			got = v.(*model.ClusterVersion).ClusterID
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
