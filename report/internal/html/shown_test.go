package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

func numbersOf(list []*view.IncidentView) string {
	return strings.Join(view.Each(list, func(in *view.IncidentView) string { return fmt.Sprint(in.Number) }), " ")
}

// TestWhoLeadsAGroup: of each cause, open or over, one incident is told: that of the headline, or else the longest.
func TestWhoLeadsAGroup(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(list []*view.IncidentView)
		primary int
		want    string
	}{
		{"the longest", func(list []*view.IncidentView) { list[2].Span.Seconds.Best++ }, -1, "3"},
		{"the first of two that are as long", func([]*view.IncidentView) {}, -1, "1"},
		{"that of the headline", func(list []*view.IncidentView) { list[2].Span.Seconds.Best++ }, 1, "2"},
		{"that of the headline before a longer one", func(list []*view.IncidentView) { list[2].Span.Seconds.Best++ }, 0, "1"},
		{"an open one by itself, first", func(list []*view.IncidentView) { list[3].Span.Open = true }, -1, "4 1"},
		{"that of the headline before an open one", func(list []*view.IncidentView) { list[3].Span.Open = true }, 1, "2 4"},
		{"another cause by itself", func(list []*view.IncidentView) { list[1].Causes = []model.Cause{{ID: "another"}} }, -1, "1 2"},
		{"none by itself", func(list []*view.IncidentView) { list[1].Causes = nil }, -1, "1 2"},
	} {
		p := pageOf(t, many(4))
		p.Primary = nil
		if c.change(p.Incident); c.primary >= 0 {
			p.Primary = p.Incident[c.primary]
		}
		if got := numbersOf(p.leaders(p.Incident)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	p := pageOf(t, many(4))
	list := p.Incident
	list[0].Span.To.At, list[1].Span.To.At = start.Add(9*time.Hour), start.Add(8*time.Hour)
	list[2].Span.To.At, list[3].Span.To.At, list[3].Span.Open = start.Add(7*time.Hour), start.Add(10*time.Hour), true
	if got := numbersOf(byEnd(list)); got != "4 3 2 1" {
		t.Errorf("by their end: %s", got)
	}
}

// TestChosen: the leaders of each group come in turn, and so many have all of their remedies.
func TestChosen(t *testing.T) {
	r := many(5)
	ids := r.Groups[0].Incidents
	r.Groups = []model.Group{{ID: "a", Incidents: ids[:3]}, {ID: "b", Incidents: ids[3:]}}
	r.Incidents[1].Causes, r.Incidents[4].Causes = nil, nil
	for _, c := range []struct {
		parts, full int
		want        string
	}{{0, 0, ""}, {1, 1, "1+"}, {2, 1, "1+ 4"}, {3, 2, "1+ 2 4+"}, {4, 9, "1+ 2+ 4+ 5+"}, {9, 0, "1 2 4 5"}} {
		b := budgetFor(5)
		b.parts, b.full = c.parts, c.full
		p, err := newHTMLPage(view.New(r), b)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, in := range p.Incident {
			if full, has := p.parts[in]; has {
				got = append(got, fmt.Sprint(in.Number)+words.If(full, "+"))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestRowsOfVolumes: what differs between the incidents of a group, on one clock from the first beginning to the last end.
func TestRowsOfVolumes(t *testing.T) {
	p := pageOf(t, many(3))
	list := p.Incident
	for i, in := range list {
		in.Span.From.At, in.Span.To.At = start.Add(time.Duration(10-i)*time.Second), start.Add(time.Duration(100+i)*time.Second)
	}
	list[0].BlockingAttachment.Name, list[1].BlockingAttachment.Name = nil, new("csi-\n1")
	list[1].Span.Open, list[2].Volume = true, model.IncidentVolume{}
	clear(p.parts)
	p.parts[list[2]] = true
	rows, clock := p.volumeRows(list)
	got := view.Each(rows, func(r volumeRow) string {
		return fmt.Sprintf("%d %v %s %s %v", r.Number, r.Left, r.Name, r.Attachment, strings.HasPrefix(r.Lasted, "still blocked, "))
	})
	if want := []string{`2 true shop/data-1 csi-\n1 true`, "1 true shop/data-0  false",
		fmt.Sprintf("3 false %s %s false", list[2].Title, *list[2].BlockingAttachment.Name)}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	ends := view.Each(clock, func(c chartTick) string { return fmt.Sprint(c.Share, " ", c.Anchor, " ", c.Text) })
	if want := []string{"0 start 06:06:59", "0.5 middle 06:07:46", "1 end 06:08:33"}; !slices.Equal(ends, want) {
		t.Errorf("%q", ends)
	}
	for _, in := range list {
		in.Span.To.At, in.Span.From.At = start, start
		in.Span.Seconds.Best, in.MultiAttach.Ended = 0, nil
	}
	if rows, clock := p.volumeRows(list); len(clock) != 0 || rows[1].Lasted != "unknown" || len(rows[0].Parts) != 0 {
		t.Errorf("of no length: %+v", clock)
	}
	g := htmlGroup{GroupView: view.GroupView{Members: list}, Rows: rows}
	if g.Order() != "those that are still blocked first, then by their end" || g.Apart() == "" {
		t.Error(g.Order(), g.Apart())
	}
	list[1].Span.Open = false
	if g.Incidents = make([]htmlIncident, len(list)); g.Order() != "sorted by their end" || g.Apart() != "" {
		t.Error(g.Order(), g.Apart())
	}
	if g.keepRows(2); g.Unlisted != 1 || len(g.Rows) != 2 {
		t.Errorf("%d rows, %d not listed", len(g.Rows), g.Unlisted)
	}
}

// TestLongest: an end that nothing tells is not the longest.
func TestLongest(t *testing.T) {
	p := pageOf(t, many(3))
	for i, in := range p.Incident {
		in.Lasted, in.Span.Seconds.Best = fmt.Sprint(i), []float64{20, 30, 10}[i]
	}
	if got := longest(p.Incident); got != "1" {
		t.Error(got)
	}
	p.Incident[1].Span.Seconds.Best, p.Incident[1].MultiAttach.Ended = 0, nil
	if got := longest(p.Incident); got != "0" {
		t.Errorf("beside one without an end: %s", got)
	}
	if got := longest(p.Incident[1:2]); got != "unknown" {
		t.Errorf("without an end: %s", got)
	}
}

// TestQuotesThatFit: those cited first stay; a text without room is left out, and a quote without room for its place is counted.
func TestQuotesThatFit(t *testing.T) {
	quote := func(id, path string, length int) model.Evidence {
		return model.Evidence{ID: id, Text: strings.Repeat("x", length), Source: model.Source{Path: path, Field: "ab", Series: "c"}}
	}
	r := rich()
	r.Incidents, r.Groups, r.Timeline, r.Findings, r.Inspection, r.Series, r.Alerts = nil, nil, nil, nil, nil, nil, nil
	r.Evidence = []model.Evidence{quote("a", "p", 100), quote("b", "p", 1000), quote("c", "q", 100), quote("d", "p", 10), quote("a", "p", 3)}
	r.Findings = []model.Finding{{ID: "f", Severity: "warning", Evidence: []string{"c", "c", "nothing"}},
		{ID: "g", Severity: "warning", Evidence: []string{"b", "c"}}}
	const place = 190 + 3
	for room, want := range map[int]string{
		0: "", place - 1: "", place + 75 - 1: "p:a-0", place + 2*75 - 1: "p:b-1", place + 2*75: "q:c-2", place + 2*75 + 99: "q:c-2", place + 2*75 + 100: "q:c+2",
		3*75 + 2*place + 100: "p:b-1 q:c+2", 3*75 + 3*place + 200: "p:a+0 p:b-1 q:c+2", 1 << 20: "p:a+0 p:b+1 q:c+2 p:d+0",
	} {
		b := budgetFor(0)
		b.quotes = room
		p, err := newHTMLPage(view.New(r), b)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range p.Quoted {
			for _, q := range f.Quotes {
				sign := "+"
				if q.Left {
					sign = "-"
				}
				got = append(got, f.Path+":"+q.ID+sign+fmt.Sprint(len(q.By)))
			}
		}
		if strings.Join(got, " ") != want || p.Unquoted != 4-len(got) || p.QuoteCount() != len(got) {
			t.Errorf("room for %d: %q, %d left out, want %s", room, got, p.Unquoted, want)
		}
	}
	for range backLinks + 1 {
		r.Findings = append(r.Findings, model.Finding{ID: "h", Severity: "warning", Evidence: []string{"d"}})
	}
	files := pageOf(t, r).Quoted
	if q := files[len(files)-1].Quotes[0]; q.ID != "d" || len(q.By) != backLinks || q.ByMore != 1 || q.Aside {
		t.Errorf("%d links and %d more", len(q.By), q.ByMore)
	}
	if len(files) != 3 || len(files[0].Quotes) != 2 {
		t.Errorf("%d files", len(files))
	}
}

// TestAsideQuotes: a quote is aside when no incident and no row of one rests on it, and a file when all of its quotes are.
func TestAsideQuotes(t *testing.T) {
	r := rich()
	for _, id := range []string{"new1", "new2"} {
		r.Evidence = append(r.Evidence, model.Evidence{ID: id, Text: "x", Source: model.Source{Path: "aside"}})
	}
	r.Timeline = append(r.Timeline, model.TimelineItem{ID: "far", Kind: "other", Text: "far", At: at(1e6), Evidence: []string{"new1"}})
	p := pageOf(t, r)
	last := p.Quoted[len(p.Quoted)-1]
	if !last.Aside() || len(last.Quotes) != 2 || p.Quoted[0].Aside() {
		t.Errorf("%+v", last)
	}
	last.Quotes[1].Aside = false
	if last.Aside() {
		t.Error("a file with a quote of an incident is aside")
	}
}

// TestOtherVolumes: the other volumes of the event are one thing to look at, with how many are still blocked.
func TestOtherVolumes(t *testing.T) {
	p := pageOf(t, many(4))
	f := p.firstScreen()
	f.Others = []view.Other{{Text: "x", Anchor: "elsewhere"}, {Text: "y", Anchor: p.Incident[3].Anchor}}
	for open, want := range map[int]string{0: "3 other volumes of the same event", 1: "3 other volumes of the same event",
		3: "3 other volumes of the same event, 2 still blocked"} {
		for i, in := range p.Incident {
			in.Span.Open = i < open
		}
		if got := p.also(f); len(got) != 2 || got[0].Text != want || got[1].Text != "x" || got[0].Anchor != p.Group[0].Anchor {
			t.Errorf("%d are open: %+v", open, got)
		}
	}
	p.Group[0].Members = p.Incident[:1]
	if got := p.also(f); len(got) != 2 || got[0].Text != "x" || got[1].Text != "y" {
		t.Errorf("of one volume: %+v", got)
	}
	r := many(alsoMost + 2)
	r.Groups = nil
	if first := pageOf(t, r).First; len(first.Also) != alsoMost || first.MoreAlso != "1 more below." {
		t.Errorf("%+v, %q", first.Also, first.MoreAlso)
	}
	r = many(alsoMost + 1)
	r.Groups = nil
	if first := pageOf(t, r).First; len(first.Also) != alsoMost || first.MoreAlso != "" {
		t.Errorf("%+v, %q", first.Also, first.MoreAlso)
	}
}

// TestPlacesOfAStretch in the bar and in the columns below it.
func TestPlacesOfAStretch(t *testing.T) {
	p := splitPart{PhaseView: view.PhaseView{Start: 0.25, Width: 0.5}, Column: 9, Span: 18}
	if p.Lead() != "250.0,0 750.0,0 748.0,14 250.0,14" || p.Middle() != 0.5 || p.Narrow() {
		t.Errorf("%s %v", p.Lead(), p.Middle())
	}
	for width, want := range map[float64]bool{0.224: true, 0.226: false} {
		if p.Width = width; p.Narrow() != want {
			t.Errorf("%v is narrow: %v", width, !want)
		}
	}
	p.Governor, p.Span = strings.Repeat("x", 16), 2
	if p.Brief() == "" {
		t.Error("what fits is left out")
	}
	if p.Governor += "x"; p.Brief() != "" {
		t.Error("what does not fit is shown")
	}
	if got := spansOf([]view.PhaseView{{Width: 0.5}, {Width: 0.5}}); !slices.Equal(got, []int{18, 18}) {
		t.Error(got)
	}
}

// TestCurve: where points and letters of the curve stand in its picture.
func TestCurve(t *testing.T) {
	c := &view.CurveView{Points: []view.CurvePoint{{X: 0, Y: 0, Least: -1, Most: 0.5}, {X: 0.5, Y: 0.25, Least: 0.1, Most: 2}},
		Marks: []view.CurveMark{{Row: 1}, {Row: 2}, {Row: 0}}}
	if got := curveFuncs["curveLine"].(func(*view.CurveView) string)(c); got != "0,120.0 500,90.0" {
		t.Error(got)
	}
	if got := curveFuncs["curveBand"].(func(*view.CurveView) string)(c); got != "0,120.0 500,108.0 500,0.0 0,60.0" {
		t.Error(got)
	}
	if rowsOf(c) != 3 || letterY(0) != 156 || letterY(2) != 184 || curveFuncs["curveHigh"].(func(*view.CurveView) int)(c) != 202 {
		t.Error(rowsOf(c), letterY(0), letterY(2))
	}
	for share, want := range map[float64]string{0.019: "start", 0.02: "middle", 0.98: "middle", 0.981: "end"} {
		if got := curveFuncs["letterAnchor"].(func(float64) string)(share); got != want {
			t.Errorf("%v: %s", share, got)
		}
	}
	for command, want := range map[string]string{"kubectl delete --force x": "kubectl delete <em>--force</em> x", "a\n-b c": "a\n-b c",
		"<a> b-c": "&lt;a&gt; <em>b-c</em>"} {
		if got := string(kept(command)); got != want {
			t.Errorf("%s: %s", command, got)
		}
	}
}

// TestWitnesses are quotes that name an object, those of incidents first.
func TestWitnesses(t *testing.T) {
	v := view.New(rich())
	node := nodeRef("n")
	item := func(incident, quote string) model.TimelineItem {
		i := model.TimelineItem{About: []model.Ref{node}, Evidence: []string{quote}}
		if incident != "" {
			i.Incidents = []string{incident}
		}
		return i
	}
	ids := view.Each(v.Evidence, func(e model.Evidence) string { return e.ID })
	v.Timeline = []model.TimelineItem{item("", ids[0]), item("i1", ids[1])}
	if got := objectWitnesses(v)[node.Key()]; !slices.Equal(got, []string{ids[1], ids[0]}) {
		t.Errorf("%q", got)
	}
	for range citesShown {
		v.Timeline = append(v.Timeline, item("i1", ids[2]))
	}
	if got := objectWitnesses(v)[node.Key()]; len(got) != citesShown || slices.Contains(got, ids[0]) {
		t.Errorf("%q", got)
	}
}

// TestGroupsWithoutAPart have a row each, as many as have room, and the others are counted.
func TestGroupsWithoutAPart(t *testing.T) {
	r := many(5)
	ids := r.Groups[0].Incidents
	r.Groups = []model.Group{{ID: "a", Incidents: ids[:2]}, {ID: "b", Incidents: ids[2:3]}, {ID: "c", Incidents: ids[3:4]}, {ID: "d", Incidents: ids[4:]}}
	for _, c := range []struct {
		parts, members       int
		rows, brief, counted int
	}{{0, 0, 0, 0, 4}, {0, 3, 0, 3, 1}, {0, 4, 0, 4, 0}, {1, 1, 1, 0, 3}, {1, 2, 2, 0, 3}, {1, 3, 2, 1, 2}, {1, 5, 2, 3, 0}} {
		b := budgetFor(5)
		b.parts, b.members = c.parts, c.members
		p, err := newHTMLPage(view.New(r), b)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for _, g := range p.Story {
			rows += len(g.Rows)
		}
		if rows != c.rows || len(p.Brief) != c.brief || p.LeftGroups != c.counted {
			t.Errorf("%+v: %d rows, %d groups in a row, %d are counted", c, rows, len(p.Brief), p.LeftGroups)
		}
	}
}

// TestUntilTheCollection: rows end where the bundle was collected, but not before the wait, nor behind the chart.
func TestUntilTheCollection(t *testing.T) {
	for after, want := range map[time.Duration]time.Duration{-time.Hour: 0, 2 * time.Second: 2 * time.Second, 1000 * time.Hour: -1} {
		r := rich()
		in := &r.Incidents[0]
		captured := model.Exactly(in.Span.To.At.Add(after))
		r.Bundle.CapturedAt = &captured
		c := chartsOf(t, r)[0].Chart
		end := in.Span.To.At.Add(want)
		if want < 0 {
			end = c.to
		}
		if bars := c.row("Old node").Bars; bars[len(bars)-1].To != c.ms(end) {
			t.Errorf("collected %v after the wait: %d, want %d", after, bars[len(bars)-1].To, c.ms(end))
		}
	}
}
