package cause_test

import (
	"testing"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestVerdicts: rules of single causes, each with its near miss.
func TestVerdicts(t *testing.T) {
	lost := func(at float64) func(*wait.Case) {
		return func(c *wait.Case) {
			c.NotReady = cases.At(at, model.Observation{Kind: model.NodeNotReady, Detail: "Unknown"})
			c.DetachRequested = cases.At(60, model.Observation{Kind: model.AttachmentDeletionRequested})
		}
	}
	taken := func(released, over, forced float64) func(*wait.Case) {
		return func(c *wait.Case) {
			c.Failovers = []facts.Instant{cases.At(over, model.Observation{Kind: model.LeaderAcquired})}
			c.Forced = cases.At(forced, model.Observation{Kind: model.DetachForcedTimeout})
			c.Released = cases.At(released, model.Observation{Kind: model.PodGone})
		}
	}
	moved := func(at float64) func(*wait.Case) {
		return func(c *wait.Case) {
			c.Attached = cases.At(at, model.Observation{Kind: model.AttachSucceeded})
		}
	}
	for _, tt := range []struct {
		name    string
		change  func(*wait.Case)
		cause   string
		verdict model.Verdict // empty when the cause is not given
	}{
		{"a node that was lost before the detach explains the wait", lost(-100), "node-down", model.Likely},
		{"and one lost right before it", lost(59), "node-down", model.Likely},
		{"one that was lost after it does not", lost(61), "node-down", ""},
		{"nor one lost with it", lost(60), "node-down", ""},
		{"a forced detach six minutes after a takeover confirms it", taken(10, 30, 390), "controller-failover", model.Confirmed},
		{"and half a minute later, almost", taken(10, 30, 419), "controller-failover", model.Confirmed},
		{"a minute later it is another's", taken(10, 30, 420), "controller-failover", model.Likely},
		{"fifty minutes later too", taken(10, 30, 3000), "controller-failover", model.Likely},
		{"and before the six minutes", taken(10, 30, 389), "controller-failover", model.Likely},
		{"a release after the takeover lost no timer", taken(40, 30, 400), "controller-failover", ""},
		{"nor is one that nothing shows", func(c *wait.Case) { taken(0, 30, 390)(c); c.Released = facts.Instant{} },
			"controller-failover", model.Likely},
		{"a move of less than six minutes is an ordinary one", moved(30), "handover", model.Likely},
		{"and almost six are open, where no log tells of them", moved(359), "handover", model.Undecidable},
		{"one of six minutes is none", moved(360), "handover", ""},
		{"nor is one by force", func(c *wait.Case) { taken(10, -30, 200)(c); moved(300)(c) }, "handover", ""},
		{"nor one from a lost node", func(c *wait.Case) { lost(-100)(c); moved(300)(c) }, "handover", ""},
		{"an inferred holder is no proof", func(c *wait.Case) { taken(10, 30, 390)(c); c.Inferred = true }, "controller-failover",
			model.Likely},
		{"and an unknown one leaves open what was lost", func(c *wait.Case) { taken(10, 30, 390)(c); c.From = "" }, "node-down",
			model.Undecidable},
	} {
		c := cases.Made("v1.34.0")
		tt.change(c)
		c.Phases = []model.Phase{{ID: model.PhaseUnmountWait, From: c.Began.Moment, To: cases.At(400, model.Observation{}).Moment}}
		got := model.Verdict("")
		for _, k := range cause.Explain(c, &evidence.Ledger{}) {
			if k.ID == tt.cause {
				got = k.Verdict
			}
		}
		if got != tt.verdict {
			t.Errorf("%s: %s is %q instead of %q", tt.name, tt.cause, got, tt.verdict)
		}
	}
}
