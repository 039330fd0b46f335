package facts

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
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
