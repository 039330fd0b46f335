package alert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// passing are metrics whose series exist only while a condition holds: no series means no condition (kube-state-metrics 2.0–2.20).
var passing = []string{
	"kube_pod_deletion_timestamp", "kube_pod_container_status_waiting_reason", "kube_pod_init_container_status_waiting_reason",
	"kube_pod_container_status_terminated_reason", "kube_pod_status_disruption_reason", "kube_persistentvolumeclaim_deletion_timestamp",
	"kube_persistentvolume_deletion_timestamp", "kube_node_spec_taint", "kube_node_deletion_timestamp", recordedAlerts, "ALERTS_FOR_STATE",
}

// diagnose says why an expression never had a result: nothing to see, its metrics are missing, or it cannot match anything.
func (s server) diagnose(r tested) verdict {
	expr, err := parse(r.expr)
	if err != nil {
		return verdict{result: resultNever}
	}
	d := diagnosis{server: s, known: map[string]*labelSet{}}
	d.necessary(expr)
	if d.damage != "" {
		return verdict{result: resultError, note: words.Capital(d.damage) + "."}
	}
	if d.flaw != "" {
		return verdict{resultCannot, d.flaw, r.corrected}
	}
	if len(d.missing) > 0 {
		slices.Sort(d.missing)
		return verdict{result: resultNoData, note: s.Path + " has no series of " + strings.Join(slices.Compact(d.missing), ", ") + "."}
	}
	return verdict{result: resultNever}
}

// diagnosis looks at the parts of an expression without which it has no result.
type diagnosis struct {
	server  server
	known   map[string]*labelSet // of metrics; nil for a metric without series
	missing []string
	flaw    string // the first
	damage  string // what keeps a metric from being read, the first
}

// necessary goes through the parts of which each has to have a result.
func (d *diagnosis) necessary(node parser.Node) {
	switch n := node.(type) {
	case *parser.VectorSelector:
		d.selector(n)
	case *parser.Call:
		if strings.HasPrefix(n.Func.Name, "absent") {
			return
		}
	case *parser.BinaryExpr:
		if n.Op == parser.LUNLESS {
			d.necessary(n.LHS)
		}
		if n.Op == parser.LUNLESS || n.Op == parser.LOR {
			return
		}
		if m := n.VectorMatching; m != nil && m.On {
			for _, label := range m.MatchingLabels {
				d.match(n.LHS, n.RHS, label)
				d.match(n.RHS, n.LHS, label)
			}
		}
	}
	for child := range parser.ChildrenIter(node) {
		d.necessary(child)
	}
}

// match finds a label by which two sides are to be joined, which one of them never has and the other always.
func (d *diagnosis) match(a, b parser.Expr, label string) {
	metric, lacks := d.labelled(a, label)
	_, has := d.labelled(b, label)
	both := lacks != nil && has != nil
	if both && !slices.Contains(lacks.some, label) && slices.Contains(has.always, label) {
		d.flaw = cmp.Or(d.flaw, fmt.Sprintf("%s has no label %s, by which it is to be joined.", metric, label))
	}
}

// labelled are the labels of the metric from which the results of an expression have a label; nil where another part may give it.
func (d *diagnosis) labelled(node parser.Expr, label string) (metric string, has *labelSet) {
	switch n := node.(type) {
	case *parser.ParenExpr:
		return d.labelled(n.Expr, label)
	case *parser.VectorSelector:
		if metric, ok := metricIn(n.LabelMatchers); ok {
			return metric, d.labels(metric)
		}
	case *parser.AggregateExpr:
		if !n.Without && slices.Contains(n.Grouping, label) {
			return d.labelled(n.Expr, label)
		}
	case *parser.BinaryExpr:
		m := n.VectorMatching
		if n.RHS.Type() == parser.ValueTypeScalar || n.Op == parser.LAND || n.Op == parser.LUNLESS {
			return d.labelled(n.LHS, label)
		}
		if n.LHS.Type() == parser.ValueTypeScalar || m.Card == parser.CardOneToMany && !slices.Contains(m.Include, label) {
			return d.labelled(n.RHS, label)
		}
		if m.Card == parser.CardManyToOne && !slices.Contains(m.Include, label) {
			return d.labelled(n.LHS, label)
		}
	}
	return "", nil
}

func (d *diagnosis) selector(v *parser.VectorSelector) {
	metric, ok := metricIn(v.LabelMatchers)
	if !ok {
		return
	}
	has := d.labels(metric)
	family, created := strings.CutSuffix(metric, "_created")
	switch {
	case has != nil:
		for _, m := range v.LabelMatchers {
			if m.Name != model.MetricName && !slices.Contains(has.some, m.Name) && !m.Matches("") {
				d.flaw = cmp.Or(d.flaw, fmt.Sprintf("%s has no label %s.", metric, m.Name))
			}
		}
	case slices.Contains(passing, metric):
	case created && strings.HasPrefix(metric, "kube_") && d.labels(family+"_info") != nil:
		d.flaw = cmp.Or(d.flaw, metric+" is not collected, although the exporter's other metrics are: "+
			"OpenShift's monitoring drops all of kube-state-metrics that end in _created.")
	default:
		d.missing = append(d.missing, metric)
	}
}

// labelSet are the labels of a metric: those that some of its series have, and those that all have.
type labelSet struct{ some, always []string }

// maxLabelled is how many series of a metric are looked at for their labels.
const maxLabelled = 2000

// labels are the labels that series of a metric have in the whole source; nil where it has no series.
func (d *diagnosis) labels(metric string) *labelSet {
	if has, ok := d.known[metric]; ok {
		return has
	}
	has, err := d.server.labelSet(metric, maxLabelled) // what cannot be read has its labels all the same
	if d.damage == "" && damaged(err) {
		d.damage = err.Error()
	}
	d.known[metric] = has
	return has
}

// labelSet are the labels of up to so many series of a metric; nil without any.
func (s server) labelSet(metric string, most int) (has *labelSet, err error) {
	err = some(s.scraped, metric, most, func(l model.Labels, _ model.Samples) {
		var names []string
		for _, label := range l {
			if label.Value != "" {
				names = append(names, label.Name)
			}
		}
		if has == nil {
			has = &labelSet{always: names}
		}
		for _, name := range names {
			if !slices.Contains(has.some, name) {
				has.some = append(has.some, name)
			}
		}
		has.always = slices.DeleteFunc(has.always, func(name string) bool { return !slices.Contains(names, name) })
	})
	return has, err
}
