package reconstruct

import (
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// The components whose flags a bundle may show.
const (
	ControllerManager = "kube-controller-manager"
	APIServer         = "kube-apiserver"
	Attacher          = "external-attacher"
	Kubelet           = "kubelet"
)

// Flag is the value that the bundle shows for a flag of a component, with two dashes as in --node-monitor-grace-period, and
// the record that says so; nil when nothing does. What a process logs of itself at its start comes before the command
// lines of pods, and these before configurations. Several pods or configurations that differ prove nothing.
func (w *World) Flag(component, name string) (value string, source *model.Observation) {
	agreed, best := true, 0
	for _, o := range w.byKind[model.ProcessFlag] {
		key, v, ok := strings.Cut(o.Detail, "=")
		rank := flagRank(o)
		if !ok || key != name || o.Component != component || rank < best {
			continue
		}
		v = strings.Trim(v, `"`)
		// Of logs, which the list has in the order of time, the newest counts.
		agreed = rank > best || rank == flagLogged || agreed && v == value
		value, source, best = v, o, rank
	}
	if !agreed {
		return "", nil
	}
	return value, source
}

// How near a source of a flag is to the process that runs with it.
const (
	flagConfigured = iota + 1
	flagOfPod
	flagLogged
)

func flagRank(o *model.Observation) int {
	switch {
	case o.Source.Kind == model.SourceLog:
		return flagLogged
	case o.Object.Kind == "Pod":
		return flagOfPod
	}
	return flagConfigured
}

// FlagChange is a flag of the kube-controller-manager that a process started with another value than the one before it.
type FlagChange struct {
	At     Instant
	Detail string // both values
}

// FlagChanges are the changes of some flags within the span of a case, by what processes logged at their start. Of values that come and
// go, as of instances that differ, none is told.
func (c *Case) FlagChanges(names ...string) (out []FlagChange) {
	for _, name := range names {
		var was, is *model.Observation
		changes := 0
		for _, o := range c.World.byKind[model.ProcessFlag] {
			key, _, _ := strings.Cut(o.Detail, "=")
			if key != name || o.Component != ControllerManager || flagRank(o) != flagLogged || o.At.IsZero() {
				continue
			}
			if is != nil && is.Detail != o.Detail {
				was = is
				changes++
			}
			is = o
		}
		if changes == 1 && !is.At.Earliest.Before(c.Span.From.Earliest) && !is.At.Latest.After(c.Span.To.Latest) {
			out = append(out, FlagChange{At: seen(is), Detail: is.Detail + " (before that " + was.Detail + ")"})
		}
	}
	return out
}

// Configured reports whether the record of a flag is a configuration, which shows no process that runs so.
func Configured(o *model.Observation) bool { return flagRank(o) == flagConfigured }

// FlagBasis is how well the record of a flag shows what the process runs with.
func FlagBasis(o *model.Observation) model.Basis {
	if Configured(o) {
		return model.Derived
	}
	return model.Observed
}

// Flag is World.Flag of the kube-controller-manager, with the results in the other order.
func Flag(w *World, name string) (*model.Observation, string) {
	value, o := w.Flag(ControllerManager, name)
	return o, value
}

// FlagDuration is a duration flag of a component; nil when none is shown that reads as a duration.
func (w *World) FlagDuration(component, name string) (time.Duration, *model.Observation) {
	value, o := w.Flag(component, name)
	d, err := time.ParseDuration(value)
	if o == nil || err != nil {
		return 0, nil
	}
	return d, o
}
