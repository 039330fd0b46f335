package kubestate

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// nodes says when nodes were Ready, tainted, alive and gone.
func (r *reader) nodes() {
	told := map[string]bool{} // nodes of which a series says how they are not Ready; a query for status="true" alone lacks them
	for _, t := range r.of["kube_node_status_condition"] {
		told[t.get("node")] = told[t.get("node")] || t.get("status") != "true"
	}
	for _, t := range r.of["kube_node_status_condition"] {
		r.ready(t, !told[t.get("node")])
	}
	r.taints()
	names, byNode := grouped(r.of["kube_node_info"], func(t *track) string { return t.get("node") })
	for _, t := range r.nodeLeases(byNode) {
		r.lease(t)
	}
	for _, t := range r.of["kube_node_info"] {
		if v := t.get("kubelet_version"); v != "" {
			r.undated(model.ProcessVersion, t, func(o *model.Observation) {
				o.Component, o.Node, o.Detail = "kubelet", t.get("node"), v
			})
		}
	}
	for _, n := range names {
		r.vanished(model.NodeDeleted, byNode[n], func(time.Time) setter { return func(o *model.Observation) { o.Node = n } })
	}
}

// ready reads one of the three series of the Ready condition, of which exactly one is 1. Where that of "true" is alone, its 0 says enough.
func (r *reader) ready(t *track, alone bool) {
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
		if run.value == 1 {
			r.readyRun(t, i, kind, text)
		} else if alone && kind == model.NodeReady && run.value == 0 {
			r.readyRun(t, i, model.NodeNotReady, "")
		}
	}
}

// readyRun says what a run of the condition's samples shows: the state, and the change to it where a run before it shows another.
func (r *reader) readyRun(t *track, i int, kind model.Kind, text string) {
	set := func(o *model.Observation) { o.Node, o.Detail = t.get("node"), text }
	_, seen := r.before(t, i)
	if kind == model.NodeReady {
		r.lasted(model.NodeSampledReady, t, t.runs[i], set)
	} else if !seen && !t.cut {
		r.lasted(model.NodeSampledNotReady, t, t.runs[i], set)
	}
	if i > 0 { // a node that is new has never been otherwise
		r.begun(kind, t, i, set)
	}
}

// taints says which taints nodes had: a node has no series for a taint that it lacks, so that only its others show that.
func (r *reader) taints() {
	for t, i := range r.runs("kube_node_spec_taint") {
		set := func(o *model.Observation) {
			o.Node, o.Detail = t.get("node"), t.get("key")+"="+t.get("value")+":"+t.get("effect")
		}
		r.begun(model.NodeTainted, t, i, set)
		r.over(model.NodeUntainted, t, i, set)
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

// nodeLeases are the Leases of nodes. Before 2.9.0 the metric lacks the Lease's namespace: then its name has to be a node's.
func (r *reader) nodeLeases(nodes map[string][]*track) []*track {
	var own, alike []*track
	for _, t := range r.of["kube_lease_renew_time"] {
		if t.get("namespace") == nodeLeaseNamespace {
			own = append(own, t)
		} else if nodes[t.get("lease")] != nil {
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

// lease reads the renewals of a node's Lease, and reports those that no other followed within two scrapes.
func (r *reader) lease(t *track) {
	for i, run := range t.runs {
		next, ok := r.after(t, i, run.from)
		if !ok || t.cut || !run.to.After(next) && i+1 < len(t.runs) {
			continue
		}
		r.dated(model.NodeHeartbeat, t, i, func(o *model.Observation) { o.Node = t.get("lease") })
	}
}

// vanished says when an object went away: no series has a sample any more. set gets the time of the last sample.
func (r *reader) vanished(kind model.Kind, tracks []*track, set func(time.Time) setter) {
	if r.damaged(tracks) {
		return
	}
	for _, t := range r.presence(tracks) {
		r.over(kind, t, 0, set(t.runs[0].to))
	}
}

// damaged reports that damage hides some of what series would say.
func (r *reader) damaged(tracks []*track) bool {
	return slices.ContainsFunc(tracks, func(t *track) bool { return t.cut || r.cut[t.get(model.MetricName)] })
}
