package alert

import (
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
	e := newEvaluator(source)
	w := window{minute(0), minute(20), time.Minute}
	for _, r := range g.alerts {
		if r.name != name {
			continue
		}
		o := e.one(r, w)
		var out []string
		for _, f := range o.fired {
			to := "on"
			if f.To != nil {
				to = f.To.Sub(epoch).String()
			}
			out = append(out, f.Labels["job"]+"@"+f.From.Sub(epoch).String()+"-"+to)
		}
		return strings.Join(out, " "), o
	}
	t.Fatalf("no rule %s", name)
	return "", outcome{}
}

func grouped(rules ...model.Rule) []model.RuleFile {
	return []model.RuleFile{{Path: "own.yaml", Groups: []model.RuleGroup{{Name: "g", Rules: rules}}}}
}

// TestLabelTemplates: labels are filled in, anything else is left as written and never executed.
func TestLabelTemplates(t *testing.T) {
	for _, c := range []struct{ template, want string }{
		{template: "plain", want: "plain"},
		{template: "{{ $labels.job }}/{{$labels.job}}", want: "a/a"},
		{template: "{{ $value }}", want: "{{ $value }}"},
		{template: "{{ $labels.none }}", want: ""},
		{template: "{{ $labels.job.x }}", want: "{{ $labels.job.x }}"},
		{template: `{{ query "up" | first | value }}`, want: `{{ query "up" | first | value }}`},
		{template: `{{ range $i := .Labels }}x{{ end }}`, want: `{{ range $i := .Labels }}x{{ end }}`},
		{template: `{{ printf "%1000000000d" 1 }}`, want: `{{ printf "%1000000000d" 1 }}`},
		{template: "{{ $labels.job", want: "{{ $labels.job"},
		{template: strings.Repeat("{{$labels.job}}", maxTemplate/15+1), want: strings.Repeat("{{$labels.job}}", maxTemplate/15+1)},
	} {
		g := rulesOf(grouped(model.Rule{Alert: "Up", Expr: "up == 1", Labels: []model.Label{{Name: "text", Value: c.template}}}), nil, nil)
		_, o := fired(t, g, "Up", scrapedUp(map[string][3]int{"a": {0, 20, 1}}))
		if len(o.fired) != 1 || o.fired[0].Labels["text"] != c.want {
			t.Errorf("%s: %+v, want %s", c.template, o.fired, c.want)
		}
	}
}

// TestHostileExpressions: what would take long without selecting many samples is refused before it is run.
func TestHostileExpressions(t *testing.T) {
	long := "up"
	for range 30 {
		long = `label_join(` + long + `, "a", "", "a", "a", "job")`
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
	} {
		g := rulesOf(grouped(c.rules...), nil, nil)
		e := newEvaluator(scrapedUp(map[string][3]int{"a": {0, 20, 1}}))
		w := window{minute(0), minute(20), time.Minute}
		r := g.alerts[0]
		o := e.one(r, w)
		if o.err == nil || !strings.Contains(o.err.Error(), c.want) {
			t.Errorf("%.60s: %v, want %s", r.expr, o.err, c.want)
		}
	}
}
