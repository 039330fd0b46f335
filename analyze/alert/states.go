package alert

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/volpost/volpost/model"
)

// identity is an alert: one set of labels.
type identity struct {
	labels map[string]string
	steps  []int // at which the expression has a result, ascending
}

// states applies for and keep_firing_for as rules.AlertingRule.Eval does. A failed evaluation leaves every alert as it is.
func (o *outcome) states(p points, r tested) error {
	hold, keep, err := r.durations()
	if err != nil {
		return err
	}
	for _, a := range identities(p, r, o.evaluated) {
		o.follow(a, p.failed, hold, keep)
	}
	slices.SortStableFunc(o.fired, func(a, b model.Firing) int {
		return cmp.Or(a.From.Compare(b.From), labels.Compare(labels.FromMap(a.Labels), labels.FromMap(b.Labels)))
	})
	return nil
}

// follow brings one alert through all evaluations.
func (o *outcome) follow(a identity, failed map[int]bool, hold, keep time.Duration) {
	w, inactive := o.evaluated, -1
	since, kept := inactive, inactive // when it became active, and since when it is kept firing without a result
	var firing *model.Firing
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
				firing.To = &at
				o.fired = append(o.fired, *firing)
			}
			since, kept, firing = inactive, inactive, nil
			continue
		}
		if firing == nil && at.Sub(w.at(since)) >= hold {
			firing = &model.Firing{From: at, Labels: a.labels, ActiveBefore: since == 0}
		}
		o.pending = o.pending || firing == nil
	}
	if firing != nil {
		o.fired = append(o.fired, *firing)
	}
}

// identities groups results by alert.
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
		if out[l.Name] = l.Value; len(l.Value) <= maxTemplate {
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
