package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// focused says what has the focus, and whether one can see that.
type focused struct {
	Tag, Class, Href, Text string
	InClaim, InQuote       bool
	Outline, Visible       bool
}

func (tb *tab) focused() focused {
	tb.t.Helper()
	return eval[focused](tb, `(() => {
		const e = document.activeElement, box = e.getBoundingClientRect(), s = getComputedStyle(e);
		return {Tag: e.tagName, Class: e.className?.baseVal ?? e.className, Href: e.getAttribute('href') ?? '', Text: e.textContent.trim().slice(0, 80),
			InClaim: !!e.closest('#verdict, .incident') && e.matches('a.cite') && !!document.getElementById(e.getAttribute('href').slice(1))?.matches('.quote'), InQuote: !!e.closest('.quote'),
			Outline: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0,
			Visible: box.bottom > 0 && box.top < innerHeight};
	})()`)
}

// tabUntil presses Tab until something has the focus that is wanted.
func (tb *tab) tabUntil(limit int, what string, wanted func(focused) bool) focused {
	tb.t.Helper()
	for range limit {
		tb.do(chromedp.KeyEvent(kb.Tab))
		f := tb.focused()
		if f.Tag == "BODY" {
			continue // the browser's own controls
		}
		if !f.Outline || !f.Visible {
			tb.t.Errorf("the focus on %s %q is not to be seen: %+v", f.Tag, f.Text, f)
		}
		if wanted(f) {
			return f
		}
	}
	tb.t.Fatalf("%d times Tab do not lead to %s", limit, what)
	return focused{}
}

// byKeyboard walks from the top of the page to the evidence of the first claim, and back to the claim.
func byKeyboard(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	tb.do(chromedp.KeyEvent(kb.Tab))
	if f := tb.focused(); f.Href != "#story" {
		t.Errorf("the first Tab leads to %+v, not to the link that skips to the incidents", f)
	}
	claim := tb.tabUntil(200, "a claim's evidence", func(f focused) bool { return f.InClaim })
	tb.do(chromedp.KeyEvent(kb.Enter))
	if !eval[bool](tb, `(() => { const q = document.querySelector(':target'), box = q.getBoundingClientRect();
		return '#' + q.id === `+"`"+claim.Href+"`"+
		` && q.matches('.quote') && box.bottom > 0 && box.top < innerHeight && q.checkVisibility() })()`) {
		t.Errorf("Enter on %s does not show the quote", claim.Text)
	}
	b.shot(tb, p.name+"-evidence")
	back := tb.tabUntil(10, "the way back", func(f focused) bool { return f.InQuote })
	tb.do(chromedp.KeyEvent(kb.Enter))
	if !eval[bool](tb, `(() => { const c = document.querySelector(':target'), box = c.getBoundingClientRect();
		return '#' + c.id === `+"`"+back.Href+"`"+
		` && box.bottom > 0 && box.top < innerHeight && c.checkVisibility() && !!c.querySelector('a[href="`+claim.Href+`"]') })()`) {
		t.Errorf("Enter on %q does not lead back to a claim that cites %s", back.Text, claim.Href)
	}
	b.shot(tb, p.name+"-back")
}
