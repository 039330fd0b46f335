package alert

import (
	"cmp"
	"errors"
	"maps"
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
	active   time.Time // since when its expression had a result
	before   bool      // that was so at the first evaluation
}

// identity is an alert: one set of labels.
type identity struct {
	labels map[string]string
	key    string // the labels as text
	steps  []int  // at which the expression has a result, ascending

	next        int // of steps
	state       alertState
	since, kept int // steps: active since, and kept firing since; kept is -1 while it has a result
	fired       interval
}

type alertState int

const (
	inactive alertState = iota
	pending
	firing
)

var errDuplicate = errors.New("two results have the same labels, which Prometheus refuses")

// states applies for, keep_firing_for and limit as rules.AlertingRule.Eval does. A failed evaluation leaves every alert as it is.
func (o *outcome) states(p points, r tested, hold, keep time.Duration) {
	w := o.evaluated
	before := len(p.failed)
	all := identities(p, r, w)
	if twice := len(p.failed) - before; twice > 0 {
		if o.failed += twice; o.failure == nil {
			o.failure = errDuplicate
		}
	}
	for step := range w.steps() {
		if p.failed[step] {
			continue
		}
		active := 0
		for _, a := range all {
			if a.step(step, w, hold, keep, o) {
				active++
			}
		}
		if r.limit > 0 && active > r.limit {
			o.limited++
			for _, a := range all {
				a.drop(step, w, o)
			}
		}
	}
	for _, a := range all {
		if a.state == firing {
			o.fired = append(o.fired, a.fired)
		}
	}
	slices.SortStableFunc(o.fired, func(a, b interval) int {
		return cmp.Or(a.from.Compare(b.from), labels.Compare(labels.FromMap(a.labels), labels.FromMap(b.labels)))
	})
}

// step brings an alert to an evaluation, and reports whether it is pending or firing then.
func (a *identity) step(step int, w window, hold, keep time.Duration, o *outcome) bool {
	switch {
	case a.next < len(a.steps) && a.steps[a.next] == step:
		a.next++
		a.kept = -1
		if a.state == inactive {
			a.state, a.since = pending, step
		}
	case a.state == firing && keep > 0 && (a.kept < 0 || w.at(step).Sub(w.at(a.kept)) < keep):
		if a.kept < 0 {
			a.kept = step
		}
	default:
		a.clear(step, w, o)
		return false
	}
	if a.state == pending && w.at(step).Sub(w.at(a.since)) >= hold {
		a.state = firing
		a.fired = interval{from: w.at(step), labels: a.labels, active: w.at(a.since), before: a.since == 0}
	}
	o.pending = o.pending || a.state == pending
	return true
}

// clear ends an alert.
func (a *identity) clear(step int, w window, o *outcome) {
	if a.state == firing {
		a.fired.to = w.at(step)
		o.fired = append(o.fired, a.fired)
	}
	a.state, a.kept = inactive, -1
}

// drop ends an alert at an evaluation that is thrown away: what began with it never began.
func (a *identity) drop(step int, w window, o *outcome) {
	if a.state == firing && a.fired.from.Equal(w.at(step)) {
		a.state = inactive
	}
	a.clear(step, w, o)
}

// identities groups results by alert. An evaluation at which two results make one alert fails, as in Prometheus.
func identities(p points, r tested, w window) []*identity {
	of := map[string]*identity{}
	templates := r.templates()
	alert := func(series labels.Labels, v float64) *identity {
		l := alertLabels(series, templates, v)
		key := labels.FromMap(l).String()
		if of[key] == nil {
			of[key] = &identity{labels: l, key: key, kept: -1}
		}
		return of[key]
	}
	for _, s := range p.series {
		one := alert // of each value
		if !templates.useValue() {
			same := alert(s.Metric, 0)
			one = func(labels.Labels, float64) *identity { return same }
		}
		add := func(t int64, v float64) {
			a := one(s.Metric, v)
			a.steps = append(a.steps, w.step(t))
		}
		for _, f := range s.Floats {
			add(f.T, f.F)
		}
		for _, h := range s.Histograms {
			add(h.T, h.H.Sum)
		}
	}
	for _, a := range of {
		slices.Sort(a.steps)
		for i := 1; i < len(a.steps); i++ {
			if a.steps[i] == a.steps[i-1] {
				p.failed[a.steps[i]] = true
			}
		}
		a.steps = slices.Compact(a.steps)
	}
	return slices.SortedFunc(maps.Values(of), func(a, b *identity) int { return strings.Compare(a.key, b.key) })
}

// alertLabels are those of an alert: the series' without its name, and the rule's own.
func alertLabels(series labels.Labels, own templates, value float64) map[string]string {
	out := series.Map()
	delete(out, model.MetricName)
	for _, t := range own {
		if text := t.expand(series, value); text != "" {
			out[t.name] = text
		} else {
			delete(out, t.name)
		}
	}
	return out
}
