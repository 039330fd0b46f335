package kubestate

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// together joins series of one object: of a kube-state-metrics that moved, a new target, and of replicas in one store.
func (r *reader) together() {
	for _, f := range families {
		tracks := r.of[f.name]
		if !slices.ContainsFunc(tracks, func(t *track) bool { return t.target != tracks[0].target }) {
			continue
		}
		at := map[string]int{}
		var out []*track
		for _, t := range tracks {
			key := subject(t.labels.all())
			if i, ok := at[key]; ok {
				out[i] = r.joined(out[i], t)
				continue
			}
			at[key] = len(out)
			out = append(out, t)
		}
		r.of[f.name] = out
	}
}

// subject identifies what a series is about: its labels without those of the server and, for objects, of the target.
func subject(l model.Labels) string {
	object := strings.HasPrefix(l.Get(model.MetricName), "kube_")
	return slices.DeleteFunc(slices.Clone(l), func(x model.Label) bool {
		return model.IsReplicaLabel(x.Name) || slices.Contains(clusterLabels, x.Name) || object && (x.Name == "instance" || x.Name == "job")
	}).String()
}

// targetOf names what gave a series: an exporter of a cluster, scraped by one of several replicas of a server.
func targetOf(l model.Labels) string {
	out := ClusterOf(l) + "|" + l.Get("job") + "|" + l.Get("instance")
	for _, x := range l {
		if model.IsReplicaLabel(x.Name) {
			out += "|" + x.Value
		}
	}
	return out
}

// joined is one series of two. The targets of both describe one object: one of them can come in place of the other.
func (r *reader) joined(a, b *track) *track {
	all := slices.Concat(a.runs, b.runs)
	for _, p := range all {
		for _, q := range p.by.all {
			r.relate(q, b.target)
			r.relate(b.target, q)
		}
	}
	return trackOf(r.fused(all), a.cut || b.cut)
}

func trackOf(runs []run, cut bool) *track {
	return &track{labels: runs[0].by.labels, target: runs[0].by.first, cut: cut, runs: runs}
}

func (r *reader) relate(a, b string) {
	if r.kin[a] == nil {
		r.kin[a] = map[string]bool{}
	}
	r.kin[a][b] = true
}

// presence are the stretches in which an object was there, as any of its series says: each a series with one run.
func (r *reader) presence(tracks []*track) (out []*track) {
	var all []run
	for _, t := range tracks {
		for _, p := range t.runs {
			p.value = 1
			all = append(all, p)
		}
	}
	for _, p := range r.fused(all) {
		out = append(out, trackOf([]run{p}, false))
	}
	return out
}

// fused are runs as one series has them: those of one value are one as far as nothing lies between.
func (r *reader) fused(all []run) (out []run) {
	slices.SortStableFunc(all, func(a, b run) int { return cmp.Or(a.from.Compare(b.from), a.to.Compare(b.to)) })
	for _, p := range all {
		n := len(out) - 1
		if n < 0 || out[n].value != p.value || r.apart(out[n], p) {
			out = append(out, p)
			continue
		}
		by := *out[n].by
		if p.to.After(out[n].to) {
			out[n].to, by.last, by.labels = p.to, p.by.last, p.by.labels
		}
		for _, target := range p.by.all {
			if !slices.Contains(by.all, target) {
				by.all = append(slices.Clip(by.all), target)
			}
		}
		out[n].by = &by
	}
	return out
}

// apart reports that there was nothing between two runs: the target of each was scraped meanwhile, and did not have it.
func (r *reader) apart(a, b run) bool {
	next, ended := following(r.scrapes[a.by.last], a.to)
	prev, began := preceding(r.scrapes[b.by.first], b.from)
	scraped := ended && next.Before(b.from) && began
	return scraped && prev.After(a.to) && b.from.After(a.to)
}

// before is the last scrape before run i of a series: of its target or, if that begins then, of the target that it replaced.
func (r *reader) before(t *track, i int) (time.Time, bool) {
	p := t.runs[i]
	best, found := preceding(r.scrapes[p.by.first], p.from)
	if !found {
		for other := range r.kin[p.by.first] {
			list := r.scrapes[other]
			if last := list[len(list)-1]; last.Before(p.from) && last.After(best) {
				best = last
			}
		}
	}
	if i > 0 && t.runs[i-1].to.Before(p.from) {
		best = model.Later(best, t.runs[i-1].to)
	}
	return best, !best.IsZero()
}

// after is the first scrape after a time in run i of a series: of its target, or of one that gave it as well or replaced it.
func (r *reader) after(t *track, i int, at time.Time) (time.Time, bool) {
	by := t.runs[i].by
	best, found := following(r.scrapes[by.last], at)
	if found {
		return best, true
	}
	others := slices.Clone(by.all)
	for other := range r.kin[by.last] {
		if r.scrapes[other][0].After(at) {
			others = append(others, other)
		}
	}
	for _, other := range others {
		if next, ok := following(r.scrapes[other], at); ok && (best.IsZero() || next.Before(best)) {
			best = next
		}
	}
	return best, !best.IsZero()
}
