package browser_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/volpost/volpost/report"
)

// followingLinks: a link into a folded part unfolds it; one to what is not there says so; a link to a view makes that view again.
func followingLinks(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url()+"#e-of-another-report")
	if said := eval[string](tb, `document.querySelector('.notice').textContent`); !strings.Contains(said, "e-of-another-report") {
		t.Errorf("a link to what is not there says %q", said)
	}
	folded := eval[string](tb, `[...document.querySelectorAll('details:not([open]) [id]')].at(-1)?.id ?? ''`)
	if folded != "" {
		tb = b.open(t, p.url()+"#"+folded)
		if !eval[bool](tb, `(() => { const e = document.getElementById(`+fmt.Sprintf("%q", folded)+
			`), box = e.getBoundingClientRect(); return e.checkVisibility() && box.top < innerHeight && box.bottom >= 0 })()`) {
			t.Errorf("the link to the folded %s does not show it", folded)
		}
	}
	eval[bool](tb, `[...document.querySelectorAll('.scrub button')].find(b => b.textContent === '+').click(), `+
		`[...document.querySelectorAll('.scrub button')].find(b => b.textContent === 'Rows of this stretch').click(), true`)
	eval[bool](tb, `navigator.clipboard.writeText = async text => { window.copied = text }, document.querySelector('.filter fieldset `+
		`input').click(), [...document.querySelectorAll('#timeline button')].find(b => b.textContent === 'Link to this view').click(), true`)
	want, link := tb.shown(), eval[string](tb, `window.copied`)
	again := b.open(t, link)
	if got := again.shown(); got != want {
		t.Errorf("the link %s shows %+v, want %+v", link, got, want)
	}
	again = b.open(t, p.url()+"#%E0%A4%A")
	if errors := again.errors(); len(errors) > 0 {
		t.Errorf("a malformed link makes errors: %q", errors)
	}
}

var bareMarkup = regexp.MustCompile(`<[^!]|@\w|#\d|https?://`)

// asMarkdown: the answer is what the command writes; a part is Markdown in which no name is markup; without a clipboard the text
// is shown to be copied by hand.
func asMarkdown(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	eval[bool](tb, `navigator.clipboard.writeText = async text => { window.copied = text }, true`)
	tb.do(chromedp.KeyEvent("c"))
	var want bytes.Buffer
	if err := report.Write(&want, "md", p.report); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](tb, `window.copied ?? ''`); got != want.String() {
		t.Errorf("the answer as Markdown is %.200q, want %.200q", got, want.String())
	}
	eval[bool](tb, `[...document.querySelectorAll('#timeline button')].find(b => b.textContent.startsWith('Copy rows')).click(), true`)
	rows := eval[string](tb, `window.copied`)
	all, lines := tb.shown().All, strings.Split(strings.TrimSpace(rows), "\n")
	if len(lines) != all+4 {
		t.Errorf("%d lines of Markdown for %d rows", len(lines), all)
	}
	for _, line := range lines[3:] {
		if bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); bars != 6 {
			t.Errorf("a row of the table has %d bars: %s", bars, line)
		}
	}
	eval[bool](tb, `[...document.querySelectorAll('button')].find(b => b.textContent === 'Copy incident 1 as Markdown').click(), true`)
	incident := eval[string](tb, `window.copied`)
	for _, want := range []string{"detection ", "What happened"} {
		if p.report.Incidents[0].Phases[0].ID == "detection" && !strings.Contains(incident, want) {
			t.Errorf("the incident as Markdown lacks %q", want)
		}
	}
	for _, text := range []string{rows, outsideFences(incident)} {
		if bad := bareMarkup.FindString(text); bad != "" {
			t.Errorf("the Markdown has %q, which formats or calls", bad)
		}
	}
	eval[bool](tb, `navigator.clipboard.writeText = async () => { throw new Error('not allowed') }, `+
		`document.querySelector('#copy-answer').click(), new Promise(r => setTimeout(r, 50, true))`)
	if got := eval[string](tb, `document.querySelector('dialog[open] textarea')?.value ?? ''`); got != want.String() {
		t.Errorf("without a clipboard the page offers %.100q", got)
	}
}

func outsideFences(text string) string {
	var out []string
	inside := ""
	for line := range strings.SplitSeq(text, "\n") {
		if fence := regexp.MustCompile("^`{3,}").FindString(line); fence != "" && (inside == "" || inside == fence) {
			inside = map[bool]string{true: fence, false: ""}[inside == ""]
			continue
		}
		if inside == "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// withKeys: ? lists the keys, the list can switch them off, and they leave fields alone.
func withKeys(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	tb.do(chromedp.KeyEvent("?"))
	open := func() bool { return eval[bool](tb, `!!document.querySelector('dialog[open]')`) }
	if !open() {
		t.Fatal("? shows nothing")
	}
	b.shot(tb, p.name+"-keys")
	tb.do(chromedp.KeyEvent(kb.Escape))
	if open() {
		t.Error("Escape does not close the list of keys")
	}
	tb.do(chromedp.KeyEvent("e"))
	if !eval[bool](tb, `document.activeElement.id === 'evidence' && document.activeElement.getBoundingClientRect().top < innerHeight`) {
		t.Error("e does not lead to the evidence")
	}
	// as a keyboard sends it
	call(tb, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Text: "/"})
	tb.do(chromedp.KeyEvent("e?"))
	if got := eval[string](tb, `document.querySelector('.filter input[type=search]').value`); got != "e?" || open() {
		t.Errorf("the field holds %q after e and ? were typed", got)
	}
	eval[bool](tb, `document.activeElement.blur(), true`)
	tb.do(chromedp.KeyEvent("?"))
	eval[bool](tb, `document.querySelector('dialog input').click(), true`)
	tb.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("?"))
	if open() {
		t.Error("the keys cannot be switched off")
	}
	if smooth := eval[string](tb, `getComputedStyle(document.documentElement).scrollBehavior`); smooth != "auto" {
		t.Errorf("for a reader who wants no motion the page scrolls %s", smooth)
	}
}

// withDetail: the pointer on a mark shows the quote, the pointer on the detail keeps it, Escape closes it.
func withDetail(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	type spot struct{ X, Y float64 }
	at := eval[spot](tb, `(() => { const a = [...document.querySelectorAll('#verdict a.cite, .incident a.cite')].find(a => `+
		`a.checkVisibility() && document.getElementById(a.getAttribute('href').slice(1)).matches('.quote')); a.scrollIntoView({block: `+
		`'center'}); const b = a.getBoundingClientRect(); return {X: b.x + b.width / 2, Y: b.y + b.height / 2} })()`)
	hidden := func() bool { return eval[bool](tb, `document.querySelector('#tip').hidden`) }
	tb.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y), chromedp.Sleep(400*time.Millisecond))
	quote := eval[string](tb, `document.getElementById([...document.querySelectorAll('#verdict a.cite, .incident a.cite')].find(a => `+
		`a.checkVisibility() && document.getElementById(a.getAttribute('href').slice(1)).matches('.quote')).getAttribute('href').slice(1)).querySelector('pre').textContent.slice(0, 300)`)
	if got := eval[string](tb, `document.querySelector('#tip').textContent`); hidden() || !strings.Contains(got, quote) {
		t.Errorf("the detail of a mark is %.100q, want %.100q", got, quote)
	}
	b.shot(tb, p.name+"-detail")
	on := eval[spot](tb, `(() => { const b = document.querySelector('#tip').getBoundingClientRect(); return {X: b.x + 20, Y: b.y + 10} })()`)
	tb.do(chromedp.MouseEvent(chromedp.MouseMoved, on.X, on.Y), chromedp.Sleep(500*time.Millisecond))
	if hidden() {
		t.Error("the detail goes away under the pointer")
	}
	tb.do(chromedp.KeyEvent(kb.Escape))
	if !hidden() {
		t.Error("Escape does not close the detail")
	}
}
