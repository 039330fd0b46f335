package remedy

import (
	"strings"
	"testing"
)

// A step whose name nobody should type has no command, and says so.
func TestStepWithoutName(t *testing.T) {
	for given, fits := range map[string]bool{"worker-1": true, "a.b.c": true, "--all": false, "": false, "OLD-NODE": false, "a b": false,
		"$(x)": false, "x-": false, strings.Repeat("a", 254): false} {
		i := made("v1.34.0")
		i.Case.From = given
		s := act("delete the Node object", "kubectl delete node $node")(i)
		if (s.Command != "") != fits || strings.HasSuffix(s.Text, noCommand) == fits {
			t.Errorf("%q: %+v", given, s)
		}
		if w := filled([]string{"pod/$x"}, func(string) string { return name(given) })[0]; (w != "") != fits {
			t.Errorf("within %q: %q", given, w)
		}
	}
}

// The steps in one list can be pasted as a whole: what is for afterwards is not done at once.
func TestCommandsInOneList(t *testing.T) {
	list := commands(steps(prove("see", "kubectl get node n"), act("taint", "kubectl taint node n", "k=v"),
		after("untaint", "kubectl taint node n k=v-"))(nil))
	want := "# Before: see|kubectl get node n|# taint|kubectl taint node n k=v|# After: untaint|# kubectl taint node n k=v-"
	if got := strings.Join(list, "|"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
