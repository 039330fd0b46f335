package browser_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// note keeps what a page asked for and complained of.
func (tb *tab) note(event any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		tb.asked = append(tb.asked, e.Request.URL)
	case *runtime.EventExceptionThrown:
		tb.console = append(tb.console, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			tb.console = append(tb.console, e.Entry.Text)
		}
	}
}

// requests are the addresses that the page asked for, without the document itself.
func (tb *tab) requests() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(tb.asked), func(url string) bool {
		return strings.HasPrefix(url, "file://") && strings.HasSuffix(strings.SplitN(url, "#", 2)[0], ".html") || strings.HasPrefix(url,
			"data:text/html,")
	})
}

func (tb *tab) errors() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return slices.Clone(tb.console)
}

// withoutNetwork: read from end to end, with everything opened and the pointer over it, the page asks nobody for anything, and
// tries nothing that its policy forbids.
func withoutNetwork(t *testing.T, b *browser, p page) {
	tb := b.open(t, p.url())
	openAll(tb)
	eval[bool](tb, `window.scrollTo(0, document.documentElement.scrollHeight), true`)
	tb.do(chromedp.MouseEvent(chromedp.MouseMoved, 300, 300), chromedp.MouseEvent(chromedp.MouseMoved, 500, 500))
	if asked := tb.requests(); len(asked) > 0 {
		t.Errorf("the page asked for %q", asked)
	}
	if errors := tb.errors(); len(errors) > 0 {
		t.Errorf("the browser complains: %q", errors)
	}
	policy := eval[string](tb, `document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content ?? ""`)
	if !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("the page's policy is %q", policy)
	}
}

// nothingAsked wants that no page ever made a request, in all that was done with it.
func (b *browser) nothingAsked(t *testing.T) {
	if lines := b.proxy.seen(); len(lines) > 0 {
		t.Errorf("the proxy was asked for %q", lines)
	}
}

// openAll unfolds every part of a page.
func openAll(tb *tab) {
	tb.t.Helper()
	eval[bool](tb, `document.querySelectorAll('details').forEach(d => d.open = true), true`)
}

// withoutScripts: what the reader came for is there, seen and unfolded or a click away, when no script runs.
func withoutScripts(t *testing.T, b *browser, p page) {
	tb := b.tab(t)
	call(tb, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	tb.do(chromedp.Navigate(p.url()))
	complete(tb, p)
	if tools := eval[int](tb, `document.querySelectorAll('.tool, button, input:not(#print-all)').length`); tools > 0 {
		t.Errorf("without scripts the page has %d controls that do nothing", tools)
	}
	b.shot(tb, p.name+"-no-scripts")
}
