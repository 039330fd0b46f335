package statement

import (
	"cmp"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

type podStatements = about[*corev1.Pod]

// pod says when a pod was created, scheduled, ready, asked to go and finished.
func pod(o model.Object[*corev1.Pod]) []model.Observation {
	a := of(o)
	a.base.Pod, a.base.Node = o.Ref, o.Value().Spec.NodeName
	if !o.Value().CreationTimestamp.IsZero() {
		// Where it went was decided later.
		a.say(model.PodCreated, second(o.Value().CreationTimestamp), "metadata.creationTimestamp", func(o *model.Observation) { o.Node = "" })
	}
	podConditions(a)
	podDeletion(a)
	podFinished(a)
	flags(a)
	return a.out
}

func podConditions(a *podStatements) {
	for i, c := range a.object.Value().Status.Conditions {
		if c.LastTransitionTime.IsZero() {
			continue
		}
		at, field := second(c.LastTransitionTime), fmt.Sprintf("status.conditions[%d].lastTransitionTime", i)
		switch {
		case c.Type == corev1.PodScheduled && c.Status == corev1.ConditionTrue:
			a.say(model.PodScheduled, at, field, nil)
		case c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse:
			a.say(model.PodSchedulingFailed, at, field, detail(c.Message))
		case c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue:
			a.say(model.PodReady, at, field, nil)
		case c.Type == corev1.PodReady:
			a.say(model.PodNotReady, at, field, detail(c.Reason))
		case c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue:
			a.say(model.PodEvictionDecided, at, field, detail(c.Reason))
		}
	}
}

// maxGrace is ten years in seconds; a longer grace period is nonsense and would overflow.
const maxGrace = 10 * 365 * 24 * 60 * 60

// podDeletion reads when the deletion was requested: deletionTimestamp less the grace period, also after a second deletion.
func podDeletion(a *podStatements) {
	pod := a.object.Value()
	if pod.DeletionTimestamp.IsZero() {
		return
	}
	at, text := second(*pod.DeletionTimestamp), ""
	switch grace := pod.DeletionGracePeriodSeconds; {
	case grace == nil:
		at = at.As(model.Assumed) // the API server always writes both; something took it away
	case *grace > 0 && *grace < maxGrace:
		at = at.Shift(-time.Duration(*grace) * time.Second).As(model.Derived)
		fallthrough
	default:
		text = fmt.Sprintf("grace %ds", *grace)
	}
	a.say(model.PodDeletionRequested, at, "metadata.deletionTimestamp", detail(text))
	if field, stopped := containersStopped(pod); stopped {
		at, ended := finishedAt(pod)
		a.say(model.PodContainersStopped, at, cmp.Or(ended, field), nil)
	}
}

// containersStopped reports that no container status says running, which lets the attach/detach controller count the
// volumes of a pod that is being deleted as unused (util.IsPodTerminated, volumeutil). Without any status nothing is known.
func containersStopped(pod *corev1.Pod) (field string, ok bool) {
	statuses := pod.Status.ContainerStatuses
	if len(statuses) == 0 {
		return "", false
	}
	for _, s := range statuses {
		if s.State.Running != nil || s.State.Terminated == nil && s.State.Waiting == nil {
			return "", false
		}
	}
	field = "status.containerStatuses[0].state.waiting"
	for i, s := range statuses {
		if s.State.Terminated != nil {
			field = fmt.Sprintf("status.containerStatuses[%d].state.terminated", i)
		}
	}
	return field, true
}

// finishedAt is when the last container ended, and the field that says so; zero when the object does not say.
func finishedAt(pod *corev1.Pod) (at model.Moment, field string) {
	for i, s := range pod.Status.ContainerStatuses {
		if t := s.State.Terminated; t != nil && !t.FinishedAt.IsZero() && second(t.FinishedAt).At.After(at.At) {
			at, field = second(t.FinishedAt), fmt.Sprintf("status.containerStatuses[%d].state.terminated.finishedAt", i)
		}
	}
	return at, field
}

// podFinished reads a pod that will not run again. If its containers do not say when, the Ready condition does.
func podFinished(a *podStatements) {
	pod := a.object.Value()
	if pod.Status.Phase != corev1.PodFailed && pod.Status.Phase != corev1.PodSucceeded {
		return
	}
	at, field := finishedAt(pod)
	if at.IsZero() {
		field = "status.phase"
		for i, c := range pod.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status != corev1.ConditionTrue && !c.LastTransitionTime.IsZero() {
				at, field = second(c.LastTransitionTime).As(model.Derived), fmt.Sprintf("status.conditions[%d].lastTransitionTime", i)
			}
		}
	}
	text := string(pod.Status.Phase) + words.If(pod.Status.Reason != "", "/"+pod.Status.Reason)
	a.say(model.PodFinished, at, field, detail(text))
}
