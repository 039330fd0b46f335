package manifest

import (
	"fmt"
	"strings"
	"testing"
)

// readAll reads data and describes what was found, one line for each record.
func readAll(data, path string) (records []string, res Result) {
	res = Read([]byte(data), path, func(r Record) {
		records = append(records, fmt.Sprintf("%s %s %d", r.Kind, r.Ref, r.Line))
	})
	return records, res
}

const podYAML = `apiVersion: v1
kind: Pod
metadata:
  name: a
  namespace: n
`

func TestShapes(t *testing.T) {
	tests := []struct {
		name, path, data string
		want             string // records, separated by "; "
		lists            string
		total            int
		problems         int
	}{
		{name: "single object", data: podYAML, want: "Pod n/a 1", total: 1},
		{name: "single object behind a separator and comments", data: "# one\n---\n# two\n" + podYAML, want: "Pod n/a 4", total: 1},
		{name: "a byte order mark", data: "\xef\xbb\xbf" + podYAML, want: "Pod n/a 1", total: 1},
		{name: "line ends of Windows", data: strings.ReplaceAll(podYAML, "\n", "\r\n"), want: "Pod n/a 1", total: 1},
		{name: "list with items before kind", want: "Pod n/a 4; Node b 8", lists: "Pod[n] Node[]", total: 2, data: `---
apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: a, namespace: n}

- apiVersion: v1
  kind: Node
  metadata:
    name: b
kind: List
metadata:
  resourceVersion: ""
`},
		{name: "typed list whose items have no kind", want: "Pod n/a 4", lists: "Pod[n]", total: 1, data: `apiVersion: v1
kind: PodList
items:
- metadata:
    name: a
    namespace: n
`},
		{name: "indented items", want: "Node a 4; Node b 6", lists: "Node[]", total: 2, data: `apiVersion: v1
kind: NodeList
items:
  - metadata:
      name: a
  - metadata:
      name: b
`},
		{name: "empty typed list", data: "apiVersion: storage.k8s.io/v1\nitems: []\nkind: VolumeAttachmentList\n", lists: "VolumeAttachment[]"},
		{name: "empty list of another kind", data: "apiVersion: v1\nitems: []\nkind: ServiceList\n"},
		{name: "empty list named by its file", path: "x/pvs.yaml", data: "apiVersion: v1\nitems: []\nkind: List\n", lists: "PersistentVolume[]"},
		{name: "list of kinds that nobody reads", data: "apiVersion: v1\nitems:\n- data: {a: b}\n- data: {}\nkind: ConfigMapList\n", total: 2},
		{name: "several documents", data: podYAML + "---\n" + podYAML + "...\n---\n", want: "Pod n/a 1; Pod n/a 7", total: 2},
		{name: "documents glued without a separator", data: podYAML + podYAML, want: "Pod n/a 1; Pod n/a 6", total: 2},
		{name: "glued events that begin with another key", want: "Event n/a 1; Event n/b 6", total: 2, data: `action: Binding
apiVersion: v1
kind: Event
metadata: {name: a, namespace: n}
reason: Scheduled
action: Binding
apiVersion: v1
kind: Event
metadata: {name: b, namespace: n}
reason: Scheduled
`},
		{name: "bare array in YAML", path: "nodes.yaml", data: "- metadata:\n    name: a\n- metadata:\n    name: b\n", want: "Node a 1; Node b 3",
			lists: "Node[]", total: 2},
		{name: "JSON object", data: `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n"}}`, want: "Pod n/a 1", total: 1},
		{name: "JSON behind a separator", data: "---\n" + `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n"}}` + "\n",
			want: "Pod n/a 2", total: 1},
		{name: "JSON list", want: "Pod n/a 3; Pod n/b 3", lists: "Pod[n]", total: 2,
			data: "{\"apiVersion\":\"v1\",\n \"items\":[\n  {\"metadata\":{\"name\":\"a\",\"namespace\":\"n\"}}, " +
				"{\"metadata\":{\"name\":\"b\",\"namespace\":\"n\"}}],\n\"kind\":\"PodList\"}"},
		{name: "JSON list of null", data: `{"kind":"PodList","items":null}`, lists: "Pod[]"},
		{name: "several JSON values", want: "Pod n/a 1; Node b 2", total: 2,
			data: `{"kind":"Pod","metadata":{"name":"a","namespace":"n"}}` + "\n" + `{"kind":"Node","metadata":{"name":"b"}}`},
		{name: "bare JSON array known by its file", path: "cluster-resources/pvs.json", data: `[{"metadata":{"name":"a"},"spec":{}}]`,
			want: "PersistentVolume a 1", lists: "PersistentVolume[]", total: 1},
		{name: "bare JSON array known by nothing", path: "x.json", data: `[{"metadata":{"name":"a"},"spec":{}}]`, total: 1},
		{name: "an empty list of nothing", path: "pvs.json", data: `{"kind":"List","items":[]}`, lists: "PersistentVolume[]"},
		{name: "an empty list of another kind", path: "pvs.json", data: `{"kind":"WidgetList","items":[]}`},
		{name: "a list of an unknown kind", data: `{"kind":"WidgetList","items":[{"metadata":{"name":"a"},"spec":{}}]}`, total: 1},
		{name: "a node in a list of an unknown kind", data: `{"kind":"WidgetList","items":[{"kind":"Node","metadata":{"name":"a"}}]}`,
			want: "Node a 1", lists: "Node[]", total: 1},
		{name: "v1beta1 reads as v1", data: "apiVersion: storage.k8s.io/v1beta1\nkind: VolumeAttachment\nmetadata: {name: a}\n",
			want: "VolumeAttachment a 1", total: 1},
		{name: "same kind of another group", data: "apiVersion: longhorn.io/v1beta2\nkind: Node\nmetadata: {name: a}\n", total: 1},
		{name: "a comment behind the kind", data: "apiVersion: v1\nkind: Node # the old one\nmetadata: {name: a}\n", want: "Node a 1", total: 1},
		{name: "flow style", data: "apiVersion: v1\nkind: NodeList\nitems: [{metadata: {name: a}}, {metadata: {name: b}}]\n",
			want: "Node a 3; Node b 3", lists: "Node[]", total: 2},
		{name: "anchors across items", want: "Node a 4; Node b 6", lists: "Node[]", total: 2,
			data: "apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: a}\n  spec: &s {providerID: x}\n- metadata: {name: b}\n  spec: *s\n"},
		{name: "a document indented as a whole", data: "  apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n", want: "Node a 1", total: 1},
		{name: "no name", data: "apiVersion: v1\nkind: Pod\nspec: {}\n", total: 1, problems: 1},
		{name: "a broken item between whole ones", want: "Node a 4; Node c 7", lists: "Node[]", total: 3, problems: 1,
			data: "apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: a}\n- metadata: {name: b\n  x: y\n- metadata: {name: c}\n"},
		{name: "a truncated YAML list", want: "Node a 3", total: 2, problems: 1,
			data: "apiVersion: v1\nitems:\n- kind: Node\n  metadata: {name: a}\n- kind: Node\n  metadata:\n    name: b\n  sta"},
		{name: "a truncated JSON list", want: "Node a 2", total: 1, problems: 1,
			data: "{\"apiVersion\":\"v1\",\"items\":[\n{\"kind\":\"Node\",\"metadata\":{\"name\":\"a\"}},\n{\"kind\":\"Node\",\"metadata\":{\"na"},
		{name: "a truncated JSON object", data: `{"kind":"Node","metadata":{"na`, total: 1, problems: 1},
		{name: "text after JSON", data: `{"kind":"Node","metadata":{"name":"a"}}` + "\n==== START logs", want: "Node a 1", total: 1, problems: 1},
		{name: "a field of the wrong type", data: "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nspec: {unschedulable: maybe}\n",
			want: "Node a 1", total: 1, problems: 1},
		{name: "a time that is none", data: "apiVersion: v1\nkind: Node\nmetadata: {name: a, creationTimestamp: soon}\n", total: 1, problems: 1},
		{name: `"null" for what is absent`, data: "apiVersion: v1\nkind: Node\nmetadata: {name: a, creationTimestamp: \"null\"}\n",
			want: "Node a 1", total: 1},
		{name: "an audit event is no Event", data: `{"kind":"Event","apiVersion":"audit.k8s.io/v1","metadata":{"name":"a"},"reason":"x"}`,
			total: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			records, res := readAll(tt.data, tt.path)
			if got := strings.Join(records, "; "); got != tt.want {
				t.Errorf("records\n got %q\nwant %q", got, tt.want)
			}
			var lists []string
			for _, l := range res.Lists {
				lists = append(lists, l.Kind+fmt.Sprint(l.Namespaces))
			}
			if got := strings.Join(lists, " "); got != tt.lists {
				t.Errorf("lists: got %q, want %q", got, tt.lists)
			}
			if res.Total != tt.total || res.Used != len(records) {
				t.Errorf("total %d used %d, want %d and %d", res.Total, res.Used, tt.total, len(records))
			}
			if len(res.Problems) != tt.problems {
				t.Errorf("problems: got %v, want %d", res.Problems, tt.problems)
			}
			for _, p := range res.Problems {
				if p.Line < 1 || p.Path != tt.path {
					t.Errorf("problem without its place: %+v", p)
				}
			}
		})
	}
}

func TestProblemLine(t *testing.T) {
	_, res := readAll(podYAML+"---\napiVersion: v1\nkind: Node\nmetadata:\n\tname: a\n", "x.yaml")
	if len(res.Problems) != 1 || res.Problems[0].Line != 10 {
		t.Errorf("got %+v, want one problem at line 10", res.Problems)
	}
}

func TestSniff(t *testing.T) {
	yes := []string{
		podYAML, "---\n" + podYAML, "# x\n" + podYAML, "\n\n" + podYAML, "items: []\nkind: PodList\n", "items:\n- a: b\n",
		"- metadata:\n    name: a\n", "--- {\"apiVersion\":\"v1\"}\n", "action: Binding\napiVersion: v1\n",
		`{"kind":"Pod","apiVersion":"v1"}`, `{"items":[`, `[{"metadata":{"name":"a"},"spec":{}}]`, `{"metadata":{"managedFields":[{"x`,
	}
	no := []string{
		"", "\n", "[]", "{}", "hello", "key: value\n", "apiVersion:\n",
		`{"ts":1773480413841.2,"caller":"reconciler/reconciler.go:437","msg":"Multi-Attach error","v":0}`,
		`{"status":"success","data":{"resultType":"matrix"}}`,
		"I0314 09:26:53.841223       1 reconciler.go:433] \"Multi-Attach error\"\n",
		"2026-03-14T09:26:53Z stderr F apiVersion: v1\n",
		"NAME READY\ndb-0 1/1\n", "I0314 config:\napiVersion: v1\n",
	}
	for _, s := range yes {
		if !Sniff([]byte(s)) {
			t.Errorf("not recognised: %q", s)
		}
	}
	for _, s := range no {
		if Sniff([]byte(s)) {
			t.Errorf("taken for objects: %q", s)
		}
	}
}
