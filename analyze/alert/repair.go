package alert

import (
	"fmt"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
)

// place is an error of the parser with the file and line of the rule, where it comes out of a file.
func (r tested) place(err error) string {
	if r.line > 0 {
		return fmt.Sprintf("%s:%d: %v", r.origin, r.line, err)
	}
	return err.Error()
}

// repair is the expression that replaces one that does not parse: the recommended one or, for a rule of which that is not
// known, the same with parentheses around what is compared with a number.
func (r tested) repair() string {
	if r.corrected != "" {
		return r.corrected
	}
	if fixed := parenthesised(r.expr); fixed != r.expr {
		if _, err := parser.NewParser(parser.Options{}).ParseExpr(fixed); err == nil {
			return fixed
		}
	}
	return ""
}

// parenthesised puts parentheses around every selector that is compared with a number: arithmetic binds tighter than
// comparison, which is not what is meant in "a == 1 * on (x) b".
func parenthesised(expr string) string {
	var items []parser.Item
	for lexer := parser.Lex(expr); ; {
		var item parser.Item
		lexer.NextItem(&item)
		if item.Typ == parser.EOF || item.Typ == parser.ERROR {
			break
		}
		items = append(items, item)
	}
	var b strings.Builder
	written := 0
	for i := 0; i < len(items); i++ {
		if items[i].Typ != parser.METRIC_IDENTIFIER && items[i].Typ != parser.IDENTIFIER {
			continue
		}
		end := i + 1
		if end < len(items) && items[end].Typ == parser.LEFT_BRACE {
			for end < len(items) && items[end].Typ != parser.RIGHT_BRACE {
				end++
			}
			end++
		}
		if end+1 >= len(items) || !items[end].Typ.IsComparisonOperator() || items[end+1].Typ != parser.NUMBER {
			continue
		}
		from, to := int(items[i].Pos), int(items[end+1].Pos)+len(items[end+1].Val)
		if from > 0 && strings.TrimSpace(expr[:from]) != "" && strings.HasSuffix(strings.TrimSpace(expr[:from]), "(") && strings.HasPrefix(strings.TrimSpace(expr[to:]), ")") {
			continue // it has them
		}
		b.WriteString(expr[written:from] + "(" + expr[from:to] + ")")
		written = to
		i = end + 1
	}
	return b.String() + expr[written:]
}
