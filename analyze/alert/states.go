package alert

import (
	"cmp"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/volpost/volpost/model"
)

// interval of time in which an alert with some labels fired; to is zero when it fired at the last evaluation.
type interval struct {
	from, to time.Time
	labels   map[string]string
	before   bool // that was so at the first evaluation
}

// identity is an alert: one set of labels.
type identity struct {
	labels map[string]string
	steps  []int // at which the expression has a result, ascending
}

var errDuplicate = errors.New("two results have the same labels, which Prometheus refuses")

// states applies for and keep_firing_for as rules.AlertingRule.Eval does. A failed evaluation leaves every alert as it is.
func (o *outcome) states(p points, r tested, hold, keep time.Duration) {
	before := len(p.failed)
	all := identities(p, r, o.evaluated)
	if twice := len(p.failed) - before; twice > 0 {
		o.failed, o.failure = o.failed+twice, cmp.Or(o.failure, errDuplicate)
	}
	for _, a := range all {
		o.follow(a, p.failed, hold, keep)
	}
	slices.SortStableFunc(o.fired, func(a, b interval) int {
		return cmp.Or(a.from.Compare(b.from), labels.Compare(labels.FromMap(a.labels), labels.FromMap(b.labels)))
	})
}

// follow brings one alert through all evaluations.
func (o *outcome) follow(a identity, failed map[int]bool, hold, keep time.Duration) {
	w, inactive := o.evaluated, -1
	since, kept := inactive, inactive // when it became active, and since when it is kept firing without a result
	var firing *interval
	for step := range w.steps() {
		at := w.at(step)
		_, holds := slices.BinarySearch(a.steps, step)
		switch {
		case failed[step]:
			continue
		case holds:
			if kept = inactive; since == inactive {
				since = step
			}
		case firing != nil && keep > 0 && (kept == inactive || at.Sub(w.at(kept)) < keep):
			if kept == inactive {
				kept = step
			}
		default:
			if firing != nil {
				firing.to = at
				o.fired = append(o.fired, *firing)
			}
			since, kept, firing = inactive, inactive, nil
			continue
		}
		if firing == nil && at.Sub(w.at(since)) >= hold {
			firing = &interval{from: at, labels: a.labels, before: since == 0}
		}
		o.pending = o.pending || firing == nil
	}
	if firing != nil {
		o.fired = append(o.fired, *firing)
	}
}

// identities groups results by alert. An evaluation at which two results make one alert fails, as in Prometheus.
func identities(p points, r tested, w window) []identity {
	of := map[string]*identity{}
	for _, s := range p.series {
		l := r.alertLabels(s.Metric)
		key := labels.FromMap(l).String()
		if of[key] == nil {
			of[key] = &identity{labels: l}
		}
		for _, f := range s.Floats {
			of[key].steps = append(of[key].steps, w.step(f.T))
		}
		for _, h := range s.Histograms {
			of[key].steps = append(of[key].steps, w.step(h.T))
		}
	}
	var out []identity
	for _, key := range slices.Sorted(maps.Keys(of)) {
		a := of[key]
		slices.Sort(a.steps)
		for i := 1; i < len(a.steps); i++ {
			if a.steps[i] == a.steps[i-1] {
				p.failed[a.steps[i]] = true
			}
		}
		a.steps = slices.Compact(a.steps)
		out = append(out, *a)
	}
	return out
}

// maxTemplate bounds the text of a label that is filled in, in bytes.
const maxTemplate = 4 << 10

// filledIn is what of a label's template is filled in. Templates can query and loop: any other is left as it is written.
var filledIn = regexp.MustCompile(`\{\{\s*\$labels\.(\w+)\s*\}\}`)

// alertLabels are those of an alert: the series' without its name, and the rule's own.
func (r tested) alertLabels(series labels.Labels) map[string]string {
	out := series.Map()
	delete(out, model.MetricName)
	for _, l := range r.labels {
		if out[l.Name] = l.Value; !verbatim(l) {
			out[l.Name] = filledIn.ReplaceAllStringFunc(l.Value, func(text string) string {
				return series.Get(filledIn.FindStringSubmatch(text)[1])
			})
		}
		if out[l.Name] == "" {
			delete(out, l.Name)
		}
	}
	return out
}

// verbatim reports that the template of a label is not executed.
func verbatim(l model.Label) bool {
	return strings.Contains(l.Value, "{{") && (len(l.Value) > maxTemplate || strings.Contains(filledIn.ReplaceAllString(l.Value, ""), "{{"))
}
