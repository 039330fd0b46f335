package reconstruct

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/upstream"
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

// Signature is a line of the case that has the wording of a known error of Kubernetes, with the version of the component
// that wrote it or that it is about. Version and its quote are zero when the bundle does not state it.
type Signature struct {
	Bug      upstream.KnownBug
	Lines    []*model.Observation
	Version  upstream.Version
	VersionO *model.Observation
}

// Signatures are the known errors whose lines are about the blocking VolumeAttachment, or this volume on the old node, in this wait.
func (c *Case) Signatures() []Signature {
	var out []Signature
	for _, bug := range upstream.KnownBugs() {
		s := Signature{Bug: bug}
		for _, o := range c.suspects() {
			if bug.Signature(o.Detail) || bug.Signature(o.Volume.UniqueName) {
				s.Lines = append(s.Lines, o)
			}
		}
		if len(s.Lines) == 0 {
			continue
		}
		s.Version, s.VersionO = c.versionOf(bug.Component)
		out = append(out, s)
	}
	return out
}

// suspects are the lines that can have a signature, as far as they are about the case.
func (c *Case) suspects() []*model.Observation {
	w := window{from: c.lastHeld(), to: c.Ended().Latest}
	out := where(c.World.byAttach[c.Attachment.Name], func(o *model.Observation) bool {
		return o.Kind == model.AttachmentCheckFailed && w.holds(o.At.At)
	})
	if c.From == "" || c.Volume.Handle == "" {
		return out
	}
	hash := c.Volume.handleHash()
	return slices.Concat(out, where(c.World.byVolume[c.Volume], func(o *model.Observation) bool {
		return o.Kind == model.DetachForcedTimeout && o.Node == c.From && w.holds(o.At.At)
	}), where(c.World.byNode[c.From], func(o *model.Observation) bool {
		return o.Kind == model.NodeDenied && strings.Contains(o.Detail, hash) && w.holds(o.At.At)
	}))
}

// handleHash is how a kubelet and its names for mounts show the volume's handle.
func (v *Volume) handleHash() string {
	sum := sha256.Sum256([]byte(v.Handle))
	return hex.EncodeToString(sum[:])
}

// versionOf is the version of a component as the bundle states it: of the kubelet that of the old node.
func (c *Case) versionOf(component string) (upstream.Version, *model.Observation) {
	if node, ok := c.World.Node(c.From); ok && component == "kubelet" {
		v, _ := upstream.ParseVersion(node.Value().Status.NodeInfo.KubeletVersion)
		return v, Cite(node, "status.nodeInfo.kubeletVersion")
	}
	if component == "kubelet" || c.World.VersionO == nil {
		return upstream.Version{}, nil
	}
	return c.World.Version, c.World.VersionO
}
