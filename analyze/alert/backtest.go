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
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// maxFirings bounds what is reported of one rule.
const maxFirings = 200

// Run runs all rules over the metrics of a bundle and, for incidents outside them, over series made from the reconstructed timeline.
func Run(ctx context.Context, s *model.Snapshot, cases []*wait.Case, files []model.RuleFile, l *evidence.Ledger) Result {
	list := servers(s.Metrics)
	undated := func(c *wait.Case) bool { return c.Began.Missing() != "" }
	cases = slices.DeleteFunc(slices.Clone(cases), undated)
	setup, more := detect(s, list), rulesOf(files, s.PrometheusRules, s.RuleFiles)
	out := Result{Alerts: []model.Alert{}, Problems: more.notes, Firsts: map[string]First{}, Tested: map[string]bool{}, lost: damages{}}
	var open []*wait.Case // not covered by metrics
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
		out.overMetrics(ctx, list, cases, setup, more)
	}
	out.overTimeline(ctx, open, setup, more, uncovered(list))
	out.served(list, cases, s.ActiveAlerts, more.alerts)
	out.Problems = append(out.Problems, out.lost.problems(s.Problems)...)
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
func (s server) coversCase(c *wait.Case) bool {
	from, to := bounds(c)
	return s.covers(from, to) && !slices.ContainsFunc(decides, func(m string) bool { return !slices.Contains(s.has, m) })
}

// overMetrics runs rules over servers, one after the other.
func (r *Result) overMetrics(ctx context.Context, list []server, cases []*wait.Case, setup Setup, more given) {
	rules, alerts := listed(setup, more, model.OverMetrics)
	for _, s := range list {
		w := s.window(cases)
		source := memo{source: s.scraped, from: w.from.Add(-maxLookback), to: w.to, lost: r.lost}
		r.over(ctx, source.get, w, cases, rules, alerts, s.judge)
		within(alerts, w.aligned())
	}
	for i := range alerts {
		alerts[i].Sources = paths(list)
	}
	r.Alerts = append(r.Alerts, alerts...)
}

// over runs rules over one source, and adds what they did there to their alerts.
func (r *Result) over(ctx context.Context, source fetch, w window, cases []*wait.Case, rules []tested, alerts []model.Alert,
	judge func(tested, outcome) verdict) {
	for i, o := range evaluatorOf(source).all(ctx, rules, w) {
		v := judge(rules[i], o)
		if v.settle(&alerts[i]); v.result == resultFired {
			r.addFirings(&alerts[i], rules[i], o, cases)
		}
		alerts[i].Parses = alerts[i].Parses || o.parsed
	}
}

// within widens the stretch over which alerts were evaluated.
func within(alerts []model.Alert, w window) {
	for i := range alerts {
		a := &alerts[i]
		if a.EvaluatedFrom == nil || w.from.Before(*a.EvaluatedFrom) {
			a.EvaluatedFrom = new(w.from)
		}
		if a.EvaluatedTo == nil || w.to.After(*a.EvaluatedTo) {
			a.EvaluatedTo = new(w.to)
		}
	}
}

// served puts what servers say of their own alerts beside what the rules did.
func (r *Result) served(list []server, cases []*wait.Case, active []model.ActiveAlert, rules []tested) {
	recorded := r.recordedFirings(list, rules, cases)
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

// addFirings adds the firings over a source to an alert, once for each incident concerned. Firings that replicas share count once.
func (r *Result) addFirings(a *model.Alert, rule tested, o outcome, cases []*wait.Case) {
	for _, f := range o.fired {
		withoutReplica(f.Labels)
		var about []*wait.Case
		if !rule.usage() {
			about = concerned(f, cases)
		}
		if len(about) == 0 {
			about = append(about, nil)
		}
		for _, c := range about {
			firing := against(f, c)
			if a.Over == model.OverMetrics {
				firing = r.cited(firing, o.metrics)
			}
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
		apart := endsBefore(f, g.From) || endsBefore(g, f.From)
		return !apart && maps.Equal(g.Labels, f.Labels) && incidentOf(g) == incidentOf(f)
	})
	if i >= 0 {
		list[i] = united(list[i], f)
	} else if len(list) < maxFirings {
		list = append(list, f)
	}
	return list
}

func incidentOf(f model.Firing) string {
	if f.Incident == nil {
		return ""
	}
	return *f.Incident
}

func endsBefore(f model.Firing, t time.Time) bool { return f.To != nil && f.To.Before(t) }

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

// Bounds of what is evaluated of a source.
const (
	maxEvaluated = 24 * time.Hour
	around       = 20 * time.Minute // before the first and after the last incident
	glance       = time.Hour        // of a server that no incident lies in
)

// window is what is evaluated: from the first to the last of the incidents that the server has samples of, with a margin, else the end.
func (s server) window(cases []*wait.Case) window {
	w := window{s.to().Add(-glance), s.to(), ruleInterval}
	some := false
	for _, c := range cases {
		a, b := c.Span.From.At.Add(-around), c.Span.To.At.Add(around)
		if !b.After(s.from()) || !a.Before(s.to()) {
			continue
		}
		if !some {
			w.from, w.to, some = a, b, true
		}
		w.from, w.to = model.Earlier(w.from, a), model.Later(w.to, b)
	}
	w.to = model.Earlier(w.to, s.to())
	w.from = model.Later(w.from, model.Later(s.from(), w.to.Add(-maxEvaluated)))
	return w
}
