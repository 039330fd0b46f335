package check

import (
	"slices"
	"testing"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// TestInspectionAsksEveryCheck: each check answers a question, and each question has its own name.
func TestInspectionAsksEveryCheck(t *testing.T) {
	seen, asked := map[string]bool{}, slices.Concat(facts.Each(items, func(i item) []string { return i.checks })...)
	for _, id := range asked {
		if !slices.ContainsFunc(all, func(c Check) bool { return c.ID == id }) {
			t.Errorf("a question asks the check %q, which does not exist", id)
		}
	}
	for _, c := range all {
		if !slices.Contains(asked, c.ID) {
			t.Errorf("no question of items.go asks the check %s", c.ID)
		}
	}
	for _, i := range items {
		if seen[i.id] {
			t.Errorf("two questions are called %s", i.id)
		}
		seen[i.id] = true
	}
}

// TestWithByMoreThanAWord: a cause for which an author's word stands alone answers no question with yes.
func TestWithByMoreThanAWord(t *testing.T) {
	for summary, want := range map[string]bool{"node-a was not Ready.": true, "The author writes “node a is down”: nobody unmounts.": false} {
		in := model.Incident{Causes: []model.Cause{{ID: model.CauseNodeDown, Verdict: model.Likely, Summary: summary}}}
		if got := with(model.CauseNodeDown)(in); got != want {
			t.Errorf("%s: %t", summary, got)
		}
	}
}

// TestWhyBeforeThat: the first finding is the headline, so that one which only says that a pod waits stands behind all that say why.
func TestWhyBeforeThat(t *testing.T) {
	all := All()
	at := func(id string) int { return slices.IndexFunc(all, func(c Check) bool { return c.ID == id }) }
	for _, why := range []string{"attach-error", "claim-lost", "not-multi-attach-rejected", "not-multi-attach-image"} {
		if rank(model.Finding{ID: why}) >= rank(model.Finding{ID: "not-multi-attach-timeout"}) {
			t.Errorf("%s is not before a time-out, which names no reason", why)
		}
		if at(why) < 0 || at(why) > at("shown-not-starting") {
			t.Errorf("%s is at %d, behind shown-not-starting", why, at(why))
		}
	}
}
