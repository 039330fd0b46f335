package analyze

import (
	"testing"

	"github.com/volpost/volpost/model"
)

// A sentence says a duration as all others do, however the log spells it.
func TestDurationsOfSentences(t *testing.T) {
	for _, c := range []struct {
		kind   model.Kind
		detail string
		want   string
	}{
		{model.DetachForcedTimeout, "6m0s", "detach of volume v from node-a forced: 6 min expired without an unmount"},
		{model.DetachForcedTimeout, "", "detach of volume v from node-a forced: 6 min expired without an unmount"},
		{model.NodeHeartbeatMissed, "50.413192762s", "Node node-a has not been updated for 50 s"},
		{model.PodDeletionRequested, "grace 90s", "deletion of pod shop/db-0 was requested (grace 1 min 30 s)"},
		{model.PodDeletionRequested, "by an operator", "deletion of pod shop/db-0 was requested (by an operator)"},
	} {
		o := model.Observation{Kind: c.kind, Node: "node-a", Detail: c.detail, Pod: model.Ref{Kind: "Pod", Namespace: "shop", Name: "db-0"},
			Volume: model.VolumeID{PersistentVolume: "v"}}
		if got := sentence(&o); got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.kind, c.detail, got, c.want)
		}
	}
}
