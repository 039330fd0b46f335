package wait

import (
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// seen is an instant as one observation has it.
func seen(o *model.Observation) facts.Instant {
	if o == nil {
		return facts.Instant{}
	}
	return facts.Instant{Moment: o.At, Witness: []*model.Observation{o}}
}

// derived is an instant that follows from witnesses by a rule.
func derived(m model.Moment, rule string, witness ...*model.Observation) facts.Instant {
	return facts.Instant{Moment: m.As(model.Derived), Witness: unique(witness), Rule: rule}
}

// corroborate adds the witnesses of others whose interval, widened by slack, overlaps. The narrowest interval wins, among equals the first.
func corroborate(slack time.Duration, candidates ...facts.Instant) facts.Instant {
	var best facts.Instant
	for _, c := range candidates {
		if c.Known() && (!best.Known() || width(c) < width(best)) {
			best = c
		}
	}
	if !best.Known() {
		return best
	}
	witness := best.Witness
	for _, c := range candidates {
		if c.Known() && c.Earliest.Add(-slack).Before(best.Latest.Add(1)) && best.Earliest.Before(c.Latest.Add(slack+1)) {
			witness = append(witness, c.Witness...)
		}
	}
	best.Witness = unique(witness)
	return best
}

// either is the first of some instants that is known.
func either(list ...facts.Instant) facts.Instant {
	for _, i := range list {
		if i.Known() {
			return i
		}
	}
	return facts.Instant{}
}

// earliest is the first in time of some instants, as far as they are known.
func earliest(list ...facts.Instant) (first facts.Instant) {
	for _, i := range list {
		if i.Known() && (!first.Known() || i.At.Before(first.At)) {
			first = i
		}
	}
	return first
}

// only is an observation if a condition holds; else nil.
func only(o *model.Observation, holds bool) *model.Observation {
	if !holds {
		return nil
	}
	return o
}

// sole is the only one of some names, if it is not a certain one; else "".
func sole(names []string, not string) string {
	if len(names) != 1 || names[0] == not {
		return ""
	}
	return names[0]
}

func width(i facts.Instant) time.Duration { return i.Latest.Sub(i.Earliest) }

// sooner is the earlier of two observations, as far as there are two.
func sooner(a, b *model.Observation) *model.Observation {
	if a == nil || b != nil && b.At.At.Before(a.At.At) {
		return b
	}
	return a
}

// unique drops repeated observations and keeps the order.
func unique(in []*model.Observation) []*model.Observation {
	var out []*model.Observation
	done := map[*model.Observation]bool{}
	for _, o := range in {
		if o != nil && !done[o] {
			done[o] = true
			out = append(out, o)
		}
	}
	return out
}

// those are the observations of a list, sorted by time, that lie in a window and pass some tests.
func those(list []*model.Observation, w facts.Window, tests ...func(*model.Observation) bool) []*model.Observation {
	return facts.Where(w.Of(list), facts.And(tests...))
}

// says tests for a text in the Detail.
func says(text string) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return strings.Contains(o.Detail, text) }
}

func onNode(n string) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return o.Node == n }
}

// nodeOf is the node of an observation, "" without one.
func nodeOf(o *model.Observation) string {
	if o == nil {
		return ""
	}
	return o.Node
}

// within moves a time into an interval.
func within(t time.Time, m model.Moment) time.Time {
	return model.Earlier(model.Later(t, m.Earliest), m.Latest)
}

// mayBeOn tests for what is about a node, or names none, as an Event of a pod.
func mayBeOn(node string) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return o.Node == "" || o.Node == node }
}

// printed tests for a row of a pasted list, or a field of a description: it is of the time of its printing, and has none itself.
func printed(o *model.Observation) bool { return o.Source.Kind == model.SourceText && o.At.IsZero() }

// booted tests for the kubelet's Event of a new boot of its machine.
func booted(o *model.Observation) bool {
	return o.Kind == model.KubernetesEvent && o.Detail == rebooted
}

// failedDetach tests for the attacher's word of a failed detach call.
func failedDetach(o *model.Observation) bool {
	return o.Kind == model.AttacherFailed && !upstream.OfAttach(o.Detail)
}

// unmounted tests for the kubelet's unmount of a pod's volume, which comes before that of the device.
func unmounted(o *model.Observation) bool {
	return o.Kind == model.UnmountSucceeded && o.Detail != model.OfDevice
}

// unmountedDevice tests for the end of a kubelet's unmount: nothing on the node has the volume then.
func unmountedDevice(o *model.Observation) bool {
	return o.Kind == model.UnmountSucceeded && o.Detail == model.OfDevice
}

// oneNamespace reports that two pods may be of one namespace: pasted text may lack it.
func oneNamespace(a, b model.Ref) bool {
	return a.Namespace == b.Namespace || a.Namespace == "" || b.Namespace == ""
}
