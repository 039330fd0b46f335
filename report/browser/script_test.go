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
	"github.com/volpost/volpost/report/film"
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
		if !eval[bool](tb, `(() => { const e = document.getElementById(`+fmt.Sprintf("%q", folded)+`), box = e.getBoundingClientRect(); return e.checkVisibility() && box.top < innerHeight && box.bottom >= 0 })()`) {
			t.Errorf("the link to the folded %s does not show it", folded)
		}
	}
	tb.do(chromedp.KeyEvent("t"), chromedp.KeyEvent("+"))
	eval[bool](tb, `navigator.clipboard.writeText = async text => { window.copied = text }, document.querySelector('.filter fieldset input').click(), [...document.querySelectorAll('#timeline button')].find(b => b.textContent === 'Link to this view').click(), true`)
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
	for _, want := range []string{"Incident 1", "| detection ", "What happened"} {
		if p.report.Incidents[0].Phases[0].ID == "detection" && !strings.Contains(incident, want) {
			t.Errorf("the incident as Markdown lacks %q", want)
		}
	}
	for _, text := range []string{rows, outsideFences(incident)} {
		if bad := bareMarkup.FindString(text); bad != "" {
			t.Errorf("the Markdown has %q, which formats or calls", bad)
		}
	}
	eval[bool](tb, `navigator.clipboard.writeText = async () => { throw new Error('not allowed') }, document.querySelector('#copy-answer').click(), new Promise(r => setTimeout(r, 50, true))`)
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
	call(tb, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Text: "/"}) // as a keyboard sends it
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
	at := eval[spot](tb, `(() => { const a = [...document.querySelectorAll('#verdict a.cite, .incident a.cite')].find(a => document.getElementById(a.getAttribute('href').slice(1)).matches('.quote')); a.scrollIntoView({block: 'center'}); const b = a.getBoundingClientRect(); return {X: b.x + b.width / 2, Y: b.y + b.height / 2} })()`)
	hidden := func() bool { return eval[bool](tb, `document.querySelector('#tip').hidden`) }
	tb.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y), chromedp.Sleep(400*time.Millisecond))
	quote := eval[string](tb, `document.getElementById([...document.querySelectorAll('#verdict a.cite, .incident a.cite')].find(a => document.getElementById(a.getAttribute('href').slice(1)).matches('.quote')).getAttribute('href').slice(1)).querySelector('pre').textContent.slice(0, 300)`)
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

// setClock sets the clock of the first drawn incident to milliseconds from its first Multi-Attach report; it answers false where
// there is none.
func (tb *tab) setClock(ms int64) bool {
	tb.t.Helper()
	return eval[bool](tb, fmt.Sprintf(`(() => { const r = document.querySelector('.scrub input'); if (!r) return false;
		r.value = %d; r.dispatchEvent(new Event('input')); return true })()`, ms))
}

// withTheClock: at any instant the page says what package film says, in the list, in the drawing and to a screen reader; by
// keyboard the clock goes from change to change and from phase to phase.
func withTheClock(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	in := &p.report.Incidents[0]
	f, asDrawn := film.New(p.report, in), tb.drawn()
	if !tb.setClock(0) {
		t.Fatal("the first incident has no clock")
	}
	eval[bool](tb, `document.querySelector('.scrub').scrollIntoView(), true`)
	b.shot(tb, p.name+"-clock")
	for _, at := range f.Instants() {
		if at.Before(f.From) || at.After(f.To) {
			continue
		}
		tb.setClock(at.UnixMilli() - f.Zero.UnixMilli())
		s := f.At(at.Truncate(time.Millisecond).Add(time.Millisecond - time.Microsecond))
		said := eval[string](tb, `document.querySelector('.scrub input').getAttribute('aria-valuetext')`)
		listed := eval[string](tb, `document.querySelector('.states dl').innerText`)
		want := []string{at.Format("15:04:05")}
		switch {
		case !s.Holder.Known:
			want = append(want, "where it is attached is not told")
		case s.Holder.Node == "":
			want = append(want, "attached to no node")
		case !hostileName(s.Holder.Node):
			want = append(want, "attached to "+s.Holder.Node)
		}
		for _, w := range want {
			if !strings.Contains(squeeze(said), squeeze(w)) {
				t.Errorf("at %s the clock says %q, want %q", at, said, w)
			}
		}
		if waits := strings.Contains(listed, "waits for the volume"); waits != anyWaits(s) {
			t.Errorf("at %s a pod waits: %v on the page, %v in the report", at, waits, anyWaits(s))
		}
	}
	tb.clockKeys(f.From.UnixMilli()-f.Zero.UnixMilli(), asDrawn)
}

func anyWaits(s film.State) bool {
	for _, p := range s.Pods {
		if p.Waits {
			return true
		}
	}
	return false
}

// drawn are the words of the first drawing.
func (tb *tab) drawn() string {
	tb.t.Helper()
	return eval[string](tb, `[...document.querySelector('.graph svg').querySelectorAll('text')].map(t => t.textContent).filter(Boolean).join('|')`)
}

// clockKeys walks the clock from its beginning to its end and takes it back.
func (tb *tab) clockKeys(begin int64, asDrawn string) {
	tb.t.Helper()
	value := func() float64 { return eval[float64](tb, `Number(document.querySelector('.scrub input').value)`) }
	tb.do(chromedp.KeyEvent("s"), chromedp.KeyEvent(kb.Home))
	if got := value(); got != float64(begin) {
		tb.t.Errorf("Home sets the clock to %.0f ms, want %d", got, begin)
	}
	before := value()
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
