package report

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// The objects of findings are drawn where there is no incident and they hang together: in the page, in the text, and on a terminal
// that is wide enough.
func TestObjectsOfFindings(t *testing.T) {
	finding := []model.Finding{{ID: "surge-exclusive", Severity: "warning", Title: "A rollout", Text: "Two pods."}}
	g := model.Graph{Nodes: []model.GraphNode{{ID: "c", Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "orders-db-data"},
		{ID: "v", Kind: "PersistentVolume", Name: richPV}},
		Edges: []model.GraphEdge{{From: "c", To: "v", Relation: "bound to"}}}
	for _, c := range []struct {
		name   string
		report *model.Report
		want   bool
	}{
		{"findings", &model.Report{Findings: finding, Graph: g}, true},
		{"one object alone", &model.Report{Findings: finding, Graph: model.Graph{Nodes: g.Nodes[:1]}}, false},
		{"an incident", &model.Report{Findings: finding, Graph: g, Incidents: []model.Incident{richIncident("i1")}}, false},
	} {
		if page := render(t, "html", c.report); strings.Contains(page, "Their objects") != c.want ||
			strings.Contains(page, `id="findings-graph`) != c.want {
			t.Errorf("%s: the page draws them: %v", c.name, !c.want)
		}
		if text := render(t, "text", c.report); strings.Contains(text, "THEIR OBJECTS") != c.want {
			t.Errorf("%s: the text draws them: %v", c.name, !c.want)
		}
		for columns, room := range map[int]bool{80: true, 30: false} {
			var b strings.Builder
			if err := WriteWith(&b, "text", c.report, Options{Screen: &Screen{Columns: columns}}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(b.String(), "OBJECTS"); got != (c.want && room) {
				t.Errorf("%s: %d columns draw them: %v\n%s", c.name, columns, got, b.String())
			}
		}
	}
}
