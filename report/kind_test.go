package report

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// ofKind is a report of one incident of a kind, which no source calls Multi-Attach.
func ofKind(kind model.IncidentKind) *model.Report {
	r := rich()
	in := openIncident("i1", "data-db-0")
	in.Kind, in.To, in.MultiAttach.Variant, in.MultiAttach.Reports = kind, model.Place{}, model.UnknownVariant, 0
	r.Incidents, r.Groups, r.Verdict.Incident = []model.Incident{in}, nil, in.ID
	r.Verdict.Headline = "Pod prod/db-0 is Terminating."
	return r
}

// TestKindWords: what is no Multi-Attach is called so in no format, and neither is what its times count from.
func TestKindWords(t *testing.T) {
	usual := view.KindOf(model.Incident{Kind: model.KindMultiAttach})
	for _, id := range []model.IncidentKind{model.KindStorageRefuses, model.KindFailingDetach, model.KindForcedDetach,
		model.KindBeforeMultiAttach} {
		k := view.KindOf(model.Incident{Kind: id})
		for _, format := range []string{"text", "html", "md", "jira"} {
			got := render(t, format, ofKind(k.ID))
			for _, wrong := range []string{usual.Zero, usual.Report} {
				if strings.Contains(got, wrong) {
					t.Errorf("%s as %s says %q", k.ID, format, wrong)
				}
			}
			if k.ID == model.KindBeforeMultiAttach && strings.Contains(got, "unknown node") {
				t.Errorf("%s as %s has a node that is not known, and there is none", k.ID, format)
			}
		}
		if got := strings.Join(strings.Fields(render(t, "text", ofKind(k.ID))), " "); !strings.Contains(got, "→ "+k.To) ||
			!strings.Contains(got, k.Report) {
			t.Errorf("%s: text lacks %q or %q", k.ID, k.To, k.Report)
		}
		if got := render(t, "html", ofKind(k.ID)); !strings.Contains(got, k.Zero) || !strings.Contains(got, k.Name) {
			t.Errorf("%s: html lacks %q or %q", k.ID, k.Zero, k.Name)
		}
	}
	if view.KindOf(model.Incident{}).ID != model.KindMultiAttach ||
		view.KindOf(model.Incident{Kind: "of-a-later-version"}).ID != model.KindMultiAttach {
		t.Error("an incident without a kind is none of Multi-Attach")
	}
}

// TestUnscheduledIsNamed: a pod that has no node is named, and no node is.
func TestUnscheduledIsNamed(t *testing.T) {
	r := ofKind(model.KindBeforeMultiAttach)
	r.Incidents[0].To.Pods = []model.Ref{{Kind: "Pod", Namespace: "prod", Name: "web-new"}}
	text := strings.Join(strings.Fields(render(t, "text", r)), " ")
	want := "To no node yet: no attach was asked for; pod prod/web-new waits for one"
	if !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
		t.Errorf("the text lacks %q:\n%s", want, text)
	}
}
