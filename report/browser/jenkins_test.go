package browser_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

// buildServerPolicy is what Jenkins sends with archived files by default
// (https://www.jenkins.io/doc/book/security/configuring-content-security-policy/).
const buildServerPolicy = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';"

// underBuildServerPolicy: neither scripts nor styles are applied. No shape may turn black, which is what a drawing does whose
// colours are in a style; nothing that the reader came for may be lost; and the drawings keep their colours.
func underBuildServerPolicy(t *testing.T, b *browser, p page) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", buildServerPolicy)
		http.ServeFile(w, r, p.file)
	}))
	t.Cleanup(server.Close)
	styled := colours(b.open(t, p.url()))
	tb := b.open(t, server.URL)
	if eval[string](tb, `getComputedStyle(document.querySelector('.answer')).borderLeftStyle`) != "none" {
		t.Error("the policy did not forbid the page's style: this test tests nothing")
	}
	complete(tb, p)
	bare := colours(tb)
	if len(styled) != len(bare) {
		t.Errorf("%d shapes with styles, %d without", len(styled), len(bare))
	}
	for _, shape := range slices.Sorted(maps.Keys(bare)) {
		if bare[shape] != styled[shape] {
			t.Errorf("%s is %s without styles, and %s with them", shape, bare[shape], styled[shape])
		}
	}
	cut := eval[[]string](tb, `[...document.querySelectorAll('h1, .cards, .steps, .chart table, .graph svg, .quote pre')].filter(e => e.checkVisibility() &&
		e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + ' ' + e.textContent.trim().slice(0, 80)).slice(0, 5)`)
	if len(cut) > 0 {
		t.Errorf("without styles these reach out of the window: %q", cut)
	}
	b.shot(tb, p.name+"-build-server")
	eval[bool](tb, `document.querySelector('.chart')?.scrollIntoView(), true`)
	b.shot(tb, p.name+"-build-server-chart")
}

// colours are fill and stroke of every shape of the page's drawings, by its number, name and class, without what a script adds. Only the
// light colours can be compared: the dark ones need a style.
func colours(tb *tab) map[string]string {
	tb.t.Helper()
	return eval[map[string]string](tb, `Object.fromEntries([...document.querySelectorAll(
		'svg rect, svg path, svg polygon, svg ellipse, svg circle, svg line, svg polyline, svg text')].filter(e => !e.closest('.tool')).map((e, i) => {
		const s = getComputedStyle(e);
		return [i + ' ' + e.tagName + ' ' + (e.getAttribute('class') ?? ''), 'fill ' + s.fill + ', stroke ' + s.stroke];
	}))`)
}
