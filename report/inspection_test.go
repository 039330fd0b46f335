package report

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestInspection: the text names what was answered with yes and counts the rest, the page has everything, folded, and a
// bundle's names do no harm in it. Without a list neither mentions it.
func TestInspection(t *testing.T) {
	r := none()
	for _, format := range []string{"text", "html"} {
		if out := render(t, format, r); strings.Contains(strings.ToLower(out), "inspection") {
			t.Errorf("%s mentions a list that is not there", format)
		}
	}
	r.Inspection = []model.InspectionItem{
		{ID: "a", Question: "Is it late?", Answer: "yes", Text: "Pod <script>alert(1)</script> waits.", Command: "kubectl get pods"},
		{ID: "b", Question: "Is it lost?", Answer: "no", Text: "Not among 3 Pods of the bundle.", Command: "kubectl get pv"},
		{ID: "c", Question: "Is it off?", Answer: "cannot-tell", Text: "Only the machine knows.", Command: "look at it"},
		{ID: "d", Question: "Is it new?", Answer: "perhaps", Text: "A later version says so.", Command: "ask"},
	}
	text := render(t, "text", r)
	for _, want := range []string{"INSPECTION  4 questions: 1 yes, 1 cannot tell, 1 no, 1 perhaps", "  yes  Is it late?"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "Is it lost?") {
		t.Error("the text has more than what was answered with yes")
	}
	page := render(t, "html", r)
	for _, want := range []string{`id="inspection"`, `href="#inspection"`, "Is it lost?", "look at it", "Only the machine knows.",
		"&lt;script&gt;alert(1)", "1 question: perhaps"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if strings.Contains(withoutOwnScript(t, page), "<script") {
		t.Error("a name became a script")
	}
}
