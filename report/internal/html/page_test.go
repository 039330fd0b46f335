package html

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// A time has no zone and no date, unless its day is another one.
func TestPlainTimes(t *testing.T) {
	p, err := newHTMLPage(view.New(rich()), budgetFor(1))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"since 2026-11-21 06:12:32.164 UTC (observed)": "since 06:12:32.164 (observed)",
		"at 06:12 UTC ± 2s":                            "at 06:12 ± 2s",
		"until 2026-11-22 00:00:01 UTC":                "until 2026-11-22 00:00:01",
		"runs on UTC":                                  "runs on UTC",
	} {
		if got := p.Plain(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	page, _, _ := strings.Cut(render(t, rich()), `id="comment"`)
	table := page[strings.Index(page, `<table class="stack timeline">`):]
	if strings.Contains(table[strings.Index(table, "<tbody>"):strings.Index(table, "</table>")], "2026-11-21") {
		t.Error("the rows of the timeline repeat the day")
	}
}

// What lies long before the incident is set-up, and folded; so is what concerns none.
func TestSetUpIsFolded(t *testing.T) {
	r := rich()
	r.Timeline = slices.Clone(r.Timeline)
	early := r.Timeline[3]
	early.ID, early.Text = "early", "Set-up of the volume"
	early.At = model.Moment{At: r.Incidents[0].Span.From.At.Add(-time.Hour), Earliest: r.Incidents[0].Span.From.At.Add(-time.Hour),
		Latest: r.Incidents[0].Span.From.At.Add(-time.Hour), Basis: model.Observed}
	r.Timeline = slices.Insert(r.Timeline, 0, early)
	near := early
	near.ID, near.Text = "near", "Shortly before"
	near.At.At = r.Incidents[0].Span.From.At.Add(-time.Second)
	near.At.Earliest, near.At.Latest = near.At.At, near.At.At
	r.Timeline = slices.Insert(r.Timeline, 1, near)
	p, err := newHTMLPage(view.New(r), budgetFor(1))
	if err != nil {
		t.Fatal(err)
	}
	has := func(rows []timelineRow, text string) bool {
		return slices.ContainsFunc(rows, func(row timelineRow) bool { return row.Text == text })
	}
	if has(p.Rows, early.Text) || !has(p.Others, early.Text) {
		t.Error("set-up stands among what happened")
	}
	if !has(p.Rows, near.Text) {
		t.Error("what came shortly before is taken for set-up")
	}
}

// Two sources of one fact are one row, with another fact between them, too.
func TestEqualRowsAreMerged(t *testing.T) {
	r := rich()
	item := r.Timeline[3]
	between, again := item, item
	between.ID, between.Text = "between", "Something else"
	again.ID = "again"
	r.Timeline = slices.Insert(slices.Clone(r.Timeline), 4, between, again)
	p, err := newHTMLPage(view.New(r), budgetFor(1))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, row := range p.Rows {
		if row.Text == item.Text {
			rows++
		}
	}
	if rows != 1 {
		t.Errorf("%d rows of one fact", rows)
	}
}

// The first sheet has what is best, with its steps: the print has of the table only what was used, and says how many the page has beside.
func TestRemediesOnPaper(t *testing.T) {
	help, used := view.RemedyView{}, view.RemedyView{}
	used.WasUsed = true
	for _, row := range []struct {
		list []view.RemedyView
		more string
	}{{[]view.RemedyView{help, help}, "2 more are in the page."}, {[]view.RemedyView{help, used, help}, "2 more are in the page."},
		{[]view.RemedyView{help}, "1 more is in the page."}, {[]view.RemedyView{used}, ""}} {
		if got := (view.RemedyViews{Helps: row.list}).OffPaper(); got != row.more {
			t.Errorf("of %d: %q", len(row.list), got)
		}
	}
}

// The print leaves out the rows of the class minor: the remedy that was used is never one, with an advice and without.
func TestUsedRemedyOnPaper(t *testing.T) {
	for _, advised := range []bool{true, false} {
		r := rich()
		if !advised {
			r.Incidents[0].Advice = nil
		} else if r.Incidents[0].Advice == nil {
			t.Fatal("the report has no advice")
		}
		help := model.Remediation{ID: "fence-node", Title: "Fence", Kind: "reactive", Effect: "shortens",
			SavedSeconds: &model.Range{Best: 300, Min: 290, Max: 310}}
		used := help
		used.ID, used.Title, used.WasUsed = "out-of-service-taint", "Taint", true
		r.Incidents[0].Remediations = []model.Remediation{help, used}
		_, table, _ := strings.Cut(render(t, r), `<table class="stack remedies">`)
		table, _, _ = strings.Cut(table, "</table>")
		rows := strings.Split(table, "<tr ")[1:]
		if len(rows) != 2 {
			t.Fatalf("%d rows of remedies: %s", len(rows), table)
		}
		for _, row := range rows {
			head, _, _ := strings.Cut(row, ">")
			wasUsed, off := strings.Contains(row, "was used"), strings.Contains(head, `class="minor"`)
			if off == wasUsed {
				t.Errorf("advised %v, was used %v: left out of the print: %v", advised, wasUsed, off)
			}
		}
	}
}
