package facts

import (
	"crypto/sha256"
	"encoding/hex"
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
	for _, o := range w.ByKind[model.ProcessFlag] {
		v, is := strings.CutPrefix(o.Detail, name+"=")
		rank := FlagRank(o)
		if !is || o.Component != component || rank < best {
			continue
		}
		v = strings.Trim(v, `"`)
		if rank > best || rank == FlagLogged { // of logs, which the list has in the order of time, the newest counts
			agreed = true
		} else if v != value {
			agreed = false
		}
		value, source, best = v, o, rank
	}
	if !agreed {
		return "", nil
	}
	return value, source
}

// How near a source of a flag is to the process that runs with it.
const (
	FlagConfigured = iota + 1
	flagOfPod
	FlagLogged
)

// FlagRank orders the sources of a flag: the process itself, a command line, a configuration.
func FlagRank(o *model.Observation) int {
	if o.Source.Kind == model.SourceLog {
		return FlagLogged
	}
	if o.Object.Kind == "Pod" {
		return flagOfPod
	}
	return FlagConfigured
}

// FlagDuration is a duration flag of a component; nil when none is shown that reads as a duration.
func (w *World) FlagDuration(component, name string) (time.Duration, *model.Observation) {
	value, o := w.Flag(component, name)
	d, err := time.ParseDuration(value)
	if err != nil {
		return 0, nil
	}
	return d, o
}

// HandleHash is how a kubelet and its names for mounts show the volume's handle.
func (v *Volume) HandleHash() string {
	sum := sha256.Sum256([]byte(v.Handle))
	return hex.EncodeToString(sum[:])
}
