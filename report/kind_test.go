package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
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
	for _, k := range kinds[1:] {
		for _, format := range []string{"text", "html", "md", "jira", "junit"} {
			got := render(t, format, ofKind(k.id))
			for _, wrong := range []string{kinds[0].lasted, kinds[0].zero, kinds[0].report} {
				if strings.Contains(got, wrong) {
					t.Errorf("%s as %s says %q", k.id, format, wrong)
				}
			}
			if k.id == model.KindBeforeMultiAttach && strings.Contains(got, "unknown node") {
				t.Errorf("%s as %s has a node that is not known, and there is none", k.id, format)
			}
		}
		if got := render(t, "junit", ofKind(k.id)); !strings.Contains(got, `message="`+k.lasted+" ") {
			t.Errorf("%s: junit lacks %q", k.id, k.lasted)
		}
		if got := strings.Join(strings.Fields(render(t, "text", ofKind(k.id))), " "); !strings.Contains(got, "→ "+k.to) || !strings.Contains(got, k.report) {
			t.Errorf("%s: text lacks %q or %q", k.id, k.to, k.report)
		}
		if got := render(t, "html", ofKind(k.id)); !strings.Contains(got, k.zero) || !strings.Contains(got, k.name) {
			t.Errorf("%s: html lacks %q or %q", k.id, k.zero, k.name)
		}
	}
	if kindOf(model.Incident{}).id != model.KindMultiAttach || kindOf(model.Incident{Kind: "of-a-later-version"}).id != model.KindMultiAttach {
		t.Error("an incident without a kind is none of Multi-Attach")
	}
}

// TestUnscheduledIsNamed: a pod that has no node is named, and no node is.
func TestUnscheduledIsNamed(t *testing.T) {
	r := ofKind(model.KindBeforeMultiAttach)
	r.Incidents[0].To.Pods = []model.Ref{{Kind: "Pod", Namespace: "prod", Name: "web-new"}}
	facts := facts(newView(r), r.Incidents[0], "")
	if !slices.ContainsFunc(facts, func(f fact) bool {
		return f.Name == "To" && f.Value == "no node yet: no attach was asked for; pod prod/web-new waits for one"
	}) {
		t.Errorf("%v", facts)
	}
}
