package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// chart draws facts in lanes over time. Positions along time are shares of the width, so that letters keep their size
// on any screen; those across are pixels.
type chart struct {
	ID       string
	Lanes    []chartLane
	Height   int
	Bottom   int // where the lanes end and the axis begins
	Ticks    []tick
	Edges    []float64 // where the wait began and ended
	Zero     string    // what it began with
	Parts    []stackPart
	From, To int64 // milliseconds from the page's zero
	Before   int   // facts before it
	After    int   // facts after it
	Alerts   int   // alerts that fired and have no lane
	Title    string
}

// chartLane is one lane. Lanes without a fact are left out.
type chartLane struct {
	ID, Name    string
	Label, Line int // y of the name's baseline, and of the line
	Marks       []chartMark
	Bars        []chartBar
}

// chartMark is a fact, or several that lie too close together to be told apart.
type chartMark struct {
	X       float64
	Low     float64 // the fact lies between Low and High
	High    float64
	Href    string
	Title   string
	Basis   string
	Other   bool // concerns no incident
	Several bool

	first string // title of the first fact
	count int
}

// chartBar is an alert that fires.
type chartBar struct {
	X, Wide     float64
	Href, Title string
}

const (
	chartStrip   = 24    // pixels of the strip of phases
	chartLine    = 32    // pixels of a lane
	chartAxis    = 18    // pixels of the axis
	chartGap     = 0.009 // share of the width within which marks become one
	chartMargin  = 12    // the part of a span that is drawn before and after it, as its fraction
	chartLetters = 110   // columns of a mark's title
)

// incidentChart draws the facts of one incident around its span, below its phases.
func (p *htmlPage) incidentChart(in *incidentView) *chart {
	from, to := widened(in.Span.From.At, in.Span.To.At)
	c := &chart{ID: in.Anchor + "-chart", Title: fmt.Sprintf("Timeline of incident %d in lanes", in.Number)}
	s := newStack("", in.Phases, in.Span.To, from, to.Sub(from))
	c.Parts = s.Parts
	var list []*entry
	for _, e := range p.facts {
		if slices.Contains(e.item.Incidents, in.ID) {
			list = append(list, e)
		}
	}
	p.draw(c, list, from, to, in.Zero)
	c.Edges, c.Zero = edgesOf(in, from, to), in.Words().zero
	return c
}

// widened is a span with some room before and after it; a second at least.
func widened(from, to time.Time) (time.Time, time.Time) {
	margin := max(to.Sub(from)/chartMargin, time.Second)
	return from.Add(-margin), to.Add(margin)
}

// wholeChart draws all facts from the first incident to the end of the last one, or all of them where there is none.
func (p *htmlPage) wholeChart(entries []*entry) *chart {
	from, to := entries[0].item.At.At, entries[len(entries)-1].item.At.At
	for i, in := range p.Incident {
		if i == 0 || in.Span.From.At.Before(from) {
			from = in.Span.From.At
		}
		if i == 0 || in.Span.To.At.After(to) {
			to = in.Span.To.At
		}
	}
	from, to = widened(from, to)
	c := &chart{ID: "timeline-chart", Title: "Timeline in lanes"}
	p.draw(c, entries, from, to, p.zero())
	if p.Primary != nil {
		c.Edges, c.Zero = edgesOf(p.Primary, from, to), p.Primary.Words().zero
	}
	return c
}

// edgesOf are where the wait began and ended.
func edgesOf(in *incidentView, from, to time.Time) []float64 {
	out := []float64{share(in.MultiAttach.Began.At, from, to.Sub(from))}
	if ended := in.MultiAttach.Ended; ended != nil {
		out = append(out, share(ended.At, from, to.Sub(from)))
	}
	return out
}

// draw places the facts. Those outside of the span are counted.
func (p *htmlPage) draw(c *chart, list []*entry, from, to, zero time.Time) {
	c.From, c.To = from.Sub(p.zero()).Milliseconds(), to.Sub(p.zero()).Milliseconds()
	byLane := map[string]*chartLane{}
	var found []*chartLane
	for _, e := range list {
		at := e.item.At
		switch {
		case at.At.Before(from):
			c.Before++
			continue
		case at.At.After(to):
			c.After++
			continue
		}
		key := e.laneKey()
		l := byLane[key]
		if l == nil {
			l = &chartLane{ID: e.lane, Name: e.laneName()}
			byLane[key] = l
			found = append(found, l)
		}
		if e.rule != "" {
			l.Bars = append(l.Bars, e.bar(from, to, zero, p.Bundle.CapturedAt))
		} else {
			l.mark(e, from, to, zero)
		}
	}
	c.stack(found)
	total := to.Sub(from)
	for _, t := range []tick{{0, "start", ""}, {0.25, "middle", ""}, {0.5, "middle", ""}, {0.75, "middle", ""}, {1, "end", ""}} {
		t.Text = offset(zero, from.Add(time.Duration(t.Share*float64(total))))
		c.Ticks = append(c.Ticks, t)
	}
}

// laneKey is the lane of a fact in a chart: each alert has its own, because several fire at once.
func (e *entry) laneKey() string { return e.lane + e.rule }

// laneName says of an alert that it would have fired: a bar comes from running the rule, not from an alert that was sent.
func (e *entry) laneName() string {
	if e.rule != "" {
		return "Would fire: " + shorten(oneLine(e.name), labelColumns) + " (" + e.origin + ")"
	}
	return find(lanes, e.lane)
}

// chartAlerts is how many alerts have a lane in a chart.
const chartAlerts = 8

// stack puts the lanes below one another, in the order of lanes; alerts in the order in which they fired.
func (c *chart) stack(found []*chartLane) {
	y, alerts := 0, 0
	if len(c.Parts) > 0 {
		y = chartStrip
	}
	for _, id := range lanes {
		for _, l := range found {
			if l.ID != id.id {
				continue
			}
			if l.ID == "alerts" {
				if alerts++; alerts > chartAlerts {
					c.Alerts++
					continue
				}
			}
			l.Label, l.Line = y+11, y+21
			c.Lanes = append(c.Lanes, *l)
			y += chartLine
		}
	}
	c.Bottom, c.Height = y, y+chartAxis
}

// mark adds a fact to its lane, to the mark before when it would hide that.
func (l *chartLane) mark(e *entry, from, to, zero time.Time) {
	at, total := e.item.At, to.Sub(from)
	m := chartMark{X: share(at.At, from, total), Low: share(at.Earliest, from, total), High: share(at.Latest, from, total), Basis: string(at.Basis),
		Other: len(e.item.Incidents) == 0, count: 1}
	if n := len(l.Marks); n > 0 && m.X-l.Marks[n-1].X < chartGap {
		last := &l.Marks[n-1]
		last.count++
		last.Several = true
		last.Other = last.Other && m.Other
		last.Low, last.High = min(last.Low, m.Low), max(last.High, m.High)
		last.Title = fmt.Sprintf("%s, and %d more until %s", last.first, last.count-1, offset(zero, at.At))
		return
	}
	m.Href = "timeline-folded"
	if e.kept {
		m.Href = e.anchor
	}
	m.Title = offset(zero, at.At) + " " + shorten(oneLine(e.item.Text), chartLetters)
	if at.Basis != model.Observed {
		m.Title += " (" + string(at.Basis) + ")"
	}
	m.first = m.Title
	l.Marks = append(l.Marks, m)
}

// bar is an alert from its beginning to its end; one that fires on reaches to the collection, where that is known.
func (e *entry) bar(from, to, zero time.Time, collected *model.Moment) chartBar {
	end, text := to, "to the end of the data"
	switch {
	case !e.open && e.until != nil:
		end, text = *e.until, "until "+offset(zero, *e.until)
	case collected != nil && collected.At.After(e.item.At.At):
		end, text = collected.At, "on at the collection"
	}
	total := to.Sub(from)
	b := chartBar{X: share(e.item.At.At, from, total), Href: e.rule, Title: offset(zero, e.item.At.At) + " " + oneLine(e.item.Text) + ", " + text}
	b.Wide = max(share(end, from, total)-b.X, 0.004)
	return b
}

// Wide says that the instant of a mark is uncertain so far that it shows.
func (m chartMark) Wide() bool { return m.High-m.Low > chartGap/2 }

// Top is the upper edge of a square on the line.
func (m chartMark) Top(line int) float64 { return float64(line) - 4.5 }

// Fill is empty for what was not observed, so that how a fact is known shows without colour.
func (m chartMark) Fill() string {
	switch {
	case m.Basis != string(model.Observed):
		return "#ffffff"
	case m.Other:
		return "#9aa3af"
	}
	return "#3b5b8c"
}

// Stroke is the outline.
func (m chartMark) Stroke() string {
	if m.Other {
		return "#6b7480"
	}
	return "#3b5b8c"
}

// Dash is the outline of what was assumed.
func (m chartMark) Dash() string {
	if m.Basis == string(model.Assumed) {
		return "2 1.5"
	}
	return ""
}

// AxisText is the baseline of the axis.
func (c *chart) AxisText() int { return c.Bottom + 13 }

// Legend says what the marks mean and what lies outside.
func (c *chart) Legend() string {
	text := c.Title
	if len(c.Parts) > 0 {
		text += " below its phases"
	}
	text += ". A circle is one fact, a square several that lie close together"
	if marks := c.unlike(); marks != "" {
		text += "; " + marks
	}
	text += "."
	switch len(c.Edges) {
	case 1:
		text += " The dashed line is " + c.Zero + "."
	case 2:
		text += " The dashed lines are " + c.Zero + " and the end of the wait."
	}
	if c.Before+c.After > 0 {
		text += fmt.Sprintf(" Outside, in the table below: %s before and %s after.", number(int64(c.Before)), number(int64(c.After)))
	}
	if c.Alerts > 0 {
		text += " " + counted(c.Alerts, "more alert") + " fired; see the alerts."
	}
	return text
}

// unlike explains those marks of the chart that look otherwise than an observed fact of an incident.
func (c *chart) unlike() string {
	var parts []string
	for _, look := range []struct {
		text string
		has  func(chartMark) bool
	}{
		{"empty ones are derived", func(m chartMark) bool { return m.Basis == string(model.Derived) }},
		{"dashed ones are assumed", func(m chartMark) bool { return m.Basis == string(model.Assumed) }},
		{"grey ones concern no incident", func(m chartMark) bool { return m.Other }},
	} {
		if slices.ContainsFunc(c.Lanes, func(l chartLane) bool { return slices.ContainsFunc(l.Marks, look.has) }) {
			parts = append(parts, look.text)
		}
	}
	return strings.Join(parts, ", ")
}
