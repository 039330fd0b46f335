package manifest

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

const citeYAML = `---
apiVersion: v1
items:
- apiVersion: v1
  kind: Node
  metadata:
    labels:
      csi.volume.kubernetes.io/nodeid: '{"d":"i-1"}'
    name: a
  spec:
    taints:
    - effect: NoExecute
      key: k
      timeAdded: "2026-03-14T09:26:53Z"
  status:
    conditions:
    - message: kubelet stopped
        posting node status
      reason: |
        one

        two
      type: Ready
    volumesInUse:
    - kubernetes.io/csi/d^v1
    - kubernetes.io/csi/d^v2
kind: List
`

const citeJSON = `{
    "apiVersion": "v1",
    "items": [
        {
            "kind": "Node",
            "metadata": {
                "labels": {"csi.volume.kubernetes.io/nodeid": "{\"d\":\"i-1\"}"},
                "name": "a"
            },
            "status": {
                "conditions": [
                    {
                        "message": "one\ntwo", "type": "Ready"
                    }
                ],
                "volumesInUse": ["v1",
                    "v2"]
            }
        }
    ]
}
`

func TestCite(t *testing.T) {
	tests := []struct {
		data, field string
		line        int
		text        string
	}{
		{citeYAML, "kind", 5, "  kind: Node"},
		{citeYAML, "apiVersion", 4, "- apiVersion: v1"},
		{citeYAML, "metadata.name", 9, "    name: a"},
		{citeYAML, "metadata.labels.csi.volume.kubernetes.io/nodeid", 8, `      csi.volume.kubernetes.io/nodeid: '{"d":"i-1"}'`},
		{citeYAML, "spec.taints[0]", 12, "    - effect: NoExecute"},
		{citeYAML, "spec.taints[0].timeAdded", 14, `      timeAdded: "2026-03-14T09:26:53Z"`},
		{citeYAML, "status.conditions[0].message", 17, "    - message: kubelet stopped\n        posting node status"},
		{citeYAML, "status.conditions[0].reason", 19, "      reason: |\n        one\n\n        two"},
		{citeYAML, "status.volumesInUse[1]", 26, "    - kubernetes.io/csi/d^v2"},
		{citeJSON, "kind", 5, `            "kind": "Node",`},
		{citeJSON, "metadata.labels.csi.volume.kubernetes.io/nodeid", 7,
			`                "labels": {"csi.volume.kubernetes.io/nodeid": "{\"d\":\"i-1\"}"},`},
		{citeJSON, "status.conditions[0].type", 13, `                        "message": "one\ntwo", "type": "Ready"`},
		{citeJSON, "status.volumesInUse[1]", 17, `                    "v2"]`},
		{`{"kind":"Node","metadata":{"name":"a"},"status":{"phase": "x"}}`, "status.phase", 1, `"phase": "x"`},
		{`{"kind":"Node","metadata":{"name":"a"},"status":{"phase": "x"}}`, "status", 1, `"status":{`},
		// Nothing there.
		{citeYAML, "metadata.deletionTimestamp", 0, ""},
		{citeYAML, "spec.taints[1]", 0, ""},
		{citeYAML, "spec.taints[-1]", 0, ""},
		{citeYAML, "spec.taints.key", 0, ""},
		{citeYAML, "metadata[0]", 0, ""},
		{citeYAML, "metadata.nam", 0, ""},
		{citeJSON, "status.volumesInUse[2]", 0, ""},
	}
	for _, tt := range tests {
		var rec Record
		Read([]byte(tt.data), "", func(r Record) { rec = r })
		for _, when := range []string{"after", "again"} {
			line, text, ok := rec.Cite(tt.field)
			if line != tt.line || text != tt.text || ok != (tt.line > 0) {
				t.Errorf("%s %s: got %d %q %v, want %d %q", when, tt.field, line, text, ok, tt.line, tt.text)
			}
		}
	}
}

func TestCiteWhileReading(t *testing.T) {
	Read([]byte(citeYAML), "", func(r Record) {
		if line, _, ok := r.Cite("spec.taints[0].key"); line != 13 || !ok {
			t.Errorf("got %d %v", line, ok)
		}
	})
}

func TestCiteWindowsAndShared(t *testing.T) {
	var lines []string
	Read([]byte(strings.ReplaceAll(citeYAML, "\n", "\r\n")), "", func(r Record) {
		_, text, _ := r.Cite("metadata.name")
		lines = append(lines, text)
	})
	shared := "apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: a}\n  spec: &s {providerID: x}\n- metadata: {name: b}\n  spec: *s\n"
	Read([]byte(shared), "", func(r Record) {
		line, text, _ := r.Cite("spec")
		lines = append(lines, text)
		if want := map[string]int{"a": 5, "b": 7}[r.Ref.Name]; line != want {
			t.Errorf("%s: line %d, want %d", r.Ref.Name, line, want)
		}
	})
	if got := strings.Join(lines, "|"); got != "    name: a|  spec: &s {providerID: x}|  spec: *s" {
		t.Errorf("got %q", got)
	}
}

// A field on a line longer than a quote may be is quoted itself, or the quote would end before it.
func TestCiteLongLine(t *testing.T) {
	long := strings.Repeat("x", 2*model.MaxQuote)
	for _, data := range []string{
		`{"kind":"Pod","metadata":{"name":"a","annotations":{"a":"` + long + `"}},` + "\n" + `"a":"` + long + `","status":{"phase":"z"}}`,
		"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n" + `"status": {"a": "` + long + `", "phase":"z"}` + "\n",
	} {
		Read([]byte(data), "", func(r Record) {
			if _, text, ok := r.Cite("status.phase"); !ok || !strings.HasPrefix(text, `"phase":"z"`) {
				t.Errorf("got %.60q %v", text, ok)
			}
		})
	}
}
