package cause_test

import (
	"testing"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestAuthorsWord: what an author writes is believed where the report does not speak against it.
func TestAuthorsWord(t *testing.T) {
	pods := func(old, fresh string) func(*wait.Case) {
		return func(c *wait.Case) {
			c.OldPods, c.NewPods = []model.Ref{model.PodRef("prod", old, "")}, []model.Ref{model.PodRef("prod", fresh, "")}
		}
	}
	rollout := both(pods("web-7d5c9f8b6d-xk2lp", "web-5b9f6c7d48-p9vqt"), func(c *wait.Case) { c.Variant = model.UsedByPods })
	with := func(change func(*wait.Case)) func(*wait.Case) { return both(rollout, change) }
	refused := func(c *wait.Case) { c.Refused = true }
	for _, tt := range []struct {
		name, said, id string
		change         func(*wait.Case)
		want           bool
	}{
		{"the node is off", model.SaidNodeOff, model.CauseNodeDown, rollout, true},
		{"and the storage refuses", model.SaidNodeOff, model.CauseNodeDown, with(refused), false},
		{"and the volume was taken", model.SaidNodeOff, model.CauseNodeDown, with(func(c *wait.Case) { c.Taken = true }), false},
		{"a claim is shared", model.SaidShared, model.CauseSharedClaim, rollout, true},
		{"by pods of one set", model.SaidShared, model.CauseSharedClaim, with(pods("db-0", "db-1")), true},
		{"and the storage refuses", model.SaidShared, model.CauseSharedClaim, with(refused), false},
		{"and the wait is over", model.SaidShared, model.CauseSharedClaim, with(func(c *wait.Case) { c.Attached = instant(60) }), false},
		{"and nobody used it", model.SaidShared, model.CauseSharedClaim,
			with(func(c *wait.Case) { c.Variant = model.ExclusivelyAttached }), false},
		{"a rollout", model.SaidRollout, model.CauseRolloutSurge, rollout, true},
		{"and the storage refuses", model.SaidRollout, model.CauseRolloutSurge, with(refused), false},
		{"and the wait is over", model.SaidRollout, model.CauseRolloutSurge, with(func(c *wait.Case) { c.Attached = instant(60) }), false},
		{"and no pod is named as user", model.SaidRollout, model.CauseRolloutSurge, with(func(c *wait.Case) { c.Variant = "" }), false},
		{"of a set, which replaces in turn", model.SaidRollout, model.CauseRolloutSurge, with(pods("db-0", "db-1")), false},
		{"of two workloads", model.SaidRollout, model.CauseRolloutSurge, with(pods("web-7d5c9f8b6d-xk2lp", "api-5b9f6c7d48-p9vqt")), false},
		{"of two replicas of one template", model.SaidRollout, model.CauseRolloutSurge,
			with(pods("web-7d5c9f8b6d-xk2lp", "web-7d5c9f8b6d-p9vqt")), false},
	} {
		c := cases.Made("v1.34.0", cases.Seen(-10, model.Observation{Kind: model.AuthorSaid, Detail: tt.said + ": so it was"}))
		tt.change(c)
		if got := cause.Told(c, tt.id) != nil; got != tt.want {
			t.Errorf("%s (%s): %v", tt.name, tt.said, got)
		}
	}
}
