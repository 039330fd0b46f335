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
)

// Flag is the value that the bundle shows for a flag of a component, with two dashes as in --node-monitor-grace-period, and
// the record that says so; nil when nothing does. What a process logs of itself at its start comes before the command
// lines of pods, of which several that differ tell nothing.
func (w *World) Flag(component, name string) (value string, source *model.Observation) {
	agreed := true
	for _, o := range w.byKind[model.ProcessFlag] {
		key, v, ok := strings.Cut(o.Detail, "=")
		if !ok || key != name || o.Component != component {
			continue
		}
		v = strings.Trim(v, `"`)
		logged := o.Source.Kind == model.SourceLog
		switch {
		case source == nil, logged && source.Source.Kind != model.SourceLog:
			agreed = true
		case logged: // the list is in the order of time
		case source.Source.Kind == model.SourceLog:
			continue
		default:
			agreed = agreed && v == value
		}
		value, source = v, o
	}
	if !agreed {
		return "", nil
	}
	return value, source
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

// FeatureGate is the value that --feature-gates sets for a gate of a component; nil when none is shown to set it.
func (w *World) FeatureGate(component, gate string) (on bool, source *model.Observation) {
	value, o := w.Flag(component, "--feature-gates")
	if o == nil {
		return false, nil
	}
	for _, item := range strings.Split(value, ",") {
		if name, state, ok := strings.Cut(strings.TrimSpace(item), "="); ok && name == gate {
			on, source = state == "true", o
		}
	}
	return on, source
}
