package logfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// A text that is known tells again what is only counted, not what is a statement of its own each time: a controller that starts anew within
// minutes, and a pod that is gone again.
func TestEchoesOfOnes(t *testing.T) {
	for _, c := range []struct {
		text string
		kind model.Kind
		want int
	}{
		{`attach_detach_controller.go:1] "Starting attach detach controller"`, model.ControllerStarted, 3},
		{`taint_eviction.go:1] "Noticed pod deletion" pod="a/b"`, model.PodGone, 3},
		{`reconciler.go:1] "Cannot detach volume because it is still mounted" node="n" volumeName="u"`, model.DetachStillMounted, 1},
	} {
		var b strings.Builder
		for i := range firstKept + 20 {
			b.WriteString(at(float64(i)/10, fmt.Sprintf(`reconciler.go:1] "Failed to get health of node" node="n%d"`, i)))
		}
		for i := range 3 {
			b.WriteString(at(100+60*float64(i), c.text) + at(101+60*float64(i), `x.go:1] "dull"`))
		}
		sameUnfiltered(t, b.String(), blocks...)
		n := 0
		for _, o := range readText(b.String(), Hint{}).Observations {
			if o.Kind == c.kind {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %d statements, want %d", c.kind, n, c.want)
		}
	}
}

// Of records with one time the later stands first in a log whose newest line does, and in any other the earlier.
func TestOrderOfOneTime(t *testing.T) {
	lines := []string{
		at(0, `x.go:1] before`), at(10, `x.go:1] before`), at(20, `x.go:1] before`),
		at(30, `reconciler.go:1] "attacherDetacher.AttachVolume started" volumeName="u" nodeName="n" scheduledPods=["a/b"]`),
		at(30, `reconciler.go:1] "attacherDetacher.DetachVolume started" volumeName="v" node="m"`),
		at(30, `reconciler.go:1] "node has out-of-service taint" node="n"`),
	}
	const want = "attach-started x1, detach-started x1, node-out-of-service x1"
	if got := kinds(readText(lines[2]+strings.Join(lines, ""), Hint{})); got != want {
		t.Errorf("one line out of order: %s, want %s", got, want)
	}
	slices.Reverse(lines)
	if got := kinds(readText(strings.Join(lines, ""), Hint{})); got != want {
		t.Errorf("newest first: %s, want %s", got, want)
	}
}

// A log is of the component whose statements it holds, by their wording, or where that is anybody's by file and text.
func TestComponentOfStatements(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"by its wording", at(0, `csi_attacher.go:1] kubernetes.io/csi: attachment for h failed: boom`), "kube-controller-manager"},
		{"by file and text", at(0, `flags.go:64] FLAG: --node-monitor-grace-period="40s"`), "kube-controller-manager"},
		{"by most of them", at(0, `flags.go:64] FLAG: --node-monitor-grace-period="40s"`) +
			at(1, `kubelet_node_status.go:1] "Error updating node status, will retry" err="dial tcp"`) +
			at(2, `kubelet_node_status.go:1] "Error updating node status, will retry" err="dial tcp"`), "kubelet"},
		{"a line of the API server alone", at(0, `node_authorizer.go:1] "NODE DENY" err="node 'n' cannot get unknown pv /x"`), ""},
		{"anybody's", at(0, `flags.go:64] FLAG: --v="4"`), ""},
		{"a reporter of events", at(0,
			`event.go:1] "Event occurred" object="n" kind="Node" reason="NodeNotReady" message="x" logger="node-lifecycle-controller"`), ""},
	} {
		if got := readText(c.log, Hint{}).Input.Component; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
