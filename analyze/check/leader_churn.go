package check

import (
	"fmt"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// Churn counts as such above three changes of leader an hour: an update restarts three masters in turn.
const (
	churnWindow  = time.Hour
	churnChanges = 4
	// oneChange is how far the records of one change lie apart: its log line, its event and its Lease.
	oneChange = 5 * time.Second
)

var leaderChurn = Check{
	ID: "leader-churn", Severity: "warning", Title: "The leader of a controller changes again and again",
	Remedy: "Look at the API server's and etcd's latency, and why the processes end.",
	Means: `With each new leader the attach/detach controller starts anew: its six minutes for unmounts count from zero, and its evictions
too. An external-attacher does nothing while it has no leader. Leaders change when they cannot renew their Lease in ten seconds, or end.`,
	DecidedBy: `Four or more changes of the leader of the kube-controller-manager or of one external-attacher within an hour, in logs, Events
and Leases; records within five seconds are one.`,
	LeftAlone:  "Up to three changes within an hour: an update of three masters makes as many.",
	References: []string{"client-go tools/leaderelection; component-base defaults (lease 15s, renew 10s, retry 2s), 1.13–1.36"},
	Look:       lookLeaderChurn,
}

func lookLeaderChurn(w *reconstruct.World, _ []*reconstruct.Case, hit func(Hit)) {
	taken := only(w.Told(model.LeaderAcquired), func(o *model.Observation) bool {
		return o.Component != "" && o.Component != "kube-scheduler" && !o.At.IsZero()
	})
	for _, g := range grouped(taken, election) {
		changes := distinct(g)
		from, to := busiest(changes)
		if to-from < churnChanges {
			continue
		}
		run := changes[from:to]
		leases := each(run, func(o *model.Observation) model.Ref { return o.Object })
		hit(Hit{
			Objects: withoutRepeats(slices.DeleteFunc(leases, func(r model.Ref) bool { return r.Name == "" })),
			Shown:   run[:min(len(run), 2*maxShown)],
			Text: fmt.Sprintf("The leader of %s changed %d times between %s and %s UTC. Each new leader starts its timers anew.",
				election(g[0]), len(run), model.DateTime(run[0].At.At), model.TimeOfDay(run[len(run)-1].At.At)),
		})
	}
}

// election names what is elected: there is one kube-controller-manager, and one external-attacher for each driver.
func election(o *model.Observation) string {
	if o.Component == "external-attacher" {
		return o.Component + " " + o.Detail
	}
	return o.Component
}

// distinct keeps one record of each change. The list is in the order of time.
func distinct(list []*model.Observation) []*model.Observation {
	var out []*model.Observation
	for _, o := range list {
		if n := len(out); n == 0 || o.At.At.Sub(out[n-1].At.At) > oneChange {
			out = append(out, o)
		}
	}
	return out
}

// busiest is the part of a list, from and up to, with the most changes within the window.
func busiest(list []*model.Observation) (from, to int) {
	start := 0
	for end := range list {
		for list[end].At.At.Sub(list[start].At.At) > churnWindow {
			start++
		}
		if end+1-start > to-from {
			from, to = start, end+1
		}
	}
	return from, to
}
