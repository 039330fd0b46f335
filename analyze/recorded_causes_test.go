package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/volpost/volpost/samples/recordings"
)

// TestCausesOfRealNodes: what is told first of causes that only one recording on real nodes has, and of their neighbours: the cause, whether
// the data are in doubt, and what would have been better.
func TestCausesOfRealNodes(t *testing.T) {
	for name, want := range map[string]string{
		"attach-failing":     "attach-failing confirmed explains attach; no window; better [fix-backend-attach]",
		"drain":              "handover confirmed explains incident; no window; better []",
		"node-deleted-alive": "node-gone confirmed explains unmount-wait; window; better [restart-kubelet]",
		"node-delete":        "node-down likely",
	} {
		bundle, err := recordings.Bundle(name)
		if err != nil {
			t.Fatal(err)
		}
		i := seen(t, recorded{name: name, bundle: bundle}, func(string) bool { return true }).Incidents[0]
		window, better := "no window", []string{}
		if i.IntegrityWindow != nil {
			window = "window"
		}
		if i.Advice != nil {
			for _, o := range i.Advice.Better {
				better = append(better, o.Remedy)
			}
		}
		first := i.Causes[0]
		if got := fmt.Sprintf("%s %s explains %s; %s; better %v", first.ID, first.Verdict, first.Explains, window, better); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
