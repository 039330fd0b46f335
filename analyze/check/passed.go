package check

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// standing tells which errors of pods and volumes still stand.
type standing struct {
	w     *facts.World
	byUID map[string]pod // kubelets name the UID and no namespace
}

func newStanding(w *facts.World) standing {
	s := standing{w, make(map[string]pod, len(w.Pods))}
	for _, p := range w.Pods {
		s.byUID[p.Ref.UID] = p
	}
	delete(s.byUID, "")
	return s
}

// pod is the object of the pod that an error names; gone is true when it is not in a list of all.
func (s standing) pod(of model.Ref) (p pod, here, gone bool) {
	if of.Namespace == "" && of.UID != "" {
		p, here = s.byUID[of.UID]
		return p, here, !here && listedSomewhere(s.w, "Pod")
	}
	p, here = s.w.Pod(of)
	return p, here, !here && of.Namespace != "" && s.w.Listed("Pod", of.Namespace)
}

// severity of some records is that of a fault while a pod waits, and nothing shows that what they tell of has passed.
func (k lookalike) severity(s standing, g []*model.Observation) string {
	keeps := k.keeps || k.Severity == string(model.Warning)
	if slices.ContainsFunc(g, func(o *model.Observation) bool {
		p, here, _ := s.pod(o.Pod)
		waits := here && wait.WaitsForContainers(p)
		return waits || keeps && !s.passed(o)
	}) {
		return string(model.Warning)
	}
	return string(model.Info)
}

// goesOn are what shows of a pod that what kept it from its volume is over: it started, or is asked to go.
var goesOn = []model.Kind{model.PodReady, model.PodSampledReady, model.PodRunning, model.MountSucceeded, model.PodFinished, model.PodKilling,
	model.PodDeletionRequested, model.PodContainersStopped, model.PodGone, model.ReplicaDeleted}

// startReasons are of Events that the kubelet writes of a container once the volumes of its pod are mounted (pkg/kubelet/events, 1.13–1.36).
var startReasons = []string{"Pulling", "Pulled", "Created", "Started"}

// retried is the longest pause between two tries of an attach or a mount: 2m2s of the kubelet and the controller, 5 min of the attacher
// (goroutinemap/exponentialbackoff; external-attacher --retry-interval-max). A source that goes on for longer without the error shows its end.
const retried = 6 * time.Minute

// passed reports that what an error tells of is over, as far as the pod that it names, its volume, or the rest of its source shows it.
func (s standing) passed(o *model.Observation) bool {
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
func (s standing) silent(o *model.Observation) bool {
	if o.Source.Kind != model.SourceLog || o.Last.IsZero() {
		return false
	}
	n := slices.IndexFunc(s.w.Axis.Inputs, func(in model.Input) bool { return in.Path == o.Input })
	return n >= 0 && s.w.Axis.Inputs[n].To != nil && s.w.Axis.Inputs[n].To.Sub(o.Last.At) > retried
}

// endsComplaint reports that a later statement about a pod shows an error of it to be over. A row of a table is of the collection.
func endsComplaint(o, later *model.Observation) bool {
	scheduled := o.Kind == model.PodSchedulingFailed && later.Kind == model.PodScheduled
	started := isEvent(later, startReasons...)
	if !scheduled && !started && !slices.Contains(goesOn, later.Kind) {
		return false
	}
	return later.At.IsZero() || !o.Last.IsZero() && later.Last.At.After(o.Last.At)
}

// suffers is what an error that has not passed does to its subject, as a sentence about it begins.
func suffers(w *facts.World, g []*model.Observation) string {
	o := g[0]
	pods := withoutRepeats(facts.Each(facts.Where(g, func(o *model.Observation) bool { return o.Pod.Name != "" }),
		func(o *model.Observation) string { return o.Pod.String() }))
	several := len(pods) > 1 || len(pods) == 0 && len(withoutRepeats(facts.Each(g, func(o *model.Observation) string { return volumeName(w, o) }))) > 1
	verbs := map[bool][2]string{
		true:  {" waits for its volume", " wait for their volumes"},
		false: {" cannot be attached", " cannot be attached"},
	}[len(pods) > 0]
	switch o.Kind {
	case model.PodSchedulingFailed:
		verbs = [2]string{" is not scheduled", " are not scheduled"}
	case model.MountFailed:
		verbs = map[bool][2]string{true: {" cannot mount its volumes", " cannot mount their volumes"},
			false: {" cannot be mounted", " cannot be mounted"}}[len(pods) > 0]
	case model.KubernetesEvent:
		return ""
	}
	if several {
		return verbs[1]
	}
	return verbs[0]
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
