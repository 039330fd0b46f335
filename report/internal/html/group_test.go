package html

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// The volumes of one lost node are one story, one row for each and one set of remedies; those that are still blocked come first, and then
// the order is that of their ends.
func TestGroupIsOneStory(t *testing.T) {
	r := many(25)
	for i := range r.Incidents {
		in := &r.Incidents[i]
		in.Span.To.At = in.Span.To.At.Add(time.Duration(len(r.Incidents)-i) * time.Second)
	}
	page := render(t, r)
	told, rows, sets := strings.Count(page, `<details class="incident`), strings.Count(page, `<td data-label="No.">`), strings.Count(page,
		`-remedies"><h5>`)
	if told != 1 || rows != 25 || sets > 1 {
		t.Errorf("%d incidents are told, %d rows, %d sets of remedies", told, rows, sets)
	}
	if letters := strings.Count(page, `y="12.5" fill="#ffffff">w</text>`); letters != 25 || !strings.Contains(page, "<b>w</b> unmount-wait") {
		t.Errorf("%d bars have the letter of a phase that only its colour would tell", letters)
	}
	if top, _, _ := strings.Cut(page, `id="story"`); !strings.Contains(top, "24 other volumes of the same event") {
		t.Error("the first screen does not count the other volumes")
	}
	last := strings.Index(page, `>`+r.Incidents[24].Volume.Claim.String()+`</th>`)
	first := strings.Index(page, `>`+r.Incidents[0].Volume.Claim.String()+`</th>`)
	if last < 0 || first < last {
		t.Errorf("the rows at %d and %d are not in the order of their ends", last, first)
	}
	r.Incidents[0].Span.Open = true
	page = render(t, r)
	if open := strings.Index(page, `<tr id="incident-`+r.Incidents[0].ID+`" class="is-open"`); open < 0 &&
		!strings.Contains(page, `<tr class="is-open"`) {
		t.Error("the row of the open incident is not marked")
	}
	open, other := strings.Index(page, `>`+r.Incidents[0].Volume.Claim.String()+`</th>`), strings.Index(page,
		`>`+r.Incidents[24].Volume.Claim.String()+`</th>`)
	if open > other {
		t.Error("the open incident's row is not the first")
	}
	if told := strings.Count(page, `<details class="incident`); told != 2 {
		t.Errorf("%d incidents are told of a group with one that is still blocked", told)
	}
}

// Another cause is another story, though the event was the same.
func TestGroupWithTwoCauses(t *testing.T) {
	r := many(5)
	r.Incidents[3].Causes = []model.Cause{{ID: "two-writers", Explains: "incident", Verdict: model.Likely, Summary: "Two pods."}}
	if told := strings.Count(render(t, r), `<details class="incident`); told != 2 {
		t.Errorf("%d incidents are told of two causes", told)
	}
}

// A group with an open incident comes before one that is over, and that of the headline before all.
func TestOpenGroupsFirst(t *testing.T) {
	r := many(4)
	r.Groups = nil
	r.Verdict.Incident = r.Incidents[1].ID
	r.Incidents[3].Span.Open = true
	p, err := newHTMLPage(view.New(r), budgetFor(4))
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, g := range p.Story {
		got = append(got, g.Members[0].Number)
	}
	if len(got) != 4 || got[0] != 2 || got[1] != 4 || got[2] != 1 {
		t.Errorf("the groups stand in the order %v", got)
	}
}
