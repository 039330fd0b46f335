package alert

import (
	"errors"
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

// given are alerting rules that are not volpost's own. What recording rules make is what the server recorded.
type given struct {
	alerts []tested
	notes  []model.Problem // what is not run, and why
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
	if n := len(own.alerts) - maxGiven; n > 0 {
		first := own.alerts[maxGiven]
		own.note(first.origin, first.line, fmt.Sprintf("%d alerting rules from %s on are not run; the limit is %d", n, first.name, maxGiven))
		own.alerts = own.alerts[:maxGiven]
	}
	all := g.alerts
	g.alerts = slices.DeleteFunc(slices.Clone(all), func(r tested) bool { return !about(r.expr) })
	g.alerts = g.alerts[:min(len(g.alerts), maxFound)]
	if n := len(all) - len(g.alerts); n > 0 {
		g.note(all[0].origin, 0, fmt.Sprintf("%d of the %d alerting rules in the bundle are not run: they are about other things than "+
			"pods, nodes and volumes, or too many", n, len(all)))
	}
	return given{append(own.alerts, g.alerts...), append(own.notes, g.notes...)}
}

// once drops rules that are there twice. A server writes expressions in its own way.
func (g *given) once() {
	seen := map[string]bool{}
	g.alerts = slices.DeleteFunc(g.alerts, func(r tested) bool {
		expr := r.expr
		if parsed, err := parse(expr); err == nil {
			expr = parsed.String()
		}
		key := fmt.Sprintf("%q %q %q %q %q", r.name, expr, r.hold, r.keep, r.labels)
		defer func() { seen[key] = true }()
		return seen[key]
	})
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
			if (r.Alert == "") == (r.Record == "") {
				g.note(path, r.Line, fmt.Sprintf("a rule of the group %q has to have either alert or record, and is not run", group.Name))
			} else if r.Alert != "" {
				g.alerts = append(g.alerts, tested{
					name: r.Alert, origin: path, line: r.Line, expr: r.Expr, hold: r.For, keep: r.KeepFiringFor, labels: r.Labels,
					interval: time.Duration(interval), severity: severityOf(r.Labels),
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

// prefixes are those of metrics of pods, nodes and volumes.
var prefixes = []string{
	"kube_volumeattachment_", "kube_persistentvolume", "kube_pod_", "kube_node_", "kube_statefulset_", "kube_deployment_", "kube_replicaset_",
	"kubelet_volume_", "storage_operation_", "attachdetach_", "attach_detach_", "csi_", "kube_storageclass_",
}

// about reports that an expression names one of those metrics.
func about(text string) bool {
	expr, err := parse(text)
	if err != nil {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.Contains(text, p) })
	}
	return slices.ContainsFunc(metricNames(expr), func(name string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	})
}

// usage reports that a rule is about how full volumes are: that one is 70 % full does not keep it from moving, and is no early warning.
func (r tested) usage() bool { return strings.Contains(r.expr, "kubelet_volume_stats_") }

// usageWords are those of the names of such alerts, of which nothing but the name is known.
var usageWords = []string{"usage", "filling", "full", "capacity", "inode", "space"}

// namesUsage reports that a rule of a name is about how full volumes are or, where none is known, that the name is.
func namesUsage(name string, rules []tested) bool {
	if i := slices.IndexFunc(rules, func(r tested) bool { return r.name == name }); i >= 0 {
		return rules[i].usage()
	}
	name = strings.ToLower(name)
	return slices.ContainsFunc(usageWords, func(w string) bool { return strings.Contains(name, w) })
}

// place is an error of the parser with the file and line of the rule, where it comes out of a file.
func (r tested) place(err error) string {
	var list parser.ParseErrors
	if r.line == 0 || !errors.As(err, &list) || len(list) == 0 {
		return err.Error()
	}
	at := min(max(int(list[0].PositionRange.Start), 0), len(r.expr))
	return fmt.Sprintf("%s:%d: parse error: %v", r.origin, r.line+strings.Count(r.expr[:at], "\n"), list[0].Err)
}
