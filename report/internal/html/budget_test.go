package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
	"github.com/volpost/volpost/samples/recordings"
)

// Whatever the page leaves out, it says; and each observation has a row, is said to be the same as one that has, or is
// counted with its kind.
func TestNothingIsDropped(t *testing.T) {
	for _, c := range []struct {
		name   string
		report *model.Report
	}{{"rich", rich()}, {"many", many(25)}, {"crowd", many(200)}} {
		p, err := newHTMLPage(view.New(c.report), budgetFor(len(c.report.Incidents)))
		if err != nil {
			t.Fatal(err)
		}
		rows := p.Folded
		for _, row := range append(slices.Clone(p.Rows), p.Others...) {
			rows += 1 + len(row.Also)
		}
		for _, e := range p.facts {
			if !e.kept {
				rows += len(e.others)
			}
		}
		if rows != len(c.report.Timeline) {
			t.Errorf("%s: %d observations are in view, of %d", c.name, rows, len(c.report.Timeline))
		}
	}
	if out := render(t, many(200)); strings.Count(out, `<td data-label="No.">`) != 200 ||
		!strings.Contains(out, "no row, to keep this page small") {
		t.Error("the page of two hundred incidents has not a row for each, or does not say what it leaves out")
	}
}

// A page stays below what tickets take, whatever is in the report.
func TestLargestPage(t *testing.T) {
	if !recordings.Long {
		t.Skip("long: renders pages of many megabytes; TestHandOversAreSmall and TestHalves hold the rules")
	}
	long := rich()
	long.Incidents[0].Causes[0].Summary = strings.Repeat("x", pageMost)
	crowded := rich()
	for i := range 30_000 {
		crowded.Findings = append(crowded.Findings,
			model.Finding{ID: "f", Severity: "warning", Title: fmt.Sprint("Finding ", i), Text: strings.Repeat("long ", 50)})
	}
	groups := many(3000)
	groups.Groups = nil
	for _, c := range []struct {
		name   string
		report *model.Report
		says   string
	}{
		{"a long text", long, "left out)"},
		{"many findings", crowded, " of the kind finding"},
		{"each incident by itself", groups, "2 900 groups have no more than a row"},
	} {
		out := render(t, c.report)
		if len(out) > pageMost {
			t.Errorf("%s: %d bytes", c.name, len(out))
		}
		if !strings.Contains(out, c.says) {
			t.Errorf("%s: the page does not say %q", c.name, c.says)
		}
	}
}

// Ordinary hand-overs have together the page of one incident, each with its phases; what somebody has to act on has more.
func TestHandOversAreSmall(t *testing.T) {
	r := many(4)
	r.Groups = nil
	for _, c := range []struct {
		status model.Status
		limit  int
	}{{model.StatusHandover, oneMost}, {model.StatusIncident, fewMost}} {
		r.Verdict.Status = c.status
		if got := budgetOf(r).limit; got != c.limit {
			t.Errorf("%s: %d bytes, want %d", c.status, got, c.limit)
		}
		out := render(t, r)
		if told := strings.Count(out, `<details class="incident`); told != 4 || len(out) > c.limit {
			t.Errorf("%s: %d incidents are told in %d bytes", c.status, told, len(out))
		}
	}
}

// Halving ends, and with a page that holds next to nothing.
func TestHalves(t *testing.T) {
	b, n := budgetFor(1000), 0
	for ; !b.least(); b = b.half() {
		if n++; n > 40 {
			t.Fatalf("still %+v", b)
		}
	}
	if got := b.cut(strings.Repeat("x", 1000)); len(got) > 100 {
		t.Errorf("a text is cut to %d bytes", len(got))
	}
	p, err := newHTMLPage(view.New(many(30)), b)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Rows)+len(p.Quoted)+len(p.Found)+len(p.parts) != 0 {
		t.Errorf("the least page has %d rows", len(p.Rows))
	}
}
