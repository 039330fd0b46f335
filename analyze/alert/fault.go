package alert

import (
	"errors"
	"fmt"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
)

// place is an error of the parser with the file and line of the rule, where it comes out of a file.
func (r tested) place(err error) string {
	var list parser.ParseErrors
	if r.line == 0 || !errors.As(err, &list) || len(list) == 0 {
		return err.Error()
	}
	at := min(max(int(list[0].PositionRange.Start), 0), len(r.expr))
	return fmt.Sprintf("%s:%d: parse error: %v", r.origin, r.line+strings.Count(r.expr[:at], "\n"), list[0].Err)
}
