package browser_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// placed is where the first chart and the graph beside it stand.
type placed struct{ Left, Right, Top, Bottom, GraphLeft, GraphTop, GraphWide, GraphBottom float64 }

func (tb *tab) placed() placed {
	tb.t.Helper()
	return eval[placed](tb, `(() => { const pair = document.querySelector('.pair'), c = pair.querySelector('.chart').getBoundingClientRect(),
		g = [...pair.querySelectorAll('.graph svg[viewBox]')].find(s => s.checkVisibility() && s.getBoundingClientRect().width).getBoundingClientRect();
		return {Left: c.left, Right: c.right, Top: c.top, Bottom: c.bottom, GraphLeft: g.left, GraphTop: g.top, GraphWide: g.width, GraphBottom: g.bottom} })()`)
}

// together: chart and graph stand side by side on a desk and one below the other on a phone, with a link to them, complete without
// scripts; the pointer reads time and states where it is, in both; the wheel with Ctrl zooms either, and the graph is dragged.
func together(t *testing.T, b *browser, p page) {
	for _, scripts := range []bool{true, false} {
		tb := b.tab(t)
		call(tb, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
		tb.do(chromedp.EmulateViewport(deskWide, deskHigh), chromedp.Navigate(p.url()))
		if !eval[bool](tb, `!!document.querySelector('.pair .chart') && !!document.querySelector('.pair .graph')`) {
			t.Skip("the page has no chart and graph")
		}
		if at := tb.placed(); at.GraphLeft < at.Right || at.GraphTop > at.Bottom || at.GraphWide < 200 {
			t.Errorf("scripts %v: on a desk chart and graph do not stand side by side: %+v", scripts, at)
		}
		if !eval[bool](tb, `!!document.querySelector('nav a[href="#' + document.querySelector('.together').id + '"]')`) {
			t.Error("no link leads to chart and graph")
		}
		tb.do(chromedp.EmulateViewport(phoneWide, phoneHigh))
		if at := tb.placed(); at.GraphTop < at.Bottom || at.GraphLeft < 0 {
			t.Errorf("scripts %v: on a phone the graph is not below the chart: %+v", scripts, at)
		}
	}
	tb := b.tab(t)
	tb.do(chromedp.EmulateViewport(deskWide, deskHigh), chromedp.Navigate(p.url()))
	tb.readByPointer(b, p)
	tb.zoomedByWheel()
	tb.zoomedByFingers()
}

// states are what the first chart shows at an instant: where the pointer is read, and whether the graph follows.
type states struct {
	Reading    string
	Lines, Now int
	Past       bool
	Clock      string
}

func (tb *tab) states() states {
	tb.t.Helper()
	return eval[states](tb, `(() => { const r = document.querySelector('.reading'), s = document.querySelector('.pair'); return {Reading: r.hidden ? '' : r.textContent,
		Lines: r.hidden ? 0 : r.children.length, Now: s.querySelectorAll('.now').length, Past: s.querySelector('.graph').classList.contains('past'),
		Clock: document.querySelector('.scrub output').textContent} })()`)
}

func (tb *tab) readByPointer(b *browser, p page) {
	t := tb.t
	eval[bool](tb, `document.querySelector('.together').scrollIntoView({behavior: 'instant'}), true`)
	over := eval[struct{ X, Y float64 }](tb, `(() => { const b = document.querySelector('.chart tbody .over').getBoundingClientRect(); return {X: b.x + b.width / 2, Y: b.y + 10} })()`)
	before := tb.states()
	tb.do(chromedp.MouseEvent(chromedp.MouseMoved, over.X, over.Y))
	at := tb.states()
	if at.Reading == "" || at.Lines < 3 || at.Now < 2 || !at.Past || at.Clock != before.Clock {
		t.Errorf("the pointer over the chart reads %+v", at)
	}
	b.shot(tb, p.name+"-pointer")
	tb.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	if after := tb.states(); after.Reading != "" || after.Past || after.Now != 0 {
		t.Errorf("without the pointer chart and graph show %+v", after)
	}
	tb.setClock(0)
	if set := tb.states(); !set.Past || set.Now < 2 || set.Clock == before.Clock {
		t.Errorf("the clock shows %+v", set)
	}
}

// wheel turns the wheel over an element and reports whether the page is kept from scrolling.
const wheel = `((e, ctrlKey) => { const b = e.getBoundingClientRect(); return !e.dispatchEvent(new WheelEvent('wheel', {ctrlKey, deltaY: -200, ` +
	`clientX: b.left + b.width / 2, clientY: b.top + 20, bubbles: true, cancelable: true})) })`

func (tb *tab) zoomedByWheel() {
	t := tb.t
	t.Helper()
	const chart, graph = `document.querySelector('.chart tbody .over')`, `[...document.querySelectorAll('.pair .graph svg[viewBox]')].find(s => s.checkVisibility())`
	view := func() string { return eval[string](tb, graph+`.getAttribute('viewBox')`) }
	bars, whole := tb.charted().Bars, view()
	for what, of := range map[string]string{"chart": chart, "graph": graph} {
		if eval[bool](tb, wheel+`(`+of+`, false)`) {
			t.Errorf("the wheel alone does not scroll the page over the %s", what)
		}
		if !eval[bool](tb, wheel+`(`+of+`, true)`) {
			t.Errorf("the wheel with Ctrl does not zoom the %s", what)
		}
	}
	if now := tb.charted().Bars; len(now) == len(bars) && now[0] == bars[0] && now[len(now)-1] == bars[len(bars)-1] {
		t.Error("the wheel with Ctrl leaves the chart as it was")
	}
	near := view()
	if near == whole {
		t.Error("the wheel with Ctrl leaves the graph as it was")
	}
	eval[bool](tb, graph+`.scrollIntoView({block: 'center', behavior: 'instant'}), true`)
	c := eval[struct{ X, Y float64 }](tb, `(() => { const b = `+graph+`.getBoundingClientRect(); return {X: b.x + b.width / 2, Y: b.y + b.height / 2} })()`)
	tb.do(chromedp.DragAndDropXY(c.X, c.Y, c.X+30, c.Y+30, 5))
	if view() == near {
		t.Error("the graph is not dragged")
	}
	eval[bool](tb, `[...document.querySelectorAll('.drawn button')].find(b => b.textContent === 'Whole graph').click(), true`)
	if view() != whole {
		t.Errorf("the whole graph is %s, want %s", view(), whole)
	}
	eval[bool](tb, `document.querySelector('.pair .graph').focus({preventScroll: true}), true`)
	tb.do(chromedp.KeyEvent("+"))
	near = view()
	tb.do(chromedp.KeyEvent(kb.ArrowRight))
	if moved := view(); near == whole || moved == near {
		t.Errorf("by keys the graph is %s of %s, and then %s", near, whole, moved)
	}
	if tb.do(chromedp.KeyEvent("0")); view() != whole {
		t.Errorf("0 shows %s of the graph", view())
	}
}

// zoomedByFingers draws two fingers apart on a touch screen: over the chart, and over the graph as it is whole.
func (tb *tab) zoomedByFingers() {
	t := tb.t
	t.Helper()
	call(tb, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 2})
	for what, of := range map[string][2]string{
		"chart": {`document.querySelector('.chart tbody .over')`, `[...document.querySelectorAll('figure.chart tbody [data-t]')].map(b => b.getAttribute('x') + ' ' + b.getAttribute('width')).join()`},
		"graph": {`[...document.querySelectorAll('.pair .graph svg[viewBox]')].find(s => s.checkVisibility())`, `[...document.querySelectorAll('.pair .graph svg[viewBox]')].find(s => s.checkVisibility()).getAttribute('viewBox')`},
	} {
		tb.do(chromedp.Reload())
		eval[bool](tb, of[0]+`.scrollIntoView({block: 'center', behavior: 'instant'}), true`)
		c := eval[struct{ X, Y float64 }](tb, `(() => { const b = `+of[0]+`.getBoundingClientRect(); return {X: b.x + b.width / 2, Y: b.y + Math.min(b.height, innerHeight) / 2} })()`)
		before := eval[string](tb, of[1])
		touch := func(kind input.DispatchTouchEventType, apart float64) {
			points := []*input.TouchPoint{{X: c.X - apart, Y: c.Y, ID: new(0.0)}, {X: c.X + apart, Y: c.Y, ID: new(1.0)}}
			if kind == input.DispatchTouchEventTypeTouchEnd {
				points = []*input.TouchPoint{}
			}
			call(tb, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		}
		touch(input.DispatchTouchEventTypeTouchStart, 20)
		for apart := 30.0; apart < 90; apart += 10 {
			touch(input.DispatchTouchEventTypeTouchMove, apart)
		}
		touch(input.DispatchTouchEventTypeTouchEnd, 0)
		if eval[string](tb, of[1]) == before {
			t.Errorf("two fingers leave the %s as it was", what)
		}
		if scale := eval[float64](tb, `visualViewport.scale`); scale != 1 {
			t.Errorf("two fingers over the %s zoom the page to %.1f", what, scale)
		}
	}
}
