package table

import (
	"strings"
	"testing"
)

// TestContexts: what a command printed is of the context that it names, or to which an earlier one changed; each line keeps its number.
func TestContexts(t *testing.T) {
	paste := strings.Split(`In Europe:
$ kubectl --context=eu get nodes
n1 Ready
$ kubectl get pods
p1 Running
$ kubectl config use-context us
Switched to context "us".
$ oc get nodes
n2 Ready
$ kubectl get pods --context eu
p2 Running`, "\n")
	text := []byte(strings.Join(paste, "\n"))
	if got := strings.Join(Contexts(text), " "); got != "eu us" {
		t.Errorf("contexts %s", got)
	}
	for name, want := range map[string][]int{"eu": {0, 1, 2, 9, 10}, "": {3, 4}, "us": {5, 6, 7, 8}} {
		lines := make([]string, len(paste))
		for _, n := range want {
			lines[n] = paste[n]
		}
		if got := string(OfContext(text, name)); got != strings.Join(lines, "\n") {
			t.Errorf("of %q:\n%s", name, got)
		}
	}
	if got := OfContext([]byte("no command"), ""); string(got) != "no command" || Contexts(got) != nil {
		t.Errorf("%q", got)
	}
}
