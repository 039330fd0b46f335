// Package alert holds the alerting rules that volpost recommends for volumes that cannot move, and the popular ones that they replace. The
// labels of kube-state-metrics differ by version and scrape configuration: a Setup says which.
//
// Sources: kube-state-metrics v1.9.0 to v2.20.0 (internal/store, docs/metrics), the scrape configurations of kube-prometheus, the
// prometheus-community charts and OpenShift's cluster-monitoring-operator, and results of Prometheus' engine over such series.
package alert

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// maxFirings bounds what is reported of one rule.
const maxFirings = 200

// Run runs all rules over the metrics of a bundle and, for incidents outside them, over series made from the reconstructed timeline.
func Run(ctx context.Context, s *model.Snapshot, cases []*reconstruct.Case, files []model.RuleFile, l *evidence.Ledger) Result {
	lost := damages{seen: map[string]string{}}
	watched := lost.watched(s.Metrics)
	list, each := servers(watched), servers(replicas(watched))
	undated := func(c *reconstruct.Case) bool { return c.Began.Missing() != "" }
	cases = slices.DeleteFunc(slices.Clone(cases), undated)
	setup, more := detect(s, list), rulesOf(files, s.PrometheusRules, s.RuleFiles)
	out := Result{Alerts: []model.Alert{}, Problems: more.notes, Firsts: map[string]First{}, Tested: map[string]bool{}}
	var open []*reconstruct.Case // not covered by metrics
	for _, c := range cases {
		if slices.ContainsFunc(list, func(s server) bool { return s.coversCase(c) }) {
			out.Tested[c.ID()] = true
		} else {
			open = append(open, c)
		}
	}
	for _, f := range files {
		out.Problems = append(out.Problems, f.Problems...)
	}
	if len(list) > 0 {
		out.Series = decisive(list, cases, l)
		out.overMetrics(ctx, each, cases, setup, more)
	}
	out.overTimeline(ctx, open, setup, more, uncovered(list))
	out.served(each, cases, s.ActiveAlerts, more.alerts)
	out.Problems = append(out.Problems, lost.problems(s.Problems)...)
	return out
}

// uncovered says why series are synthesised although there are metrics.
func uncovered(list []server) string {
	if len(list) == 0 {
		return ""
	}
	var spans []string
	for _, s := range list {
		spans = append(spans, fmt.Sprintf("%s from %s to %s", s.Path, s.from().UTC().Format(time.RFC3339), s.to().UTC().Format(time.RFC3339)))
	}
	return "; the metrics do not show the whole wait: they are " + strings.Join(spans, ", ")
}

// decides are the metrics without which no rule sees a volume that waits.
var decides = []string{"kube_node_status_condition", "kube_persistentvolumeclaim_info", "kube_pod_info"}

// coversCase reports that a server scraped what shows a wait, from before it to its end, without a gap.
func (s server) coversCase(c *reconstruct.Case) bool {
	from, to := bounds(c)
	return s.covers(from, to) && !slices.ContainsFunc(decides, func(m string) bool { return !slices.Contains(s.has, m) })
}

// overMetrics runs rules over servers, one after the other.
func (r *Result) overMetrics(ctx context.Context, list []server, cases []*reconstruct.Case, setup Setup, more given) {
	j, alerts := jobOf(setup, more, model.OverMetrics)
	verdicts := make([]verdict, len(alerts))
	for _, s := range list {
		did := s.evaluate(ctx, j, cases, maxWhole)
		for i, rule := range j.rules {
			o := did.outcomes[i]
			r.addFirings(&alerts[i], rule, s, o, cases)
			verdicts[i] = verdicts[i].or(s.judge(rule, o))
			within(&alerts[i], did.window.aligned())
		}
	}
	for i, v := range verdicts {
		alerts[i].Result, alerts[i].Note, alerts[i].Corrected, alerts[i].Sources = v.result, v.note, v.corrected, paths(list)
	}
	r.Alerts = append(r.Alerts, alerts...)
}

// served puts what servers say of their own alerts beside what the rules did.
func (r *Result) served(list []server, cases []*reconstruct.Case, active []model.ActiveAlert, rules []tested) {
	recorded := recordedFirings(list, rules, cases)
	sources := paths(list)
	for _, a := range active {
		name, f, fires := activeFiring(a, rules, cases)
		if !fires {
			continue
		}
		recorded[name] = append(recorded[name], f)
		if !slices.Contains(sources, a.Input) {
			sources = append(sources, a.Input)
		}
	}
	for _, list := range recorded {
		slices.SortStableFunc(list, func(a, b model.Firing) int { return a.From.Compare(b.From) })
	}
	for i := range r.Alerts {
		a := &r.Alerts[i]
		a.Recorded = once(ofSeverity(recorded[a.Name], a.Severity))
	}
	r.Alerts = append(r.Alerts, onlyRecorded(recorded, r.Alerts, sources)...)
}

// once are firings without those that replicas have in common.
func once(list []model.Firing) []model.Firing {
	var out []model.Firing
	for _, f := range list {
		out = addFiring(out, f)
	}
	return out
}

// addFirings adds the firings over a server to an alert, once for each incident concerned. Firings that replicas share count once.
func (r *Result) addFirings(a *model.Alert, rule tested, s server, o outcome, cases []*reconstruct.Case) {
	a.Parses = a.Parses || o.parsed
	for _, f := range o.fired {
		f.labels = s.without(f.labels)
		var about []*reconstruct.Case
		if !rule.usage {
			about = concerned(f, cases)
		}
		if len(about) == 0 {
			about = append(about, nil)
		}
		for _, c := range about {
			firing := r.cited(firingOf(f, c), o.metrics)
			if c != nil {
				r.note(c.ID(), rule, a.Over, firing)
			}
			a.Firings = addFiring(a.Firings, firing)
		}
	}
	slices.SortStableFunc(a.Firings, func(f, g model.Firing) int { return f.From.Compare(g.From) })
}

// addFiring adds a firing, or widens one of the same alert that it overlaps.
func addFiring(list []model.Firing, f model.Firing) []model.Firing {
	i := slices.IndexFunc(list, func(g model.Firing) bool {
		return maps.Equal(g.Labels, f.Labels) && overlap(g, f) && sameIncident(g, f)
	})
	switch {
	case i >= 0:
		list[i] = united(list[i], f)
	case len(list) < maxFirings:
		list = append(list, f)
	}
	return list
}

func sameIncident(f, g model.Firing) bool {
	return f.Incident == g.Incident || f.Incident != nil && g.Incident != nil && *f.Incident == *g.Incident
}

func overlap(f, g model.Firing) bool {
	return (f.To == nil || !f.To.Before(g.From)) && (g.To == nil || !g.To.Before(f.From))
}

// united is one firing of two that overlap: the earlier begins it, the later ends it.
func united(f, g model.Firing) model.Firing {
	if g.From.Before(f.From) {
		f, g = g, f
	}
	if f.To != nil && (g.To == nil || g.To.After(*f.To)) {
		f.To = g.To
	}
	return f
}

// cited is a firing with the samples of the metrics of its rule that show its incident.
func (r *Result) cited(f model.Firing, metrics []string) model.Firing {
	if f.Incident == nil {
		return f
	}
	for _, s := range r.Series {
		if s.Incident == *f.Incident && slices.Contains(metrics, s.Metric) {
			f.Evidence = append(f.Evidence, s.Evidence...)
		}
	}
	return f
}

// ruleInterval is the evaluation interval of groups without one (kube-prometheus; Prometheus' own default is 1 min).
const ruleInterval = 30 * time.Second

// Bounds of what is evaluated of a source that is much longer than the incidents.
const (
	maxEvaluated = 24 * time.Hour
	around       = 2 * time.Hour    // before the first and after the last incident
	closely      = 20 * time.Minute // the same of what is evaluated first
	glance       = 15 * time.Minute // of a server that no incident lies in
)

// windows are what is evaluated first (around the incidents, else the end), and all of it, or its part around the incidents when long.
func (s server) windows(cases []*reconstruct.Case) (near, whole window) {
	whole = window{s.from(), s.to(), ruleInterval}
	if whole.to.Sub(whole.from) > maxEvaluated {
		if w, some := s.hull(cases, around); some {
			whole = w
		}
		whole.from = model.Later(whole.from, whole.to.Add(-maxEvaluated))
	}
	near, some := s.hull(cases, closely)
	if !some {
		near = window{whole.to.Add(-glance), whole.to, ruleInterval}
	}
	near.from = model.Later(near.from, whole.from)
	return near, whole
}

// hull is from the first to the last of the incidents that a server has samples of, with a margin; false for none.
func (s server) hull(cases []*reconstruct.Case, margin time.Duration) (window, bool) {
	var w window
	for _, c := range cases {
		a, b := c.Span.From.At.Add(-margin), c.Span.To.At.Add(margin)
		if !b.After(s.from()) || !a.Before(s.to()) {
			continue
		}
		if w.interval == 0 || a.Before(w.from) {
			w.from = a
		}
		w.to, w.interval = model.Later(w.to, b), ruleInterval
	}
	w.from, w.to = model.Later(w.from, s.from()), model.Earlier(w.to, s.to())
	return w, w.interval > 0
}

// workers is how many rules are evaluated at a time. It is fixed, because the rules that share a worker share its budget.
const workers = 2

// job is the rules to run: the first own ones are volpost's.
type job struct {
	rules []tested
	own   int
}

// jobOf is what to run in a set-up, with the alerts as the report lists them before it is run.
func jobOf(s Setup, more given, over string) (job, []model.Alert) {
	j := job{rules: catalogue(s)}
	j.own = len(j.rules)
	j.rules = append(j.rules, more.alerts...)
	var out []model.Alert
	for _, r := range j.rules {
		out = append(out, model.Alert{
			Name: r.name, Origin: r.origin, Severity: r.severity, Line: r.line, Expr: r.expr,
			For: r.hold, KeepFiringFor: r.keep, Result: resultNever, Over: over,
		})
	}
	return j, out
}

// evaluated is what rules did in a window.
type evaluated struct {
	window   window
	outcomes []outcome
	touched  int64 // samples that were gone through
}

// maxWhole bounds the samples that are gone through for what lies beside the incidents.
const maxWhole = 100_000_000

// evaluate runs rules around the incidents, and over everything where that is not too much, in samples, by what these took.
func (s server) evaluate(ctx context.Context, j job, cases []*reconstruct.Case, most int64) evaluated {
	near, whole := s.windows(cases)
	first := s.run(ctx, j, near)
	if near == whole || first.touched*int64(whole.aligned().steps())/int64(max(1, near.aligned().steps())) > most {
		return first
	}
	return s.run(ctx, j, whole)
}

// run runs rules over a server. What all rules need is loaded at once.
func (s server) run(ctx context.Context, j job, w window) evaluated {
	source := memo{source: s.scraped, from: w.from.Add(-maxLookback), to: w.to}
	return j.run(ctx, source.get, w)
}

// run runs rules over a source.
func (j job) run(ctx context.Context, source fetch, w window) evaluated {
	out := evaluated{window: w, outcomes: make([]outcome, len(j.rules))}
	touched := make([]int64, workers)
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() {
			e := evaluatorOf(source)
			g := e.given()
			lane := 0 // rules with one expression, which is evaluated once, have the same
			for i, rule := range j.rules {
				if i > 0 && j.rules[i-1].expr != rule.expr {
					lane = (lane + 1) % workers
				}
				one := e
				if i >= j.own {
					one = g
				}
				if lane == k {
					out.outcomes[i] = one.run(ctx, rule, rule.window(w))
				}
			}
			touched[k] = *e.touched
		})
	}
	group.Wait()
	for _, n := range touched {
		out.touched += n
	}
	return out
}

// maxCases bounds the incidents over whose timelines rules are run, each by itself.
const maxCases = 25

// overTimeline runs rules over what kube-state-metrics would have reported of each case's timeline. why says why, if there are metrics.
func (r *Result) overTimeline(ctx context.Context, cases []*reconstruct.Case, s Setup, more given, why string) {
	cases = slices.DeleteFunc(slices.Clone(cases), func(c *reconstruct.Case) bool { return !canSynthesise(c) })
	if len(cases) == 0 {
		return
	}
	note := "synthesised: run over what kube-state-metrics 2.20 would have reported of the timeline every 30 s; " +
		"scrapes at other instants shift a firing by up to 30 s, and one that lasts no longer may not come" + why
	if len(cases) > maxCases {
		cases = cases[:maxCases]
		note += fmt.Sprintf(", of the first %d incidents", maxCases)
	}
	s = Setup{OpenShift: s.OpenShift}
	j, out := jobOf(s, more, model.OverSynthesised)
	if slices.ContainsFunc(cases, func(c *reconstruct.Case) bool { return max(len(c.OldPods), len(c.NewPods)) > mostPods }) {
		note += fmt.Sprintf("; of more than %d pods that had a volume or wait for it, the first %d are followed", mostPods, mostPods)
	}
	for i := range out {
		out[i].Note = note
	}
	for _, c := range cases {
		r.Tested[c.ID()] = true
		w := caseWindow(c)
		series, err := synthesise(c, s)
		did := j.run(ctx, func(matchers []*labels.Matcher, _, _ time.Time) ([]*packed, error) {
			return allowed(series, matchers), err
		}, w)
		for i, rule := range j.rules {
			r.add(&out[i], rule, c, did.outcomes[i])
			within(&out[i], w)
		}
	}
	r.Alerts = append(r.Alerts, out...)
}

// within widens the stretch over which an alert was evaluated.
func within(a *model.Alert, w window) {
	if a.EvaluatedFrom == nil || w.from.Before(*a.EvaluatedFrom) {
		a.EvaluatedFrom = new(w.from)
	}
	if a.EvaluatedTo == nil || w.to.After(*a.EvaluatedTo) {
		a.EvaluatedTo = new(w.to)
	}
}

// add puts the outcome of a rule for a case into the alert.
func (r *Result) add(a *model.Alert, rule tested, c *reconstruct.Case, o outcome) {
	a.Parses = o.parsed
	unable := rule.unable(o)
	missing := slices.DeleteFunc(slices.Clone(o.metrics), func(m string) bool { return slices.Contains(synthesised, m) })
	switch {
	case unable.result != "":
	case len(missing) > 0:
		unable = verdict{result: resultNoData, note: "synthesised: the timeline tells nothing of " + strings.Join(missing, ", ") + "."}
	case len(o.fired) == 0 && a.Result == resultNever && slices.Contains(o.metrics, "kube_pod_deletion_timestamp") && endUnknown(c):
		unable = verdict{result: resultNoData, note: "synthesised: nothing tells when the old pod was gone."}
	}
	if unable.result != "" {
		a.Result, a.Note, a.Corrected = unable.result, unable.note, unable.corrected
		return
	}
	for _, f := range o.fired {
		var about *reconstruct.Case
		if !rule.usage && concerns(f.labels, c) {
			about = c
		}
		firing := firingOf(f, about)
		if about != nil {
			r.note(c.ID(), rule, a.Over, firing)
		}
		// Two cases can show one firing, such as one about their common node.
		known := func(g model.Firing) bool { return g.From.Equal(firing.From) && maps.Equal(g.Labels, firing.Labels) }
		if len(a.Firings) < maxFirings && !slices.ContainsFunc(a.Firings, known) {
			a.Firings = append(a.Firings, firing)
		}
	}
	switch {
	case len(a.Firings) > 0:
		a.Result = resultFired
	case o.pending:
		a.Result = resultPending
	}
}

// endUnknown reports that the controller stopped counting an old pod, which can still have existed for long.
func endUnknown(c *reconstruct.Case) bool {
	return !c.OldPodsGone().Known() && slices.ContainsFunc(c.OldPods, func(p model.Ref) bool { _, held := c.World.Pod(p); return !held })
}
