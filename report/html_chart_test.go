package report

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// fired is a report with an alert that fires twice for one incident and once beside it.
func fired() *model.Report {
	r := rich()
	one, end := r.Incidents[0].ID, start.Add(700*time.Second)
	r.Alerts = []model.Alert{
		{Name: "Silent", Origin: "seed", Expr: "up", Result: "never"},
		{Name: "MultiAttachWait", Origin: "builtin", Expr: "x", Result: "fired", Note: "synthesised", Firings: []model.Firing{
			{From: start.Add(420 * time.Second), To: &end, Incident: &one}, {From: start.Add(420 * time.Second), To: &end, Incident: &one},
			{From: start.Add(650 * time.Second)},
		}},
	}
	return r
}

// An alert has a lane of its own and a row for each instant at which it begins to fire, both leading to the rule.
func TestFirings(t *testing.T) {
	p, err := newHTMLPage(newView(fired()), budgetFor(2), nil)
	if err != nil {
		t.Fatal(err)
	}
	lane := p.Chart.Lanes[len(p.Chart.Lanes)-1]
	for _, l := range p.Chart.Lanes {
		if l.ID == "alerts" {
			lane = l
		}
	}
	if lane.Name != "Would fire: MultiAttachWait (recommended)" || len(lane.Bars) != 2 || len(lane.Marks) != 0 {
		t.Fatalf("the lane of alerts is %+v", lane)
	}
	if bar := lane.Bars[0]; bar.Href != "alert-2" || !strings.Contains(bar.Title, "fires over synthesised series, until T+05:59.5") {
		t.Errorf("the bar is %+v", bar)
	}
	if bar := lane.Bars[1]; !strings.HasSuffix(bar.Title, "on at the collection") {
		t.Errorf("the bar of an alert that fires on is %+v", bar)
	}
	rows := 0
	for _, row := range append(p.Rows, p.Others...) {
		if row.LaneID == "alerts" {
			rows++
			if row.Rule != "alert-2" || row.Basis != "derived" {
				t.Errorf("the row is %+v", row)
			}
		}
	}
	if rows != 2 {
		t.Errorf("%d rows of alerts, want 2", rows)
	}
}

// What is derived or assumed is drawn otherwise than what was observed, without colour.
func TestMarks(t *testing.T) {
	at := model.Exactly(start)
	end := start.Add(100 * time.Second)
	var l chartLane
	for i, basis := range []model.Basis{model.Observed, model.Derived, model.Assumed} {
		item := model.TimelineItem{At: at.Shift(time.Duration(i*30) * time.Second).As(basis), Text: "x", Incidents: []string{"i"}}
		l.mark(&entry{item: item}, start, end, start)
	}
	l.mark(&entry{item: model.TimelineItem{At: at.Shift(60200 * time.Millisecond), Text: "y"}}, start, end, start)
	if len(l.Marks) != 3 || !l.Marks[2].Several || l.Marks[2].count != 2 {
		t.Fatalf("marks %+v", l.Marks)
	}
	if l.Marks[0].Fill() == l.Marks[1].Fill() || l.Marks[1].Dash() == l.Marks[2].Dash() {
		t.Error("observed, derived and assumed look alike")
	}
	if want := "T+01:00.0 x (assumed), and 1 more until T+01:00.2"; l.Marks[2].Title != want {
		t.Errorf("title %q, want %q", l.Marks[2].Title, want)
	}
}

// Each object of a drawing leads to its row, and the row to quotes.
func TestObjectsLeadToEvidence(t *testing.T) {
	page := render(t, "html", rich())
	for _, want := range []string{`<a href="#incident-i1-object-1">`, `<tr id="incident-i1-object-1">`, `role="group" aria-labelledby="incident-i1-graph-title`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	p, err := newHTMLPage(newView(rich()), budgetFor(2), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range p.Story[0].Incidents[0].Objects {
		if o.Kind == "Node" && o.Name == richOld && len(o.Cites) == 0 {
			t.Error("the lost node has no evidence")
		}
	}
}
