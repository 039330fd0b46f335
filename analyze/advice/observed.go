package advice

import (
	"math"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// observed are acts of which no source speaks as such, and that the evidence shows all the same.
func observed(i *remedy.Incident, l *evidence.Ledger) []act {
	out := slices.Concat(attacherAway(i, l), flags(i, l), deeds(i, l))
	if at, by := i.KubeletStarted(); by != nil {
		id := "restart-kubelet"
		a := act{kind: replay.StartKubelet, at: at}
		if a.fixed = i.Case.DeletedAlive(); a.fixed { // the six minutes ran
			a.Effect = model.ActShortened
		}
		a.What, a.At, a.Remedy = "the kubelet of "+i.Case.From+" was started again", i.At(at), &id
		a.Evidence = l.Observations([]*model.Observation{by})
		out = append(out, a)
	}
	return out
}

// deeds are what authors tell that somebody did, of which nothing shows when, unless their text does, nor what it came to.
func deeds(i *remedy.Incident, l *evidence.Ledger) []act {
	var out []act
	for _, o := range i.Case.Deeds() {
		a := act{at: math.Inf(1), fixed: true}
		a.What, a.Effect, a.Evidence = "the author writes “"+wait.Sentence(o)+"”", model.ActNone, l.Observations([]*model.Observation{o})
		if !o.At.IsZero() {
			a.At, a.at = l.Moment(wait.At(o)), seconds(i, o.At.At)
		}
		out = append(out, a)
	}
	return out
}

// flags are the changes of what decides how the controller detaches.
func flags(i *remedy.Incident, l *evidence.Ledger) []act {
	var out []act
	for _, f := range flagChanges(i.Case, "--disable-force-detach-on-timeout", "--node-monitor-grace-period",
		"--attach-detach-reconcile-sync-period", "--disable-attach-detach-reconcile-sync", "--feature-gates") {
		a := act{at: seconds(i, f.At.At), fixed: true}
		a.What = "kube-controller-manager was started with " + f.Detail
		a.At, a.Effect, a.Evidence = l.Moment(f.At), model.ActNone, l.Observations(f.At.Witness)
		out = append(out, a)
	}
	return out
}

// attacherAway are the two acts of somebody who scaled the driver's controller to zero, and up again.
func attacherAway(i *remedy.Incident, l *evidence.Ledger) []act {
	away, ok := i.Case.AttacherAway()
	known := slices.ContainsFunc(i.Scenario.Actions, func(a wait.Action) bool {
		return a.What == wait.Scaled && a.Object.Is(away.Workload)
	})
	if !ok || known {
		return nil
	}
	scaled := func(at facts.Instant, to string, effect model.ActEffect) act {
		a := act{kind: replay.RestartAttacher, at: seconds(i, at.At), fixed: true}
		a.What = away.Workload.Kind + " " + away.Workload.String() + ", with the external-attacher, was scaled " + to
		a.At, a.Effect, a.Evidence = l.Moment(at), effect, l.Observations(at.Witness)
		return a
	}
	down := model.ActCaused
	if i.Lost() { // the wait had another beginning
		down = model.ActLengthened
	}
	out := []act{scaled(away.From, "to 0", down)}
	if away.To.Known() {
		id := "restart-attacher"
		up := scaled(away.To, "up again", model.ActEnded)
		up.Remedy = &id
		out = append(out, up)
	}
	return out
}

// flagChange is a flag of the kube-controller-manager that a process started with another value than the one before it.
type flagChange struct {
	At     facts.Instant
	Detail string // both values
}

// flagChanges are the changes of some flags within the span of a case, by what processes logged at their start. Of values that come and
// go, as of instances that differ, none is told.
func flagChanges(c *wait.Case, names ...string) (out []flagChange) {
	for _, name := range names {
		var was, is *model.Observation
		changes := 0
		for _, o := range c.World.ByKind[model.ProcessFlag] {
			key, _, _ := strings.Cut(o.Detail, "=")
			logged := facts.FlagRank(o) == facts.FlagLogged && !o.At.IsZero()
			if key != name || o.Component != facts.ControllerManager || !logged {
				continue
			}
			if is != nil && is.Detail != o.Detail {
				was = is
				changes++
			}
			is = o
		}
		if changes == 1 && !is.At.Earliest.Before(c.Span.From.Earliest) && !is.At.Latest.After(c.Span.To.Latest) {
			out = append(out, flagChange{At: wait.At(is), Detail: is.Detail + " (before that " + was.Detail + ")"})
		}
	}
	return out
}
