package report

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

func TestBlockerThatIsGone(t *testing.T) {
	r := rich()
	r.Graph.Nodes[5].State = "blocked until 06:19:35"
	if dot := render(t, "dot", r); !strings.Contains(dot, `BLOCKED THE VOLUME\nuntil 06:19:35\n(reconstructed)`) ||
		!strings.Contains(dot, `peripheries="2"`) {
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
