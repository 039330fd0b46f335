package browser_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// violation is a rule that axe-core found broken.
type violation struct {
	ID, Help string
	Nodes    int
	Example  string
}

// byAxe runs axe-core's rules of WCAG 2.2 A and AA and its best practices over the page as it opens, with the list of keys, and with
// everything unfolded in the dark and on a phone. Rows and quotes come by the hundred from one template: some of each are looked at.
func byAxe(t *testing.T, b *browser, p page) {
	keys := wayAsItOpens
	keys.key = "?"
	inWays(t, b, p, keys, way{"dark", "dark", 1280, true, ""}, way{"phone", "light", 320, true, ""})
}

// asItOpens is byAxe for what one sees first.
func asItOpens(t *testing.T, b *browser, p page) { inWays(t, b, p, wayAsItOpens) }

// way is how axe-core is shown a page, and again after a key, if any.
type way struct {
	name, scheme string
	width        int64
	open         bool
	key          string
}

var wayAsItOpens = way{"as it opens", "light", 1280, false, ""}

func inWays(t *testing.T, b *browser, p page, ways ...way) {
	path := os.Getenv("VOLPOST_AXE")
	if path == "" {
		t.Skip("VOLPOST_AXE does not name axe.min.js: the rules of accessibility were not checked")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range ways {
		tb := b.tab(t)
		tb.prefer(way.scheme)
		tb.do(chromedp.EmulateViewport(way.width, 800), chromedp.Navigate(p.url()))
		if way.open {
			openAll(tb)
		}
		eval[bool](tb, thin)
		eval[bool](tb, string(axe)+"; true")
		if way.open {
			tb.setClock(0)
		}
		tb.accessible(way.name)
		if way.key != "" {
			tb.do(chromedp.KeyEvent(way.key))
			tb.accessible(way.name + ", after " + way.key)
		}
	}
}

// thin takes out all but the first rows, quotes and incidents, and the links to them.
const thin = `(() => {
	const few = (list, n) => [...list].slice(n).forEach(e => e.remove());
	document.querySelectorAll('tbody').forEach(b => few(b.rows, 12));
	few(document.querySelectorAll('.quote'), 12);
	few(document.querySelectorAll('.incident'), 2);
	for (const a of document.querySelectorAll('a[href^="#"]')) if (!document.getElementById(a.getAttribute('href').slice(1))) a.remove();
	return true;
})()`

// accessible wants that no rule is broken.
func (tb *tab) accessible(name string) {
	tb.t.Helper()
	for _, v := range violations(tb) {
		tb.t.Errorf("%s: %s: %s, %d times, such as %s", name, v.ID, v.Help, v.Nodes, v.Example)
	}
}

func violations(tb *tab) []violation {
	tb.t.Helper()
	tags := []string{"wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"}
	return eval[[]violation](tb, fmt.Sprintf(`axe.run(document, {runOnly: ['%s'], resultTypes: ['violations']}).then(r => r.violations.map(v => (
		{ID: v.id, Help: v.help, Nodes: v.nodes.length, Example: v.nodes[0].html.slice(0, 200) + ' ' + v.nodes[0].failureSummary})))`,
		strings.Join(tags, "', '")))
}
