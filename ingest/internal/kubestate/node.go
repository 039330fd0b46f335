package kubestate

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// nodes says when nodes were Ready, tainted, alive and gone.
func (r *reader) nodes() {
	for _, t := range r.of["kube_node_status_condition"] {
		r.ready(t)
	}
	r.taints()
	names, byNode := grouped(r.of["kube_node_info"], func(t *track) string { return t.get("node") })
	for _, t := range r.nodeLeases(byNode) {
		r.lease(t)
	}
	for _, t := range r.of["kube_node_info"] {
		if v := t.get("kubelet_version"); v != "" {
			r.say(model.ProcessVersion, model.Moment{}, t, t.runs[0].from, sample(t.runs[0].value, t.runs[0].from), func(o *model.Observation) {
				o.Component, o.Node, o.Detail = "kubelet", t.get("node"), v
			})
		}
	}
	for _, n := range names {
		r.vanished(model.NodeDeleted, byNode[n], func(_ time.Time, o *model.Observation) { o.Node = n })
	}
}

// ready reads one of the three series of the Ready condition, of which exactly one is 1.
func (r *reader) ready(t *track) {
	kind, text := model.NodeNotReady, ""
	switch t.get("status") {
	case "true":
		kind = model.NodeReady
	case "false":
		text = "False"
	case "unknown":
		text = "Unknown"
	default:
		return
	}
	for i, run := range t.runs {
		if run.value != 1 {
			continue
		}
		if kind == model.NodeReady {
			r.lasted(model.NodeSampledReady, t, run, func(o *model.Observation) { o.Node = t.get("node") })
		}
		if _, seen := r.before(t, i); !seen && kind == model.NodeNotReady && !t.cut {
			r.lasted(model.NodeSampledNotReady, t, run, func(o *model.Observation) { o.Node, o.Detail = t.get("node"), text })
		}
		if i == 0 {
			continue // a node that is new has never been otherwise
		}
		if m, quote, ok := r.began(t, i); ok {
			r.say(kind, m, t, run.from, quote, func(o *model.Observation) { o.Node, o.Detail = t.get("node"), text })
		}
	}
}

// taints says which taints nodes had: a node has no series for a taint that it lacks, so that only others of it tell that.
func (r *reader) taints() {
	for _, t := range r.of["kube_node_spec_taint"] {
		r.taint(t)
	}
	names, of := grouped(r.of["kube_node_spec_taint"], func(t *track) string { return t.get("node") })
	for _, n := range names {
		if r.damaged(of[n]) {
			continue
		}
		for _, stretch := range r.presence(of[n]) {
			var keys []string
			for _, t := range of[n] {
				if overlap(t, stretch) {
					keys = append(keys, t.get("key"))
				}
			}
			slices.Sort(keys)
			r.lasted(model.NodeSampledTaints, stretch, stretch.runs[0], func(o *model.Observation) {
				o.Node, o.Detail = n, strings.Join(slices.Compact(keys), ", ")
			})
		}
	}
}

func (r *reader) taint(t *track) {
	text := t.get("key") + "=" + t.get("value") + ":" + t.get("effect")
	set := func(o *model.Observation) { o.Node, o.Detail = t.get("node"), text }
	for i, run := range t.runs {
		if m, quote, ok := r.began(t, i); ok {
			r.say(model.NodeTainted, m, t, run.from, quote, set)
		}
		if m, quote, ok := r.ended(t, i); ok {
			r.say(model.NodeUntainted, m, t, run.to, quote, set)
		}
	}
}

// nodeLeases are the Leases of nodes. Before 2.9.0 the metric lacks the Lease's namespace: then its name has to be a node's.
func (r *reader) nodeLeases(nodes map[string][]*track) []*track {
	var own, alike []*track
	for _, t := range r.of["kube_lease_renew_time"] {
		switch {
		case t.get("namespace") == nodeLeaseNamespace:
			own = append(own, t)
		case nodes[t.get("lease")] != nil:
			alike = append(alike, t)
		}
	}
	if own != nil {
		return own
	}
	return alike
}

// nodeLeaseNamespace is where kubelets keep their Leases (corev1.NamespaceNodeLease).
const nodeLeaseNamespace = "kube-node-lease"

// lease reads the renewals of a node's Lease, and tells those that no other followed within two scrapes.
func (r *reader) lease(t *track) {
	for i, run := range t.runs {
		next, ok := r.after(t, i, run.from)
		if !ok || t.cut || !run.to.After(next) && i+1 < len(t.runs) {
			continue
		}
		if m, ok := second(run.value); ok {
			r.say(model.NodeHeartbeat, m, t, run.from, sample(run.value, run.from), func(o *model.Observation) { o.Node = t.get("lease") })
		}
	}
}

// vanished says when an object went away: no series has a sample any more. set gets the time of the last sample.
func (r *reader) vanished(kind model.Kind, tracks []*track, set func(time.Time, *model.Observation)) {
	if r.damaged(tracks) {
		return
	}
	for _, t := range r.presence(tracks) {
		at := t.runs[0].to
		if m, quote, ok := r.ended(t, 0); ok {
			r.say(kind, m, t, at, quote, func(o *model.Observation) { set(at, o) })
		}
	}
}

// damaged reports that damage hides some of what series would tell.
func (r *reader) damaged(tracks []*track) bool {
	return slices.ContainsFunc(tracks, func(t *track) bool { return t.cut || r.cut[t.get(model.MetricName)] })
}
