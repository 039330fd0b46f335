package alert

import (
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// maxGrowth bounds the growth of labels: nested functions can double them each time, which the engine's sample limits do not see.
const maxGrowth = 10_000

// maxInner bounds the evaluations inside of one evaluation, which subqueries make.
const maxInner = 50_000

// bounded refuses an expression whose work is not bounded by the samples that it selects.
func bounded(expr parser.Expr) error {
	if deepest(expr, inner) > maxInner {
		return fmt.Errorf("its subqueries make more than %d evaluations of each one", maxInner)
	}
	if deepest(expr, growth) > maxGrowth {
		return fmt.Errorf("its functions on labels can make them more than %d times as long", maxGrowth)
	}
	for _, text := range patterns(expr) {
		if steps(text) > maxPattern {
			return fmt.Errorf("one of its regular expressions has more than %d steps", maxPattern)
		}
	}
	return nil
}

// maxPattern bounds the program of a regular expression: matching takes time in proportion to it.
const maxPattern = 20_000

// patterns are the regular expressions of an expression.
func patterns(expr parser.Expr) (out []string) {
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			for _, m := range n.LabelMatchers {
				if m.Type == labels.MatchRegexp || m.Type == labels.MatchNotRegexp {
					out = append(out, m.Value)
				}
			}
		case *parser.Call:
			if n.Func.Name == "label_replace" {
				if text, ok := n.Args[4].(*parser.StringLiteral); ok {
					out = append(out, text.Val)
				}
			}
		}
		return nil
	})
	return out
}

// steps is the size of the program of a regular expression; 0 for one that does not parse.
func steps(text string) int {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

// deepest is the greatest product of the factors of nested nodes.
func deepest(node parser.Node, factor func(parser.Node) float64) float64 {
	out := 1.0
	for child := range parser.ChildrenIter(node) {
		out = max(out, deepest(child, factor))
	}
	return out * factor(node)
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

// inner is how many evaluations a subquery makes for one.
func inner(node parser.Node) float64 {
	q, ok := node.(*parser.SubqueryExpr)
	if !ok {
		return 1
	}
	step := q.Step
	if step <= 0 {
		step = subqueryStep
	}
	return max(1, float64(q.Range)/float64(step))
}
