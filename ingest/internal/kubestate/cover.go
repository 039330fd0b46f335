package kubestate

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// needed are the metrics without which a wait for a volume that is attached elsewhere would not show.
var needed = []string{
	"kube_pod_info", "kube_pod_spec_volumes_persistentvolumeclaims_info", "kube_persistentvolumeclaim_info",
	"kube_volumeattachment_info", "kube_volumeattachment_status_attached", "kube_volumeattachment_spec_source_persistentvolume",
}

// waiting shows that a pod waits. Since 2.0.0 it has series only while one does, so that it is present if any container waited.
const waiting = "kube_pod_container_status_waiting_reason"

// covers says when every wait longer than a scrape would show: all needed metrics are present and undamaged. Detail names the first pause
// in the scrapes, or the missing metrics.
func (r *reader) covers() {
	var missing []string
	var found *track
	for _, name := range needed {
		if len(r.of[name]) == 0 {
			missing = append(missing, name)
		} else if found == nil {
			found = r.of[name][0]
		}
	}
	if found == nil || len(r.res.Damage) > 0 || r.res.Interval == 0 {
		return
	}
	if !r.exists(waiting) {
		missing = append(missing, waiting)
	}
	if missing != nil {
		r.lasted(model.WaitsHidden, found, found.runs[0], func(o *model.Observation) { o.Detail = strings.Join(missing, ", ") })
		return
	}
	tracks := r.of["kube_pod_info"]
	var scrapes []time.Time
	gap, shares := "", r.shares(tracks)
	for _, own := range shares {
		scrapes = merge(scrapes, own)
		gap = cmp.Or(gap, r.pause(own))
	}
	from, to := scrapes[0], scrapes[len(scrapes)-1]
	for _, own := range shares {
		if gap == "" && (own[0].Sub(from) > r.longest() || to.Sub(own[len(own)-1]) > r.longest()) {
			return // one of several exporters that share the work was away
		}
	}
	all := run{from: from, to: to, value: 1}
	r.lasted(model.WaitsSampled, tracks[0], all, func(o *model.Observation) {
		o.Detail = gap
		o.Quote = mask.Quote(tracks[0].labels.String() + " " + stamp(from) + " to " + stamp(to))
	})
}

// longest is the longest distance of two scrapes that is no pause: one may fail.
func (r *reader) longest() time.Duration { return r.res.Interval * 5 / 2 }

// pause is the first stretch without a scrape.
func (r *reader) pause(scrapes []time.Time) string {
	for i := 1; i < len(scrapes); i++ {
		if scrapes[i].Sub(scrapes[i-1]) > r.longest() {
			return scrapes[i-1].UTC().Format("15:04:05") + " to " + scrapes[i].UTC().Format("15:04:05")
		}
	}
	return ""
}

// shares are the scrapes of exporters that share the work. Exporters of the same objects, and successors, count as one.
func (r *reader) shares(tracks []*track) [][]time.Time {
	var targets []string // of each share one
	var out [][]time.Time
	gave := map[string]bool{}
	for _, t := range tracks {
		for _, p := range t.runs {
			for _, target := range p.by.all {
				gave[target] = true
			}
		}
	}
	for _, target := range r.targets {
		if !gave[target] {
			continue
		}
		own := r.scrapes[target]
		i := slices.IndexFunc(targets, func(t string) bool {
			s := r.scrapes[t]
			return r.kin[t][target] || s[len(s)-1].Before(own[0]) || own[len(own)-1].Before(s[0])
		})
		if i < 0 {
			targets, out = append(targets, target), append(out, slices.Clone(own))
			continue
		}
		out[i] = merge(out[i], own)
	}
	return out
}

// exists reports that the source has a series of a metric.
func (r *reader) exists(name string) bool {
	found := errors.New("found")
	err := r.src.Select(family{name: name}.matchers(), time.Time{}, time.Time{}, func(model.Labels, model.Samples) error { return found })
	return errors.Is(err, found)
}

// lookback is how old a sample in an answer may be (--query.lookback-delta, by default).
const lookback = 5 * time.Minute

// ages are, by target, how much older than its step a sample of an answer can be: the scrape interval, which answers do not hold. Series of
// a target change only at scrapes: the nearest two changes bound it, as does the lookback. Ends, late by a lookback, do not count.
func (r *reader) ages() map[string]time.Duration {
	changes := map[string][]time.Time{}
	for _, f := range families {
		for _, t := range r.of[f.name] {
			for _, run := range t.runs {
				if run.from.After(r.scrapes[t.target][0]) {
					changes[t.target] = append(changes[t.target], run.from)
				}
			}
		}
	}
	out := map[string]time.Duration{}
	for _, target := range r.targets {
		list := changes[target]
		slices.SortFunc(list, time.Time.Compare)
		nearest := lookback
		for i := 1; i < len(list); i++ {
			if d := list[i].Sub(list[i-1]); d > 0 {
				nearest = min(nearest, d)
			}
		}
		step := r.res.Interval
		if nearest > step {
			nearest = min(nearest+step, lookback)
		}
		out[target] = nearest
	}
	return out
}
