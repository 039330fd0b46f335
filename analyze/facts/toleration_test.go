package facts

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestTolerations: how long a pod tolerates an unreachable node, by which of its tolerations.
func TestTolerations(t *testing.T) {
	key := corev1.TaintNodeUnreachable
	of := func(operator corev1.TolerationOperator, key, value string, effect corev1.TaintEffect, seconds ...int64) corev1.Toleration {
		out := corev1.Toleration{Key: key, Operator: operator, Value: value, Effect: effect}
		for _, s := range seconds {
			out.TolerationSeconds = &s
		}
		return out
	}
	for n, row := range []struct {
		list []corev1.Toleration
		want string
	}{
		{nil, "{false false 0s 0}"},
		{[]corev1.Toleration{of("Exists", key, "", "")}, "{true true 0s 0}"}, {[]corev1.Toleration{of("Exists", "", "", "NoExecute")}, "{true true 0s 0}"},
		{[]corev1.Toleration{of("Exists", key, "", "NoSchedule")}, "{false false 0s 0}"}, {[]corev1.Toleration{of("Exists", "x", "", "")}, "{false false 0s 0}"},
		{[]corev1.Toleration{of("", key, "", "", 300)}, "{true false 5m0s 0}"}, {[]corev1.Toleration{of("Equal", key, "x", "", 300)}, "{false false 0s 0}"},
		{[]corev1.Toleration{of("Equal", "x", "", "", 300)}, "{false false 0s 0}"}, {[]corev1.Toleration{of("Like", key, "", "", 300)}, "{false false 0s 0}"},
		{[]corev1.Toleration{of("Exists", "x", "", ""), of("Exists", key, "", "", 300), of("Exists", key, "", "", 60)}, "{true false 1m0s 2}"},
		{[]corev1.Toleration{of("Exists", key, "", "", 60), of("Exists", key, "", "", 300)}, "{true false 1m0s 0}"},
		{[]corev1.Toleration{of("Exists", key, "", "", -5)}, "{true false 0s 0}"},
		{[]corev1.Toleration{of("Exists", key, "", "", 1<<62)}, "{true false 876000h0m0s 0}"},
	} {
		pod := &corev1.Pod{Spec: corev1.PodSpec{Tolerations: row.list}}
		of := TolerationOf(pod, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute})
		if got := fmt.Sprintf("{%v %v %v %d}", of.Matches, of.Unlimited, of.Shortest, of.Index); got != row.want {
			t.Errorf("%d: %s, want %s", n, got, row.want)
		}
	}
}
