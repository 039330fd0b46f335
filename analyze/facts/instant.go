package facts

import (
	"slices"
	"sort"
	"time"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Instant is when something happened, with its witnesses. The zero Instant is unknown.
type Instant struct {
	model.Moment
	Witness []*model.Observation
	Rule    string // for derived instants: how it follows from the witnesses
}

// Known reports whether the instant is known, be it only by bounds.
func (i Instant) Known() bool { return !i.Moment.IsZero() }

// Placeholder reports that the instant counts back from a collection that nothing dates: only its distances to others are true.
func (i Instant) Placeholder() bool { return i.Missing() == model.NoDate }

// NoLaterThan is the latest time at which the instant may lie. One that counts back from an assumed collection has none.
func (i Instant) NoLaterThan() time.Time {
	if i.Basis == model.Assumed && len(i.Witness) > 0 && i.Witness[0].Age != nil {
		return time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)
	}
	return i.Latest
}

// Before reports that i is known to lie before t, by the best estimates.
func (i Instant) Before(t Instant) bool { return i.Known() && t.Known() && i.At.Before(t.At) }

// Window selects observations by time.
type Window struct{ From, To time.Time }

// After, Before and During are windows that times bound.
func After(t time.Time) Window         { return Window{From: t} }
func Before(t time.Time) Window        { return Window{To: t} }
func During(from, to time.Time) Window { return Window{from, to} }

// Holds reports that a time lies in the window.
func (w Window) Holds(t time.Time) bool {
	ended := !w.To.IsZero() && t.After(w.To)
	return !ended && !t.Before(w.From)
}

// Find is the first observation of a list that passes the test, with a time or without; nil when none does.
func Find(list []*model.Observation, test func(*model.Observation) bool) *model.Observation {
	if i := slices.IndexFunc(list, test); i >= 0 {
		return list[i]
	}
	return nil
}

// First is the earliest observation of a list, sorted by time, that lies in the window and passes the test; nothing else is looked at.
func First(list []*model.Observation, w Window, test func(*model.Observation) bool) *model.Observation {
	return Find(w.Of(list), test)
}

// Last is the latest such observation.
func Last(list []*model.Observation, w Window, test func(*model.Observation) bool) *model.Observation {
	for _, o := range slices.Backward(w.Of(list)) {
		if test(o) {
			return o
		}
	}
	return nil
}

// Of is the part of a list, which is sorted by time, that lies in the window. What has no time stands first, and in no window.
func (w Window) Of(list []*model.Observation) []*model.Observation {
	from := sort.Search(len(list), func(i int) bool { return !list[i].At.IsZero() && !list[i].At.At.Before(w.From) })
	if w.To.IsZero() {
		return list[from:]
	}
	n := sort.Search(len(list)-from, func(i int) bool { return list[from+i].At.At.After(w.To) })
	return list[from : from+n]
}

// Where are those of a list that pass a test.
func Where[T any](list []T, test func(T) bool) (out []T) {
	for _, x := range list {
		if test(x) {
			out = append(out, x)
		}
	}
	return out
}

// Each is what a function makes of the members of a list.
func Each[T, R any](list []T, of func(T) R) (out []R) {
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// Kinds tests for any of some kinds.
func Kinds(ks ...model.Kind) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return slices.Contains(ks, o.Kind) }
}

// And tests for what passes all of some tests.
func And(tests ...func(*model.Observation) bool) func(*model.Observation) bool {
	return func(o *model.Observation) bool {
		return !slices.ContainsFunc(tests, func(test func(*model.Observation) bool) bool { return !test(o) })
	}
}

// FromAudit tests for what the API server itself logged.
func FromAudit(o *model.Observation) bool { return o.Source.Kind == model.SourceAudit }

// OfPod tests for what is about a pod, by its UID too.
func OfPod(p model.Ref) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return o.Pod.Is(p) }
}

// CloudKinds are the kinds by which a cloud speaks of its machines and disks, under names of its own.
var CloudKinds = []model.Kind{model.MachineRunning, model.MachineOff, model.MachineStartRequested, model.MachineStopRequested,
	model.DiskAttached, model.DiskFree, model.DiskAttachRequested, model.DiskDetachRequested}

// ByCloud reports that an observation is a cloud's own statement: it belongs to the bundle's story only as that of a case.
func ByCloud(o *model.Observation) bool { return slices.Contains(CloudKinds, o.Kind) }

// IsAttacher reports that a request was sent by an external-attacher: its program says so, or the same user with the same
// program has written the status of a VolumeAttachment, which only the attacher does.
func (w *World) IsAttacher(o *model.Observation) bool {
	if upstream.ActorOf(o.Actor, o.Agent).Name == upstream.ExternalAttacher {
		return true
	}
	return o.Actor != "" && slices.ContainsFunc(w.ByKind[model.AttachmentAttached], func(a *model.Observation) bool {
		return FromAudit(a) && a.Actor == o.Actor && a.Agent == o.Agent
	})
}

// Family is what the names of a workload's pods have in common: the Deployment, or the name that comes again.
func Family(pod model.Ref) string {
	if deployment, ok := DeploymentName(pod.Name); ok {
		return pod.Namespace + "/" + deployment + "/"
	}
	return pod.Namespace + "/" + pod.Name
}

// FromMetric tests for samples.
func FromMetric(o *model.Observation) bool { return o.Source.Kind == model.SourceMetric }

// StorageRefuses reports a storage that refuses because another machine has the volume, or a mount because the mounting one has it not.
func StorageRefuses(o *model.Observation, node string) bool {
	return upstream.InUseElsewhere(o.Detail, node) || o.Kind == model.MountFailed && upstream.NotHere(o.Detail)
}

// StuckThere reports the error of a detach, as a VolumeAttachment that was pasted keeps it: the volume is still there.
func StuckThere(o *model.Observation) bool {
	state := o.Source.Kind == model.SourceManifest || o.Source.Kind == model.SourceText && o.Age == nil
	return state && Kinds(model.DetachFailed, model.AttachmentDetachError)(o)
}
