package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// groups joins the incidents that share one root event: the same primary cause on the same old node, or of the same workload. A
// volume of a lost node of which the cause is not known belongs to the others of that loss. The group and the incident that the
// headline is about come first, then what is open, then the rest in the order of time; what is no incident comes last.
func groups(cases []*wait.Case, incidents []model.Incident, first string) []model.Group {
	out := []model.Group{}
	index := map[string]int{}
	keys := rootKeys(cases, incidents)
	for n, i := range incidents {
		at, ok := index[keys[n]]
		if !ok {
			at = len(out)
			index[keys[n]] = at
			out = append(out, model.Group{ID: "g-" + i.ID[2:], Cause: i.Causes[0].ID, Node: i.From.Node, Incidents: []string{}})
		}
		if out[at].Cause == model.CauseUnknown {
			out[at].Cause = i.Causes[0].ID
		}
		out[at].Incidents = append(out[at].Incidents, i.ID)
	}
	place := places(incidents, first)
	for n := range out {
		slices.SortStableFunc(out[n].Incidents, func(a, b string) int { return cmp.Compare(place[a], place[b]) })
		out[n].Title = title(out[n])
	}
	slices.SortStableFunc(out, func(a, b model.Group) int { return cmp.Compare(place[a.Incidents[0]], place[b.Incidents[0]]) })
	return out
}

// places rank incidents for a reader: 0 the headline's, 1 open ones, 2 others, 3 those that are no incident.
func places(incidents []model.Incident, first string) map[string]int {
	out := make(map[string]int, len(incidents))
	for _, i := range incidents {
		switch {
		case i.ID == first:
			out[i.ID] = 0
		case i.Causes[0].ID == model.CauseHandover:
			out[i.ID] = 3
		case i.Span.Open:
			out[i.ID] = 1
		default:
			out[i.ID] = 2
		}
	}
	return out
}

// rootKeys are the root events of incidents. One of unknown cause takes that of the first other one of the same loss.
func rootKeys(cases []*wait.Case, incidents []model.Incident) []string {
	out := make([]string, len(incidents))
	loss := map[string]string{}
	for n, i := range incidents {
		cause, lost := i.Causes[0].ID, lossOf(cases[n])
		out[n] = cause + "|" + i.From.Node + "|" + root(cases[n])
		told := cause != model.CauseUnknown && cause != model.CauseHandover
		if told && lost != "" && loss[lost] == "" {
			loss[lost] = out[n]
		}
	}
	for n, i := range incidents {
		if key := loss[lossOf(cases[n])]; i.Causes[0].ID == model.CauseUnknown && key != "" {
			out[n] = key
		}
	}
	return out
}

// lossOf names the loss of a node that a case began with; "" when its node was not lost.
func lossOf(c *wait.Case) string {
	if !c.NotReady.Known() && !c.NodeGone.Known() {
		return ""
	}
	return c.From + "|" + root(c)
}

// root separates losses of a node by the time of the change, and workloads when no node was lost.
func root(c *wait.Case) string {
	const second = "20060102T150405"
	if c.NotReady.Known() {
		return c.NotReady.At.UTC().Format(second)
	}
	if c.NodeGone.Known() {
		return c.NodeGone.At.UTC().Format(second)
	}
	if c.Workload != nil {
		return c.Workload.Key()
	}
	return c.ID()
}

func title(g model.Group) string {
	what := cause.All()[slices.IndexFunc(cause.All(), func(c cause.Cause) bool { return c.ID == g.Cause })].Group
	if g.Node == "" {
		what = strings.NewReplacer("node %s", "%s", "Node %s", "%s").Replace(what)
	}
	t := fmt.Sprintf(what, cmp.Or(g.Node, "an unknown node"))
	if n := len(g.Incidents); n > 1 {
		t += fmt.Sprintf(": %d volumes", n)
	}
	return t
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
