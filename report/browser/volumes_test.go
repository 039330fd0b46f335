package browser_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// withVolumes is a report with so many incidents: those that it lacks are the first ones again, under other names, each with what only
// it has in the timeline, in the evidence and in the graph.
func withVolumes(t testing.TB, r *model.Report, want int) *model.Report {
	t.Helper()
	for n := 0; len(r.Incidents) < want; n++ {
		in := r.Incidents[n]
		c := again{t, []string{in.ID, in.ID + "-2", in.Volume.Claim.Name, in.Volume.Claim.Name + "-2"}}
		for _, name := range []string{in.Volume.PersistentVolume, *in.BlockingAttachment.Name} {
			c.names = append(c.names, name, name[:len(name)-1]+string('g'+rune(n))) // of the same length, and no other's
		}
		for _, e := range r.Evidence {
			if c.of(e.Source.Path + e.Text) {
				c.names = append(c.names, e.ID, e.ID+"-2")
			}
		}
		r.Incidents = append(r.Incidents, retold(c, in))
		r.Groups[0].Incidents = append(r.Groups[0].Incidents, in.ID+"-2")
		for _, item := range r.Timeline {
			if slices.Equal(item.Incidents, []string{in.ID}) {
				r.Timeline = append(r.Timeline, retold(c, item))
			}
		}
		for _, e := range r.Evidence {
			if c.of(e.Source.Path + e.Text) {
				r.Evidence = append(r.Evidence, retold(c, e))
			}
		}
		for _, node := range r.Graph.Nodes {
			if c.of(node.ID) {
				r.Graph.Nodes = append(r.Graph.Nodes, retold(c, node))
			}
		}
		for _, e := range r.Graph.Edges {
			if c.of(e.From + e.To) {
				r.Graph.Edges = append(r.Graph.Edges, retold(c, e))
			}
		}
	}
	slices.SortStableFunc(r.Timeline, func(a, b model.TimelineItem) int { return a.At.At.Compare(b.At.At) })
	return r
}

// again gives what is told once more its names.
type again struct {
	testing.TB
	names []string // old and new, in turn
}

// of reports that a text has one of the old names.
func (c again) of(text string) bool { return strings.NewReplacer(c.names...).Replace(text) != text }

func retold[T any](c again, value T) T {
	c.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		c.Fatal(err)
	}
	var out T
	if err := json.Unmarshal([]byte(strings.NewReplacer(c.names...).Replace(string(text))), &out); err != nil {
		c.Fatal(err)
	}
	return out
}
