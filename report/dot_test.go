package report

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/report/internal/view"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/graphviz"
)

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

func TestBlockerThatIsGone(t *testing.T) {
	r := rich()
	r.Graph.Nodes[5].State = "blocked until 06:19:35"
	if dot := render(t, "dot", r); !strings.Contains(dot, `BLOCKED THE VOLUME\nuntil 06:19:35\n(reconstructed)`) || !strings.Contains(dot, `peripheries="2"`) {
		t.Error("the picture does not mark an attachment that blocked")
	}
}

// A picture of one incident has its own objects and not those of another volume on the same node.
func TestPictureOfOneIncident(t *testing.T) {
	v := view.New(many(3))
	p := v.PictureOf(v.Incident[1:2])
	for _, n := range p.Nodes {
		if n.Kind != "Node" && !strings.HasSuffix(n.Name, "-1") {
			t.Errorf("%s %s belongs to another incident", n.Kind, n.Name)
		}
	}
	if len(p.Nodes) != 9 || len(p.Edges) == 0 {
		t.Errorf("%d objects and %d relations", len(p.Nodes), len(p.Edges))
	}
}

func TestPictureIsCut(t *testing.T) {
	v := view.New(many(200))
	p := v.PictureOf(v.Incident)
	if len(p.Nodes) > view.GraphNodes || len(p.Edges) > view.GraphEdges {
		t.Errorf("%d objects and %d relations", len(p.Nodes), len(p.Edges))
	}
	if !strings.Contains(p.Note, "The first 8 of 200 incidents are drawn.") {
		t.Errorf("the note %q does not say so", p.Note)
	}
	r := none()
	for range 100 {
		r.Graph.Nodes = append(r.Graph.Nodes, model.GraphNode{ID: strings.Repeat("x", len(r.Graph.Nodes)+1), Kind: "Pod", Name: "p"})
	}
	if p := view.New(r).PictureOf(nil); len(p.Nodes) != view.GraphNodes || !strings.Contains(p.Note, "20 objects") {
		t.Errorf("%d objects, note %q", len(p.Nodes), p.Note)
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
			Nodes: []model.GraphNode{{ID: "a", Kind: kind, Name: name, State: state}, {ID: "b", Kind: "VolumeAttachment", Namespace: state, Name: name, State: "blocked " + state}},
			Edges: []model.GraphEdge{{From: "a", To: "b", Relation: kind, State: state}},
		}
		for _, upright := range []bool{false, true} {
			svg, err := draw(graphviz.SVG, p, "fuzz", "Objects", upright)
			if err != nil {
				t.Fatalf("%v\n%s", err, dotSource(p, "fuzz", upright))
			}
			wellFormed(t, "drawing", svg)
		}
	})
}
