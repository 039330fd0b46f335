package facts

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

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
