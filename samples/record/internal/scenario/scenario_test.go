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
