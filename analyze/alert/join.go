package alert

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// Join adds what the rules did in another cluster. A rule that was run in both has the graver result of the two.
func Join(a, b []model.Alert) []model.Alert {
	out := slices.Clone(a)
	for _, rule := range b {
		i := slices.IndexFunc(out, func(o model.Alert) bool {
			return o.Name == rule.Name && o.Origin == rule.Origin && o.Severity == rule.Severity && o.Line == rule.Line &&
				o.Expr == rule.Expr && o.Over == rule.Over
		})
		if i < 0 {
			out = append(out, rule)
			continue
		}
		out[i].Firings = slices.Concat(out[i].Firings, rule.Firings)
		if slices.Index(results, rule.Result) < slices.Index(results, out[i].Result) {
			out[i].Result, out[i].Note = rule.Result, rule.Note
		}
	}
	return out
}

// results are those of rules, the gravest first.
var results = []string{resultError, resultCannot, resultFired, resultPending, resultNever, resultNoData}
