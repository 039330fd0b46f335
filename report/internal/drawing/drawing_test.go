package drawing

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/graphviz"
	"github.com/volpost/volpost/report/internal/view"
)

func TestFolded(t *testing.T) {
	for in, want := range map[string]string{
		"short": "short", "orders-db-6c9bdfc846-n5x4t": "orders-db-|6c9bdfc846-n5x4t",
		"csi-087fdfa5e9e0aaa3c58f94603e791332": "csi-087fdfa5e9e0a|aa3c58f94603e7913|32", "": "",
	} {
		if got := strings.Join(folded(in, boxBold), "|"); got != want {
			t.Errorf("%q is folded to %q, want %q", in, got, want)
		}
	}
}

func TestTwoLines(t *testing.T) {
	for _, name := range []string{"", "short", "pvc-bb0df264-bb4d-4137-9f2c-7c9a74634a11", strings.Repeat("-", 99), strings.Repeat("中", 99),
		nasty} {
		if lines := twoLines(name); len(lines) > 2 {
			t.Errorf("%q has %d lines: %q", name, len(lines), lines)
		}
	}
}

func TestStateText(t *testing.T) {
	for _, c := range []struct{ kind, state, want string }{
		{"VolumeAttachment", "blocking", "BLOCKS THE VOLUME"},
		{"VolumeAttachment", "blocked", "BLOCKED THE VOLUME"},
		{"VolumeAttachment", "blocked until 06:19:35", "BLOCKED THE VOLUME until 06:19:35"},
		{"VolumeAttachment", "attached 06:19:38", "attached 06:19:38"},
		{"Pod", "blocked by a policy", "blocked by a policy"}, // a word of the cluster, not of volpost
	} {
		n := model.GraphNode{Kind: c.kind, State: c.state}
		if got := view.StateText(n); got != c.want {
			t.Errorf("%s %q is drawn as %q, want %q", c.kind, c.state, got, c.want)
		}
		if strings.Contains(c.want, "THE VOLUME") != (lookOf(n) == blockingLook) {
			t.Errorf("%s %q has the shape %s", c.kind, c.state, lookOf(n).shape)
		}
	}
}

// Objects that share kind and name, such as two incarnations of a pod, are two in the picture.
func TestTwoOfOneName(t *testing.T) {
	names := dotNames([]model.GraphNode{{ID: "a", Kind: "Pod", Name: "web-0", UID: "1"}, {ID: "b", Kind: "Pod", Name: "web-0", UID: "2"}})
	if names["a"] != "Pod web-0" || names["b"] != "Pod web-0 (2)" {
		t.Errorf("%v", names)
	}
}

// Whatever an object is called, the drawing is XML.
func FuzzDraw(f *testing.F) {
	f.Add(nasty, nasty, nasty)
	f.Add("<b>html</b>", "\\", "&amp;&#x3c;&bad")
	f.Add("\"", "\\\"", "a\\")
	f.Add("", "{a|<b>c}", "--><!-- ]]>")
	f.Fuzz(func(t *testing.T, kind, name, state string) {
		kind, name, state = words.Visible(kind), words.Visible(name), words.Visible(state)
		p := view.Picture{
			Nodes: []model.GraphNode{{ID: "a", Kind: kind, Name: name, State: state},
				{ID: "b", Kind: "VolumeAttachment", Namespace: state, Name: name, State: "blocked " + state}},
			Edges: []model.GraphEdge{{From: "a", To: "b", Relation: kind, State: state}},
		}
		for _, upright := range []bool{false, true} {
			svg, err := Draw(graphviz.SVG, p, "fuzz", "Objects", upright)
			if err != nil {
				t.Fatalf("%v\n%s", err, dotSource(p, "fuzz", upright))
			}
			isXML(t, svg)
		}
	})
}

// nasty is a name with something that XML and Graphviz give a meaning to.
const nasty = "<script>]]>\"'\\N\\L&lt;<!--{{.}}\u202egpj\x00\xff\nnext<i>|`中文"

func isXML(t *testing.T, text string) {
	t.Helper()
	for in := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := in.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("the drawing is no XML: %v", err)
		}
	}
}
