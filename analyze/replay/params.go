package replay

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

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
func call(what, driver string, own facts.Instant, ownSeconds float64, earlier, proxy []operation) Param {
	of := cmp.Or(driver, "the driver")
	if own.Known() {
		return Param{Range: span(ownSeconds/slack, ownSeconds, ownSeconds*slack+0.5), Basis: model.Observed,
			Why: "the " + what + " of this incident", Witness: own.Witness}
	}
	if len(earlier) > 0 {
		return measured(earlier, fmt.Sprintf("%s of %s in this bundle", count(len(earlier), what), of))
	}
	if len(proxy) > 0 {
		p := measured(proxy, "the bundle shows no "+what+" of "+of+"; its other calls took that long")
		p.Min, p.Max, p.Basis = p.Min/slack, p.Max*slack, model.Assumed
		return p
	}
	return Param{Range: defaultCall, Basis: model.Assumed, Why: "the bundle shows no " + what + " of " + of}
}

func count(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return strconv.Itoa(n) + " " + what + "es"
}

// measured is the span of operations, shortest first, with the median as best estimate. Of many, a tenth at either end is left out.
func measured(list []operation, why string) Param {
	mid, edge := list[len(list)/2], len(list)/10
	return Param{
		Range: model.Range{Min: list[edge].Seconds() / slack, Best: mid.Seconds(), Max: list[len(list)-1-edge].Seconds()*slack + 0.5},
		Basis: model.Derived, Why: why, Witness: []*model.Observation{mid.From, mid.To},
	}
}

// graceOf is the node monitor grace period in force.
func graceOf(w *facts.World) Param {
	if value, o := w.Flag(facts.ControllerManager, upstream.GraceFlag); o != nil {
		if d, err := time.ParseDuration(value); err == nil {
			why := "the controller's flag"
			if wait.Configured(o) {
				why = "the flag in the controller's configuration"
			}
			return Param{Range: exactly(d.Seconds()), Basis: wait.FlagBasis(o), Why: why, Witness: []*model.Observation{o}}
		}
	}
	if d, ok := upstream.DefaultGrace(w.Version); ok {
		return Param{Range: exactly(d.Seconds()), Basis: model.Assumed, Why: "the default of " + w.Version.String()}
	}
	return assumed(40, 45, 50, "the default, which depends on the version")
}

// tolerationOf is how long the old pod tolerates an unreachable node, by itself or its replacement of the same template.
func tolerationOf(c *wait.Case) Param {
	d, basis, quote := c.Toleration()
	p := Param{Range: exactly(d.Seconds()), Basis: basis, Why: "the pod's toleration", Witness: []*model.Observation{quote}}
	switch basis {
	case "":
		seconds := wait.DefaultToleration.Seconds()
		return assumed(seconds, seconds, seconds, "the default of Kubernetes")
	case model.Derived:
		p.Why = "the toleration of its replacement, which has the same template"
	}
	return p
}

// terminateOf is how long a pod takes from its deletion to its end on a live node.
func terminateOf(c *wait.Case, natural model.Range, deleted model.Range) Param {
	if natural.Known() && natural.Best >= deleted.Best {
		return Param{Range: exactly(natural.Best - deleted.Best), Basis: model.Derived, Why: "as the old pod took"}
	}
	for _, ref := range c.OldPods {
		if pod, ok := c.World.Pod(ref); ok && pod.Value().Spec.TerminationGracePeriodSeconds != nil {
			grace := float64(*pod.Value().Spec.TerminationGracePeriodSeconds)
			return assumed(min(0.5, grace), min(5, grace), grace+2, "up to the pod's grace period")
		}
	}
	return Param{Range: defaultTerminate, Basis: model.Assumed, Why: "up to the default grace period"}
}
