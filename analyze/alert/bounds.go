package alert

import (
	"fmt"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
)

// maxGrowth bounds by how much the labels of a result can grow: nested functions on labels can double them each time, which
// the engine's bounds on samples do not see.
const maxGrowth = 10_000

// bounded refuses an expression whose results are not bounded by the samples that it selects.
func bounded(expr parser.Expr) error {
	if growth(expr) > maxGrowth {
		return fmt.Errorf("its functions on labels can make them more than %d times as long", maxGrowth)
	}
	return nil
}

// growth is an upper bound of how much longer the labels of a result are than those of what it is made of.
func growth(node parser.Node) float64 {
	out := 1.0
	for child := range parser.ChildrenIter(node) {
		out = max(out, growth(child))
	}
	call, ok := node.(*parser.Call)
	if !ok {
		return out
	}
	switch call.Func.Name {
	case "label_join":
		return out * float64(len(call.Args))
	case "label_replace":
		if text, ok := call.Args[2].(*parser.StringLiteral); ok {
			return out * float64(1+strings.Count(text.Val, "$"))
		}
		return out * maxGrowth
	}
	return out
}
