// Package browser_test opens the HTML of recorded incidents in Chromium, as a reader would: without scripts, without network,
// under the policy of a build server, on paper, in the dark, on a phone, with the keyboard and for a screen reader.
//
// VOLPOST_SCREENSHOTS names a directory in which pictures of what was seen are kept. VOLPOST_AXE is the path of axe.min.js of
// axe-core; without it the check of accessibility rules is skipped, which says so.
package browser_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/volpost/volpost/samples/recordings"
)

// TestPage is one test, because all of its parts share one browser: starting one takes longer than most parts. The pages take turns at
// being checked; in the long tests every check looks at the first page too.
func TestPage(t *testing.T) {
	b := start(t)
	t.Cleanup(func() { b.nothingAsked(t) })
	all := pages(t)
	for n, p := range all {
		due := recordings.Every(len(all), n, checks)
		if recordings.Long && n == 0 {
			due = checks
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range due {
				t.Run(c.name, func(t *testing.T) { c.run(t, b, p) })
			}
		})
	}
}

// check is one way to look at a page.
type check struct {
	name string
	run  func(*testing.T, *browser, page)
}

var checks = []check{
	{"no-scripts", withoutScripts},
	{"no-network", withoutNetwork},
	{"build-server", underBuildServerPolicy},
	{"dark", inTheDark},
	{"contrast", withAContrastTheme},
	{"narrow", onAPhone},
	{"first-screen", onTheFirstScreen},
	{"print", onPaper},
	{"print-everything", onMuchPaper},
	{"keyboard", byKeyboard},
	{"filter", withTheFilter},
	{"chart", inTheChart},
	{"zone", inAnotherZone},
	{"asked-zone", askedZone},
	{"links", followingLinks},
	{"copy", asMarkdown},
	{"keys", withKeys},
	{"detail", withDetail},
	{"clock", withTheClock},
	{"together", together},
	{"axe", byAxe},
}

// browser is a running Chromium whose requests all go to a proxy that notes them and answers nothing.
type browser struct {
	ctx   context.Context
	proxy *proxy
	shots string
}

func start(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("short: no browser")
	}
	path := chromium(t)
	b := &browser{proxy: listen(t), shots: os.Getenv("VOLPOST_SCREENSHOTS")}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.ProxyServer(b.proxy.address), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(time.Minute))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	b.ctx = ctx
	return b
}

// chromium finds the browser.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium is installed: no page was opened in a browser")
	return ""
}

// tab is one page of the browser; a failure of the browser ends the test.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	asked   []string // addresses of requests
	console []string // errors that the page caused
}

// tabTimeout is far above what a part takes on an idle machine.
const tabTimeout = 4 * time.Minute

// tab opens an empty page of 1280×800, the size that reports are judged at.
func (b *browser) tab(t *testing.T) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithTimeout(ctx, tabTimeout)
	t.Cleanup(cancel)
	tb := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, tb.note); err != nil {
		t.Fatal(err)
	}
	call(tb, network.Enable, network.EnableParams{})
	tb.prefer("light")
	tb.do(chromedp.EmulateViewport(1280, 800))
	return tb
}

// open shows an address and waits until it is loaded.
func (b *browser) open(t *testing.T, url string) *tab {
	t.Helper()
	tb := b.tab(t)
	tb.do(chromedp.Navigate(url))
	return tb
}

func (tb *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	tb.t.Helper()
	if err := chromedp.Do(tb.ctx, steps...); err != nil {
		tb.t.Fatal(err)
	}
}

// eval is the value of an expression in the page. It works where the page's own scripts are forbidden.
func eval[T any](tb *tab, expression string) T {
	tb.t.Helper()
	value, err := chromedp.Run(tb.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		tb.t.Fatalf("%v in %.200s", err, expression)
	}
	return value
}

// call gives the browser a command of its protocol.
func call[P, R any](tb *tab, command cdp.Command[P, R], params P) R {
	tb.t.Helper()
	result, err := chromedp.Call(tb.ctx, command, params)
	if err != nil {
		tb.t.Fatal(err)
	}
	return result
}

// shot keeps a picture of what is in view.
func (b *browser) shot(tb *tab, name string) {
	tb.t.Helper()
	if b.shots == "" {
		return
	}
	picture, err := chromedp.Run(tb.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		tb.t.Fatal(err)
	}
	b.keep(tb.t, name+".png", picture)
}

// keep stores a file beside the pictures.
func (b *browser) keep(t *testing.T, name string, content []byte) {
	t.Helper()
	if b.shots == "" {
		return
	}
	if err := os.MkdirAll(b.shots, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.shots, name), content, 0o644); err != nil {
		t.Fatal(err)
	}
}
