package html

import (
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// The names of the stretches lie in columns that fill the width, each wide enough for a name, and the wider the longer the stretch.
func TestSplit(t *testing.T) {
	for _, shares := range [][]float64{{1}, {0.07, 0.1, 0.001, 0.829}, {0.05, 0.35, 0.14, 0.42, 0.01, 0.01, 0.01, 0.005, 0.005},
		{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05, 0.1}} {
		var bar []view.PhaseView
		for _, s := range shares {
			bar = append(bar, view.PhaseView{Phase: model.Phase{ID: model.PhaseRelease}, Width: s, Took: "1m"})
		}
		parts, column := splitParts(bar), 0
		for i, p := range parts {
			if p.Column != column || p.Span < min(columnsLeast, columnsOfNames/len(shares)) {
				t.Errorf("%v: stretch %d has %d columns from %d on", shares, i, p.Span, p.Column)
			}
			if (p.Inside != "") != (p.Width >= roomInside) {
				t.Errorf("%v: stretch %d has %q written into it", shares, i, p.Inside)
			}
			column += p.Span
		}
		if column != columnsOfNames {
			t.Errorf("%v: %d columns of %d are used", shares, column, columnsOfNames)
		}
		if widest := parts[len(parts)-1]; len(shares) == 4 && widest.Span != columnsOfNames-3*columnsLeast {
			t.Errorf("the longest stretch has %d columns", widest.Span)
		}
	}
}

// What set a stretch's length is left out where its column has no room, and stays in the tooltip.
func TestSplitGovernor(t *testing.T) {
	p := splitPart{PhaseView: view.PhaseView{Governor: "tolerationSeconds of node.kubernetes.io/unreachable: 60 s"}, Span: 4}
	if p.Brief() != "" {
		t.Errorf("%q in a narrow column", p.Brief())
	}
	if p.Span = 24; p.Brief() != p.Governor {
		t.Errorf("%q in a wide column", p.Brief())
	}
	page := render(t, rich())
	if !strings.Contains(page, `title="`) {
		t.Error("no tooltip tells what set a length")
	}
}

// An open incident is told in the present, and another class draws it.
func TestOpenIsDrawnApart(t *testing.T) {
	over, open := rich(), rich()
	open.Incidents[0].Span.Open, open.Incidents[0].MultiAttach.Ended = true, nil
	containsAll(t, render(t, over), `class="answer is-resolved"`, "What held it", "Why it was not detached")
	containsAll(t, render(t, open), `class="answer is-blocked now"`, "What holds it", "Why it is not detached", `class="incident is-open"`)
}

// No directory of the machine that the bundle was read on is in the page.
func TestNoLocalPaths(t *testing.T) {
	for _, root := range []string{"/home/ada-l/tickets/must-gather.local", `C:\Users\ada-l\must-gather.local`,
		"/home/ada-l/must-gather.local/"} {
		r := rich()
		r.Bundle.Root = root
		page, _, _ := strings.Cut(render(t, r), `id="comment"`)
		if strings.Contains(page, "ada-l") || !strings.Contains(page, `<span class="name">must-gather.local</span>`) {
			t.Errorf("the page of %s names its directory: %.300s", root, page[max(0, strings.Index(page, "ada-l")-100):])
		}
	}
}

// The condition that decided stands first, and is marked.
func TestDecidingRowIsFirst(t *testing.T) {
	r := rich()
	why := r.Incidents[0].WhyNotDetached
	if len(why) < 2 {
		t.Fatal("the fixture has one condition")
	}
	for i := range why {
		why[i].Decides = i == len(why)-1
	}
	page := render(t, r)
	_, table, _ := strings.Cut(page, `-why"><h5>`)
	row, _, _ := strings.Cut(table[strings.Index(table, "<tbody>"):], "</tr>")
	if !strings.Contains(row, `class="decides"`) || !strings.Contains(row, "This decided:") ||
		!strings.Contains(row, view.New(r).Incident[0].Story().Why[len(why)-1].Question) {
		t.Errorf("the first row is %s", row)
	}
}

// The title is the headline, up to where it says why.
func TestTitle(t *testing.T) {
	for _, c := range []struct {
		change func(*model.Report)
		want   string
	}{
		{func(r *model.Report) { r.Verdict.Headline = "Nothing could be read." }, "Nothing could be read (volpost)"},
		{func(r *model.Report) {
			r.Verdict.Headline = "shop/orders-db took 14 min to move: it stayed attached to b:c."
		},
			"shop/orders-db took 14 min to move (volpost)"},
		{func(r *model.Report) { r.Verdict.Headline = strings.Repeat("long ", 30) }, words.Excerpt(strings.Repeat("long ", 30), 80) + " (volpost)"},
	} {
		r := rich()
		c.change(r)
		if page := render(t, r); !strings.Contains(page, "<title>"+c.want+"</title>") {
			t.Errorf("the title is not %q: %.200s", c.want, page[strings.Index(page, "<title>"):])
		}
	}
}

// A fault is alarming as long as it lasts, and has no section that says that there is no incident.
func TestFaultThatIsOver(t *testing.T) {
	r := rich()
	r.Verdict = model.ReportVerdict{Status: model.StatusFault, Open: true}
	r.Incidents, r.Groups = nil, nil
	const none, class = "None. What was read", `class="answer is-fault`
	if page := render(t, r); !strings.Contains(page, class+` now"`) || strings.Contains(page, none) {
		t.Error("a fault that lasts is told as one that is over, or as none")
	}
	r.Verdict.Open = false
	if page := render(t, r); !strings.Contains(page, class+`"`) {
		t.Error("a fault that is over is told as one that lasts")
	}
	r.Verdict.Status = model.StatusClean
	containsAll(t, render(t, r), none)
}

// A name is broken between its words only where no line holds it.
func TestSoft(t *testing.T) {
	for name, want := range map[string]string{
		"alert VolumeStuckOnNotReadyNode":       "alert VolumeStuckOnNotReadyNode",
		"alert VolumeStuckOnANodeThatIsUnready": "alert Volume<wbr>Stuck<wbr>OnANode<wbr>ThatIsUnready",
	} {
		if got := string(soft(name)); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Who leads has a row where it changes.
func TestWhoLeads(t *testing.T) {
	r := rich()
	leads := model.Lane{Role: model.RoleController, States: []model.LaneState{{Word: model.StateLeader, From: new(at(0))}}}
	r.Incidents[0].Lanes = append(slices.Clone(r.Incidents[0].Lanes), leads)
	if strings.Contains(render(t, r), "who leads") {
		t.Error("one leader has a row of the chart")
	}
	lanes := r.Incidents[0].Lanes
	lanes[len(lanes)-1].States = append(leads.States, model.LaneState{Word: model.StateLeader, From: new(at(100))})
	if !strings.Contains(render(t, r), "who leads") {
		t.Error("two leaders have no row of the chart")
	}
}
