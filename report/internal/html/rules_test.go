package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// TestBudgets: how much a page may have, by its incidents, and what is left out first.
func TestBudgets(t *testing.T) {
	for n, want := range map[int][2]int{0: {oneMost, 1}, 1: {oneMost, 1}, 2: {fewMost, few}, few: {fewMost, few}, few + 1: {pageMost, 100}} {
		if b := budgetFor(n); b.limit != want[0] || b.parts != want[1] {
			t.Errorf("%d incidents: %+v", n, b)
		}
	}
	for _, c := range []struct {
		n, limit, parts, members int
		status                   model.Status
	}{{1, oneMost, 1, 1, model.StatusHandover}, {2, oneMost, 2, 2, model.StatusHandover}, {2, fewMost, few, few, model.StatusIncident},
		{few + 9, oneMost, few, few + 9, model.StatusHandover}} {
		r := &model.Report{Incidents: make([]model.Incident, c.n)}
		r.Verdict.Status = c.status
		if b := budgetOf(r); b.limit != c.limit || b.parts != c.parts || b.members != c.members {
			t.Errorf("%d of status %s: %+v", c.n, c.status, b)
		}
	}
	b := budget{limit: 9, parts: 8, full: 4, members: 6, rows: 30_000, others: 4, quotes: 3_000, inputs: 8, problems: 2, items: 10, text: 1000}
	if got, want := b.less(), (budget{9, 8, 4, 6, 20_000, 2, 2_000, 4, 1, 10, 1000}); got != want {
		t.Errorf("with less folded: %+v", got)
	}
	b.rows, b.quotes = lean-14, 0
	if got, want := b.less(), (budget{9, 4, 2, 3, lean/2 - 7, 2, 0, 4, 1, 5, 500}); got != want {
		t.Errorf("with next to nothing folded: %+v", got)
	}
	if b.rows++; b.less().parts != 8 {
		t.Error("a byte above the least that is folded, incidents are left out")
	}
	if b.text = 100; b.half().text != shortest {
		t.Error("a text is cut below the shortest")
	}
	if b.text = 0; b.half().text != 1<<16 {
		t.Errorf("a text that was whole is cut to %d", b.half().text)
	}
	for text, want := range map[int]string{0: "abcdef", 6: "abcdef", 5: "abcde… (1 bytes left out)"} {
		if b.text = text; !strings.HasPrefix(b.cut("abcdef"), want[:6]) || (text == 5) != strings.Contains(b.cut("abcdef"), "left out") {
			t.Errorf("%d: %q", text, b.cut("abcdef"))
		}
	}
	least := budget{text: shortest}
	if !least.least() {
		t.Error("something is left")
	}
	for _, more := range []budget{{text: shortest, parts: 1}, {text: shortest, members: 1}, {text: shortest, rows: 1}, {text: shortest, quotes: 1},
		{text: shortest, items: 1}, {text: shortest + 1}, {}} {
		if more.least() {
			t.Errorf("%+v is the least", more)
		}
	}
}

// TestClockWords has times of the clock as far as a step needs them, and marks of a scale.
func TestClockWords(t *testing.T) {
	for step, want := range map[time.Duration]string{250 * time.Millisecond: "06:06:51.68", time.Second: "06:06:51", 30 * time.Second: "06:06:51",
		time.Minute: "06:06", 23 * time.Hour: "06:06", 24 * time.Hour: "Nov 21"} {
		if got := tickText(start, step); got != want {
			t.Errorf("%v: %s, want %s", step, got, want)
		}
	}
	for width, want := range map[time.Duration]string{0: "06:06:51", 2 * time.Second: "06:06:51", 2*time.Second + 1: "about 06:06:51"} {
		m := at(0)
		if m.Latest = m.Earliest.Add(width); clockText(m) != want {
			t.Errorf("%v: %s", width, clockText(m))
		}
	}
	if got := iso(start); got != "2026-11-21T06:06:51Z" {
		t.Error(got)
	}
	if got := iso(model.T); got != "" {
		t.Errorf("what has no date is %s", got)
	}
	if got := lines([]float64{0, 0.25, 1}); got != "M0.0 0V1M250.0 0V1M1000.0 0V1" {
		t.Error(got)
	}
	if got := epoch(start); got != start.UnixMilli() {
		t.Error(got)
	}
	if got := epoch(model.T.Add(2 * time.Second)); got != 2000 {
		t.Errorf("a distance of %d ms", got)
	}
	c := &chart{from: start, to: start.Add(10 * time.Minute), zero: start}
	c.ticks()
	for i, tick := range c.Ticks {
		if want := time.Duration(i+1)*time.Minute - 51686*time.Millisecond; tick.At != want.Milliseconds() {
			t.Errorf("tick %d at %d, want %v", i, tick.At, want)
		}
		anchor := "middle"
		if tick.Share < 0.08 {
			anchor = "start"
		} else if tick.Share > 0.92 {
			anchor = "end"
		}
		if tick.Anchor != anchor || tick.Odd != (i%2 == 1) {
			t.Errorf("tick %d: %+v", i, tick)
		}
	}
	if len(c.Ticks) != 10 || c.Ticks[4].Text != "06:11" {
		t.Errorf("%+v", c.Ticks)
	}
}

// TestPlace has bars that lie in view, before and behind it, and across its edges.
func TestPlace(t *testing.T) {
	c := &chart{from: start.Add(10 * time.Second), to: start.Add(110 * time.Second), zero: start}
	row := chartRow{Bars: []chartBar{{From: 0, To: 9_000}, {From: 0, To: 60_000}, {From: 60_000, To: 120_000}, {From: 111_000, To: 120_000},
		{From: 50_000, To: 40_000},
		{From: 60_000, To: 60_000}, {From: 110_000, To: 110_000}, {From: 20_000, To: 30_000, since: model.Moment{At: start, Earliest: start.Add(20 * time.Second),
			Latest: start.Add(30 * time.Second)}}}}
	row.place(c)
	var got [][4]float64
	for _, b := range row.Bars {
		got = append(got, [4]float64{b.X, b.Wide, b.Low, b.Width})
	}
	want := [][4]float64{{0, 0.5, 0, 0}, {0.5, 0.5, 0, 0}, {0.5, chartLeast, 0, 0}, {1, 0, 0, 0}, {0.1, 0.1, 0.1, 0.1}}
	if !slices.EqualFunc(got, want, func(a, b [4]float64) bool {
		return slices.EqualFunc(a[:], b[:], func(x, y float64) bool { return max(x-y, y-x) < 1e-9 })
	}) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNumbers writes the incidents of a row as ranges.
func TestNumbers(t *testing.T) {
	for want, numbers := range map[string][]int{"": nil, "1": {1}, "1-2": {1, 2}, "1-3 5": {1, 2, 3, 5}, "1 3-4 9": {1, 3, 4, 9}} {
		if got := (timelineRow{numbers: numbers}).Numbers(); got != want {
			t.Errorf("%v: %s", numbers, got)
		}
	}
	for n, want := range map[int]string{0: "0 quotes", 1: "1 quote", 2: "2 quotes"} {
		if got := counted(n, "quote"); got != want {
			t.Error(got)
		}
	}
	size := func(n int) int { return n }
	for room, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 2, 6: 3, 9: 3} {
		if got := fitting([]int{1, 2, 3}, room, size); len(got) != want {
			t.Errorf("room for %d: %v", room, got)
		}
	}
	inputs := []model.Input{{Path: "a"}, {Path: "b", Used: 1}, {Path: "c"}, {Path: "d", Used: 2}}
	for room, want := range map[int]string{0: "", 331: "b", 662: "bd", 993: "abd", 1324: "abcd"} {
		if got := strings.Join(view.Each(worthListing(inputs, room), func(in model.Input) string { return in.Path }), ""); got != want {
			t.Errorf("room for %d: %s, want %s", room, got, want)
		}
	}
}

// TestKindsOfFindings: what asks for something to be done, what is for information, and what does not hold.
func TestKindsOfFindings(t *testing.T) {
	r := rich()
	r.Incidents, r.Groups = nil, nil
	r.Findings = []model.Finding{{ID: "a", Severity: "warning"}, {ID: "b", Severity: string(model.Info)}, {ID: "belief-c", Severity: string(model.Info)},
		{ID: "belief-d", Severity: "warning"}, {ID: "e", Severity: "critical"}}
	p, err := newHTMLPage(view.New(r), budgetFor(0))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, list := range [][]numberedFinding{p.ToDo(), p.Noted(), p.Beliefs()} {
		for _, f := range list {
			got = append(got, fmt.Sprint(f.Number, f.ID))
		}
	}
	if want := []string{"1a", "5e", "2b", "3belief-c", "4belief-d"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if p.Several() || p.LeftItems() != "" {
		t.Errorf("%v, %q", p.Several(), p.LeftItems())
	}
	b := budgetFor(0)
	b.items = 2
	if p, err = newHTMLPage(view.New(r), b); err != nil || !strings.HasPrefix(p.LeftItems(), "3 of the kind finding") {
		t.Errorf("%v, %q", err, p.LeftItems())
	}
	for root, want := range map[string]string{"/a/b": "b", `C:\a\b`: "b", "/a/b/": "b", "b": "b", "": "unnamed bundle", "/": "unnamed bundle"} {
		r.Bundle.Root = root
		if p, err = newHTMLPage(view.New(r), b); err != nil || p.Name() != want {
			t.Errorf("%s: %v %s", root, err, p.Name())
		}
	}
}
