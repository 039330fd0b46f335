package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// shown is what the timeline shows: rows that are not hidden, all rows, dots of the chart, and what the page says of it.
type shown struct {
	Rows, All, Dots int
	Count           string
}

func (tb *tab) shown() shown {
	tb.t.Helper()
	return eval[shown](tb, `(() => { const rows = [...document.querySelectorAll('#timeline tr[data-lane]')];
		return {Rows: rows.filter(r => !r.hidden).length, All: rows.length, Dots: document.querySelectorAll('.lanes-chart .mark').length,
			Count: document.querySelector('.count').textContent} })()`)
}

// wantShown compares the rows with what is said of them and with the dots.
func (tb *tab) wantShown(what string, rows int) {
	tb.t.Helper()
	s := tb.shown()
	if s.Rows != rows || s.Dots != rows {
		tb.t.Errorf("%s: %d rows and %d dots are shown, want %d", what, s.Rows, s.Dots, rows)
	}
	if want := fmt.Sprintf("%d of %d rows", s.Rows, s.All); !strings.HasPrefix(s.Count, want) {
		tb.t.Errorf("%s: the page says %q, want %q", what, s.Count, want)
	}
	if hidden := fmt.Sprintf("%d are hidden by the filter", s.All-s.Rows); s.Rows != s.All && !strings.Contains(s.Count, hidden) {
		tb.t.Errorf("%s: the page does not say that %s: %q", what, hidden, s.Count)
	}
}

// typeInto writes into a field as a reader does.
func (tb *tab) typeInto(selector, text string) {
	tb.t.Helper()
	eval[bool](tb, fmt.Sprintf(`(() => { const f = document.querySelector(%q); f.focus(); f.select?.(); return true })()`, selector))
	tb.do(chromedp.KeyEvent(text))
}

// withTheFilter: lane, words and incident choose rows; the page counts what they hide; one control takes it all back.
func withTheFilter(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	all := tb.shown().All
	tb.wantShown("at first", all)
	lanes := eval[map[string]int](tb, `Object.fromEntries([...new Set([...document.querySelectorAll('#timeline tr[data-lane]')].map(r => r.dataset.lane))].map(l => [l, document.querySelectorAll('tr[data-lane="' + l + '"]').length]))`)
	boxes := eval[int](tb, `document.querySelectorAll('.filter fieldset input').length`)
	if boxes != len(lanes) {
		t.Errorf("%d boxes for %d lanes", boxes, len(lanes))
	}
	eval[bool](tb, `document.querySelector('.filter fieldset input').click(), true`)
	first := eval[string](tb, `['node', 'pods', 'controller', 'attacher', 'storage', 'people', 'alerts', 'other'].find(l => document.querySelector('tr[data-lane=' + l + ']'))`)
	tb.wantShown("without the lane "+first, all-lanes[first])
	eval[bool](tb, `[...document.querySelectorAll('#timeline button')].find(b => b.textContent === 'Show all').click(), true`)
	tb.wantShown("all again", all)

	word := "multi-attach"
	tb.typeInto(".filter input[type=search]", word)
	tb.wantShown("by words", eval[int](tb, `[...document.querySelectorAll('#timeline tr[data-lane]')].filter(r => (r.cells[3].textContent + ' ' +
		(r.dataset.object ?? '').split(' ').map(n => document.querySelectorAll('#objects option')[n - 1]?.value ?? '').join(' ')).toLowerCase().includes('`+word+`')).length`))
	eval[bool](tb, `document.querySelector('.filter').scrollIntoView(), true`)
	b.shot(tb, p.name+"-filter")
	if len(p.report.Incidents) < 2 {
		return
	}
	eval[bool](tb, `(() => { const w = document.querySelector('.filter input[type=search]'); w.value = ''; w.dispatchEvent(new Event('input'));
		const s = document.querySelector('.filter select'); s.value = '2'; s.dispatchEvent(new Event('change')); return true })()`)
	id, rows := p.report.Incidents[1].ID, 0
	for _, item := range p.report.Timeline {
		for _, i := range item.Incidents {
			if i == id {
				rows++
			}
		}
	}
	if got := tb.shown().Rows; (got == 0) != (rows == 0) || got > rows || got == all {
		t.Errorf("incident 2 has %d rows of %d, from %d observations", got, all, rows)
	}
}

// inTheChart: zoom and pan by key, button and dragging; a dot leads to its row.
func inTheChart(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	all := tb.shown().All
	tb.do(chromedp.KeyEvent("t"))
	tb.do(chromedp.KeyEvent("+"), chromedp.KeyEvent("+"))
	near := tb.shown()
	if near.Rows >= all {
		t.Errorf("zoomed in, all %d rows are shown", near.Rows)
	}
	tb.wantShown("zoomed in", near.Rows)
	for range 8 {
		tb.do(chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift)))
	}
	if later := tb.shown(); later.Count == near.Count {
		t.Errorf("moved to later, the page still says %q", later.Count)
	}
	tb.do(chromedp.KeyEvent("0"))
	tb.wantShown("the whole span", all)

	type box struct{ X, Y, W float64 }
	c := eval[box](tb, `(() => { const s = document.querySelector('.lanes-chart svg'); s.scrollIntoView({block: 'center'}); const b = s.getBoundingClientRect(); return {X: b.x, Y: b.y + 40, W: b.width} })()`)
	tb.do(chromedp.DragAndDropXY(c.X+c.W*0.3, c.Y, c.X+c.W*0.8, c.Y, 5))
	dragged := tb.shown()
	if !strings.Contains(dragged.Count, " to T") {
		t.Errorf("after a drag over half of the chart the page says %q", dragged.Count)
	}
	b.shot(tb, p.name+"-chart")
	tb.do(chromedp.KeyEvent("t"), chromedp.KeyEvent("0"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	said := eval[string](tb, `document.querySelector('.lanes-chart [role=status]').textContent`)
	tb.do(chromedp.KeyEvent(kb.Enter))
	row := eval[string](tb, `(() => { const r = document.querySelector(':target'); return r?.matches('tr') && r.getBoundingClientRect().top < innerHeight ? r.cells[3].textContent.trim().replace(/\s+/g, ' ') : '' })()`)
	if row == "" || !strings.Contains(said, row) {
		t.Errorf("the chart says %q, and Enter leads to %q", said, row)
	}
}
