package kubestate

import (
	"time"

	"github.com/volpost/volpost/model"
)

// pods says when pods were created, scheduled, waiting, ready, asked to go, finished and gone.
func (r *reader) pods() {
	refs, info := grouped(r.of["kube_pod_info"], podOf)
	named := map[string][]model.Ref{} // incarnations of a name
	for _, ref := range refs {
		named[ref.String()] = append(named[ref.String()], ref)
	}
	p := podReader{r, info, named, map[model.Ref]*track{}}
	for _, t := range r.of["kube_pod_status_scheduled_time"] {
		p.since[p.of(t, 0)] = t
	}
	p.times()
	p.waits()
	p.states()
	for _, ref := range refs {
		p.scheduled(ref)
		r.vanished(model.PodGone, info[ref], func(time.Time) setter { return func(o *model.Observation) { o.Pod = ref } })
	}
}

func podOf(t *track) model.Ref { return model.PodRef(t.get("namespace"), t.get("pod"), t.get("uid")) }

type podReader struct {
	*reader
	info  map[model.Ref][]*track
	named map[string][]model.Ref
	since map[model.Ref]*track // kube_pod_status_scheduled_time
}

// of is the pod of a series. Before 2.1.0 only kube_pod_info has the uid: it is used if one pod of the name had samples then.
func (p podReader) of(t *track, i int) model.Ref {
	ref := podOf(t)
	if ref.UID != "" {
		return ref
	}
	found := ref
	for _, candidate := range p.named[ref.String()] {
		if covering(p.info[candidate], t.runs[i].from) == nil {
			continue
		}
		if found.UID != "" {
			return ref
		}
		found = candidate
	}
	return found
}

// placed is the pod of a series, and its node.
func (p podReader) placed(t *track, i int) setter {
	return func(o *model.Observation) {
		o.Pod = p.of(t, i)
		o.Node = p.nodeOf(o.Pod)
	}
}

// times reads the metrics whose values are times.
func (p podReader) times() {
	for t, i := range p.runs("kube_pod_created") {
		p.dated(model.PodCreated, t, i, func(o *model.Observation) { o.Pod = p.of(t, i) })
	}
	for t, i := range p.runs("kube_pod_status_ready_time") {
		p.dated(model.PodReady, t, i, p.placed(t, i))
	}
	for _, t := range p.reader.of["kube_pod_deletion_timestamp"] {
		p.deletion(t)
	}
}

// deletion dates the request to delete a pod: before the first sample with the value, and not after the value, which adds the grace period.
func (p podReader) deletion(t *track) {
	for i, run := range t.runs {
		m, quote, ok := p.began(t, i)
		end, valid := second(run.value)
		if !ok || !valid || i > 0 && p.followed(t, i-1) {
			continue // a shorter grace period moves the value; the request stays the first
		}
		if end.Earliest.Before(m.Latest) && end.Latest.After(m.Earliest) {
			m = model.Between(m.Earliest, end.Latest)
		}
		p.say(model.PodDeletionRequested, m, t, run.from, quote, p.placed(t, i))
	}
}

// states reads phases and readiness. With kube_pod_status_ready_time (since 2.10.0) the time of getting ready is exact.
func (p podReader) states() {
	exact := len(p.reader.of["kube_pod_status_ready_time"]) > 0
	deleted := p.deletions()
	for t, i := range p.runs("kube_pod_status_ready") {
		value := t.runs[i].value
		if value == 1 && (exact || deleted != nil) && !p.cut["kube_pod_deletion_timestamp"] {
			p.served(t, i, deleted)
		}
		switch {
		case i == 0 || t.runs[i-1].value == value:
		case value != 1:
			p.begun(model.PodNotReady, t, i, p.placed(t, i))
		case !exact:
			p.begun(model.PodReady, t, i, p.placed(t, i))
		}
	}
	for t, i := range p.runs("kube_pod_status_phase") {
		if t.runs[i].value == 1 {
			p.begun(model.PodFinished, t, i, func(o *model.Observation) {
				p.placed(t, i)(o)
				o.Detail = t.get("phase")
			})
		}
	}
}

// deletions are the scrapes at which each pod was first seen to have been asked to go; nil when no pod has the metric.
func (p podReader) deletions() map[model.Ref]time.Time {
	var out map[model.Ref]time.Time
	for _, t := range p.reader.of["kube_pod_deletion_timestamp"] {
		if out == nil {
			out = map[model.Ref]time.Time{}
		}
		ref := p.of(t, 0)
		if at, ok := out[ref]; !ok || t.runs[0].from.Before(at) {
			out[ref] = t.runs[0].from
		}
	}
	return out
}

// served says at which samples a pod was Ready and not being deleted. A missing deletion counts only if some pod has the metric, or the
// exporter is 2.10.0 or later.
func (p podReader) served(t *track, i int, deleted map[model.Ref]time.Time) {
	run, ref := t.runs[i], p.of(t, i)
	if at, ok := deleted[ref]; ok && !at.After(run.to) {
		last, ok := preceding(p.scrapes[run.by.last], at)
		if !ok || last.Before(run.from) {
			return
		}
		run.to = last
	}
	p.lasted(model.PodSampledReady, t, run, func(o *model.Observation) {
		o.Pod, o.Node, o.Owner = ref, p.nodeOf(ref), p.ownerOf(ref)
	})
}

// waits says while which samples a container of a pod waited to be created.
func (p podReader) waits() {
	for t, i := range p.runs("kube_pod_container_status_waiting_reason") {
		if t.runs[i].value == 1 {
			p.lasted(model.PodWaiting, t, t.runs[i], func(o *model.Observation) {
				p.placed(t, i)(o)
				o.Detail, o.Owner = t.get("reason"), p.ownerOf(o.Pod)
			})
		}
	}
}

func (p podReader) nodeOf(ref model.Ref) string {
	for _, t := range p.info[ref] {
		if n := t.get("node"); n != "" {
			return n
		}
	}
	return ""
}

func (p podReader) ownerOf(ref model.Ref) model.Ref {
	for _, t := range p.info[ref] {
		if kind := t.get("created_by_kind"); kind != "" && kind != "<none>" {
			return model.Ref{Kind: kind, Namespace: ref.Namespace, Name: t.get("created_by_name")}
		}
	}
	return model.Ref{}
}

// scheduled says when a pod got its node: by kube_pod_status_scheduled_time, else between samples without and with the node.
func (p podReader) scheduled(ref model.Ref) {
	node := p.nodeOf(ref)
	if node == "" {
		return
	}
	set := func(o *model.Observation) { o.Pod, o.Node = ref, node }
	if t := p.since[ref]; t != nil && p.dated(model.PodScheduled, t, 0, set) {
		return
	}
	var first *track
	for _, t := range p.info[ref] {
		if t.get("node") == node && (first == nil || t.runs[0].from.Before(first.runs[0].from)) {
			first = t
		}
	}
	if !p.begun(model.PodScheduled, first, 0, set) {
		p.lasted(model.PodSampled, first, first.runs[0], set) // the samples begin later
	}
}
