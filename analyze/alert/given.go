package alert

import (
	"fmt"
	"slices"
	"strings"
	"time"

	commonmodel "github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Bounds on the rules that files and the bundle bring.
const (
	maxGiven = 1000 // of files
	maxFound = 300  // of the bundle
)

// given are rules that are not volpost's own: alerting rules to run, and recording rules that these can build on.
type given struct {
	alerts  []tested
	records []recording     // each after those that it builds on
	notes   []model.Problem // what is not run, and why
}

// recording is a recording rule.
type recording struct {
	tested
	needs []string // metrics that its expression names
}

// rulesOf takes the rules of files, and of the bundle's objects and servers (mostly the same) those about pods, nodes and volumes.
func rulesOf(files []model.RuleFile, found []model.Object[[]model.RuleGroup], answered []model.RuleFile) given {
	var g, own given
	for _, f := range files {
		own.take(f.Path, f.Groups)
	}
	for _, o := range model.Newest(found) {
		g.take(o.Input, o.Value())
	}
	for _, f := range answered {
		g.take(f.Path, f.Groups)
	}
	g.once()
	g.records = append(own.records, g.records...)
	g.order()
	if n := len(own.alerts) - maxGiven; n > 0 {
		first := own.alerts[maxGiven]
		own.note(first.origin, first.line, fmt.Sprintf("%d alerting rules from %s on are not run; the limit is %d", n, first.name, maxGiven))
		own.alerts = own.alerts[:maxGiven]
	}
	all := g.alerts
	g.alerts = slices.DeleteFunc(slices.Clone(all), func(r tested) bool { return !g.about(r.expr) })
	g.alerts = g.alerts[:min(len(g.alerts), maxFound)]
	if n := len(all) - len(g.alerts); n > 0 {
		g.note(all[0].origin, 0, fmt.Sprintf("%d of the %d alerting rules in the bundle are not run: they are about other things than "+
			"pods, nodes and volumes, or too many", n, len(all)))
	}
	out := given{append(own.alerts, g.alerts...), g.records, append(own.notes, g.notes...)}
	for i, r := range out.alerts {
		if expr, err := parse(r.expr); err == nil {
			out.alerts[i].usage = ofUsage(out.sources(metricNames(expr)))
		}
	}
	return out
}

// once drops rules that are there twice. A server writes expressions in its own way.
func (g *given) once() {
	seen := map[string]bool{}
	again := func(r tested) bool {
		expr := r.expr
		if parsed, err := parse(expr); err == nil {
			expr = parsed.String()
		}
		key := fmt.Sprintf("%q %q %q %q %q", r.name, expr, r.hold, r.keep, r.labels)
		defer func() { seen[key] = true }()
		return seen[key]
	}
	g.alerts = slices.DeleteFunc(g.alerts, again)
	g.records = slices.DeleteFunc(g.records, func(r recording) bool { return again(r.tested) })
}

func (g *given) note(path string, line int, text string) {
	g.notes = append(g.notes, model.Problem{Severity: model.Info, Path: path, Line: line, Message: text})
}

// take adds the rules of a file.
func (g *given) take(path string, groups []model.RuleGroup) {
	for _, group := range groups {
		interval, err := commonmodel.ParseDuration(group.Interval)
		if err != nil && group.Interval != "" {
			g.note(path, 0, fmt.Sprintf("the interval of the group %q: %v; %s is taken", group.Name, err, words.Duration(ruleInterval)))
		}
		for _, r := range group.Rules {
			switch {
			case (r.Alert == "") == (r.Record == ""):
				g.note(path, r.Line, fmt.Sprintf("a rule of the group %q has to have either alert or record, and is not run", group.Name))
			case r.Record != "":
				g.record(path, group, r, time.Duration(interval))
			default:
				g.alerts = append(g.alerts, tested{
					name: r.Alert, origin: path, line: r.Line, expr: r.Expr, hold: r.For, keep: r.KeepFiringFor, labels: r.Labels,
					limit: group.Limit, interval: time.Duration(interval), severity: severityOf(r.Labels),
				})
			}
		}
	}
}

// severityOf is the severity that a rule's labels say; "" where they say none.
func severityOf(list []model.Label) string {
	if i := slices.IndexFunc(list, func(l model.Label) bool { return l.Name == "severity" }); i >= 0 {
		return list[i].Value
	}
	return ""
}

func (g *given) record(path string, group model.RuleGroup, r model.Rule, interval time.Duration) {
	expr, err := parse(r.Expr)
	if err == nil {
		err = bounded(expr)
	}
	if err == nil && expr.Type() != parser.ValueTypeVector && expr.Type() != parser.ValueTypeScalar {
		err = fmt.Errorf("the expression is a %s, and a rule needs an instant vector", expr.Type())
	}
	if err != nil {
		at, text := placeOf(r.Expr, r.Line, err)
		g.note(path, at, fmt.Sprintf("the recording rule %s is not run: %s", r.Record, text))
		return
	}
	g.records = append(g.records, recording{needs: metricNames(expr), tested: tested{
		name: r.Record, origin: path, line: r.Line, expr: r.Expr, labels: r.Labels, limit: group.Limit, interval: interval}})
}

// order puts recording rules after those that they need. A cycle is left out: its result depends on earlier values, which are unknown.
func (g *given) order() {
	const entered, left = 1, 2
	state := make([]int, len(g.records))
	var out []recording
	var visit func(i int) bool
	visit = func(i int) bool {
		switch state[i] {
		case entered:
			return false
		case left:
			return true
		}
		state[i] = entered
		circle := false
		for j, r := range g.records {
			if slices.Contains(g.records[i].needs, r.name) && !visit(j) {
				circle = true
			}
		}
		if state[i] = left; circle {
			r := g.records[i]
			g.note(r.origin, r.line, fmt.Sprintf("the recording rule %s is not run: it builds on its own earlier values", r.name))
			return true
		}
		out = append(out, g.records[i])
		return true
	}
	for i := range g.records {
		visit(i)
	}
	g.records = out
}

// prefixes are those of metrics of pods, nodes and volumes.
var prefixes = []string{
	"kube_volumeattachment_", "kube_persistentvolume", "kube_pod_", "kube_node_", "kube_statefulset_", "kube_deployment_", "kube_replicaset_",
	"kubelet_volume_", "storage_operation_", "attachdetach_", "attach_detach_", "csi_", "kube_storageclass_",
}

// about reports that an expression names one of those metrics, or one recorded of them.
func (g *given) about(text string) bool {
	expr, err := parse(text)
	if err != nil {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.Contains(text, p) })
	}
	names := metricNames(expr)
	for _, r := range slices.Backward(g.records) { // each stands after those that it builds on
		if slices.Contains(names, r.name) {
			names = append(names, r.needs...)
		}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	})
}

// sources are the metrics that what is recorded of them stands for, and the recorded ones no more.
func (g given) sources(names []string) []string {
	for _, r := range slices.Backward(g.records) {
		if slices.Contains(names, r.name) {
			names = append(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == r.name }), r.needs...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
