package alert

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// scrapedUp is series up of some jobs, present in the minutes from a to b, with one value.
func scrapedUp(stretches map[string][3]int) model.MetricSource {
	var list []timed
	for job, s := range stretches {
		list = append(list, timed{series("up", "job", job), []stretch{{minute(s[0]), minute(s[1] + 1), float64(s[2])}}})
	}
	return scraped(list, time.Minute)
}

// fired are the firings of a rule over a source in twenty minutes, as job@from-to in minutes.
func fired(t *testing.T, g given, name string, source model.MetricSource) (string, outcome) {
	t.Helper()
	e := newEvaluator(source).given()
	w := window{minute(0), minute(20), time.Minute}
	if broken := e.prepare(t.Context(), g.records, w); len(broken) > 0 {
		t.Errorf("%v", broken)
	}
	for _, r := range g.alerts {
		if r.name != name {
			continue
		}
		o := e.run(context.Background(), r, w)
		var out []string
		for _, f := range o.fired {
			to := "on"
			if !f.to.IsZero() {
				to = f.to.Sub(epoch).String()
			}
			out = append(out, f.labels["job"]+"@"+f.from.Sub(epoch).String()+"-"+to)
		}
		return strings.Join(out, " "), o
	}
	t.Fatalf("no rule %s", name)
	return "", outcome{}
}

func grouped(limit int, rules ...model.Rule) []model.RuleFile {
	return []model.RuleFile{{Path: "own.yaml", Groups: []model.RuleGroup{{Name: "g", Limit: limit, Rules: rules}}}}
}

// TestRecordingChains: an alert sees what recording rules make of one another, in whatever order they are written, and what
// was recorded ends when its source does.
func TestRecordingChains(t *testing.T) {
	g := rulesOf(grouped(0,
		model.Rule{Record: "second", Expr: "first * 2"},
		model.Rule{Record: "first", Expr: "up + 1", Labels: []model.Label{{Name: "kind", Value: "{{ $value }}"}}},
		model.Rule{Alert: "Doubled", Expr: `second{kind="{{ $value }}"} == 4`, For: "2m"},
	), nil, nil)
	if got, _ := fired(t, g, "Doubled", scrapedUp(map[string][3]int{"a": {3, 9, 1}, "b": {0, 20, 0}})); got != "a@5m0s-10m0s" {
		t.Errorf("fired %s", got)
	}
}

// TestRecordingCircles: a rule that builds on itself is left out and told of.
func TestRecordingCircles(t *testing.T) {
	g := rulesOf(grouped(0, model.Rule{Record: "a", Expr: "b + 1", Line: 3}, model.Rule{Record: "b", Expr: "a + 1", Line: 4},
		model.Rule{Record: "c", Expr: "up", Line: 5}), nil, nil)
	if len(g.records) != 2 || len(g.notes) != 1 || g.notes[0].Line == 0 || !strings.Contains(g.notes[0].Message, "its own earlier values") {
		t.Errorf("%+v", g)
	}
}

// TestLimit: at an evaluation with more alerts than the limit none fires, and all begin anew.
func TestLimit(t *testing.T) {
	source := scrapedUp(map[string][3]int{"a": {0, 20, 1}, "b": {10, 12, 1}})
	g := rulesOf(grouped(1, model.Rule{Alert: "Up", Expr: "up == 1", For: "2m"}), nil, nil)
	got, o := fired(t, g, "Up", source)
	if got != "a@3m0s-10m0s a@15m0s-on" || o.limited != 3 {
		t.Errorf("fired %s, limited at %d", got, o.limited)
	}
}

// TestLabelTemplates: names and values are filled in, anything else is left as written and never executed.
func TestLabelTemplates(t *testing.T) {
	for _, c := range []struct {
		template, want string
		verbatim       bool
	}{
		{template: "plain", want: "plain"},
		{template: "{{ $labels.job }}/{{.Labels.job}}-{{ $value }}", want: "a/a-1"},
		{template: "{{ $labels.none }}", want: ""},
		{template: "x {{- $labels.job -}} y{{ .Value }}", want: "xay1"},
		{template: "{{ $labels.job.x }}", want: "{{ $labels.job.x }}", verbatim: true},
		{template: `{{ query "up" | first | value }}`, want: `{{ query "up" | first | value }}`, verbatim: true},
		{template: `{{ range $i := .Labels }}x{{ end }}`, want: `{{ range $i := .Labels }}x{{ end }}`, verbatim: true},
		{template: `{{ printf "%1000000000d" 1 }}`, want: `{{ printf "%1000000000d" 1 }}`, verbatim: true},
		{template: "{{ $labels.job", want: "{{ $labels.job", verbatim: true},
	} {
		g := rulesOf(grouped(0, model.Rule{Alert: "Up", Expr: "up == 1", Labels: []model.Label{{Name: "text", Value: c.template}}}), nil, nil)
		_, o := fired(t, g, "Up", scrapedUp(map[string][3]int{"a": {0, 20, 1}}))
		if len(o.fired) != 1 || o.fired[0].labels["text"] != c.want {
			t.Errorf("%s: %+v, want %s", c.template, o.fired, c.want)
		}
		if notes := g.alerts[0].templates().notes(false); (len(notes) > 0) != c.verbatim {
			t.Errorf("%s: %v", c.template, notes)
		}
	}
	// A label with the value makes another alert at each value, so that its time to wait never ends.
	rising := timed{labels: series("up", "job", "a")}
	for m := range 20 {
		rising.stretches = append(rising.stretches, stretch{minute(m), minute(m + 1), float64(m + 1)})
	}
	g := rulesOf(grouped(0, model.Rule{Alert: "Rising", Expr: "up > 0", For: "2m",
		Labels: []model.Label{{Name: "value", Value: "{{ $value }}"}}}), nil, nil)
	if got, o := fired(t, g, "Rising", scraped([]timed{rising}, time.Minute)); got != "" || !o.pending {
		t.Errorf("fired %s", got)
	}
}

// TestHostileExpressions: what would take long without selecting many samples is refused before it is run.
func TestHostileExpressions(t *testing.T) {
	long := "up"
	for range 30 {
		long = `label_join(` + long + `, "a", "", "a", "a", "job")`
	}
	chain := []model.Rule{{Record: "r0", Expr: `label_replace(up, "a", "0123456789", "", "")`}}
	for i := range 20 {
		chain = append(chain, model.Rule{Record: "r" + string(rune('a'+i)), Expr: `label_join(` + chain[i].Record + `, "a", "", "a", "a")`})
	}
	for _, c := range []struct {
		rules []model.Rule
		want  string
	}{
		{[]model.Rule{{Alert: "A", Expr: "count_over_time(up[300h:1ms])"}}, "subqueries"},
		{[]model.Rule{{Alert: "A", Expr: "max_over_time(max_over_time(up[24h:1m])[24h:1m])"}}, "subqueries"},
		{[]model.Rule{{Alert: "A", Expr: long}}, "functions on labels"},
		{[]model.Rule{{Alert: "A", Expr: `up{job=~"(a|[b-z]+x?){1000}(.*y){900}(ab+|c){999}(de+|f){999}(g|h+i?){999}"}`}}, "regular expressions"},
		{[]model.Rule{{Alert: "A", Expr: `label_replace(up, "a", "", "job", "` + strings.Repeat("(ab|c+)", 4000) + `")`}}, "regular expressions"},
		{append(chain, model.Rule{Alert: "A", Expr: chain[len(chain)-1].Record}), "could not be recorded"},
	} {
		g := rulesOf(grouped(0, c.rules...), nil, nil)
		e := newEvaluator(scrapedUp(map[string][3]int{"a": {0, 20, 1}})).given()
		w := window{minute(0), minute(20), time.Minute}
		broken := e.prepare(t.Context(), g.records, w)
		r := g.alerts[0]
		o := e.run(context.Background(), r, w)
		v := broken.verdict(o, verdict{})
		if o.err == nil && !strings.Contains(v.note, c.want) || o.err != nil && !strings.Contains(o.err.Error(), c.want) {
			t.Errorf("%.60s: %v %v, want %s", r.expr, o.err, v, c.want)
		}
	}
}

// TestRepair: what does not parse because arithmetic binds tighter than comparison is given back with parentheses.
func TestRepair(t *testing.T) {
	for expr, want := range map[string]string{
		"a_x == 1 * on (n) b_x":               "(a_x == 1) * on (n) b_x",
		`a_x{l="}"} == 1 * on (n) b_x{m="q"}`: `(a_x{l="}"} == 1) * on (n) b_x{m="q"}`,
		"a_x ==":                              "",
		"sum(a_x":                             "",
	} {
		if got := (tested{expr: expr}).repair(); got != want {
			t.Errorf("%s: %s, want %s", expr, got, want)
		}
	}
}
