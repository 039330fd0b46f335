package alert

import (
	"cmp"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// Bounds of what the samples that an expression selects do not show.
const (
	maxInner   = 50_000 // evaluations inside of one, which subqueries make
	maxGrowth  = 10_000 // of labels, which nested functions can double each time
	maxPattern = 20_000 // steps of a regular expression: matching takes time in proportion to them
)

// bounded refuses an expression whose work is not bounded by the samples that it selects.
func bounded(expr parser.Expr) (refused error) {
	limit := func(found, most float64, text string) {
		if found > most && refused == nil {
			refused = fmt.Errorf(text, int(most))
		}
	}
	pattern := func(text string) {
		limit(steps(text), maxPattern, "one of its regular expressions has more than %d steps")
	}
	parser.Inspect(expr, func(node parser.Node, above []parser.Node) error {
		switch n := node.(type) {
		case *parser.SubqueryExpr, *parser.Call:
			inner, longer := 1.0, 1.0
			for _, outer := range append(slices.Clip(above), node) {
				longer *= growth(outer)
				if q, ok := outer.(*parser.SubqueryExpr); ok {
					inner *= max(1, float64(q.Range)/float64(cmp.Or(max(q.Step, 0), subqueryStep)))
				}
			}
			limit(inner, maxInner, "its subqueries make more than %d evaluations of each one")
			limit(longer, maxGrowth, "its functions on labels can make them more than %d times as long")
		case *parser.VectorSelector:
			for _, m := range n.LabelMatchers {
				if m.Type == labels.MatchRegexp || m.Type == labels.MatchNotRegexp {
					pattern(m.Value)
				}
			}
		case *parser.StringLiteral:
			pattern(n.Val) // label_replace has one
		}
		return nil
	})
	return refused
}

// steps is the size of the program of a regular expression; 0 for one that is none.
func steps(text string) float64 {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	return float64(len(prog.Inst))
}

// growth is an upper bound of how much longer a function makes the labels of its result.
func growth(node parser.Node) float64 {
	call, ok := node.(*parser.Call)
	if ok && call.Func.Name == "label_join" {
		return float64(len(call.Args))
	}
	if ok && call.Func.Name == "label_replace" {
		if text, ok := call.Args[2].(*parser.StringLiteral); ok {
			return float64(1 + strings.Count(text.Val, "$"))
		}
		return maxGrowth
	}
	return 1
}
