package analyze_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestInspection: what single items answer to the bundles of the cases of checks and causes.
func TestInspection(t *testing.T) {
	all := map[string]oneCase{}
	for _, c := range cases(t) {
		all[c.name] = c
	}
	for _, want := range []struct{ name, item, answer, text string }{
		{"check/claim-not-provisioned/yes-quota", "claim-pending", "yes", "ebs.csi.aws.com cannot make its volume"},
		{"check/volume-released/no-bound", "claim-lost", "no", "Nothing says so in the PersistentVolumeClaims"},
		{"check/volume-no-node/yes-zone-gone", "pod-unscheduled", "yes", "no node of the bundle has that"},
		{"check/claim-shared/yes-one-node", "shared-volume", "yes", "Pod shell"},
		{"check/claim-shared/no-finished", "shared-volume", "cannot-tell", "Deployments"},
		{"rollout-surge/yes-1.30", "rollout", "yes", "Incident "},
		{"handover/yes-recreate-1.34", "multi-attach", "yes", "Incident "},
		{"story/metrics-image", "multi-attach", "cannot-tell", "Not collected: the Events"},
	} {
		c, ok := all[want.name]
		if !ok {
			t.Errorf("there is no case %s", want.name)
			continue
		}
		list := c.report(t).Inspection
		i := slices.IndexFunc(list, func(i model.InspectionItem) bool { return i.ID == want.item })
		if i < 0 {
			t.Errorf("there is no item %s", want.item)
		} else if got := list[i]; got.Answer != want.answer || !strings.Contains(got.Text, want.text) {
			t.Errorf("%s, %s: %s: %s", want.name, want.item, got.Answer, got.Text)
		}
	}
}

// TestInspectionAgrees: over all cases, each question has an answer with a reason; a finding is a yes; a yes has a finding, a
// quote or an incident; and whoever cannot be answered is told how to look.
func TestInspectionAgrees(t *testing.T) {
	for _, c := range cases(t) {
		r := c.report(t)
		asked := map[string]bool{}
		for _, i := range r.Inspection {
			if i.Text == "" || !strings.HasSuffix(i.Question, "?") || i.Command == "" {
				t.Errorf("%s: %s: %q, %q, %q", c.name, i.ID, i.Question, i.Text, i.Command)
			}
			if i.Answer == "yes" && len(i.Findings)+len(i.Evidence)+len(r.Incidents) == 0 || i.Answer != "yes" && len(i.Findings) > 0 {
				t.Errorf("%s: %s is %s with findings %v", c.name, i.ID, i.Answer, i.Findings)
			}
			for _, id := range i.Findings {
				asked[id] = true
			}
		}
		for _, f := range r.Findings {
			if !asked[f.ID] {
				t.Errorf("%s: no question is answered by finding %s", c.name, f.ID)
			}
		}
	}
}
