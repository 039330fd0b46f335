package check

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// What shows that an error has passed: what it tells of is over, at the collection or in the rest of its source.

// retried is the longest pause between two tries of an attach or a mount: 2m2s of the kubelet and the controller, 5 min of the attacher
// (goroutinemap/exponentialbackoff; external-attacher --retry-interval-max). A source that goes on for longer without the error shows its end.
const retried = 6 * time.Minute

// passed reports that what an error tells of is over, as far as the pod that it names, its volume, or the rest of its source shows it.
func (s *scene) passed(o *model.Observation) bool {
	if s.silent(o) {
		return true
	}
	if o.Pod.Name == "" {
		return !o.Volume.IsZero() && attachedSince(s.w, o)
	}
	p, here, gone := s.pod(o.Pod)
	if here && o.Kind == model.PodSchedulingFailed {
		return nodeOf(p) != "" || p.Value().DeletionTimestamp != nil
	}
	if here {
		return !wait.WaitsForContainers(p)
	}
	if gone {
		return true
	}
	return slices.ContainsFunc(s.w.OfPod(o.Pod), func(later *model.Observation) bool { return endsComplaint(o, later) }) ||
		slices.Contains(attachKinds, o.Kind) && attachedSince(s.w, o)
}

// silent reports that a log goes on without an error that would have come again.
func (s *scene) silent(o *model.Observation) bool {
	if o.Source.Kind != model.SourceLog || o.Last.IsZero() {
		return false
	}
	n := slices.IndexFunc(s.w.Axis.Inputs, func(in model.Input) bool { return in.Path == o.Input })
	return n >= 0 && s.w.Axis.Inputs[n].To != nil && s.w.Axis.Inputs[n].To.Sub(o.Last.At) > retried
}

// pod is the object of the pod that an error names; gone is true when it is not in a list of all.
func (s *scene) pod(of model.Ref) (p pod, here, gone bool) {
	if of.Namespace == "" && of.UID != "" {
		p, here = s.byUID[of.UID]
		return p, here, !here && listedSomewhere(s.w, "Pod")
	}
	p, here = s.w.Pod(of)
	return p, here, !here && of.Namespace != "" && s.w.Listed("Pod", of.Namespace)
}

// goesOn are what shows of a pod that what kept it from its volume is over: it started, or is asked to go.
var goesOn = []model.Kind{model.PodReady, model.PodSampledReady, model.PodRunning, model.MountSucceeded, model.PodFinished, model.PodKilling,
	model.PodDeletionRequested, model.PodContainersStopped, model.PodGone, model.ReplicaDeleted}

// startReasons are of Events that the kubelet writes of a container once the volumes of its pod are mounted (pkg/kubelet/events, 1.13–1.36).
var startReasons = []string{"Pulling", "Pulled", "Created", "Started"}

// endsComplaint reports that a later statement about a pod shows an error of it to be over. A row of a table is of the collection.
func endsComplaint(o, later *model.Observation) bool {
	scheduled := o.Kind == model.PodSchedulingFailed && later.Kind == model.PodScheduled
	started := isEvent(later, startReasons...)
	if !scheduled && !started && !slices.Contains(goesOn, later.Kind) {
		return false
	}
	return later.At.IsZero() || !o.Last.IsZero() && later.Last.At.After(o.Last.At)
}

// attachedSince reports that the volume of an observation was attached after it.
func attachedSince(w *facts.World, o *model.Observation) bool {
	if o.Last.IsZero() {
		return false
	}
	v, later := w.Volumes.Find(o.Volume), facts.After(o.Last.At)
	if facts.First(w.ByVolume[v], later, facts.Kinds(model.AttachSucceeded, model.AttachmentAttached, model.AttacherAttached)) != nil {
		return true
	}
	return o.Attachment != "" && facts.First(w.ByAttach[o.Attachment], later, facts.Kinds(model.AttacherAttached, model.AttachmentAttached)) != nil
}

// allAttachedSince reports that all that some errors of attaches tell of went through since.
func allAttachedSince(w *facts.World, g []*model.Observation) bool {
	return !slices.ContainsFunc(g, func(o *model.Observation) bool { return !slices.Contains(attachKinds, o.Kind) || !attachedSince(w, o) })
}

// placedSince reports that a pod that could not be placed has a node by now, or is gone from a list of all.
func placedSince(w *facts.World, o *model.Observation) bool {
	if p, ok := w.Pod(o.Pod); ok {
		return p.Value().Spec.NodeName != ""
	}
	return w.Listed("Pod", o.Pod.Namespace) || w.NewestOf(o.Pod, model.PodScheduled) != nil
}

// mountedSince reports that the containers of a pod whose mount failed have started since.
func mountedSince(w *facts.World, o *model.Observation) bool {
	if p, ok := w.Pod(o.Pod); ok {
		return !facts.Creating(p.Value())
	}
	return slices.ContainsFunc(w.OfPod(o.Pod), func(s *model.Observation) bool {
		started := facts.Kinds(model.PodRunning, model.PodReady)(s) || isEvent(s, startReasons...)
		return started && (s.At.IsZero() || s.At.At.After(o.Last.At))
	})
}

// foundSince reports that a Secret or ConfigMap of a pod is there by now: its containers have started, or the pod is gone from a list of all. A
// kubelet that starts knows the objects of its pods a moment later (pkg/kubelet/util/manager, "not registered").
func foundSince(w *facts.World, o *model.Observation) bool {
	if strings.HasSuffix(strings.TrimRight(errorOf(o), `. "'`), " not registered") && o.Last.At.Sub(o.At.At) < time.Minute {
		return true
	}
	if _, ok := w.Pod(o.Pod); !ok && w.Listed("Pod", o.Pod.Namespace) {
		return true
	}
	return mountedSince(w, o)
}

// resized reports that a claim's file system has grown since an observation, by the claim or by the kubelet's Event.
func resized(w *facts.World, o *model.Observation) bool {
	if o.Claim.Name == "" {
		return false
	}
	if c, ok := w.Claim(o.Claim.Namespace, o.Claim.Name); ok && (o.Claim.UID == "" || o.Claim.UID == c.Ref.UID) {
		return expansion{claim: c}.condition(fileSystemPending) < 0
	}
	return slices.ContainsFunc(w.ClaimEvents(o.Claim), func(e *model.Observation) bool {
		return isEvent(e, "FileSystemResizeSuccessful") && !o.Last.IsZero() && e.Last.At.After(o.Last.At)
	})
}
