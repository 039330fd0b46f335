// Package kubestate reads the metrics of kube-state-metrics 1.9.0 to 2.20.0 as statements (docs/metrics of each tag). A series is the
// sampled state of an object, so that a change lies between two samples. Values that are times are exact to a second.
//
// It also reads what kube-controller-manager and kubelets count: forced detaches, operations of each driver, process starts, volume usage.
package kubestate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
	"github.com/volpost/volpost/model/words"
)

// family is a metric that is read, and which of its series: a label and an expression of its values.
type family struct {
	name, label, values string
}

// families are the metrics that are read. Of those with many series for one object only those are that are looked at.
var families = []family{
	{systemCreated, "namespace", "kube-system"},
	{name: "kube_node_info"},
	{"kube_node_status_condition", "condition", "Ready"},
	{name: "kube_node_spec_taint"},
	{name: "kube_lease_renew_time"},
	{name: "kube_volumeattachment_info"}, {name: "kube_volumeattachment_created"},
	{name: "kube_volumeattachment_spec_source_persistentvolume"}, {name: "kube_volumeattachment_status_attached"},
	{name: "kube_persistentvolume_info"}, {name: "kube_persistentvolume_access_mode"},
	{name: "kube_persistentvolumeclaim_info"}, {name: "kube_persistentvolumeclaim_access_mode"},
	{name: "kube_pod_info"}, {name: "kube_pod_created"}, {name: "kube_pod_deletion_timestamp"},
	{"kube_pod_status_phase", "phase", "Failed|Succeeded"},
	{"kube_pod_status_ready", "condition", "true"},
	{name: "kube_pod_status_ready_time"}, {name: "kube_pod_status_scheduled_time"},
	{"kube_pod_container_status_waiting_reason", "reason", "ContainerCreating|PodInitializing"},
	{name: "kube_pod_spec_volumes_persistentvolumeclaims_info"},
	{name: forcedFamilies[0]}, {name: forcedFamilies[1]},
	{"storage_operation_duration_seconds_count", "operation_name", "volume_attach|volume_detach"},
	{"storage_operation_duration_seconds_sum", "operation_name", "volume_attach|volume_detach"},
	{"process_start_time_seconds", "job", ".*kube-controller-manager.*"},
	{name: "kubelet_volume_stats_used_bytes"}, {name: "kubelet_volume_stats_capacity_bytes"},
	{name: "kubelet_volume_stats_inodes_used"}, {name: "kubelet_volume_stats_inodes"},
}

// Selector selects the metrics that are read, and the alerts that fired, as PromQL.
const Selector = `{__name__=~"kube_(namespace_created|node_(info|status_condition|spec_taint)|lease_renew_time|volumeattachment_.+|` +
	`persistent(volume|volumeclaim)_(info|access_mode)|pod_(info|created|deletion_timestamp|status_(phase|ready|ready_time|scheduled_time)|` +
	`container_status_waiting_reason|spec_volumes_persistentvolumeclaims_info))|.*attachdetach_controller_forced_detaches|` +
	`storage_operation_duration_seconds_(count|sum)|process_start_time_seconds|kubelet_volume_stats_.+|ALERTS"}`

func (f family) matchers() []model.Matcher {
	out := []model.Matcher{{Name: model.MetricName, Type: model.MatchEqual, Value: f.name}}
	if f.label != "" {
		out = append(out, model.Matcher{Name: f.label, Type: model.MatchRegexp, Value: f.values})
	}
	return out
}

// Result is what a source says of one cluster.
type Result struct {
	Cluster  string // as a label of its series names it; "" without one
	Identity Identity
	Mixed    string        // a sentence that shows two clusters which no label separates; nothing is reported then
	Interval time.Duration // between scrapes; 0 when there are not two
	Series   int           // that were read
	Damage   []string      // sentences about what is not complete

	reader *reader
}

// Read reads the series of one source, of each of its clusters.
func Read(src model.MetricSource) []Result {
	all := &reader{src: src, of: map[string][]*track{}, scrapes: map[string][]time.Time{},
		kin: map[string]map[string]bool{}, cut: map[string]bool{}}
	all.load()
	var out []Result
	for _, r := range all.clusters() {
		r.res.Interval, r.res.Identity = r.interval(), r.identity()
		r.res.Mixed = r.mixed()
		r.res.reader = r
		out = append(out, r.res)
	}
	return out
}

// Statements gives the statements one by one, in no order of time, and lets go of the series.
func (res *Result) Statements(yield func(model.Observation)) {
	r := res.reader
	res.reader = nil
	if r == nil || res.Mixed != "" {
		return
	}
	r.yield = yield
	if r.src.Form == model.MetricAPI {
		r.age = r.ages()
	}
	r.together()
	r.nodes()
	r.attachments()
	r.volumes()
	r.pods()
	r.counters()
	r.usage()
	r.covers()
}

type reader struct {
	src     model.MetricSource
	of      map[string][]*track // by metric, in the order of labels
	scrapes map[string][]time.Time
	age     map[string]time.Duration   // by target: how much older than its time a sample can be
	targets []string                   // with scrapes, in order
	kin     map[string]map[string]bool // targets that gave one object, and so can come in place of each other
	cut     map[string]bool            // metrics of which damage hides whole series
	res     Result
	yield   func(model.Observation)
}

// maxDamage bounds how many damaged series are named.
const maxDamage = 20

func (r *reader) load() {
	l := loader{reader: r}
	var late []string
	for _, f := range families {
		if err := r.src.Select(f.matchers(), time.Time{}, time.Time{}, l.series); errors.Is(err, context.DeadlineExceeded) {
			r.cut[f.name] = true
			late = append(late, f.name)
		} else if err != nil {
			r.cut[f.name] = true
			l.lost(fmt.Sprintf("%s; which other series of %s there are is not known", err, f.name))
		}
	}
	if l.damaged > maxDamage {
		r.res.Damage = append(r.res.Damage, fmt.Sprintf("%d more series or metrics are damaged", l.damaged-maxDamage))
	}
	if len(late) > 0 {
		r.res.Damage = append(r.res.Damage, "for want of time, these are not read to their end: "+strings.Join(late, ", "))
	}
	seen := map[string]bool{}
	for _, f := range families {
		for _, t := range r.of[f.name] {
			t.runs = join(t.runs, r.scrapes[t.target])
			if !seen[t.target] {
				seen[t.target] = true
				r.targets = append(r.targets, t.target)
			}
		}
	}
}

// loader takes the series of a source one by one.
type loader struct {
	*reader
	damaged int
	times   []time.Time // of the series at hand
}

// lost takes note of damage, as far as so much is worth reading.
func (l *loader) lost(text string) {
	if l.damaged++; l.damaged <= maxDamage {
		l.res.Damage = append(l.res.Damage, text)
	}
}

func (l *loader) series(labels model.Labels, samples model.Samples) error {
	l.times = l.times[:0]
	runs, err := follow(samples, func(at time.Time) { l.times = append(l.times, at) })
	if err != nil {
		l.lost(err.Error() + "; when what it tells of began and ended is not known")
	}
	l.res.Series++
	name := labels.Get(model.MetricName)
	if len(runs) == 0 {
		l.cut[name] = l.cut[name] || err != nil // of which object there would be more is not reported
		return nil
	}
	t := &track{labels: labelsOf(labels), target: once(targetOf(labels)), cluster: once(ClusterOf(labels)),
		runs: runs, cut: err != nil}
	by := &origin{t.labels, t.target, t.target, []string{t.target}}
	for i := range runs {
		runs[i].by = by
	}
	l.scrapes[t.target] = merge(l.scrapes[t.target], l.times)
	l.of[name] = append(l.of[name], t)
	return nil
}

// interval is the most frequent distance of two scrapes.
func (r *reader) interval() time.Duration {
	count := map[time.Duration]int{}
	for _, f := range families {
		for _, t := range r.of[f.name][:min(len(r.of[f.name]), 1)] {
			list := r.scrapes[t.target]
			for i := 1; i < len(list); i++ {
				count[list[i].Sub(list[i-1]).Round(time.Second)]++
			}
		}
	}
	var best time.Duration
	for d, n := range count {
		if n > count[best] || n == count[best] && d < best {
			best = d
		}
	}
	return best
}

// changed is a change that lies between two samples of a target.
func (r *reader) changed(t *track, from, to time.Time) model.Moment {
	return model.Between(from.Add(-r.age[t.target]), to)
}

// setter fills in what a statement is about.
type setter = func(*model.Observation)

// say adds a statement. text are the samples that it rests on, at is the time of the decisive one.
func (r *reader) say(kind model.Kind, m model.Moment, t *track, at time.Time, text string, set setter) {
	series := t.labels.String()
	o := model.Observation{
		Kind: kind, At: m, Last: m, Count: 1, Component: "kube-state-metrics", Input: r.src.Input,
		Source: model.Source{Kind: model.SourceMetric, Path: r.src.Path, Series: series, Field: stamp(at)},
		Quote:  mask.Quote(series + " " + text),
	}
	set(&o)
	r.yield(o)
}

// lasted says what held at every scrape of a run.
func (r *reader) lasted(kind model.Kind, t *track, run run, set setter) {
	text := sample(run.value, run.from) + words.If(run.to.After(run.from), ", "+sample(run.value, run.to))
	r.say(kind, model.Exactly(run.from), t, run.from, text, func(o *model.Observation) {
		o.Last = model.Exactly(run.to)
		if run.to.After(run.from) {
			o.Count = 2
		}
		set(o)
	})
}

// undated says what a series has shown from its first sample on.
func (r *reader) undated(kind model.Kind, t *track, set setter) {
	r.say(kind, model.Moment{}, t, t.runs[0].from, sample(t.runs[0].value, t.runs[0].from), set)
}

// dated says what happened at the time that run i of a series has as its value; false when that is none.
func (r *reader) dated(kind model.Kind, t *track, i int, set setter) bool {
	m, ok := second(t.runs[i].value)
	if ok {
		r.say(kind, m, t, t.runs[i].from, sample(t.runs[i].value, t.runs[i].from), set)
	}
	return ok
}

// begun says what happened when run i of a series began; false when that is not known.
func (r *reader) begun(kind model.Kind, t *track, i int, set setter) bool {
	m, quote, ok := r.began(t, i)
	if ok {
		r.say(kind, m, t, t.runs[i].from, quote, set)
	}
	return ok
}

// began is when run i of a series began, with its quote; false when the samples do not reach back before it.
func (r *reader) began(t *track, i int) (model.Moment, string, bool) {
	at := t.runs[i].from
	prev, ok := r.before(t, i)
	if !ok || t.cut {
		return model.Moment{}, "", false
	}
	text := "none " + stamp(prev)
	if i > 0 && !t.runs[i-1].to.Before(prev) {
		text = sample(t.runs[i-1].value, prev)
	}
	return r.changed(t, prev, at), text + ", " + sample(t.runs[i].value, at), true
}

// over says what happened when a series ended after run i, where the samples reach on.
func (r *reader) over(kind model.Kind, t *track, i int, set setter) {
	at := t.runs[i].to
	if next, ok := r.after(t, i, at); ok && !t.cut {
		r.say(kind, r.changed(t, at, next), t, at, sample(t.runs[i].value, at)+", none "+stamp(next), set)
	}
}

// followed reports whether the series goes on with another value right after run i.
func (r *reader) followed(t *track, i int) bool {
	if i+1 >= len(t.runs) {
		return false
	}
	next, ok := r.after(t, i, t.runs[i].to)
	return ok && !t.runs[i+1].from.After(next)
}

// second is a value that is a unix time in whole seconds; false for one that is none.
func second(value float64) (model.Moment, bool) {
	if !(value > 0 && value < 253402300799) {
		return model.Moment{}, false
	}
	return model.WholeSecond(time.Unix(int64(value), 0)), true
}
