package facts

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

// PodCondition is a condition of a pod, with the path of its fields; zero when it has none.
func PodCondition(p *corev1.Pod, of corev1.PodConditionType) (cond corev1.PodCondition, field string) {
	for i, cond := range p.Status.Conditions {
		if cond.Type == of {
			return cond, fmt.Sprintf("status.conditions[%d].", i)
		}
	}
	return cond, field
}

// Finished reports that no container of a pod will run again: the controller does not count it as a user of its volumes.
func Finished(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

// Creating reports that no container of a pod has come past the preparation by the kubelet.
func Creating(p *corev1.Pod) bool {
	all := slices.Concat(p.Status.ContainerStatuses, p.Status.InitContainerStatuses)
	return p.Status.Phase == corev1.PodPending && !slices.ContainsFunc(all, func(s corev1.ContainerStatus) bool {
		return s.State.Waiting == nil || s.State.Waiting.Reason != "ContainerCreating" && s.State.Waiting.Reason != "PodInitializing"
	})
}

// Toleration is how long a pod stays on a node that has a NoExecute taint. The zero value is of a pod that does not tolerate it.
type Toleration struct {
	Matches   bool
	Unlimited bool
	Shortest  time.Duration // of the limits that match, at least 0; 0 where Unlimited
	Index     int           // in spec.tolerations, of the one that decides
}

// maxSeconds keeps a nonsensical toleration from overflowing: a hundred years.
const maxSeconds = 100 * 365 * 24 * 60 * 60

// TolerationOf finds the shortest of the limits of a pod's tolerations that match a taint; without any limit it is for ever
// (getMinTolerationTime of kube-controller-manager's pkg/controller/tainteviction).
func TolerationOf(pod *corev1.Pod, taint corev1.Taint) Toleration {
	var out Toleration
	for i, t := range pod.Spec.Tolerations {
		if !t.ToleratesTaint(klog.Logger{}, &taint, true) {
			continue
		}
		if !out.Matches {
			out = Toleration{Matches: true, Unlimited: true, Index: i}
		}
		if s := t.TolerationSeconds; s != nil {
			d := time.Duration(min(max(*s, 0), maxSeconds)) * time.Second
			if out.Unlimited || d < out.Shortest {
				out.Unlimited, out.Shortest, out.Index = false, d, i
			}
		}
	}
	return out
}
