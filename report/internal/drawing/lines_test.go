package drawing

import (
	"context"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// Only a Node's long name loses its domain.
func TestDrawnName(t *testing.T) {
	long := "ip-10-0-131-75.eu-west-1.compute.internal"
	for _, c := range [][3]string{{"Node", long, "ip-10-0-131-75.…"}, {"Pod", long, long}, {"Node", "a.example.org", "a.example.org"},
		{"Node", strings.Repeat("n", 40), strings.Repeat("n", 40)}, {"Node", "." + strings.Repeat("n", 40), "." + strings.Repeat("n", 40)}} {
		if got := drawnName(model.GraphNode{Kind: c[0], Name: c[1]}); got != c[2] {
			t.Errorf("%s %s is drawn as %s", c[0], c[1], got)
		}
	}
}

// Between two layers the first line has the relation's name; one against the order is turned, one that is derived dashed, and a gap without
// lines is kept open.
func TestLines(t *testing.T) {
	pod := func(id string) model.GraphNode { return model.GraphNode{ID: id, Kind: "Pod", Name: id} }
	p := view.Picture{Nodes: []model.GraphNode{pod("p"), pod("q"), {ID: "c", Kind: "PersistentVolumeClaim", Name: "c"}, {ID: "v", Kind: "PersistentVolume", Name: "v"}},
		Edges: []model.GraphEdge{{From: "p", To: "c", Relation: "mounts"}, {From: "c", To: "q", Relation: "is mounted by", State: string(model.Reconstructed)},
			{From: "p", To: "v", Relation: "far"}}}
	var got []string
	for _, line := range strings.Split(dotSource(p, "x", false), "\n") {
		if strings.Contains(line, "->") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{`"Pod p" -> "PersistentVolumeClaim c" [id="x-e1", label=" mounts ", style="solid"];`,
		`"Pod q" -> "PersistentVolumeClaim c" [id="x-e2", label="", style="dashed", dir=back];`,
		`"PersistentVolumeClaim c" -> "PersistentVolume v" [style="invis"];`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A picture whose objects lead somewhere is a group for who hears it, and else an image; what is no picture is refused.
func TestRoles(t *testing.T) {
	raw := `<svg viewBox="0 0 9 9" xmlns:x="u" x:viewBox="0 0 1 1"><g id="x-n1"><text x="1">Pod</text><text x="2">p</text><text x="3">more</text></g><text x="4">note</text></svg>`
	given := func(text string) Engine { return func(context.Context, string) (string, error) { return text, nil } }
	p := view.Picture{Nodes: []model.GraphNode{{ID: "1", Kind: "Pod", Name: "p"}}}
	for links, want := range map[string]string{"": `role="img"`, "there": `role="group"`} {
		p.Links = map[string]string{}
		if links != "" {
			p.Links["1"] = links
		}
		svg, err := Draw(given(raw), p, "x", "Objects", false)
		if err != nil || !strings.Contains(svg, want) || !strings.Contains(svg, `width="9" height="9"`) || strings.Contains(svg, `<a href="#there">`) != (links != "") ||
			!strings.Contains(svg, `<text x="4" class="note">note</text>`) {
			t.Errorf("%q: %v %s", links, err, svg)
		}
	}
	for _, bad := range []string{"", "no picture", "<g/>", `<svg/>`, `<svg viewBox="0 0 9"/>`, `<svg viewBox="0 0 9 9"><svg viewBox="0 0 9 9"/></svg>`,
		`<svg viewBox="0 0 9 9"><text>`} {
		if svg, err := Draw(given(bad), p, "x", "Objects", false); err == nil {
			t.Errorf("%q is drawn as %s", bad, svg)
		}
	}
}
