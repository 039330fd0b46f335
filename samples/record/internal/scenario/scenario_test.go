package scenario

import (
	"strings"
	"testing"

	v1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

func TestScenariosAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range All() {
		if seen[s.Name] {
			t.Errorf("two scenarios are called %q", s.Name)
		}
		seen[s.Name] = true
		if s.Title == "" || s.Class == "" || s.What == "" || s.Notice == "" || len(s.Believed) == 0 || s.Play == nil {
			t.Errorf("%s: something is missing", s.Name)
		}
		if strings.HasSuffix(s.Title, ".") || strings.HasSuffix(s.What, ".") {
			t.Errorf("%s: title and description are not sentences", s.Name)
		}
	}
}

func TestWorkloadManifest(t *testing.T) {
	w := workload{name: "ledger-3", claims: 2, apart: true, strategy: "{type: Recreate}"}.defaults()
	var d v1.Deployment
	if err := yaml.UnmarshalStrict([]byte(w.object()), &d); err != nil {
		t.Fatalf("%v in\n%s", err, w.object())
	}
	pod := d.Spec.Template.Spec
	if got := len(pod.Volumes); got != 2 {
		t.Errorf("%d volumes, want 2", got)
	}
	if got, want := pod.Containers[0].Image, "lab.example.com/ledger:1.4.2"; got != want {
		t.Errorf("image %q, want %q", got, want)
	}
	got, want := pod.Containers[0].Args, []string{"-stop=1s", "-data=/var/lib/data/journal"}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("args %q, want %q", got, want)
	}
}

func TestFailedCallIsNoAct(t *testing.T) {
	for out, want := range map[string]bool{
		`Error from server (NotFound): volumeattachments.storage.k8s.io "csi-1" not found`:                        false,
		`error: unable to drain node "worker-0": already cordoned`:                                                false,
		"node/worker-0 cordoned\nevicting pod shop/a\nerror: unable to drain node \"worker-0\": context deadline": true,
		"pod \"orders-db-1\" force deleted from shop namespace\nerror: timed out":                                 true,
		"deployment.apps/orders-db image updated":                                                                 true,
		"deployment.apps/orders-db rolled back":                                                                   true,
		`volumeattachment.storage.k8s.io "csi-1" deleted`:                                                         true,
	} {
		if got := changed.MatchString(out); got != want {
			t.Errorf("%q: changed something: %t, want %t", out, got, want)
		}
	}
}

func TestOptionsOfAWorkload(t *testing.T) {
	w := workload{name: "kafka", kind: "StatefulSet", claims: 1, policy: "Parallel", spread: true, preStop: "sleep: {seconds: 60}",
		tolerations: "{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 0}"}.defaults()
	var d v1.StatefulSet
	if err := yaml.UnmarshalStrict([]byte(w.object()), &d); err != nil {
		t.Fatalf("%v in\n%s", err, w.object())
	}
	pod := d.Spec.Template.Spec
	if d.Spec.PodManagementPolicy != v1.ParallelPodManagement || len(pod.Tolerations) != 1 || *pod.Tolerations[0].TolerationSeconds != 0 ||
		pod.Containers[0].Lifecycle.PreStop.Sleep.Seconds != 60 ||
		len(pod.Affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution) != 1 {
		t.Errorf("an option is missing in\n%s", w.object())
	}
}
