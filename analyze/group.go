package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// groups joins the incidents that share one root event: the same primary cause on the same old node, or of the same
// workload. The order is that of their first incident.
func groups(cases []*reconstruct.Case, incidents []model.Incident) []model.Group {
	out := []model.Group{}
	index := map[string]int{}
	for n, i := range incidents {
		id := i.Causes[0].ID
		key := id + "|" + i.From.Node + "|" + root(cases[n])
		at, ok := index[key]
		if !ok {
			at = len(out)
			index[key] = at
			out = append(out, model.Group{ID: "g-" + i.ID[2:], Cause: id, Node: i.From.Node, Incidents: []string{}})
		}
		out[at].Incidents = append(out[at].Incidents, i.ID)
	}
	for n := range out {
		out[n].Title = title(out[n])
	}
	slices.SortStableFunc(out, func(a, b model.Group) int { return cmp.Compare(b2i(a.Cause == "handover"), b2i(b.Cause == "handover")) })
	return out
}

// root tells one loss of a node from the next, and workloads from each other when no node was lost.
func root(c *reconstruct.Case) string {
	if c.NotReady.Known() {
		return c.NotReady.At.UTC().Format("20060102T1504")
	}
	if c.NodeGone.Known() {
		return c.NodeGone.At.UTC().Format("20060102T1504")
	}
	if c.Workload != nil {
		return c.Workload.Key()
	}
	return c.ID()
}

func title(g model.Group) string {
	what := map[string]string{
		"node-down": "Loss of node %s", "kubelet-down": "Kubelet of %s silent", "node-gone": "Deletion of Node %s", "node-reclaimed": "Machine of %s taken away",
		"access-mode": "Access mode against a second node, volume on %s", "volumes-in-use-stale": "Volume listed in use without a user on %s",
		"old-pod-not-finished": "A pod on %s does not finish", "rollout-surge": "Rolling update against a volume on %s",
		"shared-claim": "Claim shared by pods, volume on %s", "unmount-stuck": "No unmount on %s", "driver-detach-error": "Failing detach from %s",
		"attachment-not-finishing": "Detach from %s not carried out", "controller-failover": "Controller failover, volume on %s",
		"handover": "Ordinary move from %s", "unknown": "Volume held by %s, cause unknown",
	}[g.Cause]
	if what == "" {
		what = g.Cause + " on %s"
	}
	t := fmt.Sprintf(what, orDefault(g.Node, "an unknown node"))
	if n := len(g.Incidents); n > 1 {
		t += fmt.Sprintf(": %d volumes", n)
	}
	return t
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
