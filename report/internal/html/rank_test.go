package html

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// TestWhatIsNearest: facts of the incidents that are told come first, then by their distance from one.
func TestWhatIsNearest(t *testing.T) {
	r := many(3)
	p := pageOf(t, r)
	a, b, c := p.Incident[0], p.Incident[1], p.Incident[2]
	p.parts = map[*view.IncidentView]bool{a: false, b: true}
	for _, x := range []struct {
		ids  []string
		want int64
	}{{nil, math.MaxInt64}, {[]string{"nobody"}, math.MaxInt64}, {[]string{b.ID}, 2}, {[]string{a.ID}, 1 + 1<<32}, {[]string{c.ID}, 3 + 2<<32},
		{[]string{c.ID, "nobody", a.ID, b.ID}, 2}, {[]string{b.ID, c.ID}, 2}} {
		if got := p.rank(x.ids); got != x.want {
			t.Errorf("%v: %d, want %d", x.ids, got, x.want)
		}
	}
	a.Span.From.At, a.Span.To.At = start, start.Add(100*time.Second)
	b.Span.From.At, b.Span.To.At = start.Add(300*time.Second), start.Add(400*time.Second)
	for second, want := range map[int]int{-7: 7, 0: 0, 50: 0, 100: 0, 110: 10, 290: 10, 200: 100, 350: 0, 430: 30} {
		if got := time.Duration(p.distance(start.Add(time.Duration(second) * time.Second))); got != time.Duration(want)*time.Second {
			t.Errorf("%d: %v, want %d s", second, got, want)
		}
	}
	if p.parts = nil; p.distance(start.Add(time.Hour)) != 0 {
		t.Error("without an incident there is a distance")
	}
	for second, want := range map[float64]bool{-10.1: false, -10: true, 0: true, 110: true, 110.1: false} {
		e := &entry{item: model.TimelineItem{At: at(second), Incidents: []string{"nobody", a.ID}}}
		if p.inStory(e) != want {
			t.Errorf("%v s: in the story %v", second, !want)
		}
		if e.item.Incidents = e.item.Incidents[:1]; p.inStory(e) {
			t.Errorf("%v s: of no incident, and in the story", second)
		}
	}
	late := at(115)
	late.Earliest = late.Earliest.Add(-6 * time.Second)
	if !p.inStory(&entry{item: model.TimelineItem{At: late, Incidents: []string{a.ID}}}) {
		t.Error("what may lie in the span is not in the story")
	}
}

// TestRoomForEntries: the nearest are kept, as many as have room, and none behind the first that has none.
func TestRoomForEntries(t *testing.T) {
	one := entry{item: model.TimelineItem{Text: "0123456789", Evidence: []string{"a", "b", "c"}, Incidents: []string{"1", "2", "3", "4"},
		About: []model.Ref{{Name: "abcdefgh"}, {}}}, others: []string{"x", "y"}}
	if got, want := one.size(), 300+10+48*3+62*rowIncidents+55*2+8+2+8; got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	one.item.Evidence = make([]string, citesShown)
	if got, want := one.size(), 300+10+48*citesShown+62*rowIncidents+55*2+8+2+8; got != want {
		t.Errorf("with many quotes %d bytes, want %d", got, want)
	}
	for room, want := range map[int]string{0: "", 300: "c", 600: "cb", 1039: "cb", 1040: "cba", 1339: "cba", 1340: "cbad"} {
		list := []*entry{{lane: "a"}, {lane: "b"}, {lane: "c"}, {lane: "d"}}
		list[0].item.Text = strings.Repeat("x", 140)
		keep([]ranked{{list[0], 2}, {list[1], 1}, {list[2], 0}, {list[3], 2}}, room)
		got := ""
		for _, i := range []int{2, 1, 0, 3} {
			if list[i].kept {
				got += list[i].lane
			}
		}
		if got != want {
			t.Errorf("room for %d: %q, want %q", room, got, want)
		}
	}
}

// TestFirings: what fires at one instant is one row, which is open when one of them is, and else ends with the last.
func TestFirings(t *testing.T) {
	after := func(s int) *time.Time { return new(start.Add(time.Duration(s) * time.Second)) }
	for _, c := range []struct {
		firings []model.Firing
		until   *time.Time
		open    bool
		of      string
	}{
		{[]model.Firing{{To: after(9), Incident: new("a")}, {To: after(5), Incident: new("a")}}, after(9), false, "a"},
		{[]model.Firing{{To: after(5), Incident: new("a")}, {To: after(9), Incident: new("b")}}, after(9), false, "a b"},
		{[]model.Firing{{To: after(5)}, {}}, after(5), true, ""}, {[]model.Firing{{}, {To: after(5)}}, after(5), true, ""},
		{[]model.Firing{{}}, nil, true, ""},
	} {
		e := &entry{}
		for _, f := range c.firings {
			e.add(f)
		}
		if (e.until == nil) != (c.until == nil) || e.until != nil && !e.until.Equal(*c.until) || e.open != c.open || strings.Join(e.item.Incidents, " ") != c.of {
			t.Errorf("%+v: %v, %v, %q", c.firings, e.until, e.open, e.item.Incidents)
		}
	}
	p := pageOf(t, rich())
	p.Rules = []view.AlertView{{Alert: model.Alert{Name: "A", Origin: "bundle", Firings: []model.Firing{{From: *after(9)}, {From: *after(3)}, {From: *after(9)}}}},
		{Alert: model.Alert{Name: "B", Origin: "builtin", Note: "synthesised", Firings: []model.Firing{{From: *after(3)}}}}}
	got := view.Each(p.firings(), func(e *entry) string { return e.item.ID + " " + e.rule + " " + e.item.Text })
	if want := []string{"alert-1-2 alert-1 alert A (bundle) fires", "alert-2-1 alert-2 alert B (recommended) fires over synthesised series",
		"alert-1-1 alert-1 alert A (bundle) fires"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestEntries: sources that put one fact within a second are one entry, and alerts stand among them by their time.
func TestEntries(t *testing.T) {
	p := pageOf(t, rich())
	item := func(id string, second float64) model.TimelineItem {
		return model.TimelineItem{ID: id, Kind: "pod-created", Text: "x", At: at(second), Incidents: []string{"i1"}}
	}
	other := item("other", 1.5)
	other.Incidents = nil
	p.Timeline = []model.TimelineItem{item("a", 0), item("b", 1), other, item("c", 2), item("d", 3.1)}
	p.Rules = []view.AlertView{{Alert: model.Alert{Name: "A", Firings: []model.Firing{{From: at(2).At}, {From: at(2.5).At}, {From: at(4).At}}}}}
	got := view.Each(p.entries(), func(e *entry) string { return strings.Join(append([]string{e.item.ID}, e.others...), "+") })
	if want := []string{"a+b", "other", "c", "alert-1-1", "alert-1-2", "d", "alert-1-3"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDatesOfTheTimeline: a date stands where it is another than that of the story, and a zone nowhere.
func TestDatesOfTheTimeline(t *testing.T) {
	p := pageOf(t, rich())
	p.Primary = p.Incident[0]
	p.Primary.Zero = start
	for in, want := range map[string]string{"at 2026-11-21 06:06:51 UTC.": "at 06:06:51.", "at 2026-11-22 06:06:51 UTC.": "at 2026-11-22 06:06:51.",
		"06:06 UTC, 07:06:51.5 UTC+01:00": "06:06, 07:06:51.5", "UTC is a zone": "UTC is a zone", "06:06 UTCx": "06:06 UTCx"} {
		if got := p.Plain(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	rough := at(0)
	rough.Earliest, rough.Latest = rough.At.Add(-10*time.Second), rough.At.Add(10*time.Second)
	undated := model.Moment{At: model.T.Add(time.Hour), Basis: model.Derived}
	for want, m := range map[string]model.Moment{"06:06:51.686": at(0), "Nov 22 06:06:51.686": at(24 * 3600), "06:06:51 ± 10 s": rough,
		view.TimeOfDay(undated): undated} {
		if got := p.Clock(m); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if text, script := p.origin(start); script != "2026-11-21T06:06:51.686Z" || !strings.HasSuffix(text, " of incident 1.") {
		t.Errorf("%q %q", text, script)
	}
	if _, script := p.origin(time.Date(model.StandInYear, 3, 1, 0, 0, 1, 0, time.UTC)); script != "951868801000" {
		t.Errorf("without a year: %q", script)
	}
	if _, script := p.origin(model.T); script != "0" {
		t.Errorf("without a date: %q", script)
	}
	p.facts[0].item.At = at(77)
	p.Primary = nil
	if text := "2026-11-21 06:06:51 UTC"; p.Plain(text) != text || !p.zero().Equal(at(77).At) {
		t.Error("without an incident the page has a date")
	}
	for missing, want := range map[model.Missing]bool{model.NoDate: true, model.NoYear: false} {
		if p.Bundle.StandIn = (&model.StandIn{Missing: missing}); p.Distances() != want {
			t.Error(missing)
		}
	}
	if p.Bundle.StandIn = nil; p.Distances() {
		t.Error("dates are known, and all are distances")
	}
}

// TestIncidentsOfARow: the first that have a part of their own are named, the others are counted.
func TestIncidentsOfARow(t *testing.T) {
	r := many(6)
	p := pageOf(t, r)
	p.parts = map[*view.IncidentView]bool{}
	ids := view.Each(p.Incident, func(in *view.IncidentView) string { return in.ID })
	slices.Reverse(ids)
	for _, c := range []struct {
		parts []int
		want  string
	}{{nil, "6 5 4 +3"}, {[]int{1}, "2 +5"}, {[]int{5, 3, 2, 0}, "6 4 3 +3"}} {
		clear(p.parts)
		for _, i := range c.parts {
			p.parts[p.Incident[i]] = true
		}
		row := p.row(&entry{item: model.TimelineItem{At: at(9), Incidents: append([]string{"nobody"}, ids...)}}, start)
		got := ""
		for _, in := range row.Incidents {
			got += fmt.Sprint(in.Number, " ")
		}
		if got += fmt.Sprint("+", row.More); got != c.want || row.Numbers() != "1-6" || row.From != 9000 {
			t.Errorf("%v: %q, %q, %+v", c.parts, got, row.Numbers(), row)
		}
	}
}
