package alert

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// fires is a firing between two minutes; it fires still where the second is negative.
func fires(from, to int, labels ...string) model.Firing {
	f := model.Firing{From: minute(from), Labels: map[string]string{}}
	if to >= 0 {
		f.To = new(minute(to))
	}
	for _, l := range labels {
		name, value, _ := strings.Cut(l, "=")
		f.Labels[name] = value
	}
	return f
}

func firingText(f model.Firing) string {
	text := fmt.Sprintf("%.0f-", f.From.Sub(epoch).Minutes())
	if f.To != nil {
		text += fmt.Sprintf("%.0f", f.To.Sub(epoch).Minutes())
	}
	return text
}

// TestOnce: firings of one alert that touch are one from the first beginning to the last end; those apart, of other labels or of another
// incident stay.
func TestOnce(t *testing.T) {
	about := func(id string, f model.Firing) model.Firing {
		f.Incident = &id
		return f
	}
	for _, c := range []struct {
		list []model.Firing
		want string
	}{
		{[]model.Firing{fires(5, 8), fires(6, 7)}, "5-8"},
		{[]model.Firing{fires(5, 8), fires(6, 9)}, "5-9"},
		{[]model.Firing{fires(6, 9), fires(5, 8)}, "5-9"},
		{[]model.Firing{fires(5, 8), fires(8, 9)}, "5-9"},
		{[]model.Firing{fires(5, 8), fires(9, 10)}, "5-8 9-10"},
		{[]model.Firing{fires(9, 10), fires(5, 8)}, "9-10 5-8"},
		{[]model.Firing{fires(5, 8), fires(6, -1)}, "5-"},
		{[]model.Firing{fires(5, -1), fires(6, 7)}, "5-"},
		{[]model.Firing{fires(5, 8, "a=b"), fires(6, 7, "a=c")}, "5-8 6-7"},
		{[]model.Firing{about("i", fires(5, 8)), fires(6, 7)}, "5-8 6-7"},
		{[]model.Firing{about("i", fires(5, 8)), about("i", fires(6, 9))}, "5-9"},
	} {
		var got []string
		for _, f := range once(c.list) {
			got = append(got, firingText(f))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("got %v, want %s", got, c.want)
		}
	}
	var many []model.Firing
	for n := range maxFirings + 1 {
		many = append(many, fires(2*n, 2*n))
	}
	if n := len(once(many)); n != maxFirings {
		t.Errorf("%d firings, want %d", n, maxFirings)
	}
}

// TestAgainst: a firing about an incident says how long before its beginning, and before its end, it began.
func TestAgainst(t *testing.T) {
	c := waitOf(1)
	f := against(fires(25, 30), c)
	if *f.Incident != c.ID() || *f.LeadSeconds != -300 || *f.BeforeEndSeconds != 900 {
		t.Errorf("%s %v %v", *f.Incident, *f.LeadSeconds, *f.BeforeEndSeconds)
	}
	c.Attached = facts.Instant{}
	if f := against(fires(15, 30), c); *f.LeadSeconds != 300 || f.BeforeEndSeconds != nil {
		t.Errorf("%v %v", *f.LeadSeconds, f.BeforeEndSeconds)
	}
	if f := against(fires(15, 30), nil); f.Incident != nil || f.LeadSeconds != nil {
		t.Errorf("%+v", f)
	}
}

// TestConcerned: a firing is about the incidents during which it fired, or as long after them as a series lives on, the nearest first.
func TestConcerned(t *testing.T) {
	during := func(from, began, to int) *wait.Case { // its volume is named by its beginning
		c := waitOf(1)
		c.Span.From, c.Span.To = exactly(minute(from)), exactly(minute(to))
		c.Began = facts.Instant{Moment: exactly(minute(began))}
		return c
	}
	for _, e := range []struct {
		f     model.Firing
		cases []*wait.Case
		want  string
	}{
		{fires(50, 60, "node=a"), []*wait.Case{during(10, 20, 45)}, "20"},
		{fires(51, 60, "node=a"), []*wait.Case{during(10, 20, 45)}, ""},
		{fires(5, 10, "node=a"), []*wait.Case{during(10, 20, 45)}, "20"},
		{fires(5, 9, "node=a"), []*wait.Case{during(10, 20, 45)}, ""},
		{fires(5, -1, "node=a"), []*wait.Case{during(10, 20, 45)}, "20"},
		{fires(5, -1, "node=b"), []*wait.Case{during(10, 20, 45)}, ""},
		{fires(30, -1, "node=a"), []*wait.Case{during(10, 20, 45), during(10, 34, 45), during(10, 38, 45)}, "34 38 20"},
	} {
		var got []string
		for _, c := range concerned(e.f, e.cases) {
			got = append(got, fmt.Sprintf("%.0f", c.Began.At.Sub(epoch).Minutes()))
		}
		if strings.Join(got, " ") != e.want {
			t.Errorf("%s: %v, want %s", firingText(e.f), got, e.want)
		}
	}
}

// TestWorkloadLabels: a label of the kind of the workload names it, in its namespace.
func TestWorkloadLabels(t *testing.T) {
	c := waitOf(1)
	c.Workload = &model.Ref{Kind: "StatefulSet", Namespace: "n", Name: "db"}
	for _, e := range []struct {
		labels map[string]string
		want   bool
	}{
		{map[string]string{"statefulset": "db", "namespace": "n"}, true},
		{map[string]string{"statefulset": "db", "namespace": "m"}, false},
		{map[string]string{"statefulset": "other", "namespace": "n", "node": "a"}, false},
		{map[string]string{"deployment": "db", "namespace": "n"}, false},
	} {
		if got := concerns(e.labels, c); got != e.want {
			t.Errorf("%v: %t", e.labels, got)
		}
	}
}

// TestCaseWindow: rules are evaluated around a case, not long before it began or after, and not beyond the collection.
func TestCaseWindow(t *testing.T) {
	for _, e := range []struct {
		from, began, to, captured int
		start, end                int
	}{
		{10, 20, 45, 0, -5, 45},
		{10, 20, 45, 50, -5, 50},
		{10, 20, 45, 40, -5, 45},
		{10, 20, 45, 90, -5, 55},
		{-300, 20, 45, 90, -100, 55},
		{10, 20, 900, 990, -5, 380},
	} {
		c := waitOf(1)
		c.Span.From, c.Span.To, c.Began = exactly(minute(e.from)), exactly(minute(e.to)), facts.Instant{Moment: exactly(minute(e.began))}
		if e.captured != 0 {
			c.World.Axis.CapturedAt = new(exactly(minute(e.captured)))
		}
		if w := caseWindow(c); w != (window{minute(e.start), minute(e.end), scrapeInterval}) {
			t.Errorf("%+v: from %s to %s", e, w.from, w.to)
		}
	}
}

// TestCanSynthesise: series can be made of a case that has a time, and names its volume, both nodes and a pod.
func TestCanSynthesise(t *testing.T) {
	for what, change := range map[string]func(*wait.Case){
		"":          func(*wait.Case) {},
		"no volume": func(c *wait.Case) { c.Volume.PersistentVolume = "" },
		"no old":    func(c *wait.Case) { c.From = "" },
		"no new":    func(c *wait.Case) { c.To = "" },
		"no pod":    func(c *wait.Case) { c.NewPods = nil },
		"no date":   func(c *wait.Case) { c.Began = facts.Instant{Moment: model.WholeSecond(model.T).As(model.Derived)} },
	} {
		c := waitOf(1)
		if change(c); canSynthesise(c) != (what == "") {
			t.Errorf("%q: %t", what, what != "")
		}
	}
}

// TestCoversCase: a server shows a wait to its end, or while it has none to the end of what is known, with the metrics that decide.
func TestCoversCase(t *testing.T) {
	for _, e := range []struct {
		what   string
		change func(*server, *wait.Case)
		want   bool
	}{
		{"whole", func(*server, *wait.Case) {}, true},
		{"a metric less", func(s *server, _ *wait.Case) { s.has = s.has[1:] }, false},
		{"from its beginning on", func(s *server, _ *wait.Case) { s.scrapes = s.scrapes[20:] }, false},
		{"until five minutes before its end", func(s *server, _ *wait.Case) { s.scrapes = s.scrapes[:36] }, true},
		{"no longer", func(s *server, _ *wait.Case) { s.scrapes = s.scrapes[:35] }, false},
		{"until five minutes before the end of what is known", func(s *server, c *wait.Case) { c.Attached, s.scrapes = facts.Instant{}, s.scrapes[:41] }, true},
		{"no longer, of a wait that has no end", func(s *server, c *wait.Case) { c.Attached, s.scrapes = facts.Instant{}, s.scrapes[:40] }, false},
	} {
		s, c := scrapedAt(1), waitOf(1)
		for m := range 60 {
			s.scrapes = append(s.scrapes, minute(m))
		}
		s.has = slices.Clone(decides)
		if e.change(&s, c); s.coversCase(c) != e.want {
			t.Errorf("%s: %t", e.what, !e.want)
		}
	}
}

// TestTold: what a rule came to over a timeline, the gravest first.
func TestTold(t *testing.T) {
	fired := []model.Firing{fires(1, 2)}
	of := func(o outcome, metrics ...string) outcome {
		o.metrics, o.parsed = metrics, true
		return o
	}
	const deletion, info = "kube_pod_deletion_timestamp", "kube_pod_info"
	for _, c := range []struct {
		rule tested
		o    outcome
		open bool // the end of an old pod is not known
		want string
	}{
		{tested{}, of(outcome{fired: fired}, info), false, "fired: note"},
		{tested{flaw: "It is wrong."}, of(outcome{fired: fired}, info), false, "cannot-fire: It is wrong."},
		{tested{}, outcome{err: errors.New("bad")}, false, "cannot-fire: It does not parse: bad."},
		{tested{}, of(outcome{err: errors.New("too many")}, info), false, "error: Too many."},
		{tested{}, of(outcome{fired: fired}, "up", info, "down"), false, "no-data: synthesised: the timeline tells nothing of up, down."},
		{tested{}, of(outcome{fired: fired}, deletion), true, "fired: note"},
		{tested{}, of(outcome{pending: true}, deletion), true, "no-data: synthesised: nothing tells when the old pod was gone."},
		{tested{}, of(outcome{pending: true}, deletion), false, "pending-only: note"},
		{tested{}, of(outcome{pending: true}, info), true, "pending-only: note"},
		{tested{}, of(outcome{}, info), true, "never: note"},
	} {
		if v := told(c.rule, c.o, "note", c.open); v.result+": "+v.note != c.want {
			t.Errorf("%s: %s, want %s", v.result, v.note, c.want)
		}
	}
}

// TestJudge: what a rule came to over a server, with what limits it.
func TestJudge(t *testing.T) {
	before := fires(1, 2)
	before.ActiveBefore = true
	s := scrapedAt(1, 0, 1, 2, 3)
	w := window{minute(0), minute(3), time.Minute}
	for _, c := range []struct {
		rule tested
		o    outcome
		want string
	}{
		{tested{}, outcome{parsed: true, fired: []model.Firing{fires(1, 2)}}, "fired: "},
		{tested{}, outcome{parsed: true, fired: []model.Firing{before, fires(1, 2)}},
			"fired: 1 of its firings held already when the samples begin, and may have begun earlier."},
		{tested{}, outcome{parsed: true, pending: true, results: 1}, "pending-only: "},
		{tested{}, outcome{parsed: true, results: 1}, "never: "},
		{tested{}, outcome{parsed: true, results: 1, failed: 2, failure: errors.New("no match")}, "never: 2 of its 4 evaluations fail: no match."},
		{tested{}, outcome{parsed: true, err: errors.New("too many"), failed: 2, failure: errors.New("no match")}, "error: Too many."},
		{tested{flaw: "It is wrong."}, outcome{parsed: true, fired: []model.Firing{before}}, "cannot-fire: It is wrong."},
	} {
		c.o.evaluated = w
		if v := s.judge(c.rule, c.o); v.result+": "+v.note != c.want {
			t.Errorf("%s: %s, want %s", v.result, v.note, c.want)
		}
	}
	gap := scrapedAt(1, 0, 9)
	o := outcome{parsed: true, results: 1, evaluated: window{minute(0), minute(9), time.Minute}}
	if v := gap.judge(tested{}, o); !strings.HasPrefix(v.note, "m has no samples from ") {
		t.Errorf("%+v", v)
	}
	if v := gap.judge(tested{}, outcome{err: errors.New("bad"), evaluated: o.evaluated}); v.note != "It does not parse: bad." {
		t.Errorf("%+v", v)
	}
}

// TestFirst: of the recommended rules the one that fired first for an incident is noted.
func TestFirst(t *testing.T) {
	r := Result{Firsts: map[string]First{}}
	r.note("i", tested{name: "popular", origin: seed}, "over", fires(1, 2))
	r.note("i", tested{name: "late", origin: Builtin}, "over", fires(7, 8))
	r.note("i", tested{name: "early", origin: Builtin}, "over", fires(5, 8))
	r.note("i", tested{name: "same", origin: Builtin}, "over", fires(5, 8))
	if len(r.Firsts) != 1 || r.Firsts["i"].Rule != "early" {
		t.Errorf("%+v", r.Firsts)
	}
}

// TestOfSeverity: of several rules of one name a firing belongs to the one of its severity, and without one to each.
func TestOfSeverity(t *testing.T) {
	list := []model.Firing{fires(1, 2, "severity=warning"), fires(3, 4, "severity=critical"), fires(5, 6)}
	for severity, want := range map[string]string{"warning": "1-2 5-6", "critical": "3-4 5-6", "": "1-2 3-4 5-6"} {
		var got []string
		for _, f := range ofSeverity(list, severity) {
			got = append(got, firingText(f))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", severity, got, want)
		}
	}
}

// TestActiveFiring: an alert that fires began to after the time of its rule, by its own word, or else by the rule of its name and severity.
func TestActiveFiring(t *testing.T) {
	rules := []tested{{name: "A", severity: "critical", hold: "9m"}, {name: "A", severity: "warning", hold: "4m"}, {name: "B", hold: "2m"}}
	for _, c := range []struct {
		labels, state, hold string
		at                  time.Time
		want                string
	}{
		{"alertname=A severity=warning", "firing", "", minute(5), "A 9-"},
		{"alertname=A severity=critical", "firing", "", minute(5), "A 14-"},
		{"alertname=A severity=critical", "firing", "1m", minute(5), "A 6-"},
		{"alertname=B severity=critical", "firing", "", minute(5), "B 7-"},
		{"alertname=C", "firing", "", minute(5), "C 5-"},
		{"alertname=C", "firing", "soon", minute(5), "C 5-"},
		{"alertname=A", "pending", "", minute(5), ""},
		{"severity=warning", "firing", "", minute(5), ""},
		{"alertname=A", "firing", "", time.Time{}, ""},
	} {
		a := model.ActiveAlert{State: c.state, For: c.hold, At: c.at}
		for l := range strings.FieldsSeq(c.labels) {
			name, value, _ := strings.Cut(l, "=")
			a.Labels = append(a.Labels, model.Label{Name: name, Value: value})
		}
		name, f, ok := activeFiring(a, rules, nil)
		got := ""
		if ok {
			got = name + " " + firingText(f)
		}
		if got != c.want || f.Labels["alertname"] != "" {
			t.Errorf("%s %s: %q, want %q", c.labels, c.state, got, c.want)
		}
	}
}

// TestOnlyRecorded: alerts that fired about an incident and have no rule here are listed by their names.
func TestOnlyRecorded(t *testing.T) {
	about := fires(1, 2)
	about.Incident = new("i")
	got := onlyRecorded(map[string][]model.Firing{"Known": {about}, "New": {fires(5, 6), about, about}, "Other": {fires(1, 2)}},
		[]model.Alert{{Name: "Known"}}, []string{"m"})
	if len(got) != 1 || got[0].Name != "New" || len(got[0].Firings) != 2 || got[0].Result != resultFired {
		t.Errorf("%+v", got)
	}
}
