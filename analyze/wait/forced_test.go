package wait_test

import (
	"testing"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestTakenMounted: whether a volume was mounted when it was detached by force, which the controller's line alone does not tell.
func TestTakenMounted(t *testing.T) {
	still := func(at float64) *model.Observation {
		o := cases.Seen(at, model.Observation{Kind: model.DetachStillMounted, Node: "node-a", Volume: cases.PV})
		o.Last = o.At
		return o
	}
	at := func(seconds float64) facts.Instant {
		return cases.At(seconds, model.Observation{Kind: model.NodeNotReady})
	}
	leader := func(seconds ...float64) (out []facts.Instant) {
		for _, s := range seconds {
			out = append(out, at(s))
		}
		return out
	}
	const version = "v1.34.0"
	for _, tt := range []struct {
		name    string
		version string
		told    []*model.Observation
		change  func(*wait.Case)
		want    model.Truth
	}{
		{"found mounted until then", version, []*model.Observation{still(398.5)}, nil, model.True},
		{"found mounted long before", version, []*model.Observation{still(397)}, nil, model.Unknown},
		{"a node that was lost", version, nil, func(c *wait.Case) { c.NotReady = at(100) }, model.True},
		{"lost only after it", version, nil, func(c *wait.Case) { c.NotReady = at(401) }, model.Unknown},
		{"lost, and back before it", version, nil, func(c *wait.Case) { c.NotReady, c.BackReady = at(100), at(300) }, model.False},
		{"lost, and back only after it", version, nil, func(c *wait.Case) { c.NotReady, c.BackReady = at(100), at(500) }, model.True},
		{"back, in a version that does not ask", "v1.20.0", nil, func(c *wait.Case) { c.NotReady, c.BackReady = at(100), at(300) },
			model.Unknown},
		{"back, in a version that is not known", "", nil, func(c *wait.Case) { c.NotReady, c.BackReady = at(100), at(300) },
			model.Unknown},
		{"a Node that was deleted", version, nil, func(c *wait.Case) { c.NodeGone = at(350) }, model.True},
		{"deleted only after it", version, nil, func(c *wait.Case) { c.NodeGone = at(450) }, model.Unknown},
		{"six minutes after the release", version, nil, func(c *wait.Case) { c.Released = at(40) }, model.True},
		{"a little later", version, nil, func(c *wait.Case) { c.Released = at(30.1) }, model.True},
		{"too late", version, nil, func(c *wait.Case) { c.Released = at(29.9) }, model.Unknown},
		{"too early", version, nil, func(c *wait.Case) { c.Released = at(42.1) }, model.Unknown},
		{"after a detach that failed", version, nil, func(c *wait.Case) {
			c.Released, c.DetachErrors = at(40), []*model.Observation{cases.Seen(390, model.Observation{})}
		}, model.Unknown},
		{"by the taint", version, nil, func(c *wait.Case) {
			c.Released, c.Forced = at(40), cases.At(400, model.Observation{Kind: model.DetachForcedTaint})
		}, model.Unknown},
		{"a release that is known badly", version, nil, func(c *wait.Case) {
			c.Released = at(40)
			c.Released.Earliest = c.Released.Earliest.Add(-16e9)
		}, model.Unknown},
		{"which a report stands for", version, nil, func(c *wait.Case) {
			c.Variant, c.Began = model.ExclusivelyAttached, at(40)
		}, model.True},
		{"but not beside a better release", version, nil, func(c *wait.Case) {
			c.Variant, c.Began, c.Released = model.ExclusivelyAttached, at(40), at(5)
		}, model.Unknown},
		{"six minutes after a change of leader", version, nil, func(c *wait.Case) { c.Released, c.Failovers = at(-200), leader(-300, 40) },
			model.True},
		{"not after one before the release", version, nil, func(c *wait.Case) { c.Released, c.Failovers = at(45), leader(40) },
			model.Unknown},
		{"nor after a later one", version, nil, func(c *wait.Case) { c.Released, c.Failovers = at(40), leader(450) }, model.True},
		{"nothing else", version, nil, nil, model.Unknown},
		{"no detach by force", version, nil, func(c *wait.Case) { c.Released, c.Forced = at(40), facts.Instant{} }, model.Unknown},
	} {
		c := cases.Made(tt.version, tt.told...)
		c.Forced = cases.At(400, model.Observation{Kind: model.DetachForcedTimeout})
		if tt.change != nil {
			tt.change(c)
		}
		if got := c.TakenMounted(); got.Mounted != tt.want || (got.Why == "") != (tt.want == model.Unknown) {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// TestTakenAlone: the line of a detach by force is its beginning; it ends with the detach, and nobody is known to wait until then.
func TestTakenAlone(t *testing.T) {
	marked := volume
	marked.UniqueName = "kubernetes.io/csi/pd.csi.storage.gke.io^projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pvc-1"
	forced := of(model.DetachForcedTimeout, 0, "node-a", marked)
	for name, tt := range map[string]struct {
		list things
		over bool
	}{
		"the force":                    {things{forced}, false},
		"the force and the detach":     {things{forced, of(model.DetachSucceeded, 5, "node-a", marked)}, true},
		"a detach from another node":   {things{forced, of(model.DetachSucceeded, 5, "node-b", marked)}, false},
		"a detach that lies before it": {things{of(model.DetachSucceeded, -5, "node-a", marked), forced}, false},
	} {
		all := cases.Waits(world(tt.list...))
		if len(all) != 1 || !all[0].Taken || all[0].Resolved() != tt.over || all[0].Span.Open {
			t.Errorf("%s: %d waits, resolved %t, open %t", name, len(all), all[0].Resolved(), all[0].Span.Open)
		}
	}
}
