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
	if len(p.Nodes) != 8 || len(p.Edges) == 0 {
		t.Errorf("%d objects and %d relations", len(p.Nodes), len(p.Edges))
	}
}

// Of pods that are gone a picture has those that the incident names: not one of an earlier wait, nor the same once more without its UID.
func TestPictureHasNoPodOfAnotherWait(t *testing.T) {
	r := rich()
	old := r.Incidents[0].From.Pods[0]
	for _, other := range []model.GraphNode{{ID: "again", Name: old.Name}, {ID: "earlier", Name: "orders-db-0"}} {
		other.Kind, other.Namespace, other.State = "Pod", old.Namespace, "gone"
		r.Graph.Nodes = append(r.Graph.Nodes, other)
		r.Graph.Edges = append(r.Graph.Edges, model.GraphEdge{From: other.ID, To: "pvc", Relation: "uses"})
	}
	for i := range r.Graph.Nodes {
		if r.Graph.Nodes[i].ID == "old" {
			r.Graph.Nodes[i].UID = old.UID
		}
	}
	v := view.New(r)
	var pods []string
	for _, n := range v.PictureOf(v.Incident[:1]).Nodes {
		if n.Kind == "Pod" {
			pods = append(pods, n.ID)
		}
	}
	if got := strings.Join(pods, " "); got != "old new" {
		t.Errorf("the picture has the pods %s", got)
	}
}

// The picture of an incident has no object of another cluster, whatever its name.
func TestPictureOfOneCluster(t *testing.T) {
	r := many(1)
	for _, n := range r.Graph.Nodes {
		n.ID = "west/" + n.ID
		r.Graph.Nodes = append(r.Graph.Nodes, n)
	}
	for i := range len(r.Graph.Nodes) / 2 {
		r.Graph.Nodes[i].ID = "east/" + r.Graph.Nodes[i].ID
	}
	for i := range r.Graph.Edges {
		r.Graph.Edges[i].From, r.Graph.Edges[i].To = "east/"+r.Graph.Edges[i].From, "east/"+r.Graph.Edges[i].To
	}
	r.Incidents[0].Cluster = "east"
	v := view.New(r)
	p := v.PictureOf(v.Incident)
	if len(p.Nodes) != 8 || strings.HasPrefix(p.Nodes[len(p.Nodes)-1].ID, "west/") {
		t.Errorf("%d objects, the last %v", len(p.Nodes), p.Nodes[len(p.Nodes)-1])
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
