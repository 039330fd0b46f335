package html

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// What is to be done now stands by itself: what would have had to be set up before an open incident is folded, and no waterfall compares.
func TestNowAndThenAreNotMixed(t *testing.T) {
	r := rich()
	in := &r.Incidents[0]
	in.Advice = nil
	later := in.Span.To
	later.At = later.At.Add(time.Minute)
	in.Remediations = []model.Remediation{
		{ID: "fence-node", Title: "Fence the node", Kind: "reactive", Effect: "shortens",
			SavedSeconds: &model.Range{Best: 300, Min: 290, Max: 310}, IfAppliedNow: &later},
		{ID: "toleration", Title: "Tolerate less", Kind: "preventive", Effect: "shortens",
			SavedSeconds: &model.Range{Best: 200, Min: 190, Max: 210}},
	}
	parts := func() (table, folded string) {
		_, page, _ := strings.Cut(render(t, r), `-remedies"><h5>`)
		page, _, _ = strings.Cut(page, "</section>")
		table, folded, _ = strings.Cut(page, "if set up before</summary>")
		return table, folded
	}
	if table, folded := parts(); folded != "" || !strings.Contains(table, "Tolerate less") ||
		!strings.Contains(table, "What would have shortened it") {
		t.Error("of an incident that is over not all remedies are told together")
	}
	in.Span.Open, in.MultiAttach.Ended = true, nil
	table, folded := parts()
	if !strings.Contains(table, "Fence the node") || strings.Contains(table, "Tolerate less") || !strings.Contains(folded, "Tolerate less") {
		t.Error("of an open incident now and before are mixed")
	}
	if strings.Contains(table, "falls") || !strings.Contains(table, "What would end it") {
		t.Error("an open incident is compared with what would have been")
	}
}
