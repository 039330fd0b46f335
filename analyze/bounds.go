package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// DefaultIncidents is how many waits a report explains one by one. Nobody reads more, and each takes 200 KB of it.
const DefaultIncidents = 1000

// bounds is how far an analysis may go, and where it had to end.
type bounds struct {
	incidents int
	stop      func() bool
	ended     string // the stage that the end of the time fell into
	left      []*reconstruct.Case
	problems  []model.Problem
}

func newBounds(o Options, parts int) *bounds {
	return &bounds{incidents: max(1, cmp.Or(o.Incidents, DefaultIncidents)/parts), stop: o.Stop}
}

// over reports that the time is up, and notes the stage that it is the first to cut short.
func (b *bounds) over(stage string) bool {
	if b.ended == "" && b.stop != nil && b.stop() {
		b.ended = stage
		b.tell(model.Failure, fmt.Sprintf("the limit of time (--max-time) is reached while %s; the report has what was known by then", stage))
	}
	return b.ended != ""
}

func (b *bounds) tell(severity model.Severity, message string) {
	b.problems = append(b.problems, model.Problem{Severity: severity, Path: ".", Message: message})
}

// choose leaves out what is more than may be explained: of each node the gravest wait stays first, then the second of each, so that
// every loss is explained. What stays keeps its order.
func (b *bounds) choose(cases []*reconstruct.Case) []*reconstruct.Case {
	if len(cases) <= b.incidents {
		return cases
	}
	order := make([]int, len(cases))
	for i := range order {
		order[i] = i
	}
	graver := func(i, j int) int {
		x, y := cases[i].Span, cases[j].Span
		return cmp.Or(cmp.Compare(b2i(y.Open), b2i(x.Open)), cmp.Compare(y.Seconds.Best, x.Seconds.Best), cmp.Compare(i, j))
	}
	slices.SortFunc(order, graver)
	rank, on := make([]int, len(cases)), map[string]int{}
	for _, i := range order {
		rank[i] = on[cases[i].From]
		on[cases[i].From]++
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rank[i], rank[j]) })
	keep := order[:b.incidents]
	slices.Sort(keep)
	told := make([]*reconstruct.Case, 0, b.incidents)
	for _, i := range keep {
		told = append(told, cases[i])
	}
	slices.Sort(order[b.incidents:])
	for _, i := range order[b.incidents:] {
		b.left = append(b.left, cases[i])
	}
	return told
}

// account says how many waits are left out, and of which nodes.
func (b *bounds) account(told int) {
	if len(b.left) == 0 {
		return
	}
	var nodes []string
	of := map[string]int{}
	for _, c := range b.left {
		node := cmp.Or(c.From, "an unknown node")
		if of[node] == 0 {
			nodes = append(nodes, node)
		}
		of[node]++
	}
	var parts []string
	for _, n := range nodes[:min(len(nodes), nodesNamed)] {
		parts = append(parts, fmt.Sprintf("%d on %s", of[n], n))
	}
	if more := len(nodes) - len(parts); more > 0 {
		parts = append(parts, "the others on "+plural(more, "more node", "more nodes"))
	}
	limit := "--max-incidents"
	if b.ended != "" {
		limit = "--max-time"
	}
	b.tell(model.Warning, fmt.Sprintf("%d waits were found, and %d are explained, the gravest of each node first; the other %d are only counted (%s): %s",
		told+len(b.left), told, len(b.left), limit, strings.Join(parts, ", ")))
}

// nodesNamed is how many nodes the account names.
const nodesNamed = 10

// uncounted adds to the titles of groups the waits of the same loss that are left out.
func (b *bounds) uncounted(groups []model.Group, cases []*reconstruct.Case) {
	left := map[string]int{}
	for _, c := range b.left {
		left[c.From+"|"+root(c)]++
	}
	key := map[string]string{}
	for _, c := range cases {
		key[c.ID()] = c.From + "|" + root(c)
	}
	for n := range groups {
		of := key[groups[n].Incidents[0]]
		if more := left[of]; more > 0 {
			groups[n].Title += fmt.Sprintf(", and %s that the report does not explain", plural(more, "more", "more"))
			delete(left, of)
		}
	}
}
