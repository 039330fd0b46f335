package browser_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// prefer tells the page that its reader likes light or dark colours, has a contrast theme or none, and wants no motion: a page that
// scrolls smoothly is not where it will be.
func (tb *tab) prefer(scheme string, contrast ...string) {
	tb.t.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
	for _, forced := range contrast {
		features = append(features, &emulation.MediaFeature{Name: "forced-colors", Value: forced})
	}
	call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
}

// dim is an expression that gives the relative luminance of a computed colour.
const dim = `const light = colour => {
	const [r, g, b] = colour.match(/[\d.]+/g).map(n => n / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};`

// faint are texts of drawings that cannot be read on their own ground.
const faint = `(() => { ` + dim + `
	const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05), out = [];
	const clear = colour => colour === 'none' || colour === 'rgba(0, 0, 0, 0)';
	const behind = e => { while (e && clear(getComputedStyle(e).backgroundColor)) e = e.parentElement; return light(getComputedStyle(e).backgroundColor); };
	for (const text of document.querySelectorAll('svg text')) {
		const box = text.getBoundingClientRect();
		if (!box.width) continue;
		let ground = behind(text);
		for (const shape of text.closest('svg').querySelectorAll('rect, path, polygon, ellipse')) {
			const fill = getComputedStyle(shape).fill, b = shape.getBoundingClientRect();
			const under = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
			if (under && !clear(fill) && b.left <= box.left + 1 && b.right >= box.right - 1 && b.top <= box.top + 4 && b.bottom >= box.bottom - 4) ground = light(fill);
		}
		const r = ratio(light(getComputedStyle(text).fill), ground);
		if (r < 4.5) out.push(text.textContent + ' ' + r.toFixed(1));
	}
	return out })()`

// withAContrastTheme: where the system forces its colours, the text of drawings is read on their own ground, the bar's stretches and the
// edges of their names keep the colours that tell them apart, states their ribbons, and what is open its heavy frame.
func withAContrastTheme(t *testing.T, b *browser, p page) {
	for _, scheme := range []string{"light", "dark"} {
		tb := b.tab(t)
		tb.prefer(scheme, "active")
		tb.do(chromedp.Navigate(p.url()))
		b.shot(tb, p.name+"-contrast-"+scheme)
		openAll(tb)
		if bad := eval[[]string](tb, faint); len(bad) > 0 {
			t.Errorf("%s: %d texts of drawings cannot be read, such as %q", scheme, len(bad), bad[:min(3, len(bad))])
		}
		covers := eval[int](tb, `[...document.querySelectorAll('svg')].filter(e => getComputedStyle(e).position === 'absolute' && `+
			`getComputedStyle(e).backgroundColor !== 'rgba(0, 0, 0, 0)').length`)
		if covers > 0 {
			t.Errorf("%s: %d drawings lie over others and hide them", scheme, covers)
		}
		if bad := eval[[]string](tb, `[...document.querySelectorAll('.split .whole rect')].map((r, i) => [getComputedStyle(r).fill, getComputedStyle(document.querySelectorAll('.parts li')[i]).borderTopColor])
			.filter(([bar, edge]) => bar !== edge).map(String)`); len(bad) > 0 {
			t.Errorf("%s: stretches and their names differ in colour: %q", scheme, bad)
		}
		if bad := eval[[]string](tb, `(() => { `+dim+` const page = light(getComputedStyle(document.body).backgroundColor);
			return [...document.querySelectorAll('.parts li, .parts li *')].filter(e => Math.abs(light(getComputedStyle(e).color) - page) < .5).map(e => e.textContent) })()`); len(bad) > 0 {
			t.Errorf("%s: names cannot be read: %q", scheme, bad)
		}
	}
}

// inTheDark: light text on a dark ground, also in the drawings, where each text has to be read on its own ground: the colours of
// objects stay light with dark text, that of labels and axes follows the page.
func inTheDark(t *testing.T, b *browser, p page) {
	tb := b.tab(t)
	tb.prefer("dark")
	tb.do(chromedp.Navigate(p.url()))
	type ground struct{ Ground, Text float64 }
	body := eval[ground](tb, `(() => { `+dim+` const s = getComputedStyle(document.body);
		return {Ground: light(s.backgroundColor), Text: light(s.color)} })()`)
	if body.Ground > 0.05 || body.Text < 0.6 {
		t.Errorf("in the dark the ground has the luminance %.2f, the text %.2f", body.Ground, body.Text)
	}
	openAll(tb)
	if bad := eval[[]string](tb, faint); len(bad) > 0 {
		t.Errorf("in the dark %d texts of drawings cannot be read, such as %q", len(bad), bad[:min(3, len(bad))])
	}
	b.shot(tb, p.name+"-dark")
	eval[bool](tb, `document.querySelector('.graph')?.scrollIntoView(), true`)
	b.shot(tb, p.name+"-dark-graph")
}

// onAPhone: at 320 px, and with everything unfolded, only boxes that say so can be scrolled sideways, never the page.
func onAPhone(t *testing.T, b *browser, p page) {
	tb := b.tab(t)
	tb.do(chromedp.EmulateViewport(320, 640), chromedp.Navigate(p.url()))
	b.shot(tb, p.name+"-320")
	openAll(tb)
	for _, width := range []int64{320, 375, 768, 3840} {
		tb.do(chromedp.EmulateViewport(width, 640))
		wide := eval[[]string](tb, `(() => {
			const root = document.documentElement, out = [];
			if (root.scrollWidth <= innerWidth) return out;
			for (const e of document.querySelectorAll('body *')) {
				const right = e.getBoundingClientRect().right;
				if (right > innerWidth + 1 && !e.closest('.scroll') && out.length < 5) out.push(e.tagName + '.' + e.className + '#' + e.id + ' to ' + right.toFixed(0));
			}
			return out.length ? out : ['scrollWidth ' + root.scrollWidth];
		})()`)
		if len(wide) > 0 {
			t.Errorf("at %d px the page has to be scrolled sideways: %q", width, wide)
		}
	}
	tb.do(chromedp.EmulateViewport(320, 640))
	eval[bool](tb, `document.querySelector('#timeline')?.scrollIntoView(), true`)
	b.shot(tb, p.name+"-320-timeline")
}
