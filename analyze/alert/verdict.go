package alert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// verdict is what a rule came to over a source.
type verdict struct{ result, note, corrected string }

// graver are the results over several sources, the one that counts first: a rule that fired over one did fire.
var graver = []string{resultFired, resultError, resultPending, resultCannot, resultNever, resultNoData}

// settle puts a verdict into an alert that has none as grave.
func (v verdict) settle(a *model.Alert) {
	if a.Result == "" || slices.Index(graver, v.result) < slices.Index(graver, a.Result) {
		a.Result, a.Note, a.Corrected = v.result, v.note, v.corrected
	}
}

// judge says what a rule came to, and why when it came to nothing.
func (s server) judge(r tested, o outcome) verdict {
	var notes []string
	if o.failed > 0 && o.err == nil {
		notes = append(notes, fmt.Sprintf("%d of its %d evaluations fail: %v.", o.failed, o.evaluated.steps(), o.failure))
	}
	v := r.unable(o)
	switch {
	case r.flaw != "":
		return v
	case v.result != "":
		notes = append([]string{v.note}, notes...)
	case len(o.fired) > 0:
		v.result = resultFired
		if n := len(slices.DeleteFunc(slices.Clone(o.fired), func(f model.Firing) bool { return !f.ActiveBefore })); n > 0 {
			notes = append(notes, fmt.Sprintf("%d of its firings held already when the samples begin, and may have begun earlier.", n))
		}
	case o.pending:
		v.result = resultPending
	case o.results == 0:
		why := s.diagnose(r)
		v.result, v.corrected = why.result, why.corrected
		notes = append([]string{why.note}, notes...)
	default:
		v.result = resultNever
	}
	notes = append(notes, words.If(v.result != resultCannot, s.gapNote(o.evaluated)))
	v.note = strings.TrimSpace(strings.Join(notes, " "))
	return v
}

// gapNote says where in a window the server has no samples; empty when it has them everywhere.
func (s server) gapNote(w window) string {
	gaps := s.gaps(w.from, w.to)
	if len(gaps) == 0 {
		return ""
	}
	more := words.If(len(gaps) > 1, " and in "+words.Count(len(gaps)-1, "more gap"))
	return fmt.Sprintf("%s has no samples from %s to %s%s: there nothing is seen, and the time to wait starts again.",
		s.Path, model.TimeOfDay(gaps[0].from), model.TimeOfDay(gaps[0].to), more)
}

// unable says why a rule cannot be run; an empty verdict when it can.
func (r tested) unable(o outcome) verdict {
	if r.flaw != "" {
		return verdict{resultCannot, r.flaw, r.corrected}
	}
	if !o.parsed {
		return verdict{resultCannot, "It does not parse: " + r.place(o.err) + ".", r.corrected}
	}
	if o.err != nil {
		return verdict{result: resultError, note: words.Capital(o.err.Error()) + "."}
	}
	return verdict{}
}

// Results of a rule, see the schema of the report.
const (
	resultFired   = "fired"
	resultPending = "pending-only"
	resultNever   = "never"
	resultCannot  = "cannot-fire"
	resultNoData  = "no-data"
	resultError   = "error"
)

// Result is what rules did, and what the metrics show of the incidents.
type Result struct {
	Alerts []model.Alert
	Series []model.MetricSeries
	// Problems are rules that could not be read or are not run.
	Problems []model.Problem

	// Firsts are the first firings of recommended rules, and Tested whether rules were run over its time, by incident.
	Firsts map[string]First
	Tested map[string]bool

	lost damages
}

// First is the first firing of a recommended rule for an incident.
type First struct {
	Rule   string
	Over   string // model.OverMetrics or model.OverSynthesised
	Firing model.Firing
}

// note takes note of a firing for a case.
func (r *Result) note(id string, rule tested, over string, f model.Firing) {
	if known, ok := r.Firsts[id]; rule.origin == Builtin && (!ok || f.From.Before(known.Firing.From)) {
		r.Firsts[id] = First{Rule: rule.name, Over: over, Firing: f}
	}
}

// Join adds what the rules did in another cluster. A rule that was run in both has the graver result of the two.
func Join(a, b []model.Alert) []model.Alert {
	out := slices.Clone(a)
	for _, rule := range b {
		key := func(o model.Alert) [6]any { return [6]any{o.Name, o.Origin, o.Severity, o.Line, o.Expr, o.Over} }
		i := slices.IndexFunc(out, func(o model.Alert) bool { return key(o) == key(rule) })
		if i < 0 {
			out = append(out, rule)
			continue
		}
		out[i].Firings = slices.Concat(out[i].Firings, rule.Firings)
		verdict{rule.Result, rule.Note, rule.Corrected}.settle(&out[i])
	}
	return out
}
