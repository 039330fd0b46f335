package kubestate

import (
	"cmp"
	"fmt"
	"time"

	"github.com/volpost/volpost/model"
)

// usage says how full volumes were at the kubelet's last sample, which also proves that they were mounted on its node.
func (r *reader) usage() {
	for _, kind := range []struct{ what, used, of string }{
		{"bytes", "kubelet_volume_stats_used_bytes", "kubelet_volume_stats_capacity_bytes"},
		{"inodes", "kubelet_volume_stats_inodes_used", "kubelet_volume_stats_inodes"},
	} {
		capacity := map[string]*track{}
		for _, t := range r.of[kind.of] {
			capacity[claimOf(t)+"|"+nodeLabel(t)] = t
		}
		for _, t := range r.of[kind.used] {
			run := t.runs[len(t.runs)-1]
			of := capacity[claimOf(t)+"|"+nodeLabel(t)]
			if of == nil || t.cut {
				continue
			}
			if total := valueAt(of, run.to); total > 0 && run.value >= 0 && run.value <= total {
				r.used(t, of, run.to, kind.what, run.value, total)
			}
		}
	}
}

func (r *reader) used(t, of *track, at time.Time, what string, used, total float64) {
	quote := sample(used, at) + "; " + of.labels.String() + " " + sample(total, at)
	r.say(model.VolumeUsage, model.Exactly(at), t, at, quote, func(o *model.Observation) {
		o.Component, o.Node, o.Claim = "kubelet", nodeLabel(t), claimRef(t)
		o.Detail = fmt.Sprintf("%.0f%% of its %s", 100*used/total, what)
	})
}

// nodeLabel is the node of a kubelet's series: service discovery adds it as node, or as instance where that is no address.
func nodeLabel(t *track) string { return cmp.Or(t.get("node"), t.get("instance")) }
