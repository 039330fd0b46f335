package kubestate

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// forcedFamilies are the counter of forced detaches since Kubernetes 1.28, and before, without reason (attachdetach/metrics).
var forcedFamilies = []string{"attach_detach_controller_attachdetach_controller_forced_detaches", "attachdetach_controller_forced_detaches"}

// counters says what the kube-controller-manager's own metrics count. None of them names a volume or a node.
func (r *reader) counters() {
	for _, name := range forcedFamilies {
		for _, t := range r.of[name] {
			for _, b := range r.bursts(t) {
				r.counted(model.ForcedDetachesCounted, b, func(o *model.Observation) { o.Detail = t.get("reason") })
			}
		}
	}
	sums := map[string]*track{}
	for _, t := range r.of["storage_operation_duration_seconds_sum"] {
		if of := unnamed(t); !t.cut && sums[of] == nil {
			sums[of] = t
		}
	}
	for _, t := range r.of["storage_operation_duration_seconds_count"] {
		driver, csi := strings.CutPrefix(t.get("volume_plugin"), "kubernetes.io/csi:")
		if !csi || strings.HasPrefix(t.get("operation_name"), "verify_") {
			continue
		}
		status := cmp.Or(t.get("status"), "success") // before 1.21 nothing else is counted here
		if t.get("operation_name") == "volume_attach" && status == "success" {
			whole := run{from: t.runs[0].from, to: t.runs[len(t.runs)-1].to, value: t.runs[0].value}
			r.lasted(model.OperationsSampled, t, whole, func(o *model.Observation) {
				o.Attacher, o.Component = driver, "kube-controller-manager"
			})
		}
		for _, b := range r.bursts(t) {
			r.counted(model.StorageOperationsCounted, b, func(o *model.Observation) {
				o.Attacher, o.Detail = driver, t.get("operation_name")+" "+status+mean(b, sums[unnamed(t)])
			})
		}
	}
	for t, i := range r.runs("process_start_time_seconds") { // as each process states
		r.dated(model.ProcessStarted, t, i, func(o *model.Observation) { o.Component, o.Detail = "kube-controller-manager", t.get("instance") })
	}
}

// burst is how often a counter rose, without a pause longer than quiet.
type burst struct {
	track       *track
	n           float64
	first, last int // runs
}

// quiet is the longest pause within a burst: the longest back-off of the external-attacher.
const quiet = 5*time.Minute + 30*time.Second

// bursts are the rises of a counter. A lower value is a reset to zero; a new series rose from zero if its target was scraped before.
func (r *reader) bursts(t *track) []burst {
	var out []burst
	for i, run := range t.runs {
		rise := run.value
		switch {
		case t.cut:
			return nil
		case i > 0 && run.value >= t.runs[i-1].value:
			rise -= t.runs[i-1].value
		case i == 0:
			if _, ok := preceding(r.scrapes[t.target], run.from); !ok {
				continue
			}
		}
		if !(rise > 0) {
			continue
		}
		if n := len(out); n > 0 && run.from.Sub(t.runs[out[n-1].last].from) <= quiet {
			out[n-1].n += rise
			out[n-1].last = i
			continue
		}
		out = append(out, burst{track: t, n: rise, first: i, last: i})
	}
	return out
}

// counted says how often something happened, from the first rise to the last.
func (r *reader) counted(kind model.Kind, b burst, set func(*model.Observation)) {
	t := b.track
	m, quote, ok := r.began(t, b.first)
	if !ok {
		return
	}
	end := m
	if b.last > b.first {
		last, text, ok := r.began(t, b.last)
		if !ok {
			return
		}
		end, quote = last, quote+", "+text
	}
	r.say(kind, m, t, t.runs[b.first].from, quote, func(o *model.Observation) {
		o.Count, o.Last, o.Component = int(b.n), end, "kube-controller-manager"
		if o.Count < 2 {
			o.Count, o.Last = 1, o.At
		}
		set(o)
	})
}

// unnamed are the labels of a series without its name.
func unnamed(t *track) string {
	return slices.DeleteFunc(t.labels.all(), func(l model.Label) bool { return l.Name == model.MetricName }).String()
}

// mean is how long the operations of a burst took on average, as the sum beside their count says; "" without one.
func mean(b burst, sum *track) string {
	if sum == nil {
		return ""
	}
	to, before := valueAt(sum, b.track.runs[b.last].from), 0.0
	if b.first > 0 {
		before = valueAt(sum, b.track.runs[b.first-1].to)
	}
	if to <= before {
		return ""
	}
	return ", mean " + words.Seconds((to-before)/b.n)
}
