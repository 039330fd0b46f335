package browser_test

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// complete wants the essentials of a report in a page: the answer, and for each incident that is told in full its phases,
// the blocking attachment, and the evidence that its claims link to.
func complete(tb *tab, p page) {
	tb.t.Helper()
	t := tb.t
	all := squeeze(eval[string](tb, `document.body.textContent + [...document.querySelectorAll('[title]')].map(e => e.title).join(' ')`))
	seen := squeeze(eval[string](tb, `document.body.innerText`))
	undivided := !slices.ContainsFunc(p.report.Incidents, func(in model.Incident) bool { return len(in.Phases) > 0 })
	for _, want := range []string{"How sure", "Where the time went"} {
		if len(p.report.Incidents) > 0 && !(undivided && want == "Where the time went") &&
			!strings.Contains(strings.ToLower(seen), strings.ToLower(squeeze(want))) {
			t.Errorf("one does not see %q", want)
		}
	}
	if !hostileName(p.report.Verdict.Headline) && !strings.Contains(seen, squeeze(p.report.Verdict.Headline)) {
		t.Errorf("one does not see the headline %q", p.report.Verdict.Headline)
	}
	for _, in := range p.report.Incidents {
		for _, phase := range in.Phases {
			if !strings.Contains(all, string(phase.ID)) {
				t.Errorf("incident %s lacks the phase %s", in.ID, phase.ID)
			}
		}
		if name := in.BlockingAttachment.Name; name != nil && !hostileName(*name) && !strings.Contains(all, *name) {
			t.Errorf("incident %s lacks its VolumeAttachment %s", in.ID, *name)
		}
	}
	dead := eval[[]string](tb, `[...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute('href').slice(1)).filter(id => `+
		`!document.getElementById(id))`)
	if len(dead) > 0 {
		t.Errorf("links lead nowhere: %q", dead[:min(len(dead), 5)])
	}
	quotes := eval[int](tb, `document.querySelectorAll('#evidence pre').length`)
	if quotes == 0 && cites(p.report) {
		t.Error("the page quotes nothing")
	}
}

func cites(r *model.Report) bool { return len(r.Evidence) > 0 }

// squeeze leaves out blanks, which differ with how wide a page is.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// hostileName reports whether a text has characters that a page spells out, so that it is not found as it is.
func hostileName(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r >= 0x200b && r <= 0x206f })
}
