package browser_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/volpost/volpost/report"
)

// askedZone: a page that was asked for in a zone is drawn in it, and the choice of UTC gives what the page of UTC has.
func askedZone(t *testing.T, b *browser, p page) {
	if p.made {
		return
	}
	var out bytes.Buffer
	if err := report.WriteWith(&out, "html", p.report, report.Options{Zone: mustLoad(t, "Asia/Kolkata")}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "asked.html")
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	const look = `[...document.querySelectorAll('#zone, .parts .time, .chart figcaption, .chart title, .timeline td, main p')].map(e => ` +
		`e.textContent).join('\n')`
	plain, asked := b.tab(t), b.tab(t)
	plain.do(chromedp.Navigate(p.url()))
	asked.do(chromedp.Navigate("file://" + file))
	want, before := eval[string](plain, look), eval[string](asked, look)
	if chosen := eval[string](asked, `document.querySelector('#zone-choice').value`); chosen != "Asia/Kolkata" {
		t.Errorf("the page opens in %s", chosen)
	}
	choose := func(zone string) string {
		eval[bool](asked, `(s => { s.value = '`+zone+
			`'; s.dispatchEvent(new Event('change')); return true })(document.querySelector('#zone-choice'))`)
		return eval[string](asked, look)
	}
	got := strings.Split(choose("UTC"), "\n")
	for i, line := range strings.Split(want, "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("UTC gives %q, want %q", got[min(i, len(got)-1)], line)
		}
	}
	if choose("Asia/Kolkata") != before || before == want {
		t.Error("the zone that was asked for does not give back what was there")
	}
}

func mustLoad(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// inAnotherZone: one choice moves every time of the page's own words to the reader's zone, and none of a quote; UTC gives back what was
// there.
func inAnotherZone(t *testing.T, b *browser, p page) {
	tb := b.tab(t)
	call(tb, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Australia/Adelaide"})
	tb.do(chromedp.Navigate(p.url()))
	openAll(tb)
	type seen struct{ Head, First, Axis, Row, Quotes, Body string }
	look := func() seen {
		return eval[seen](tb, `(() => { const text = s => document.querySelector(s)?.textContent ?? ''; return {Head: text('#zone'), First: text('.parts .time'),
			Axis: text('.chart thead text'), Row: document.querySelector('.timeline tbody tr')?.cells[1].firstChild.data ?? '',
			Quotes: [...document.querySelectorAll('pre')].map(p => p.textContent).join(), Body: document.body.innerText} })()`)
	}
	choose := func(zone string) {
		eval[bool](tb, `(s => { s.value = '`+zone+
			`'; s.dispatchEvent(new Event('change')); return true })(document.querySelector('#zone-choice'))`)
	}
	before := look()
	choose("Australia/Adelaide")
	after := look()
	if after.Head != "Times are Australia/Adelaide." || after.Quotes != before.Quotes {
		t.Errorf("the head says %q, and the quotes are the same: %v", after.Head, after.Quotes == before.Quotes)
	}
	for _, pair := range [][2]string{{before.First, after.First}, {before.Row[:min(8, len(before.Row))], after.Row[:min(8, len(after.Row))]},
		{before.Axis + ":00", after.Axis + ":00"}} {
		was, err := time.Parse(time.TimeOnly, pair[0])
		if err != nil {
			continue // with seconds already, or with its day
		}
		if want := was.Add(10*time.Hour + 30*time.Minute).Format(time.TimeOnly); pair[1] != want {
			t.Errorf("%s became %s, want %s", pair[0], pair[1], want)
		}
	}
	if before.First == "" || after.First == before.First {
		t.Errorf("the first time of the bar is %q", after.First)
	}
	choose("UTC")
	if again := look(); again != before {
		t.Error("UTC does not give back what was there")
	}
}
