package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// fixture is a report of the tests of the formats, as go test ./report -update writes it.
func fixture(name string) *model.Report {
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", name+".json"))
	r := &model.Report{}
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil {
		panic(err)
	}
	return r
}

func rich() *model.Report { return fixture("rich") }

// start is the first instant of the fixtures.
var start = time.Date(2026, 11, 21, 6, 6, 51, 686_000_000, time.UTC)

// at is an exact instant so many seconds after start.
func at(seconds float64) model.Moment {
	return model.Exactly(start.Add(time.Duration(seconds * float64(time.Second))))
}

func render(t testing.TB, r *model.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// containsAll looks for markup in a page.
func containsAll(t *testing.T, page string, parts ...string) {
	t.Helper()
	for _, want := range parts {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// many is one lost node with n volumes, each with its objects and quotes.
func many(n int) *model.Report {
	one, r := rich(), rich()
	r.Groups, r.Incidents, r.Timeline, r.Graph, r.Evidence = nil, nil, nil, model.Graph{}, nil
	group := model.Group{ID: "g", Title: fmt.Sprintf("Node %s was lost with %d volumes", one.Incidents[0].From.Node, n), Cause: "node-down", Node: one.Incidents[0].From.Node}
	for i := range n {
		suffix := fmt.Sprintf("-%d", i)
		in := one.Incidents[0]
		in.ID, in.Volume.PersistentVolume = "i"+suffix, one.Incidents[0].Volume.PersistentVolume+suffix
		in.Volume.Claim = &model.Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "data" + suffix}
		group.Incidents = append(group.Incidents, in.ID)
		r.Incidents = append(r.Incidents, in)
		for _, node := range one.Graph.Nodes {
			if node.Kind != "Node" {
				node.ID += suffix
				node.Name += suffix
				r.Graph.Nodes = append(r.Graph.Nodes, node)
			} else if i == 0 {
				r.Graph.Nodes = append(r.Graph.Nodes, node)
			}
		}
		for _, e := range one.Graph.Edges {
			e.From += suffix
			if e.Relation != "on" && e.Relation != "scheduled-on" {
				e.To += suffix
			}
			r.Graph.Edges = append(r.Graph.Edges, e)
		}
		for _, t := range one.Timeline {
			t.ID, t.Incidents = t.ID+suffix, []string{in.ID}
			r.Timeline = append(r.Timeline, t)
		}
	}
	r.Groups = []model.Group{group}
	r.Evidence = one.Evidence
	return r
}
