package analyze

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/alert"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// DefaultIncidents is how many waits a report explains one by one. More are not read, and each takes 200 KB of it.
const DefaultIncidents = 1000

// bounds is how far an analysis may go, and where it had to end.
type bounds struct {
	incidents int
	ended     string // the stage that the end of the time fell into
	left      []*wait.Case
	beyond    []wait.Beyond
	problems  []model.Problem
}

func newBounds(o Options, parts int) *bounds {
	return &bounds{incidents: max(1, cmp.Or(o.Incidents, DefaultIncidents)/parts)}
}

// over reports that the time is up, and notes the stage that it is the first to cut short.
func (b *bounds) over(ctx context.Context, stage string) bool {
	if b.ended == "" && ctx.Err() != nil {
		b.ended = stage
		b.add(model.Failure, fmt.Sprintf("the limit of time (--max-time) is reached while %s; what was known by then counts", stage))
	}
	return b.ended != ""
}

// cases are the waits that are made out in time.
func (b *bounds) cases(ctx context.Context, w *facts.World) []*wait.Case {
	all, beyond := wait.CasesUntil(w, func() bool { return b.over(ctx, "the waits were put together") })
	b.beyond = append(b.beyond, beyond...)
	return all
}

// alerts are what the alerting rules did, as far as they are run in time.
func (b *bounds) alerts(
	ctx context.Context, s *model.Snapshot, cases []*wait.Case, rules []model.RuleFile, l *evidence.Ledger,
) (out alert.Result) {
	const stage = "the alerting rules were run"
	if !b.over(ctx, stage) {
		out = alert.Run(ctx, s, cases, rules, l)
		b.over(ctx, stage)
	}
	return out
}

func (b *bounds) add(severity model.Severity, message string) {
	b.problems = append(b.problems, model.Problem{Severity: severity, Path: ".", Message: message})
}

// cutShort are the problems by which an answer has less than all of the bundle.
func (b *bounds) cutShort(reading []model.Problem) []model.Problem {
	return slices.DeleteFunc(slices.Concat(reading, b.problems), func(p model.Problem) bool { return !p.CutsShort() })
}

// choose keeps, in order, what may be explained: of each node the gravest wait first, then the second of each: every loss is explained.
func (b *bounds) choose(cases []*wait.Case) []*wait.Case {
	if len(cases) <= b.incidents {
		return cases
	}
	order := slices.Clone(cases)
	slices.SortStableFunc(order, func(a, b *wait.Case) int {
		return cmp.Or(cmp.Compare(b2i(b.Span.Open), b2i(a.Span.Open)), cmp.Compare(b.Span.Seconds.Best, a.Span.Seconds.Best))
	})
	rank, on := map[*wait.Case]int{}, map[string]int{}
	for _, c := range order {
		rank[c] = on[c.From]
		on[c.From]++
	}
	slices.SortStableFunc(order, func(a, b *wait.Case) int { return cmp.Compare(rank[a], rank[b]) })
	left := map[*wait.Case]bool{}
	for _, c := range order[b.incidents:] {
		left[c] = true
	}
	b.left = append(b.left, facts.Where(cases, func(c *wait.Case) bool { return left[c] })...)
	return facts.Where(cases, func(c *wait.Case) bool { return !left[c] })
}

// counted is how many waits are counted and not explained.
func (b *bounds) counted() int {
	n := len(b.left)
	for _, v := range b.beyond {
		n += v.Waits
	}
	return n
}

// account says how many waits are left out, and of what.
func (b *bounds) account(explained int) {
	if len(b.left) > 0 {
		limit := "--max-incidents"
		if b.ended != "" {
			limit = "--max-time"
		}
		var of tally
		for _, c := range b.left {
			of.add(cmp.Or(c.From, "an unknown node"), 1)
		}
		b.add(model.Warning, fmt.Sprintf("%d waits were found, and %d are explained, the gravest of each node first; the other %d are only "+
			"counted (%s): %s", explained+len(b.left), explained, len(b.left), limit, of.text("on ", "more node", "more nodes")))
	}
	if len(b.beyond) > 0 {
		var of tally
		for _, v := range b.beyond {
			of.add(v.Volume.Key(), v.Waits)
		}
		b.add(model.Warning, "of a volume with many waits the newest are explained; the others are only counted: "+
			of.text("of ", "more volume", "more volumes"))
	}
}

// tally counts by name.
type tally struct {
	names []string
	of    map[string]int
}

func (t *tally) add(name string, n int) {
	if t.of == nil {
		t.of = map[string]int{}
	}
	if t.of[name] == 0 {
		t.names = append(t.names, name)
	}
	t.of[name] += n
}

// tallied is how many names the account of what is left out has.
const tallied = 10

func (t *tally) text(before, one, many string) string {
	var parts []string
	for _, n := range t.names[:min(len(t.names), tallied)] {
		parts = append(parts, fmt.Sprintf("%d %s%s", t.of[n], before, n))
	}
	if more := len(t.names) - len(parts); more > 0 {
		parts = append(parts, "the others "+before+words.Plural(more, one, many))
	}
	return strings.Join(parts, ", ")
}

// entitle adds to the titles of groups the waits of the same loss that are left out.
func (b *bounds) entitle(groups []model.Group, cases []*wait.Case) {
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
			groups[n].Title += fmt.Sprintf(", and %s that the report does not explain", words.Plural(more, "more", "more"))
			delete(left, of)
		}
	}
}
