package replay

import (
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// What stands for a duration that nothing in the bundle shows.
var (
	defaultCall      = span(0.5, 5, 30)  // a driver's call; published times reach from 1 s to 15 s on a calm cloud
	defaultMount     = span(1.5, 3, 10)  // mount and start of a small application: real kubelets take 1.8 to 4.3 s
	defaultTerminate = span(0.5, 5, 30)  // SIGTERM to the end; the default grace period is 30 s
	defaultUnmount   = span(0.5, 6, 12)  // unmount, and the node's report at its next status, which comes every 10 s
	defaultPlace     = span(0, 0.1, 1.0) // the recordings show 5 to 40 ms
)

// slack widens what few operations measured: the next one need not lie between them.
const slack = 1.2

// call is how long a driver's call takes: this incident's own, else the cluster's earlier ones, else its other call, else a default.
func call(own facts.Instant, ownSeconds float64, earlier, proxy []operation) model.Range {
	if own.Known() {
		return span(ownSeconds/slack, ownSeconds, ownSeconds*slack+0.5)
	}
	if len(earlier) > 0 {
		return measured(earlier)
	}
	if len(proxy) > 0 {
		p := measured(proxy)
		return span(p.Min/slack, p.Best, p.Max*slack)
	}
	return defaultCall
}

// measured is the span of operations, shortest first, with the median as best estimate. Of many, a tenth at either end is left out.
func measured(list []operation) model.Range {
	edge := len(list) / 10
	return span(list[edge].Seconds()/slack, list[len(list)/2].Seconds(), list[len(list)-1-edge].Seconds()*slack+0.5)
}

// graceOf is the node monitor grace period in force.
func graceOf(w *facts.World) model.Range {
	if d, flag := w.FlagDuration(facts.ControllerManager, upstream.GraceFlag); flag != nil {
		return exactly(d.Seconds())
	}
	if d, ok := upstream.DefaultGrace(w.Version); ok {
		return exactly(d.Seconds())
	}
	return span(40, 45, 50) // the default depends on the version
}

// tolerationOf is how long the old pod tolerates an unreachable node, by itself or its replacement of the same template.
func tolerationOf(c *wait.Case) model.Range {
	if d, basis, _ := c.Toleration(); basis != "" {
		return exactly(d.Seconds())
	}
	return exactly(wait.DefaultToleration.Seconds())
}

// terminateOf is how long a pod takes from its deletion to its end on a live node.
func terminateOf(c *wait.Case, natural model.Range, deleted model.Range) model.Range {
	if natural.Known() && natural.Best >= deleted.Best {
		return exactly(natural.Best - deleted.Best)
	}
	for _, ref := range c.OldPods {
		if pod, ok := c.World.Pod(ref); ok && pod.Value().Spec.TerminationGracePeriodSeconds != nil {
			grace := float64(*pod.Value().Spec.TerminationGracePeriodSeconds)
			return span(min(0.5, grace), min(5, grace), grace+2)
		}
	}
	return defaultTerminate
}
