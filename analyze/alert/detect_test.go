package alert

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		images    []string
		openShift string
		want      Setup
	}{
		{want: Setup{Release: Newest}},
		{images: []string{"registry.k8s.io/kube-state-metrics/kube-state-metrics:v2.10.1"}, want: Setup{Release: Release{2, 10}}},
		{images: []string{"host:5000/kube-state-metrics:v2.0.0@sha256:00", "quay.io/coreos/kube-state-metrics:v1.9.8"}, want: Setup{Release: Release{1, 9}}},
		{images: []string{"host:5000/kube-state-metrics", "other/not-kube-state-metrics:v2.1.0", "x/kube-state-metrics:latest", "x/kube-state-metrics:v1.3.0"}, want: Setup{Release: Newest}},
		{openShift: "4.17.3", want: Setup{Release: Release{2, 12}, OpenShift: true}},
		{openShift: "4.5.0", want: Setup{Release: Newest, OpenShift: true}},
		{openShift: "4.", want: Setup{Release: Newest, OpenShift: true}},
	} {
		s := &model.Snapshot{}
		for _, image := range c.images {
			pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Image: image}}}}
			s.Pods = append(s.Pods, model.Object[*corev1.Pod]{Content: model.Whole(pod)})
		}
		if c.openShift != "" {
			s.ClusterVersions = append(s.ClusterVersions, model.Object[model.ClusterVersion]{Content: model.Whole(model.ClusterVersion{Version: c.openShift})})
		}
		got := Detect(s)
		if got.Release != c.want.Release || got.OpenShift != c.want.OpenShift || len(got.Because) == 0 {
			t.Errorf("%v %q: %v, want %v", c.images, c.openShift, got, c.want)
		}
	}
}
