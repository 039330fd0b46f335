package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// shown is what the timeline shows: rows that are not hidden, all rows, and what the page says of it.
type shown struct {
	Rows, All int
	Count     string
}

func (tb *tab) shown() shown {
	tb.t.Helper()
	return eval[shown](tb, `(() => { const rows = [...document.querySelectorAll('#timeline tr[data-lane]')];
		return {Rows: rows.filter(r => !r.hidden).length, All: rows.length, Count: document.querySelector('.count').textContent} })()`)
}

// wantShown compares the rows with what is said of them.
func (tb *tab) wantShown(what string, rows int) {
	tb.t.Helper()
	s := tb.shown()
	if s.Rows != rows {
		tb.t.Errorf("%s: %d rows are shown, want %d", what, s.Rows, rows)
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
	eval[bool](tb, fmt.Sprintf(`(() => { const f = document.querySelector(%q); for (let d = f.closest('details'); d; d = `+
		`d.parentElement.closest('details')) d.open = true; f.focus(); f.select?.(); return true })()`, selector))
	tb.do(chromedp.KeyEvent(text))
}

// withTheFilter: lane, words and incident choose rows; the page counts what they hide; one control takes it all back.
func withTheFilter(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	all := tb.shown().All
	tb.wantShown("at first", all)
	lanes := eval[map[string]int](tb,
		`Object.fromEntries([...new Set([...document.querySelectorAll('#timeline tr[data-lane]')].map(r => r.dataset.lane))].map(l => [l, `+
			`document.querySelectorAll('tr[data-lane="' + l + '"]').length]))`)
	boxes := eval[int](tb, `document.querySelectorAll('.filter fieldset input').length`)
	if boxes != len(lanes) {
		t.Errorf("%d boxes for %d lanes", boxes, len(lanes))
	}
	eval[bool](tb, `document.querySelector('.filter fieldset input').click(), true`)
	first := eval[string](tb, `['node', 'pods', 'controller', 'attacher', 'storage', 'people', 'alerts', 'other'].find(l => `+
		`document.querySelector('tr[data-lane=' + l + ']'))`)
	tb.wantShown("without the lane "+first, all-lanes[first])
	eval[bool](tb, `[...document.querySelectorAll('#timeline button')].find(b => b.textContent === 'Show all').click(), true`)
	tb.wantShown("all again", all)

	word := "multi-attach"
	tb.typeInto(".filter input[type=search]", word)
	tb.wantShown("by words", eval[int](tb,
		`[...document.querySelectorAll('#timeline tr[data-lane]')].filter(r => (r.cells[3].textContent + ' ' +
		(r.dataset.object ?? '').split(' ').map(n => document.querySelectorAll('#objects option')[n - 1]?.value ?? '').join(' ')).toLowerCase().includes('`+word+`')).length`))
	if below := eval[float64](tb, `Math.max(0, ([...document.querySelectorAll('#timeline tr[data-lane]')].find(r => r.checkVisibility())?.getBoundingClientRect().bottom ?? 0) - innerHeight)`); below > 0 {
		t.Errorf("the first row that the words leave lies %.0f px below the window", below)
	}
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
