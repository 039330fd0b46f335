package drawing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// TestLayers: owners stand before what they own, one layer for each step, and a relation that skips a layer, or stays in one, is a note.
func TestLayers(t *testing.T) {
	object := func(id, kind string) model.GraphNode {
		return model.GraphNode{ID: id, Kind: kind, Namespace: "ns", Name: id}
	}
	p := view.Picture{
		Nodes: []model.GraphNode{object("d", "Deployment"), object("rs", "ReplicaSet"), object("top", "Application"), object("far", "Far"),
			object("p", "Pod"), object("q", "Pod"), object("c", "PersistentVolumeClaim"), {ID: "v", Kind: "PersistentVolume", Name: "v"},
			{ID: "v", Kind: "PersistentVolume", Name: "second"}, {ID: "a", Kind: "VolumeAttachment", Name: "a"},
			{ID: "n", Kind: "Node", Name: "n", Presence: model.Reconstructed}},
		Edges: []model.GraphEdge{{From: "far", To: "top", Relation: "owns"}, {From: "top", To: "d", Relation: "owns"},
			{From: "d", To: "rs", Relation: "owns"}, {From: "rs", To: "p", Relation: "owns"}, {From: "p", To: "c", Relation: "mounts"},
			{From: "c", To: "v", Relation: "is bound to"}, {From: "v", To: "a", Relation: "x"}, {From: "a", To: "n", Relation: "y"},
			{From: "p", To: "n", Relation: "runs on"}, {From: "p", To: "q", Relation: "beside"}, {From: "p", To: "none", Relation: "lost"},
			{From: "none", To: "p", Relation: "lost"}, {From: "n", To: "p", Relation: "carries"}},
	}
	var got []string
	for _, layer := range layersOf(p, "x") {
		var names []string
		for _, box := range layer {
			names = append(names, strings.Join(box.name, "")+fmt.Sprint(box.notes))
		}
		got = append(got, strings.Join(names, " "))
	}
	want := "ns/top[] ns/far[owns ns/top] | ns/d[] | ns/rs[] | ns/p[runs on n beside ns/q] ns/q[] | ns/c[] | v[] second[] | a[] | " +
		"n[(reconstructed) carries ns/p]"
	if text := strings.Join(got, " | "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

// TestLongNames: a name that two lines do not hold is shortened to what they hold, and a note to one line.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("abcdefghij", 5)
	box := newBox(model.GraphNode{Kind: "Pod", Name: long, Namespace: "ns"}, "x", long)
	if name := strings.Join(box.name, ""); len(box.name) != 2 || len([]rune(box.name[0])) > boxBold || len([]rune(box.name[1])) > boxBold || !strings.HasPrefix(name, "ns/") {
		t.Errorf("%q", box.name)
	}
	to := view.Picture{Nodes: []model.GraphNode{{ID: "p", Kind: "Pod", Name: "p"}, {ID: "c", Kind: "PersistentVolumeClaim", Name: "c"},
		{ID: "n", Kind: "Node", Name: long}}, Edges: []model.GraphEdge{{From: "p", To: "n", Relation: "runs on"}}}
	if notes := layersOf(to, "x")[0][0].notes; len(notes) != 1 || len([]rune(notes[0])) > boxLetter {
		t.Errorf("%q", notes)
	}
}
