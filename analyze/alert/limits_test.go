package alert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/volpost/volpost/model"
)

// TestBounded: what an expression costs beside its samples, at each bound and past it.
func TestBounded(t *testing.T) {
	joined := func(n int) string { // makes labels eleven times as long each time
		expr := "up"
		for range n {
			expr = `label_join(` + expr + `, "a", "", "a", "a", "a", "a", "a", "a", "a")`
		}
		return expr
	}
	replaced := func(n, groups int) string {
		expr := "up"
		for range n {
			expr = `label_replace(` + expr + `, "a", "` + strings.Repeat("$1", groups) + `", "a", "(.*)")`
		}
		return expr
	}
	for _, c := range []struct {
		expr, want string
	}{
		{"count_over_time(up[50000s:1s])", ""},
		{"count_over_time(up[50001s:1s])", "its subqueries make more than 50000 evaluations of each one"},
		{"count_over_time(up[50000m:])", ""},
		{"count_over_time(up[50001m:])", "its subqueries make more than 50000 evaluations of each one"},
		{"max_over_time(count_over_time(up[100s:1s])[500s:1s])", ""},
		{"max_over_time(count_over_time(up[100s:1s])[501s:1s])", "its subqueries make more than 50000 evaluations of each one"},
		{"max_over_time(count_over_time(up[50000s:1s])[1s:1m])", ""},
		{joined(4), ""}, // ten arguments each: ten thousand
		{joined(5), "its functions on labels can make them more than 10000 times as long"},
		{replaced(4, 9), ""},
		{replaced(5, 9), "its functions on labels can make them more than 10000 times as long"},
		{`up{job=~"` + strings.Repeat("a", 19_998) + `"}`, ""},
		{`up{job=~"` + strings.Repeat("a", 19_999) + `"}`, "one of its regular expressions has more than 20000 steps"},
		{`up{job!~"` + strings.Repeat("a", 19_999) + `"}`, "one of its regular expressions has more than 20000 steps"},
		{`up{job="` + strings.Repeat("a", 19_999) + `"}`, ""},
		{`up{job=~"` + strings.Repeat("a", 19_999) + `"} + count_over_time(up[50001s:1s])`, "one of its regular expressions has more than 20000 steps"},
	} {
		expr, err := parse(c.expr)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := bounded(expr); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%.60s: %q, want %q", c.expr, got, c.want)
		}
	}
	if _, err := parse(strings.Repeat(" ", maxExpr-2) + "up"); err != nil {
		t.Error(err)
	}
	if _, err := parse(strings.Repeat(" ", maxExpr-1) + "up"); err == nil {
		t.Error("an expression that is too long is read")
	}
}

// TestGiven: so many rules of files, and of the bundle's those about volumes, are run; a note says which are not.
func TestGiven(t *testing.T) {
	many := func(n int, expr string) []model.Rule {
		var out []model.Rule
		for i := range n {
			out = append(out, model.Rule{Alert: fmt.Sprint("A", i), Expr: fmt.Sprintf("%s > %d", expr, i), Line: i + 1})
		}
		return out
	}
	for _, c := range []struct {
		what       string
		own, found []model.Rule
		alerts     int
		notes      string
	}{
		{"as many as are run", many(maxGiven, "up"), nil, maxGiven, ""},
		{"one more", many(maxGiven+1, "up"), nil, maxGiven, "own.yaml:1001 1 alerting rules from A1000 on are not run; the limit is 1000"},
		{"as many of the bundle", nil, many(maxFound, "kube_pod_info"), maxFound, ""},
		{"one more of it", nil, many(maxFound+1, "kube_pod_info"), maxFound, "own.yaml:0 1 of the 301 alerting rules in the bundle are not run: " +
			"they are about other things than pods, nodes and volumes, or too many"},
		{"of another thing", nil, append(many(1, "up"), many(1, "csi_x")...), 1, "own.yaml:0 1 of the 2 alerting rules in the bundle are not run: " +
			"they are about other things than pods, nodes and volumes, or too many"},
		{"twice", nil, append(many(2, "csi_x"), many(1, "csi_x")...), 2, ""},
		{"written in another way", nil, append(many(1, "csi_x"), model.Rule{Alert: "A0", Expr: "(csi_x>0)"}, model.Rule{Alert: "A0", Expr: "csi_x>0"}), 2, ""},
		{"of another duration", nil, append(many(1, "csi_x"), model.Rule{Alert: "A0", Expr: "csi_x > 0", For: "1m"}), 2, ""},
		{"what does not parse and names one", nil, []model.Rule{{Alert: "A", Expr: "kube_pod_info =="}}, 1, ""},
		{"what does not parse and names none", nil, []model.Rule{{Alert: "A", Expr: "up =="}}, 0, "own.yaml:0 1 of the 1 alerting rules in the bundle " +
			"are not run: they are about other things than pods, nodes and volumes, or too many"},
		{"a recording rule", []model.Rule{{Record: "r", Expr: "up"}}, nil, 0, ""},
		{"neither", []model.Rule{{Expr: "up", Line: 7}}, nil, 0, `own.yaml:7 a rule of the group "g" has to have either alert or record, and is not run`},
		{"both", []model.Rule{{Alert: "A", Record: "r", Expr: "up"}}, nil, 0,
			`own.yaml:0 a rule of the group "g" has to have either alert or record, and is not run`},
	} {
		g := rulesOf(grouped(c.own...), nil, grouped(c.found...))
		var notes []string
		for _, n := range g.notes {
			notes = append(notes, fmt.Sprintf("%s:%d %s", n.Path, n.Line, n.Message))
		}
		if len(g.alerts) != c.alerts || strings.Join(notes, "; ") != c.notes {
			t.Errorf("%s: %d alerts, %q, want %d, %q", c.what, len(g.alerts), notes, c.alerts, c.notes)
		}
	}
	for interval, noted := range map[string]bool{"": false, "1m": false, "often": true} {
		g := rulesOf([]model.RuleFile{{Path: "f", Groups: []model.RuleGroup{{Name: "g", Interval: interval}}}}, nil, nil)
		if (len(g.notes) == 1) != noted {
			t.Errorf("interval %q: %+v", interval, g.notes)
		}
	}
}

// TestPlace: an error of the parser has the line of the rule in its file, where a file brings it.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		rule tested
		want string
	}{
		{tested{origin: "f", line: 10, expr: "up ==\n+"}, "f:11: parse error: unexpected end of input"},
		{tested{origin: "f", line: 10, expr: "up ==)"}, "f:10: parse error: unexpected right parenthesis ')'"},
		{tested{origin: "f", expr: "up ==)"}, "1:7: parse error: unexpected right parenthesis ')'"},
		{tested{origin: "f", line: 10, expr: strings.Repeat("u", maxExpr+1)}, "parse error: an expression of 65537 bytes is not read; the longest that is has 65536"},
	} {
		_, err := parse(c.rule.expr)
		if err == nil {
			t.Fatalf("%s parses", c.rule.expr)
		}
		if got := c.rule.place(err); got != c.want {
			t.Errorf("%.20q: %q, want %q", c.rule.expr, got, c.want)
		}
	}
}

// TestMemoBound: what is over the bound of a memo goes, the oldest first; what a wider stretch replaces goes, too.
func TestMemoBound(t *testing.T) {
	m := &memo{source: upFor([2]int{0, 30})}
	named := func(job string) []*labels.Matcher {
		return []*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, "job", job)}
	}
	get := func(job string, from, to int) {
		if _, err := m.get(named(job), minute(from), minute(to)); err != nil {
			t.Fatal(err)
		}
	}
	get("a", 5, 10)
	one := m.bytes
	if one == 0 || m.kept[0].bytes != one {
		t.Fatalf("%d bytes", one)
	}
	get("a", 5, 10)
	get("a", 6, 9)
	if len(m.kept) != 1 || m.bytes != one {
		t.Errorf("%d selections of %d bytes", len(m.kept), m.bytes)
	}
	get("a", 4, 9)
	if len(m.kept) != 1 || m.kept[0].from != minute(4) || m.bytes != m.kept[0].bytes {
		t.Errorf("%d selections of %d bytes", len(m.kept), m.bytes)
	}
	get("b", 4, 9) // of no series
	m.bytes = maxKept + m.bytes - m.kept[0].bytes
	get("c", 4, 9)
	if len(m.kept) != 3 {
		t.Errorf("%d selections at the bound", len(m.kept))
	}
	m.bytes++
	get("d", 4, 9)
	if len(m.kept) != 3 || !strings.Contains(m.kept[0].key, `"b"`) {
		t.Errorf("%d selections past the bound", len(m.kept))
	}
}

// TestForms: what is generated for a set-up names what it depends on.
func TestForms(t *testing.T) {
	if got := (Setup{TargetLabels: true, ClusterLabel: "c"}).String(); got != "honor_labels: false, several clusters by the label c" {
		t.Error(got)
	}
	if got := (Setup{}).String(); got != "honor_labels: true" {
		t.Error(got)
	}
	var s Setup
	if s.SetClusterLabel("a-b") == nil || s.ClusterLabel != "" || s.SetClusterLabel("a_b") != nil || s.ClusterLabel != "a_b" {
		t.Errorf("%+v", s)
	}
	release := Setup{Labels: []model.Label{{Name: "release", Value: "prom"}}, Because: []string{"It is so."}}
	for _, c := range []struct {
		text     string
		has, not []string
	}{
		{PrometheusRule(Setup{}), []string{"# label release", "    role: \"alert-rules\"\n"}, []string{"prom\""}},
		{PrometheusRule(release), []string{"    release: \"prom\"\n", "# It is so.\n"}, []string{"# label release"}},
		{AlertingRule(Setup{}), []string{"namespace: openshift-monitoring\nspec:"}, []string{"  labels:\nspec"}},
		{AlertingRule(release), []string{"  labels:\n    release: \"prom\"\nspec:"}, nil},
		{PlainRules(Setup{ClusterLabel: "k8s"}), []string{"Cluster {{ $labels.k8s }}: ", "offset 1h", "  - alert: MultiAttachWait\n", "    for: 2m\n",
			"# Replaces the popular rule PodStuckTerminating. It works", "# Without its exporter"}, []string{"(cluster", "Replaces the popular rule . "}},
		{PlainRules(Setup{}), []string{"(cluster"}, []string{"offset 1h", "Cluster {{", "for: \n"}},
	} {
		for _, h := range c.has {
			if !strings.Contains(c.text, h) {
				t.Errorf("lacks %q", h)
			}
		}
		for _, n := range c.not {
			if strings.Contains(c.text, n) {
				t.Errorf("has %q", n)
			}
		}
	}
	if got := indent("a\n\nb\n", "  "); got != "  a\n\n  b\n" {
		t.Errorf("%q", got)
	}
}
