package browser_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// onPaper: A4, nothing cut off at the right, every block of what is for print on the sheets, and no more paper than it is worth.
func onPaper(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	sheets := b.printed(t, tb, p, p.name+".pdf")
	if _, most := most(p.report); sheets > most && !p.made {
		t.Errorf("%d sheets, want at most %d", sheets, most)
	}
	for _, want := range []string{".answer", ".chart", ".graph svg", ".why"} {
		if eval[bool](tb, `(e => !!e && !e.checkVisibility())(document.querySelector('`+want+`'))`) {
			t.Errorf("%s is not in print", want)
		}
	}
	if eval[bool](tb, `document.querySelector('#evidence')?.checkVisibility() ?? false`) {
		t.Error("the evidence is printed, which nobody asked for")
	}
}

// onMuchPaper: the switch of the page prints everything, what is folded too.
func onMuchPaper(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	eval[bool](tb, `document.querySelector('#print-all').click(), true`)
	b.printed(t, tb, p, p.name+"-everything.pdf")
	for _, want := range []string{"#evidence pre", "#inputs table", ".facts dt", ".timeline td"} {
		if eval[bool](tb, `(e => !!e && !e.checkVisibility())(document.querySelector('`+want+`'))`) {
			t.Errorf("everything is to be printed, and %s is not", want)
		}
	}
}

// printed prints a page, reads it back, and counts its sheets.
func (b *browser) printed(t *testing.T, tb *tab, p page, name string) int {
	t.Helper()
	pdf, err := chromedp.Run(tb.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))
	if err != nil {
		t.Fatal(err)
	}
	b.keep(t, name, pdf)
	cut := clipped(tb)
	if len(cut) > 0 {
		t.Errorf("cut off in print: %q", cut)
	}
	readPDF(t, tb, pdf, p.made)
	return sheetsOf(pdf)
}

// clipped are boxes whose content reaches out of them, or of a sheet of A4, when the page is laid out for print.
func clipped(tb *tab) []string {
	tb.t.Helper()
	const sheet = 718 // px: 210 mm less the browser's margins of 1 cm
	tb.do(chromedp.EmulateViewport(sheet, 1000))
	call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	return eval[[]string](tb, `(() => {
		const out = [];
		for (const e of document.querySelectorAll('main *')) {
			if (!e.checkVisibility() || out.length > 5) continue;
			const s = getComputedStyle(e), box = e.getBoundingClientRect();
			if (s.position === 'absolute' || !box.width) continue;
			if (box.right > innerWidth + 1) out.push(e.tagName + '.' + e.getAttribute('class') + '#' + e.id + ' reaches ' + box.right.toFixed(0) + ': ' + e.textContent.slice(0, 60));
			else if (s.overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1) out.push(e.tagName + '.' + e.className + ' hides ' + (e.scrollWidth - e.clientWidth));
		}
		return out })()`)
}

// readPDF compares the blocks of the page, as they are laid out for print, with what poppler's pdftotext finds on the sheets.
func readPDF(t *testing.T, tb *tab, pdf []byte, made bool) {
	t.Helper()
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Log("no pdftotext is installed: the printed text was not read back")
		return
	}
	file := filepath.Join(t.TempDir(), "page.pdf")
	if err := os.WriteFile(file, pdf, 0o644); err != nil {
		t.Fatal(err)
	}
	raw, err := exec.Command(tool, "-raw", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	sheets := strings.Count(string(raw), "\f")
	if counted := sheetsOf(pdf); sheets == 0 || sheets != counted {
		t.Errorf("%d sheets are read and %d counted", sheets, counted)
	}
	printed, lost := &inOrder{text: squeeze(string(raw))}, []string{}
	blocks := eval[[]string](tb, `[...document.querySelectorAll('h1, h2, h3, dt, dd, caption, main p, pre, li, #timeline td')]
		.filter(e => e.checkVisibility() && !e.querySelector('p, ul, pre, svg, details')).map(e => e.innerText)`)
	for _, block := range blocks {
		if !printed.has(squeeze(block)) {
			lost = append(lost, block)
		}
	}
	if len(lost) > 0 && !(made && len(lost)*10 < len(blocks)) { // where one line has several scripts, pdftotext gives them in its own order
		t.Errorf("%d of %d blocks are not in print, such as %q", len(lost), len(blocks), lost[:min(3, len(lost))])
	}
	outside(t, tool, file)
	t.Logf("%d sheets, %d blocks of text", sheets, len(blocks))
}

// inOrder is printed text in which blocks are looked up in about the order in which they stand.
type inOrder struct {
	text string
	at   int
}

// has reports whether a block is in print. One that the end of a sheet divides is not found as a whole: its beginning or its end
// is.
func (p *inOrder) has(block string) bool {
	quarter := len(block) / 4
	parts := []string{block}
	if quarter > 8 {
		parts = append(parts, strings.ToValidUTF8(block[:quarter], ""), strings.ToValidUTF8(block[len(block)-quarter:], ""))
	}
	for _, part := range parts {
		if i := strings.Index(p.text[p.at:], part); i >= 0 && i < 20_000 {
			p.at += i
			return true
		}
		if strings.Contains(p.text, part) {
			return true
		}
	}
	return false
}

var (
	sheetSize = regexp.MustCompile(`<page width="([\d.]+)" height="([\d.]+)"`)
	wordBox   = regexp.MustCompile(`<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)`)
)

// outside wants every printed word on its sheet.
func outside(t *testing.T, tool, file string) {
	t.Helper()
	boxes, err := exec.Command(tool, "-bbox", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	size := sheetSize.FindSubmatch(boxes)
	if size == nil {
		t.Fatal("pdftotext gave no sheet")
	}
	width, _ := strconv.ParseFloat(string(size[1]), 64)
	height, _ := strconv.ParseFloat(string(size[2]), 64)
	words := wordBox.FindAllSubmatch(boxes, -1)
	for _, w := range words {
		var edge [4]float64
		for i := range edge {
			edge[i], _ = strconv.ParseFloat(string(w[i+1]), 64)
		}
		if edge[0] < 0 || edge[1] < 0 || edge[2] > width || edge[3] > height {
			t.Errorf("the word %q is printed at %v of %.0f×%.0f", w[5], edge, width, height)
			return
		}
	}
	if len(words) < 50 {
		t.Errorf("only %d words are printed", len(words))
	}
}
