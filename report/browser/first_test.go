package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// What the first screens of a desk and of a phone have to show, in pixels from the top of the page.
const (
	deskWide, deskHigh   = 1280, 800
	phoneWide, phoneHigh = 390, 844
	commandOnDesk        = 800  // by which the first command of an open incident ends
	commandOnPhone       = 1200 // the same
	highest              = 12_000
)

// onTheFirstScreen: the state, the two sentences and the bar are in the first window; what names the bar's parts lies in the page and
// over nothing else, on a desk, on a phone and between the two.
func onTheFirstScreen(t *testing.T, b *browser, p page) {
	for _, size := range []struct{ width, height int64 }{{deskWide, deskHigh}, {phoneWide, phoneHigh}, {760, 900}} {
		tb := b.tab(t)
		tb.do(chromedp.EmulateViewport(size.width, size.height), chromedp.Navigate(p.url()))
		b.shot(tb, p.name+map[int64]string{deskWide: "-desk", phoneWide: "-phone", 760: "-between"}[size.width])
		if p.made {
			continue // its names fill several screens
		}
		bottom := eval[float64](tb, `Math.max(0, ...[...document.querySelectorAll('.chip, #headline, .reason, .split .whole')].map(e => `+
			`e.getBoundingClientRect().bottom))`)
		if bottom > float64(size.height) {
			t.Errorf("at %d px the bar ends at %.0f px", size.width, bottom)
		}
		if bad := eval[[]string](tb, misplaced); len(bad) > 0 {
			t.Errorf("at %d px names of the bar, or times, collide or leave their place: %q", size.width, bad)
		}
	}
}

// misplaced are names of the bar's parts that lie over one another, over another part, or outside of the page, and times over what was done then.
const misplaced = `(() => {
	const out = [], box = e => e.getBoundingClientRect(), names = [...document.querySelectorAll('.parts li')];
	names.forEach((a, i) => {
		const words = document.createRange();
		words.selectNodeContents(a);
		const r = words.getBoundingClientRect();
		if (r.left < 0 || r.right > innerWidth || r.right > box(a).right + 1) out.push('outside: ' + a.textContent);
		for (const b of names.slice(i + 1)) {
			const s = box(b);
			if (r.left < s.right - 1 && s.left < r.right - 1 && r.top < s.bottom - 1 && s.top < r.bottom - 1) out.push(a.textContent + ' over ' + b.textContent);
		}
	});
	for (const a of document.querySelectorAll('.acts .time')) {
		const words = document.createRange();
		a.textContent = '09:24:42 ± 5 s'; // as wide as one with bounds
		words.selectNodeContents(a);
		if (words.getBoundingClientRect().right > box(a).right + 1) out.push('over what was done: ' + a.textContent);
	}
	for (const text of document.querySelectorAll('.whole text')) {
		if (!text.checkVisibility() || !box(text).width) continue;
		const part = text.previousElementSibling;
		if (box(text).left < box(part).left || box(text).right > box(part).right + 1) out.push('in the bar: ' + text.textContent);
	}
	return out })()`

// commandEnds is where the first command of the steps ends, or the words that there is none, or -1.
const commandEnds = `(() => { const e = document.querySelector('.step pre.command, .answer .none'); return e ? ` +
	`Math.round(e.getBoundingClientRect().bottom + scrollY) : -1 })()`

// TestLimits looks at the page of every recording: what it weighs, how high it is, where its first command stands, what it prints on,
// whether it is complete without scripts, and whether it breaks a rule of accessibility.
func TestLimits(t *testing.T) {
	b := start(t)
	dir := t.TempDir()
	for _, r := range everyRecording(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			p := write(t, dir, r.name, r.report(t))
			b.measure(t, p)
			if !r.again {
				withoutScripts(t, b, p)
				t.Run("axe", func(t *testing.T) { asItOpens(t, b, p) })
			}
		})
	}
}

func (b *browser) measure(t *testing.T, p page) {
	tb := b.open(t, p.url())
	bytes, sheets := most(p.report)
	if got := fileSize(t, p.file); got > bytes {
		t.Errorf("%d bytes, want at most %d", got, bytes)
	}
	if high := eval[int](tb, `document.documentElement.scrollHeight`); high > highest {
		t.Errorf("%d px high, want at most %d", high, highest)
	}
	open := p.report.Verdict.Open || eval[bool](tb, `!!document.querySelector('.answer.is-blocked')`)
	for _, size := range []struct{ width, height, limit int64 }{{deskWide, deskHigh, commandOnDesk}, {phoneWide, phoneHigh, commandOnPhone}} {
		tb.do(chromedp.EmulateViewport(size.width, size.height))
		if at := eval[int64](tb, commandEnds); open && (at < 0 || at > size.limit) {
			t.Errorf("at %d px the first command of an open incident, or that there is none, ends at %d px", size.width, at)
		}
		if bad := eval[[]string](tb, misplaced); len(bad) > 0 {
			t.Errorf("at %d px names of the bar, or times, collide or leave their place: %q", size.width, bad)
		}
	}
	tb.do(chromedp.EmulateViewport(deskWide, deskHigh))
	pdf, err := chromedp.Run(tb.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))
	if err != nil {
		t.Fatal(err)
	}
	if got := sheetsOf(pdf); got > sheets {
		b.keep(t, p.name+".pdf", pdf)
		t.Errorf("%d sheets, want at most %d", got, sheets)
	}
}
