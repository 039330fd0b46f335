package alert

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
)

// place is an error of the parser with the file and line of the rule, where it comes out of a file.
func (r tested) place(err error) string {
	line, text := placeOf(r.expr, r.line, err)
	if line == 0 {
		return text
	}
	return fmt.Sprintf("%s:%d: %s", r.origin, line, text)
}

// placeOf is the line of the file and the text of an error of the parser; 0 where the line of the expression is not known.
func placeOf(expr string, line int, err error) (int, string) {
	var list parser.ParseErrors
	if line == 0 || !errors.As(err, &list) || len(list) == 0 {
		return line, err.Error()
	}
	at := min(max(int(list[0].PositionRange.Start), 0), len(expr))
	return line + strings.Count(expr[:at], "\n"), "parse error: " + list[0].Err.Error()
}

// repair is the expression that replaces one that does not parse: the recommended one, else the same with added parentheses.
func (r tested) repair() string {
	if r.corrected != "" {
		return r.corrected
	}
	if fixed := parenthesised(r.expr); fixed != r.expr {
		if _, err := parse(fixed); err == nil {
			return fixed
		}
	}
	return ""
}

// parenthesised encloses selectors compared with a number: in "a == 1 * on (x) b" arithmetic binds tighter, which is not meant.
func parenthesised(expr string) string {
	items := lexed(expr)
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
		if strings.HasSuffix(strings.TrimSpace(expr[:from]), "(") && strings.HasPrefix(strings.TrimSpace(expr[to:]), ")") {
			continue // it has them
		}
		b.WriteString(expr[written:from] + "(" + expr[from:to] + ")")
		written, i = to, end+1
	}
	return b.String() + expr[written:]
}

// selected are the names that an expression selects, be it one that does not parse, sorted.
func selected(expr string) []string {
	var out []string
	for _, item := range lexed(expr) {
		if item.Typ == parser.METRIC_IDENTIFIER || item.Typ == parser.IDENTIFIER && strings.Contains(item.Val, "_") {
			out = append(out, item.Val)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// lexed are the words of an expression, up to the first that is none.
func lexed(expr string) []parser.Item {
	var out []parser.Item
	for lexer := parser.Lex(expr); ; {
		var item parser.Item
		lexer.NextItem(&item)
		if item.Typ == parser.EOF || item.Typ == parser.ERROR {
			return out
		}
		out = append(out, item)
	}
}
