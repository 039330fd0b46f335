package analyze_test

import (
	"slices"
	"testing"
)

// TestRunningMachine: of a lost node whose machine the cloud says runs, something is advised, and nothing by force.
func TestRunningMachine(t *testing.T) {
	const name = "remedy/fence-node/yes-cloud-machine-runs"
	all := cases(t)
	n := slices.IndexFunc(all, func(c oneCase) bool { return c.name == name })
	if n < 0 {
		t.Fatal("no case", name)
	}
	now := all[n].report(t).Incidents[0].Advice.Now
	var ids []string
	for _, o := range now {
		ids = append(ids, o.Remedy)
	}
	if want := []string{"restart-kubelet", "fence-node"}; !slices.Equal(ids, want) {
		t.Errorf("advised are %v, not %v", ids, want)
	}
}
