// Package dottest reads what package report writes as DOT with Graphviz itself. It is a package of its own because Graphviz in Go
// compiles before main.
package dottest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-graphviz"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

// Whatever an object is called, Graphviz reads the source, and finds every object in it.
func TestGraphvizReadsTheSource(t *testing.T) {
	for _, name := range []string{"rich", "hostile", "bare"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var r model.Report
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		read(t, name, &r)
	}
}

func read(t *testing.T, name string, r *model.Report) {
	t.Helper()
	var dot bytes.Buffer
	if err := report.Write(&dot, "dot", r); err != nil {
		t.Fatal(err)
	}
	graph, err := graphviz.ParseBytes(dot.Bytes())
	if err != nil {
		t.Fatalf("%s: %v in\n%s", name, err, dot.String())
	}
	defer graph.Close()
	if n, err := graph.NodeNum(); err != nil || n > len(r.Graph.Nodes) || n == 0 && len(r.Graph.Nodes) > 0 {
		t.Errorf("%s: %d objects are read of %d (%v)", name, n, len(r.Graph.Nodes), err)
	}
}

// FuzzDOT reads names that nobody has thought of.
func FuzzDOT(f *testing.F) {
	f.Add("<b>html</b>", "\\", "&amp;&#x3c;&bad")
	f.Add("\"", "\\\"", "a\\")
	f.Add("", "{a|<b>c}", "--><!-- ]]>")
	f.Fuzz(func(t *testing.T, kind, name, state string) {
		read(t, "fuzz", &model.Report{Graph: model.Graph{
			Nodes: []model.GraphNode{{ID: "a", Kind: kind, Name: name, State: state}, {ID: "b", Kind: "VolumeAttachment", Namespace: state, Name: name, State: "blocked " + state}},
			Edges: []model.GraphEdge{{From: "a", To: "b", Relation: kind, State: state}}}})
	})
}
