package browser_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// charted is what the first chart shows: its times of the clock, where its bars lie, and the words that one sees in them.
type charted struct {
	Ticks, Bars []string
	Words       []string
	Cut         []string // words that are wider than their bars
}

func (tb *tab) charted() charted {
	tb.t.Helper()
	return eval[charted](tb, `(() => { const f = document.querySelector('figure.chart'), seen = e => e.checkVisibility() && e.getBoundingClientRect().width > 0;
		const texts = [...f.querySelectorAll('tbody [data-t] text')].filter(seen);
		return {Ticks: [...f.querySelectorAll('thead .over text')].filter(seen).map(t => t.textContent),
			Bars: [...f.querySelectorAll('tbody [data-t]')].filter(seen).map(b => b.getAttribute('x') + ' ' + b.getAttribute('width')), Words: texts.map(t => t.textContent),
			Cut: texts.filter(t => t.getBoundingClientRect().width > t.closest('[data-t]').width.baseVal.value + 1).map(t => t.textContent)} })()`)
}

// inTheChart: zoom and pan by key, button and dragging, with at least six times of the clock; the rows of the stretch are a view of
// the timeline. No word is wider than its bar, at any width, with and without scripts.
func inTheChart(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	eval[bool](tb, `document.querySelector('figure.chart').scrollIntoView({block: 'center'}), true`)
	first := tb.charted()
	check := func(what string) charted {
		c := tb.charted()
		if len(c.Ticks) < 6 || !slices.IsSorted(c.Ticks) || len(c.Cut) > 0 || len(c.Words) == 0 {
			t.Errorf("%s: ticks %q, words that are cut %q of %q", what, c.Ticks, c.Cut, c.Words)
		}
		return c
	}
	check("as it opens")
	tb.do(chromedp.KeyEvent("+"), chromedp.KeyEvent("+"))
	near := check("zoomed in")
	if slices.Equal(near.Bars, first.Bars) {
		t.Error("+ does not zoom in")
	}
	eval[bool](tb, `document.querySelector('figure.chart').focus(), true`)
	for range 3 {
		tb.do(chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift)))
	}
	if later := check("later"); slices.Equal(later.Ticks, near.Ticks) && slices.Equal(later.Bars, near.Bars) {
		t.Error("Shift and the arrow do not move the chart")
	}
	tb.do(chromedp.KeyEvent("0"))
	if again := check("the whole"); !slices.Equal(again.Words, first.Words) {
		t.Errorf("0 shows %q, want %q", again.Words, first.Words)
	}
	type box struct{ X, Y, W float64 }
	c := eval[box](tb, `(() => { const b = document.querySelector('figure.chart tbody .over').getBoundingClientRect(); return {X: b.x, Y: `+
		`b.y + 10, W: b.width} })()`)
	tb.do(chromedp.DragAndDropXY(c.X+c.W*0.3, c.Y, c.X+c.W*0.6, c.Y, 5))
	if dragged := check("dragged"); slices.Equal(dragged.Bars, first.Bars) {
		t.Error("dragging over a stretch does not zoom to it")
	}
	b.shot(tb, p.name+"-chart")
	eval[bool](tb, `[...document.querySelectorAll('.scrub button')].find(b => b.textContent === 'Rows of this stretch').click(), true`)
	if s := tb.shown(); s.Rows >= s.All || !strings.Contains(s.Count, " to T") {
		t.Errorf("of the stretch %d of %d rows are shown: %s", s.Rows, s.All, s.Count)
	}
	for _, width := range []int64{390, 768, 1280, 2000} {
		tb := b.tab(t)
		call(tb, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		tb.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(p.url()))
		if still := tb.charted(); len(still.Cut) > 0 || len(still.Ticks) < 3 || width > 600 && len(still.Ticks) < 6 || len(still.Words) == 0 {
			t.Errorf("at %d px without scripts: ticks %q, words that are cut %q of %q", width, still.Ticks, still.Cut, still.Words)
		}
	}
}

// setClock sets the clock of the first chart to milliseconds from its zero; it returns false where there is none.
func (tb *tab) setClock(ms int64) bool {
	tb.t.Helper()
	return eval[bool](tb, fmt.Sprintf(`(() => { const r = document.querySelector('.scrub input'); if (!r) return false;
		r.value = %d; r.dispatchEvent(new Event('input')); return true })()`, ms))
}

// withTheClock: in the middle of every bar the clock says the bar's word, and the drawing has it too; by keyboard the clock goes from
// change to change and from phase to phase.
func withTheClock(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	asDrawn := tb.drawn()
	if !tb.setClock(0) {
		t.Fatal("the first incident has no clock")
	}
	eval[bool](tb, `document.querySelector('.chart').scrollIntoView(), true`)
	b.shot(tb, p.name+"-clock")
	type state struct {
		Name, Word string
		At         int64
	}
	states := eval[[]state](tb, `[...document.querySelector('figure.chart').querySelectorAll('tr.object [data-t]:not(.unsure)')].map(b => ({At: Math.floor((Number(b.dataset.f) + Number(b.dataset.t)) / 2),
		Word: b.querySelector('text').textContent, Name: b.closest('tr').querySelector('th').textContent.replace(/\s+/g, ' ').trim()})).filter(s => s.At > Number(document.querySelector('figure.chart').dataset.from))`)
	for _, s := range states {
		tb.setClock(s.At)
		said, want := eval[string](tb, `document.querySelector('.scrub input').getAttribute('aria-valuetext')`), s.Name+": "+s.Word
		if !strings.Contains(said, want) {
			t.Errorf("at %d ms the clock says %q, want %q", s.At, said, want)
		}
		if drawn := tb.drawn(); strings.HasPrefix(s.Name, "New pod") && !hostileName(s.Word) &&
			!strings.Contains(squeeze(drawn), squeeze(s.Word)) {
			t.Errorf("at %d ms the drawing lacks %q: %s", s.At, s.Word, drawn)
		}
	}
	if len(states) < 5 {
		t.Errorf("only %d states", len(states))
	}
	tb.clockKeys(asDrawn)
}

// drawn are the words of the first drawing.
func (tb *tab) drawn() string {
	tb.t.Helper()
	return eval[string](tb, `[...document.querySelector('.graph svg').querySelectorAll('text')].map(t => `+
		`t.textContent).filter(Boolean).join('|')`)
}

// clockKeys walks the clock from its beginning to its end and takes it back.
func (tb *tab) clockKeys(asDrawn string) {
	tb.t.Helper()
	value := func() float64 { return eval[float64](tb, `Number(document.querySelector('.scrub input').value)`) }
	tb.do(chromedp.KeyEvent("s"), chromedp.KeyEvent(kb.Home))
	before := value()
	if begin := eval[float64](tb, `Number(document.querySelector('figure.chart').dataset.from)`); before != begin {
		tb.t.Errorf("Home sets the clock to %.0f ms, want %.0f", before, begin)
	}
	tb.do(chromedp.KeyEvent(kb.ArrowRight))
	if value() <= before {
		tb.t.Error("the right arrow does not move the clock")
	}
	tb.do(chromedp.KeyEvent(kb.PageDown), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.End))
	eval[bool](tb, `[...document.querySelectorAll('.scrub button')].find(b => b.textContent === 'As it was collected').click(), true`)
	if now := tb.drawn(); now != asDrawn {
		tb.t.Errorf("the drawing is not as it was collected: %s, want %s", now, asDrawn)
	}
}
